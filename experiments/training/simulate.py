"""Trains a group of runs (cells) of the same shape together, epoch by epoch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from . import partition
from .batches import Banks
from .data import Images
from .network import Architecture, Shape, Stack
from .optimizer import Optimizer
from .processes import process, step_matrices
from .settings import Entry
from .timing import fastest


@dataclass(frozen=True)
class Options:
    """How to compute, not what: the results agree up to rounding."""

    device: str = "cpu"
    dtype: str = "float32"  # or bfloat16; float64 for tests
    graphs: bool = False  # record an iteration once, replay it
    conv: str = "bmm"  # grouped, or auto: timed per layer
    channels_last: bool = True
    step: str = "plain"  # or fused, with Triton


def banks_of(images: Images, options: Options) -> Banks:
    return Banks(images, torch.device(options.device), getattr(torch, options.dtype))


def shape_of(cell: Entry, classes: int) -> Shape:
    return Shape(cell.net, cell.width, cell.stem, cell.norm, classes)


def stack(shape: Shape, models: int, batch: int, banks: Banks, options: Options,
          conv: str | dict[str, str] | None) -> Stack:
    """The stacked network of that shape; conv none: as the options say."""
    arch = Architecture(shape)
    if conv is None:
        auto = options.conv == "auto"
        conv = fastest(arch, models, batch, banks.device, banks.dtype) if auto else options.conv
    return Stack(arch, models, banks.device, banks.dtype, conv, options.channels_last)


class Simulation:
    """cells × nodes models in one stack, with their data orders, mixing and learning rates."""

    def __init__(self, cells: list[Entry], banks: Banks, options: Options, folder: Path = Path("."),
                 conv: str | dict[str, str] | None = None) -> None:
        if len({c.shape() for c in cells}) != 1:
            raise ValueError("cells of one group must have the same shape: " + ", ".join(c.name for c in cells))
        self.cells, self.options, self.banks = cells, options, banks
        self.nodes, self.batch = cells[0].nodes, cells[0].batch
        self.train, self.test, self.device = banks.train, banks.test, banks.device
        models = len(cells) * self.nodes
        self.net = stack(shape_of(cells[0], banks.classes), models, self.batch, banks, options, conv)
        self.held = [_partition(c, banks.train_labels) for c in cells]
        self.periods = [process(c.process, c.nodes, c.lazy, folder) for c in cells]
        self.steps = -(-self.held[0].shape[1] // self.batch)
        if any(-(-h.shape[1] // self.batch) != self.steps for h in self.held):
            raise ValueError("cells of one group must have the same number of iterations in an epoch")
        for k, c in enumerate(cells):
            self.net.arch.initialise(self.net.parameters, slice(k * self.nodes, (k + 1) * self.nodes), c.seed)
        self.net.parameters.refresh()
        self.optimizer = Optimizer(cells, self.net.parameters, self.steps, options.step == "fused")
        self.order = torch.zeros(self.steps, models, self.batch, dtype=torch.int32, device=self.device)
        self.moves = torch.zeros(self.steps, models, self.batch, 3, dtype=torch.uint8, device=self.device)
        self.t = torch.zeros(1, dtype=torch.int64, device=self.device)
        self.losses = torch.zeros(models, device=self.device, dtype=self.net.mean.dtype)
        self.recorded: dict[bool, torch.cuda.CUDAGraph] = {}

    def run_epoch(self, epoch: int) -> np.ndarray:
        """Trains epoch 0, 1, …; returns the mean training loss per cell."""
        mixes = self._load_epoch(epoch)
        self.net.mode = "train"
        if self.options.graphs and not self.recorded:
            self._record()
        self.t.zero_()
        self.losses.zero_()
        for mix in mixes:
            if self.recorded:
                self.recorded[bool(mix)].replay()
            else:
                self.iterate(bool(mix))
        return (self.losses / self.steps).view(len(self.cells), self.nodes).mean(1).cpu().numpy()

    def iterate(self, mix: bool) -> None:
        """One iteration of every model; everything it needs lies on the device."""
        index, moves = self.order.index_select(0, self.t)[0], self.moves.index_select(0, self.t)[0]
        x, labels = self.train.gather(index, moves)
        self.losses += self.net.loss(x, labels)
        self.optimizer.step(self.t, mix)
        self.t += 1

    def _load_epoch(self, epoch: int) -> np.ndarray:
        """Puts order, crops, matrices and learning rates on the device; says which iterations mix in any cell."""
        order, moves, matrices, rates = [], [], [], []
        for cell, held, period in zip(self.cells, self.held, self.periods):
            order.append(partition.epoch_order(held, self.batch, epoch, cell.seed, cell.sampling == "independent"))
            moves.append(partition.epoch_augmentation(
                self.steps, self.nodes, self.batch, epoch, cell.seed, cell.augment, cell.margin))
            first = epoch * self.steps
            matrices.append(step_matrices(period, cell.every, first, self.steps))
            total = cell.epochs * self.steps
            rates.append([cell.lr_at(first + s, total) for s in range(self.steps)])
        self.order.copy_(torch.from_numpy(np.concatenate(order, axis=1)))
        self.moves.copy_(torch.from_numpy(np.concatenate(moves, axis=1)))
        stacked = np.stack(matrices, axis=1)
        self.optimizer.load_epoch(torch.from_numpy(stacked), torch.tensor(rates, dtype=torch.float64).t())
        return (stacked != np.eye(self.nodes)).any(axis=(1, 2, 3))

    def _record(self) -> None:
        """Captures an iteration with and one without mixing; the state is put back afterwards."""
        state = [*self.state().values()]
        kept = [s.clone() for s in state]
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for mix in (True, False, True):
                self.t.zero_()
                self.iterate(mix)
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.empty_cache()  # the graphs take their memory from elsewhere
        pool = torch.cuda.graph_pool_handle()  # one at a time is replayed, so they can share memory
        for mix in (True, False):
            self.t.zero_()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=pool):
                self.iterate(mix)
            self.recorded[mix] = graph
        for s, k in zip(state, kept):
            s.copy_(k)
        self.net.parameters.refresh()

    def state(self) -> dict[str, torch.Tensor]:
        """Everything that one epoch hands to the next."""
        blocks = self.net.parameters.blocks
        out = {"matrices": blocks[0].master, "vectors": blocks[1].master, "mean": self.net.mean, "var": self.net.var}
        out.update({f"momentum{k}": m for k, m in enumerate(self.optimizer.momentum)})
        out.update({f"start{k}": s for k, s in enumerate(self.optimizer.wires.starts)})
        out.update({f"average{k}": m for k, m in enumerate(self.optimizer.averages)})
        return out


def _partition(cell: Entry, labels: np.ndarray) -> np.ndarray:
    if cell.skew is None:
        share = partition.drawn if cell.share == "drawn" else partition.even
        return share(labels, cell.nodes, cell.seed)
    return partition.dirichlet(labels, cell.nodes, cell.skew, cell.seed)
