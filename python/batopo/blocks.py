"""The tensors that are averaged, as one row of elements: a lane per data type, cut into blocks.

Sums are made in float32 (float64 for float64 tensors), whatever travels. What travels has the tensors' type, or a
shorter one where that was asked for. A block inside one tensor is that tensor's own memory; others are gathered.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import torch

from .errors import SetupError
from .shards import local

BLOCK_BYTES = 25 * 1000 * 1000
ALIGN = 256  # numbers with a scale in common where few bits travel
LEAST_BYTES = 1 << 18  # below that a block costs more than its bytes
LARGE_BYTES = 1 << 20  # of a tensor that is a block of its own
_foreach_copy = getattr(torch, "_foreach_copy_", None)


@dataclass
class Slot:
    """One tensor. read returns it, or None where it does not exist yet and counts as zeros; create makes it."""

    name: str
    like: torch.Tensor
    read: Callable[[], Optional[torch.Tensor]]
    create: Optional[Callable[[torch.Tensor], None]] = None
    early: bool = False  # a round that began before a step changes it before the step, and parameters after it


def parameter_slot(name: str, tensor: torch.Tensor) -> Slot:
    """A slot whose tensor always exists; of a sharded one this rank's part."""
    return Slot(name, local(tensor), lambda: local(tensor))


def flat(tensor: torch.Tensor) -> torch.Tensor:
    """All elements in the order in which they lie in memory, without a copy."""
    data = tensor.detach()
    order = sorted(range(data.dim()), key=data.stride, reverse=True)
    try:
        return data.permute(order).view(-1)
    except RuntimeError as error:
        raise SetupError(f"a tensor of shape {tuple(data.shape)} and strides {data.stride()} has gaps or overlaps; "
                         "make it contiguous before batopo gets it") from error


def parted(slots: Sequence[Slot], count: int) -> List[List[Slot]]:
    """The numbers of each type cut into parts that differ by ALIGN of them at most; tensors may be cut, too."""
    if count == 1:
        return [list(slots)]
    out: List[List[Slot]] = [[] for _ in range(count)]
    for kind in dict.fromkeys(slot.like.dtype for slot in slots):
        lane = Lane([slot for slot in slots if slot.like.dtype == kind], 0, None, False)
        blocks = -(-lane.ends[-1] // ALIGN)
        for k, part in enumerate(out):
            lo, hi = (min(ALIGN * (blocks * m // count), lane.ends[-1]) for m in (k, k + 1))
            part.extend(_cut(slot, a, b) for slot, a, b in lane.pieces(lo, hi))
    return out


def _cut(slot: Slot, a: int, b: int) -> Slot:
    def read() -> Optional[torch.Tensor]:
        tensor = slot.read()
        return None if tensor is None else flat(tensor)[a:b]
    return replace(slot, like=flat(slot.like)[a:b], read=read)


class Lane:
    """All tensors of one type, one behind the other."""

    def __init__(self, slots: List[Slot], start: int, wire: Optional[torch.dtype], exact: bool) -> None:
        self.slots, self.start = slots, start
        kind, self.device = slots[0].like.dtype, slots[0].like.device
        self.sums = torch.float64 if kind == torch.float64 else torch.float32
        self.wire = self.sums if exact else wire or kind
        self.ends = list(accumulate(slot.like.numel() for slot in slots))
        self.compensated = False
        self._residual: Optional[torch.Tensor] = None

    def residual(self, lo: int, hi: int) -> Optional[torch.Tensor]:
        """What rounding to the tensors' type has left over so far; None: it is not kept."""
        if self.compensated and self._residual is None:
            self._residual = torch.zeros(self.ends[-1], dtype=self.slots[0].like.dtype, device=self.device)
        return None if self._residual is None else self._residual[lo:hi]

    def pieces(self, lo: int, hi: int) -> List[Tuple[Slot, int, int]]:
        """The slots that [lo, hi) meets, and which of their elements."""
        out, k = [], bisect_right(self.ends, lo)
        while lo < hi:
            first = self.ends[k] - self.slots[k].like.numel()
            end = min(hi, self.ends[k])
            if lo < end:
                out.append((self.slots[k], lo - first, end - first))
            lo, k = end, k + 1
        return out


class Row:
    """Everything that one exchange averages; exact: sums travel as they are; wires: every slot is a lane of its own."""

    def __init__(self, slots: Sequence[Slot], wire: Optional[torch.dtype] = None, exact: bool = False,
                 wires: Sequence[torch.dtype] = ()) -> None:
        families: Dict[Any, List[Slot]] = {}
        for k, slot in enumerate(slots):
            families.setdefault(k if wires else slot.like.dtype, []).append(slot)
        self.lanes: List[Lane] = []
        self.elements = 0
        for k, members in enumerate(families.values()):
            self.lanes.append(Lane(members, self.elements, wires[k] if wires else wire, exact))
            self.elements += self.lanes[-1].ends[-1]

    def bytes(self) -> int:
        """Bytes that one peer receives."""
        return sum(lane.ends[-1] * size_of(lane.wire) for lane in self.lanes)

    def cut(self, window: Tuple[int, int], count: int, most: int, whole: bool = False) -> List[Tuple[Lane, int, int]]:
        """A window in about count blocks of equal size, none of more than `most` bytes or of two types; whole: large
        tensors are blocks of their own, which need not be gathered."""
        out = []
        for lane in self.lanes:
            lo, hi = max(window[0] - lane.start, 0), min(window[1] - lane.start, lane.ends[-1])
            edges = [lo, hi]
            if whole:
                large = -(-LARGE_BYTES // size_of(lane.sums))
                for first, end in zip([0, *lane.ends], lane.ends):
                    edges += [e for e in (first, end) if lo < e < hi and end - first >= large]
            edges = sorted(set(edges))
            for a, b in zip(edges, edges[1:]):
                share = round(count * (b - a) / (window[1] - window[0]))
                blocks = max(1, share, -(-(b - a) * size_of(lane.sums) // most))
                cuts = [a + (b - a) * k // blocks for k in range(blocks + 1)]
                out += [(lane, c, d) for c, d in zip(cuts, cuts[1:]) if c < d]
        return out

    def compensate(self) -> None:
        """From here on what rounding to a short type takes from the tensors is kept and added in the next round."""
        for lane in self.lanes:
            lane.compensated = lane.slots[0].like.dtype != lane.sums

    def residual_bytes(self) -> int:
        """Bytes that the residuals of compensate take."""
        return sum(lane.ends[-1] * lane.slots[0].like.element_size() for lane in self.lanes if lane.compensated)

    def forget(self) -> None:
        """The tensors were replaced; nothing is left over."""
        for lane in self.lanes:
            lane._residual = None

    def not_finite(self) -> Optional[str]:
        """The first tensor with a NaN or an infinity."""
        there = [(slot.name, slot.read()) for lane in self.lanes for slot in lane.slots]
        tensors = [(name, t.detach()) for name, t in there if t is not None]
        sums = torch.stack([t.sum(dtype=torch.float32) for _, t in tensors])
        if bool(torch.isfinite(sums).all()):  # one look at the device for all of them
            return None
        return next((name for name, t in tensors if not finite(t)), None)


class Snapshot:
    """A copy of a row in the type of its sums, which is exchanged in its place and becomes what a round changes."""

    def __init__(self, row: Row) -> None:
        self._lanes = row.lanes
        self._flat = [torch.zeros(lane.ends[-1], dtype=lane.sums, device=lane.device) for lane in row.lanes]
        self._views = [(slot, view) for lane, values in zip(row.lanes, self._flat) for slot, view in
                       zip(lane.slots, values.split([slot.like.numel() for slot in lane.slots]))]
        self.row = Row([parameter_slot("", values) for values in self._flat], wires=[lane.wire for lane in row.lanes])

    @property
    def flats(self) -> List[torch.Tensor]:
        """All of its numbers, a tensor for each lane."""
        return self._flat

    def bytes(self) -> int:
        """Bytes of the copy."""
        return sum(values.numel() * values.element_size() for values in self._flat)

    @torch.no_grad()
    def load(self) -> None:
        """Copies the tensors."""
        there = [(slot.read(), view) for slot, view in self._views]
        copy_all([view for t, view in there if t is not None], [flat(t) for t, _ in there if t is not None])
        for tensor, view in there:
            if tensor is None:
                view.zero_()

    @torch.no_grad()
    def changes(self, store: bool) -> None:
        """Turns what the round made of the copy into what it changed; store: the tensors become what it made."""
        for slot, view in self._views:
            tensor = slot.read()
            if tensor is None:
                continue
            values = flat(tensor)
            change = view - values
            if store:
                values.copy_(view)
            view.copy_(change)

    @torch.no_grad()
    def add(self, early: bool) -> None:
        """Adds the changes to the tensors that are early, or to the others."""
        for lane, whole in zip(self._lanes, self._flat):
            offset = 0
            for slot in lane.slots:
                size, tensor = slot.like.numel(), slot.read()
                change, offset = whole[offset:offset + size], offset + size
                if slot.early != early or tensor is None:  # None: nobody has it yet, so nothing changed
                    continue
                left = lane.residual(offset - size, offset)
                if left is None:
                    flat(tensor).add_(change)
                else:
                    total = change + flat(tensor) + left
                    flat(tensor).copy_(total)
                    left.copy_(total - flat(tensor))

    def items(self) -> Iterator[Tuple[Slot, torch.Tensor]]:
        """Slots with their changes, in the shape of their tensors."""
        for slot, view in self._views:
            like = slot.like.detach()
            order = sorted(range(like.dim()), key=like.stride, reverse=True)
            yield slot, view.view([like.shape[d] for d in order]).permute([order.index(d) for d in range(like.dim())])


class Pool:
    """Buffers of one device, used again and again."""

    def __init__(self, device: torch.device, pinned: bool) -> None:
        self.device, self._pinned = torch.device("cpu") if pinned else device, pinned
        self._free: List[torch.Tensor] = []
        self._whole: Dict[int, torch.Tensor] = {}  # by the address of what was handed out
        self.bytes = self.most = 0

    def take(self, elements: int, dtype: torch.dtype) -> torch.Tensor:
        """The smallest free buffer that is large enough, or a new one in place of those that are too small."""
        need = max(1, elements * size_of(dtype))
        fits = [b for b in self._free if b.numel() >= need]
        if fits:
            buffer = min(fits, key=torch.Tensor.numel)
            self._free = [b for b in self._free if b is not buffer]
        else:
            self.clear()
            buffer = torch.empty(-(-need // 16) * 16, dtype=torch.uint8, device=self.device, pin_memory=self._pinned)
            self.bytes += buffer.numel()
            self.most = max(self.most, self.bytes)
        self._whole[buffer.data_ptr()] = buffer
        return buffer[:need].view(dtype)[:elements]

    def clear(self) -> None:
        """Lets go what is free: blocks of another size follow, which would lie beside it."""
        self.bytes -= sum(b.numel() for b in self._free)
        self._free = []

    def give(self, tensor: torch.Tensor) -> None:
        """Back, when nothing reads or writes it any more."""
        self._free.append(self._whole.pop(tensor.data_ptr()))


class Values:
    """One block's values: a tensor's own memory, or gathered into a buffer and written back."""

    def __init__(self, lane: Lane, lo: int, hi: int, pool: Pool, in_place: bool) -> None:
        self._lane, self._lo, self._hi, self._pool = lane, lo, hi, pool
        self._pieces = lane.pieces(lo, hi)
        own = self._pieces[0][0].read() if in_place and len(self._pieces) == 1 else None
        self.gathered = own is None or own.dtype != lane.sums
        if own is not None and not self.gathered:
            self.tensor = flat(own)[self._pieces[0][1]:self._pieces[0][2]]
        else:
            self.tensor = pool.take(hi - lo, lane.sums)
            self._load()

    def _load(self) -> None:
        sources = []
        for slot, a, b in self._pieces:
            tensor = slot.read()
            sources.append(torch.zeros(b - a, dtype=slot.like.dtype, device=slot.like.device) if tensor is None
                           else flat(tensor)[a:b])
        torch.cat(sources, out=self.tensor)

    def store(self) -> None:
        """Writes the values back and gives the buffer back."""
        if not self.gathered:
            return
        left = self._lane.residual(self._lo, self._hi)
        if left is not None:  # what rounding takes from the tensors now, the next round adds
            self.tensor.add_(left)
            left.copy_(self.tensor - self.tensor.to(left.dtype).to(self.tensor.dtype))
        targets, views = [], self.tensor.split([b - a for _, a, b in self._pieces])
        for slot, a, b in self._pieces:
            tensor = slot.read()
            if tensor is None and slot.create is not None:
                slot.create(torch.zeros_like(slot.like))
                tensor = slot.read()
            targets.append(None if tensor is None else flat(tensor)[a:b])
        copy_all([t for t in targets if t is not None], [v for t, v in zip(targets, views) if t is not None])
        self._pool.give(self.tensor)


def finite(tensor: torch.Tensor) -> bool:
    """Whether it has neither a NaN nor an infinity; a sum costs a fraction of looking at every element."""
    return math.isfinite(tensor.sum(dtype=torch.float32)) or bool(torch.isfinite(tensor).all())


def copy_all(targets: List[Any], sources: Sequence[torch.Tensor]) -> None:
    """Every source into its target; types may differ."""
    if _foreach_copy is not None and targets:
        _foreach_copy(targets, sources)
    else:
        for target, source in zip(targets, sources):
            target.copy_(source)


def size_of(dtype: torch.dtype) -> int:
    """Bytes of one element."""
    return torch.empty(0, dtype=dtype).element_size()


def gradient_bytes(model: torch.nn.Module) -> int:
    """Of all gradients of a model together."""
    return sum(p.numel() * p.element_size() for p in model.parameters() if p.requires_grad)
