"""Phases, transfers and spans: the words in which every plan is told to a rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Tuple

Span = Tuple[int, int]


@dataclass(frozen=True)
class Transfer:
    """Elements that go to, or come from, a rank. The weight belongs to what is received in a mix; in a move what is
    received is added to the receiver's own, or replaces it."""

    rank: int
    spans: Tuple[Span, ...]
    weight: float = 1.0
    add: bool = False


@dataclass(frozen=True)
class Phase:
    """Transfers that are in flight together, a mix or a move; afterwards the window is multiplied with scale."""

    kind: str
    receives: Tuple[Transfer, ...]
    sends: Tuple[Transfer, ...]
    window: Tuple[Span, ...] = ()
    self_weight: float = 1.0
    scale: float = 1.0


def length(spans: Tuple[Span, ...]) -> int:
    """Elements in all spans."""
    return sum(hi - lo for lo, hi in spans)


def cut(spans: Tuple[Span, ...], pieces: int) -> List[Tuple[Span, ...]]:
    """Cuts the elements of spans into pieces whose lengths differ by at most one: piece m ends at ⌊(m+1)·N/pieces⌋."""
    total = length(spans)
    return [between(spans, total * m // pieces, total * (m + 1) // pieces) for m in range(pieces)]


def between(spans: Tuple[Span, ...], first: int, last: int) -> Tuple[Span, ...]:
    """The elements first … last − 1 of those in spans."""
    out, seen = [], 0
    for lo, hi in spans:
        a, b = max(first - seen, 0), min(last - seen, hi - lo)
        if a < b:
            out.append((lo + a, lo + b))
        seen += hi - lo
    return tuple(out)
