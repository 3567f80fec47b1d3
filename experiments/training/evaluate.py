"""What is measured after an epoch: averaged models, local models, consensus distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from . import partition
from .batches import ImageBank
from .network import Stack
from .simulate import Simulation, stack

STATISTICS_IMAGES = 2048  # training images for the averaged model's batch norm
STATISTICS_BATCH = 256
SEEN = 2  # nodes that see a test image when the test images are spread over the local models
# Images times models at once: bounds the memory of an evaluation. The first stage's patches are 32 or 8 pixels wide.
STACKED_IMAGES = {"3x3": 4096, "imagenet": 16384}


@dataclass(frozen=True)
class Distance:
    """Root mean square distance of the nodes to their mean, and the same relative to the length of the mean."""

    absolute: float
    relative: float


@dataclass(frozen=True)
class Score:
    """Share of images that each model gets right, and its cross-entropy."""

    accuracy: np.ndarray
    loss: np.ndarray


class Evaluator:
    """A second stack with one model per cell, into which averaged parameters are put."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        # Eager and forward only: the plain choice of convolution will do.
        conv = "bmm" if sim.options.channels_last else "grouped"
        self.mean = stack(sim.net.arch.shape, len(sim.cells), 0, sim.banks, sim.options, conv)

    def averaged(self) -> Score:
        """The averaged model of each cell on the test data."""
        cells, nodes = len(self.sim.cells), self.sim.nodes
        means = [b.master.view(cells, nodes, -1).mean(1) for b in self.sim.net.parameters.blocks]
        return self._score_of(means, nodes_statistics=True)

    def moving_average(self) -> Score | None:
        """The moving average of the averaged model of each cell; none when no cell keeps one."""
        return self._score_of(self.sim.optimizer.averages) if self.sim.optimizer.averages else None

    def local(self) -> np.ndarray:
        """Accuracy [cells, nodes] of every node's own model with its own running statistics on all test images."""
        self.sim.net.mode = "test"
        return score(self.sim.net, self.sim.test).accuracy.reshape(len(self.sim.cells), self.sim.nodes)

    def spread(self) -> np.ndarray:
        """Mean local accuracy per cell from test images spread over the nodes, each seen by SEEN of them.

        Every image counts once per node that sees it, so that only where nodes disagree chance is left: at 16 nodes and
        10,000 images about 0.002. It costs SEEN/nodes of measuring all.
        """
        self.sim.net.mode = "test"
        cells, nodes = len(self.sim.cells), self.sim.nodes
        index = spread_index(len(self.sim.test), nodes, self.sim.device).repeat(cells, 1)
        return score(self.sim.net, self.sim.test, index).accuracy.reshape(cells, nodes).mean(1)

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

    def _score_of(self, blocks: list[torch.Tensor], nodes_statistics: bool = False) -> Score:
        for block, values in zip(self.mean.parameters.blocks, blocks):
            block.master.copy_(values)
        self.mean.parameters.refresh()
        if self.mean.arch.shape.norm == "batch":
            self._collect_statistics(self.mean)
            if nodes_statistics:
                self._take_statistics(self.mean)
        self.mean.mode = "test"
        return score(self.mean, self.sim.test)

    def _collect_statistics(self, net: Stack) -> None:
        bank = self.sim.train
        # Spread evenly over the training images, so that every class of every part is there.
        count = min(STATISTICS_IMAGES, len(bank))
        chosen = torch.linspace(0, len(bank) - 1, count, device=self.sim.device).long()
        shuffled = torch.randperm(count, generator=torch.Generator().manual_seed(0)).to(self.sim.device)
        net.reset_statistics()
        net.mode = "collect"
        moves = torch.from_numpy(np.stack([partition.epoch_augmentation(  # [models, images, 3]
            1, 1, count, 0, c.seed, c.augment and c.statistics == "augmented", c.margin)[0, 0]
            for c in self.sim.cells]))
        for index, move in zip(chosen[shuffled].split(STATISTICS_BATCH), moves.split(STATISTICS_BATCH, dim=1)):
            net.logits(bank.gather(index.expand(net.models, -1), move.to(self.sim.device))[0])

    def _take_statistics(self, net: Stack) -> None:
        """Gives the cells that ask for it the means of their nodes' running means and variances."""
        cells, nodes = len(self.sim.cells), self.sim.nodes
        chosen = torch.tensor([c.statistics == "nodes" for c in self.sim.cells], device=self.sim.device)
        for norm in net.arch.norms.values():
            for to, of in ((net.mean, self.sim.net.mean), (net.var, self.sim.net.var)):
                start, end = norm.start, norm.start + norm.channels
                mine = to[start * cells:end * cells].view(cells, norm.channels)
                theirs = of[start * cells * nodes:end * cells * nodes].view(cells, nodes, norm.channels)
                mine.copy_(torch.where(chosen[:, None], theirs.mean(1), mine))


def spread_index(count: int, nodes: int, device: torch.device) -> torch.Tensor:
    """Which of count images each node sees, [nodes, size]: those whose number leaves its remainders by nodes.

    The last few images, fewer than nodes, are nobody's, so that all sizes are equal.
    """
    first = torch.arange(nodes, device=device)
    remainders = torch.stack([first + k * nodes // SEEN for k in range(min(SEEN, nodes))], dim=1) % nodes
    steps = nodes * torch.arange(count // nodes, device=device)
    return (remainders[:, None] + steps[:, None]).flatten(1)


@torch.no_grad()
def score(net: Stack, bank: ImageBank, index: torch.Tensor | None = None) -> Score:
    """Every model on the whole bank, or on its own images index [models, size]."""
    shape = net.arch.shape
    if index is None:
        index = torch.arange(len(bank), device=bank.labels.device).expand(net.models, -1)
    right = torch.zeros(net.models, device=bank.labels.device, dtype=torch.float64)
    loss, count = torch.zeros_like(right), 0
    size = max(16, STACKED_IMAGES[shape.stem] // net.models)
    for part in index.split(size, dim=1):
        x, labels = bank.gather(part, None)
        logits = net.logits(x)  # [images, models, classes]
        right += (logits.argmax(-1) == labels).sum(0)
        loss += F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none").view(labels.shape).sum(0)
        count += len(labels)
    return Score((right / count).cpu().numpy(), (loss / count).cpu().numpy())
