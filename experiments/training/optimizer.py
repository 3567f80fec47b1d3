"""Step and mixing of all nodes of all cells at once.

With gradient g (weight decay included), learning rate η, momentum β and mixing matrix W:
  local momentum          d = v ← βv + g
  quasi-global momentum   d = βu + g, and after the step u ← βu + (1 − β)(x_old − x_new)/η
  adapt then combine      x ← W(x − ηd)
  combine then adapt      x ← Wx − ηd
Cells are the runs stacked in one network; each has its own W, η, β, weight decay, momentum kind and order. Cells with
averages in 16 bits have W = I here and are mixed by wires.py.
"""

from __future__ import annotations

import torch

from .layout import Block, Parameters
from .settings import Entry
from .step_kernel import fused_step
from .wires import Wires


class Optimizer:
    """momentum holds v or u per block; tables of one epoch, a row per iteration, are filled by load_epoch."""

    def __init__(self, cells: list[Entry], parameters: Parameters, steps: int, fused: bool = False) -> None:
        device, dtype = parameters.vectors.master.device, parameters.vectors.master.dtype
        self.parameters, self.nodes, self.cells, self.fused = parameters, cells[0].nodes, len(cells), fused
        self.momentum = [torch.zeros_like(b.master) for b in parameters.blocks]

        def per_cell(values: list[float]) -> torch.Tensor:
            return torch.tensor(values, device=device, dtype=dtype)

        self.beta = per_cell([c.beta for c in cells])
        self.decay = [per_cell([c.weight_decay for c in cells]),  # of matrices, of vectors
                      per_cell([c.weight_decay * c.decay_vectors for c in cells])]
        self.after = per_cell([float(c.order == "cta") for c in cells])
        self.quasi = per_cell([float(c.momentum == "quasi-global") for c in cells])
        self.orders = {c.order for c in cells}
        self.kinds = {c.momentum for c in cells}
        self.mix_table = torch.zeros(steps, len(cells), self.nodes, self.nodes, device=device, dtype=dtype)
        self.lr_table = torch.zeros(steps, len(cells), device=device, dtype=dtype)
        self.wires = Wires(cells, parameters.blocks)
        self.averages: list[torch.Tensor] = []
        if any(c.ema for c in cells):
            self.averages = [self._mean(b) for b in parameters.blocks]
            self.ema = per_cell([c.ema or 0.0 for c in cells])[:, None]

    def load_epoch(self, matrices: torch.Tensor, rates: torch.Tensor) -> None:
        """Mixing matrices [steps, cells, n, n] and learning rates [steps, cells] of the coming epoch."""
        self.mix_table.copy_(matrices)
        self.lr_table.copy_(rates)

    @torch.no_grad()
    def step(self, t: torch.Tensor, mix: bool) -> None:
        """Iteration t, a device tensor [1], so that it can be part of a graph; without mix every W is the identity."""
        lr, w = self.lr_table.index_select(0, t)[0], self.mix_table.index_select(0, t)[0]
        others = self.wires.others(w)
        for k, (block, momentum) in enumerate(zip(self.parameters.blocks, self.momentum)):
            before = self.wires.moves(k, block.master, w, after=True) if mix else None
            if self.fused:
                fused_step(block.master, block.compute, momentum, block.grad, others, lr, self.beta, self.decay[k],
                           self.after, self.quasi, "cta" in self.orders, "quasi-global" in self.kinds)
            else:
                self._update(block, momentum, self.decay[k], lr, others if mix else None)
            if before is not None:
                block.master.add_(before)
            behind = self.wires.moves(k, block.master, w, after=False) if mix else None
            if behind is not None:
                block.master.add_(behind)
            if not self.fused or mix and self.wires.some:
                block.refresh()
        for average, block in zip(self.averages, self.parameters.blocks):
            average.mul_(self.ema).add_(self._mean(block) * (1 - self.ema))

    def _mean(self, block: Block) -> torch.Tensor:
        """The averaged models, [cells, size]."""
        return block.master.view(self.cells, self.nodes, -1).mean(1)

    def _column(self, per_cell: torch.Tensor) -> torch.Tensor:
        """One value per cell, repeated for its nodes: [models, 1]."""
        return per_cell[:, None].expand(self.cells, self.nodes).reshape(-1, 1)

    def _update(self, block: Block, momentum: torch.Tensor, decay: torch.Tensor, lr: torch.Tensor,
                w: torch.Tensor | None) -> None:
        """Both kinds of momentum in plain operations."""
        x, beta = block.master, self._column(self.beta)
        quasi = "quasi-global" in self.kinds
        old = x.clone() if quasi else x
        # Local momentum becomes d; the quasi-global one is needed again after the step.
        d = (momentum * beta if quasi else momentum.mul_(beta)).addcmul_(x, self._column(decay)).add_(block.grad)
        self._move(x, d, lr, w)
        if quasi:
            u = (momentum * beta).addcmul_(old - x, (1 - beta) / self._column(lr))
            momentum.copy_(torch.where(self._column(self.quasi) > 0, u, d))

    def _move(self, x: torch.Tensor, d: torch.Tensor, lr: torch.Tensor, w: torch.Tensor | None) -> None:
        """x ← W(x − ηd) or x ← Wx − ηd, by the order of each cell."""
        if "atc" in self.orders:
            x.addcmul_(d, self._column(lr * (1 - self.after)), value=-1)
        if w is not None:
            x.copy_(torch.bmm(w, x.view(self.cells, self.nodes, -1)).view(x.shape))
        if "cta" in self.orders:
            x.addcmul_(d, self._column(lr * self.after), value=-1)
