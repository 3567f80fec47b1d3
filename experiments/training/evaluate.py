"""What is measured after an epoch: averaged models, local models, consensus distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from .batches import ImageBank
from .network import Stack
from .simulate import Simulation

STATISTICS_IMAGES = 2048  # training images, not cropped or flipped, for the averaged model's batch norm
STATISTICS_BATCH = 256
# Images times models at once: bounds the memory of an evaluation. The first stage's patches are 32 or 8 pixels wide.
STACKED_IMAGES = {"3x3": 4096, "imagenet": 16384}


@dataclass(frozen=True)
class Distance:
    """Root mean square distance of the nodes to their mean, and the same relative to the length of the mean."""

    absolute: float
    relative: float


class Evaluator:
    """A second stack with one model per cell, into which averaged parameters are put."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        dtype = sim.net.parameters.matrices.grad.dtype
        # Eager and forward only: the plain choice of convolution will do.
        conv = "bmm" if sim.options.channels_last else "grouped"
        self.mean = Stack(sim.arch, len(sim.cells), sim.device, dtype, conv, sim.options.channels_last)

    def averaged(self) -> np.ndarray:
        """Test accuracy of the averaged model per cell."""
        cells, nodes = len(self.sim.cells), self.sim.nodes
        means = [b.master.view(cells, nodes, -1).mean(1) for b in self.sim.net.parameters.blocks]
        return self._accuracy_of(means)

    def moving_average(self) -> np.ndarray:
        """Test accuracy of the moving average of the averaged model per cell; zeros where no cell keeps one."""
        if not self.sim.optimizer.averages:
            return np.zeros(len(self.sim.cells))
        return self._accuracy_of(self.sim.optimizer.averages)

    def local(self) -> np.ndarray:
        """Test accuracy of every node's own model with its own running statistics: [cells, nodes]."""
        self.sim.net.mode = "test"
        return accuracy(self.sim.net, self.sim.test).view(len(self.sim.cells), self.sim.nodes).cpu().numpy()

    def distances(self) -> list[Distance]:
        cells, nodes = len(self.sim.cells), self.sim.nodes
        apart, length = torch.zeros(cells, dtype=torch.float64), torch.zeros(cells, dtype=torch.float64)
        for block in self.sim.net.parameters.blocks:
            for k in range(cells):  # one cell at a time: the difference is as large as the cell
                x = block.master[k * nodes:(k + 1) * nodes]
                mean = x.mean(0)
                apart[k] += ((x - mean).square().sum() / nodes).cpu()
                length[k] += mean.square().sum().cpu()
        return [Distance(float(a.sqrt()), float((a / b).sqrt())) for a, b in zip(apart, length)]

    def _accuracy_of(self, blocks: list[torch.Tensor]) -> np.ndarray:
        for block, values in zip(self.mean.parameters.blocks, blocks):
            block.master.copy_(values)
        self.mean.parameters.refresh()
        if self.sim.arch.shape.norm == "batch":
            self._collect_statistics()
        self.mean.mode = "test"
        return accuracy(self.mean, self.sim.test).cpu().numpy()

    def _collect_statistics(self) -> None:
        bank = self.sim.train
        # Spread evenly over the training images, so that every class of every part is there.
        count = min(STATISTICS_IMAGES, len(bank))
        chosen = torch.linspace(0, len(bank) - 1, count, device=self.sim.device).long()
        shuffled = torch.randperm(count, generator=torch.Generator().manual_seed(0)).to(self.sim.device)
        self.mean.reset_statistics()
        self.mean.mode = "collect"
        for index in chosen[shuffled].split(STATISTICS_BATCH):
            self.mean.logits(bank.gather(index.expand(self.mean.models, -1), None)[0])


@torch.no_grad()
def accuracy(net: Stack, bank: ImageBank) -> torch.Tensor:
    """Share of the bank's images that each model gets right."""
    right = torch.zeros(net.models, device=bank.labels.device)
    size = max(16, STACKED_IMAGES[net.arch.shape.stem] // net.models)
    for index in torch.arange(len(bank), device=bank.labels.device).split(size):
        x, labels = bank.gather(index.expand(net.models, -1), None)
        right += (net.logits(x).argmax(-1) == labels).sum(0)
    return right / len(bank)
