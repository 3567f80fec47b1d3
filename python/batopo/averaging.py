"""The exact mean over all ranks, for evaluation and for the final model."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

import torch

from .engine import Engine, Timing
from .message import Slot
from .phases import Phase
from .program import Programs


class Averager:
    """Averages parameters and, where asked for, buffers by one collective over the same links."""

    def __init__(self, slots: Sequence[Slot], engine: Engine, programs: Programs) -> None:
        self.slots, self._engine, self._programs = list(slots), engine, programs
        self._kept: Optional[List[Tuple[torch.Tensor, torch.Tensor]]] = None

    def average(self) -> None:
        """In place."""
        message = self._engine.message
        message.load()
        self._engine.run(self._phases(), Timing(-1))
        message.store()

    def _phases(self) -> List[Phase]:
        return self._programs.phases(0)

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
