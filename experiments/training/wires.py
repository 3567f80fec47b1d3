"""Averages of parameters in bfloat16, for the cells with bits 16; the others are mixed by the optimizer.

  exact    θ is what the nodes had after the last average: θ + round(mean of round(x − θ)), as changes are sent
  others   x + Σ w (round(y) − round(x)) over the neighbours' y: both ends of an edge round alike, so the mean stays
"""

from __future__ import annotations

import torch

from .layout import Block
from .settings import Entry


class Wires:
    """starts holds θ per block, for all models where some cell needs it."""

    def __init__(self, cells: list[Entry], blocks: list[Block]) -> None:
        device = blocks[0].master.device
        self.some = any(c.bits == 16 for c in cells)
        self.orders = {c.order for c in cells if c.bits == 16}
        self.nodes, self.cells = cells[0].nodes, len(cells)

        def flags(values: list[bool]) -> torch.Tensor:
            return torch.tensor(values, device=device)[:, None, None]

        self.half = flags([c.bits == 16 for c in cells])
        self.exact = flags([c.process == "exact" for c in cells])
        self.after = flags([c.order == "cta" for c in cells])
        changes = any(c.bits == 16 and c.process == "exact" for c in cells)
        self.starts = [b.master.clone() for b in blocks] if changes else []

    def others(self, w: torch.Tensor) -> torch.Tensor:
        """The matrices [cells, n, n] without those of 16 bits: these nodes are mixed here."""
        return torch.where(self.half, torch.eye(self.nodes, device=w.device, dtype=w.dtype), w) if self.some else w

    def moves(self, k: int, x: torch.Tensor, w: torch.Tensor, after: bool) -> torch.Tensor | None:
        """What averages add to x of block k, before the step (cells that combine, then adapt) or after it."""
        if ("cta" if after else "atc") not in self.orders:
            return None
        x, now = x.view(self.cells, self.nodes, -1), self.half & (self.after == after)
        sent = x.bfloat16().to(x.dtype)
        move = torch.bmm(w, sent).sub_(sent).masked_fill_(~now | self.exact, 0)
        if self.starts:
            start, now = self.starts[k].view(x.shape), now & self.exact & (w[:, :1, :1] != 1)  # the others rest
            average = (x - start).bfloat16().to(x.dtype).mean(1, keepdim=True).bfloat16().to(x.dtype)
            start.add_(average.masked_fill(~now, 0))
            move.add_((start - x).masked_fill_(~now, 0))
        return move.view(-1, x.shape[2])
