"""The tensors that are averaged, as one row of elements: a lane per data type, sent in buckets of 25 MB.

Sums are made in float32 (float64 for float64 tensors), whatever travels. What travels has the tensors' type, or
bfloat16 where that was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional, Sequence, Tuple

import torch

from .phases import Span

BUCKET_BYTES = 25 * 1000 * 1000


@dataclass
class Slot:
    """One tensor. read returns it, or None where it does not exist yet and counts as zeros; create makes it."""

    name: str
    like: torch.Tensor
    read: Callable[[], Optional[torch.Tensor]]
    create: Optional[Callable[[torch.Tensor], None]] = None
    early: bool = False  # a round that began before a step changes it before the step, and parameters after it


def parameter_slot(name: str, tensor: torch.Tensor) -> Slot:
    """A tensor that always exists."""
    return Slot(name, tensor, lambda: tensor)


@dataclass
class Lane:
    """All tensors of one type: their values, and a spare row of the same size for sums."""

    slots: List[Slot]
    start: int
    value: torch.Tensor
    wire: torch.dtype
    spare: torch.Tensor = field(init=False)
    base: Optional[torch.Tensor] = None

    def __post_init__(self) -> None:
        self.spare = torch.empty_like(self.value)
        offsets = [0]
        for slot in self.slots:
            offsets.append(offsets[-1] + slot.like.numel())
        self._offsets = offsets

    def view(self, row: torch.Tensor, k: int) -> torch.Tensor:
        """The elements of slot k in the shape of its tensor."""
        return row[self._offsets[k]:self._offsets[k + 1]].view(self.slots[k].like.shape)


Piece = Tuple[int, int, int]  # lane, and the first and last element in it


class Message:
    """Reads tensors into lanes, and writes lanes back; exact: sums travel as they are."""

    def __init__(self, slots: Sequence[Slot], wire: Optional[torch.dtype] = None, exact: bool = False) -> None:
        families: Dict[torch.dtype, List[Slot]] = {}
        for slot in slots:
            families.setdefault(slot.like.dtype, []).append(slot)
        self.lanes: List[Lane] = []
        self.elements = 0
        for dtype, members in families.items():
            size = sum(slot.like.numel() for slot in members)
            sums = torch.float64 if dtype == torch.float64 else torch.float32
            value = torch.zeros(size, dtype=sums, device=members[0].like.device)
            self.lanes.append(Lane(members, self.elements, value, sums if exact else wire or dtype))
            self.elements += size

    def pieces(self, spans: Sequence[Span]) -> List[Piece]:
        """Spans of the message as pieces of lanes, cut where buckets end."""
        out = []
        for lo, hi in spans:
            for k, lane in enumerate(self.lanes):
                bucket = max(1, BUCKET_BYTES // torch.empty(0, dtype=lane.wire).element_size())
                a, last = max(lo - lane.start, 0), min(hi - lane.start, lane.value.numel())
                while a < last:
                    b = min(last, (a // bucket + 1) * bucket)
                    out.append((k, a, b))
                    a = b
        return out

    @torch.no_grad()
    def load(self, keep: bool = False) -> None:
        """Copies the tensors into the lanes; with keep, what was loaded is kept for changes()."""
        for lane in self.lanes:
            for k, slot in enumerate(lane.slots):
                tensor, view = slot.read(), lane.view(lane.value, k)
                if tensor is None:
                    view.zero_()
                else:
                    view.copy_(tensor)
            if keep:
                lane.base = lane.value.clone() if lane.base is None else lane.base.copy_(lane.value)

    @torch.no_grad()
    def store(self) -> None:
        """Copies the lanes into the tensors."""
        for lane in self.lanes:
            for k, slot in enumerate(lane.slots):
                tensor, view = slot.read(), lane.view(lane.value, k)
                if tensor is not None:
                    tensor.copy_(view)
                elif slot.create is not None:
                    slot.create(view.to(slot.like.dtype, copy=True))

    @torch.no_grad()
    def changes(self) -> None:
        """Turns the lanes into what the round changed: (W − I)·x for the x that was loaded."""
        for lane in self.lanes:
            assert lane.base is not None
            lane.value.sub_(lane.base)

    @torch.no_grad()
    def add(self, early: bool) -> None:
        """Adds the lanes to the tensors that are early, or to the others."""
        for lane in self.lanes:
            for k, slot in enumerate(lane.slots):
                if slot.early == early:
                    _add(slot.read(), lane.view(lane.value, k))

    def bytes(self) -> int:
        """What one peer receives."""
        return sum(lane.value.numel() * torch.empty(0, dtype=lane.wire).element_size() for lane in self.lanes)


def _add(tensor: Optional[torch.Tensor], view: torch.Tensor) -> None:
    if tensor is None:  # nobody has it yet, so nothing changed
        return
    if tensor.dtype == view.dtype:
        tensor.add_(view)
    else:
        tensor.copy_(view + tensor)
