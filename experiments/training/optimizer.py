"""Step and mixing of all nodes of all cells at once.

With gradient g (weight decay included), learning rate η, momentum β and mixing matrix W:
  local momentum          d = v ← βv + g
  quasi-global momentum   d = βu + g, and after the step u ← βu + (1 − β)(x_old − x_new)/η
  adapt then combine      x ← W(x − ηd)
  combine then adapt      x ← Wx − ηd
Cells are the runs stacked in one network; each has its own W, η, β, weight decay, momentum kind and order.
"""

from __future__ import annotations

import torch

from .layout import Block, Parameters
from .settings import Entry


class Optimizer:
    """momentum holds v or u per block; tables of one epoch, a row per iteration, are filled by load_epoch."""

    def __init__(self, cells: list[Entry], parameters: Parameters, steps: int) -> None:
        device, dtype = parameters.vectors.master.device, parameters.vectors.master.dtype
        self.parameters, self.nodes, self.cells = parameters, cells[0].nodes, len(cells)
        self.momentum = [torch.zeros_like(b.master) for b in parameters.blocks]

        def column(values: list[float]) -> torch.Tensor:
            """One value per cell, repeated for its nodes: [models, 1]."""
            return torch.tensor(values, device=device, dtype=dtype).repeat_interleave(self.nodes)[:, None]

        self.beta = column([c.beta for c in cells])
        self.decay = column([c.weight_decay for c in cells])
        self.after = column([float(c.order == "cta") for c in cells])
        self.quasi = column([float(c.momentum == "quasi-global") for c in cells])
        self.orders = {c.order for c in cells}
        self.kinds = {c.momentum for c in cells}
        self.mix_table = torch.zeros(steps, len(cells), self.nodes, self.nodes, device=device, dtype=dtype)
        self.lr_table = torch.zeros(steps, len(cells), device=device, dtype=dtype)
        self.averages: list[torch.Tensor] = []
        if any(c.ema for c in cells):
            self.averages = [b.master.view(len(cells), self.nodes, -1).mean(1) for b in parameters.blocks]
            self.ema = torch.tensor([c.ema or 0.0 for c in cells], device=device, dtype=dtype)[:, None]

    def load_epoch(self, matrices: torch.Tensor, rates: torch.Tensor) -> None:
        """Mixing matrices [steps, cells, n, n] and learning rates [steps, cells] of the coming epoch."""
        self.mix_table.copy_(matrices)
        self.lr_table.copy_(rates)

    def start_averages(self) -> None:
        """Sets the moving averages to the present averaged models."""
        for k, block in enumerate(self.parameters.blocks):
            if self.averages:
                self.averages[k].copy_(block.master.view(self.cells, self.nodes, -1).mean(1))

    @torch.no_grad()
    def step(self, t: torch.Tensor, mix: bool) -> None:
        """Iteration t, a device tensor [1], so that it can be part of a graph; without mix every W is the identity."""
        lr = self.lr_table.index_select(0, t)[0].repeat_interleave(self.nodes)[:, None]
        w = self.mix_table.index_select(0, t)[0]
        for block, momentum in zip(self.parameters.blocks, self.momentum):
            self._update(block, momentum, lr, w if mix else None)
            block.refresh()
        for k, block in enumerate(self.parameters.blocks):
            if self.averages:
                mean = block.master.view(self.cells, self.nodes, -1).mean(1)
                self.averages[k].mul_(self.ema).add_(mean * (1 - self.ema))

    def _update(self, block: Block, momentum: torch.Tensor, lr: torch.Tensor, w: torch.Tensor | None) -> None:
        x = block.master
        old = x.clone() if "quasi-global" in self.kinds else None
        # For local momentum d is the new v; for quasi-global d needs u again afterwards.
        if old is None:
            d = momentum.mul_(self.beta).addcmul_(x, self.decay).add_(block.grad)
        else:
            d = (momentum * self.beta).addcmul_(x, self.decay).add_(block.grad)
        if self.orders == {"atc"}:
            x.addcmul_(d, -lr)
        elif self.orders == {"atc", "cta"}:
            x.addcmul_(d, -lr * (1 - self.after))
        if w is not None:
            shape = (self.cells, self.nodes, -1)
            x.copy_(torch.bmm(w, x.view(shape)).view(x.shape))
        if "cta" in self.orders:
            x.addcmul_(d, -lr * self.after)
        if old is None:
            return
        u = momentum.mul(self.beta).add_((old - x) * ((1 - self.beta) / lr))
        if self.kinds == {"quasi-global"}:
            momentum.copy_(u)
        else:
            momentum.copy_(torch.where(self.quasi > 0, u, d))
