"""The exact mean over all ranks, for evaluation and for the final model."""

from __future__ import annotations

from typing import Callable, List, Optional, Sequence, Tuple

import torch

from .blocks import LEAST_BYTES, Row, Slot
from .engine import Engine, Timing
from .plan_file import Collective, Plan
from .stages import Program
from .watch import roll_call

CHUNKS = 8  # about six of them are on their way at once


class Averager:
    """Averages parameters and, where asked for, buffers by one collective over the same links."""

    def __init__(self, slots: Sequence[Slot], engine: Engine, rank: int, ranks: Sequence[int], share: float,
                 changed: Callable[[], None]) -> None:
        """ranks: all that the mean is over. share: of this one in it, where they have unequal batches; the plain one is
        1 over their number. changed is called when the tensors have been changed."""
        self._times, self._changed = share * len(ranks), changed
        self.row, self._engine, self._rank, self._ranks = Row(slots, exact=True), engine, rank, ranks
        self._count = 0
        self._kept: Optional[List[Tuple[torch.Tensor, torch.Tensor]]] = None

    @torch.no_grad()
    def average(self, done: int) -> None:
        """Replaces the values by their average over all ranks, in place. done: how far this rank is, by which ranks
        see whether they are equally far."""
        if abs(self._times - 1) > 1e-12:
            for tensor in self._tensors():
                tensor.mul_(self._times)
        links = self._engine.links
        links.at, self._count = f"average {self._count} over all ranks after {done} steps", self._count + 1
        links.watch.count_in(self._count, done, self._ranks[0])
        there = roll_call(links.watch, len(self._ranks), links.timeout) if links.fold else list(self._ranks)
        if len(there) > 1:
            self._engine.pool.clear()
            self._engine.wires.clear()
            chunks = max(1, min(CHUNKS, self.row.bytes() // LEAST_BYTES))
            ring = Plan(len(there), kind="collective",
                        collective=Collective("ring", tuple(range(len(there))), chunks=chunks))
            self._engine.average(self.row, Program(ring, there.index(self._rank), there), 0, Timing(-1), strict=True)
        self._changed()
        odd = links.watch.counted(self._count, done, there, self._ranks[0])
        if odd:
            raise links.fail(odd)

    def _tensors(self) -> List[torch.Tensor]:
        found = (slot.read() for lane in self.row.lanes for slot in lane.slots)
        return [t for t in found if t is not None]

    def enter(self, first: Callable[[], None], done: int) -> None:
        """Keeps what the tensors hold, calls first, then averages."""
        self._kept = [(t, t.detach().clone()) for t in self._tensors()]
        try:
            first()
            self.average(done)
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        """Puts back what was kept, bit by bit."""
        for tensor, kept in self._kept or []:
            tensor.data.copy_(kept)
        self._kept = None
        self._changed()
