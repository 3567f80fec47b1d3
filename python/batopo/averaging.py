"""The exact mean over all ranks, for evaluation and for the final model."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

import torch

from .collective import collective_program
from .engine import Engine, Timing
from .message import Slot
from .phases import Phase
from .plan import Collective
from .watch import roll_call


class Averager:
    """Averages parameters and, where asked for, buffers by one collective over the same links."""

    def __init__(self, slots: Sequence[Slot], engine: Engine, rank: int, ranks: int) -> None:
        self.slots, self._engine, self._rank, self._ranks = list(slots), engine, rank, ranks
        self._kept: Optional[List[Tuple[torch.Tensor, torch.Tensor]]] = None

    def average(self) -> None:
        """In place."""
        message = self._engine.message
        message.load()
        self._engine.run(self._phases(), Timing(-1))
        message.store()

    def _phases(self) -> List[Phase]:
        links, me = self._engine.links, self._rank
        there = roll_call(links.watch, self._ranks, links.timeout) if links.fold else list(range(self._ranks))
        if len(there) == 1:
            return []
        ring = Collective("ring", tuple(range(len(there))))
        return collective_program(ring, there.index(me), there, self._engine.message.elements)

    def enter(self) -> None:
        """Keeps what the tensors hold, then averages."""
        tensors = [t for t in (slot.read() for slot in self.slots) if t is not None]
        self._kept = [(t, t.detach().clone()) for t in tensors]
        self.average()

    def leave(self) -> None:
        """Puts back what was kept, bit by bit."""
        for tensor, kept in self._kept or []:
            tensor.data.copy_(kept)
        self._kept = None
