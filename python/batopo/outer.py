"""An average that is more than the mean of parameters at once: of changes, weighted, or applied late.

θ is what all nodes had in common after the last average, y the copy that travels.
  parameters   y = x; x becomes the average of y
  changes      y = x − θ, and θ ← θ + average of y. With an outer optimizer Nesterov's method takes d = −average of y
               for a gradient: u ← μu + d, θ ← θ − η(d + μu). Then x becomes θ
  late         x_k is the copy of x at step k, and what x would have become at once is x'_k. At step k + τ
               x ← x + (x'_k − x_k)
In pieces each has its turn: y is the copy of one of them, and of θ and all else only that part changes.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Callable, Dict, List, Optional, Sequence

import torch

from .blocks import Snapshot
from .clocks import is_late, weight
from .plan_file import Plan

Flats = List[torch.Tensor]


class Outer:
    """What is kept between averages."""

    def __init__(self, plan: Plan, node: int, snapshots: Sequence[Snapshot], bits: int) -> None:
        self._plan, self._snapshots = plan, snapshots
        self._flats = [values for s in snapshots for values in s.flats]
        ends = [0, *accumulate(len(s.flats) for s in snapshots)]
        self._spans = [range(a, b) for a, b in zip(ends, ends[1:])]  # the flats of each piece
        self._share = weight(plan, node) if plan.kind == "collective" else 1.0
        self.start: Optional[Flats] = None  # θ
        self.velocity: Optional[Flats] = self._zeros() if plan.outer is not None else None
        self.error: Optional[Flats] = self._zeros() if bits else None  # what rounding has left over
        self._before: Optional[Flats] = self._zeros() if is_late(plan) else None  # x_k

    @staticmethod
    def needed(plan: Plan, wire: Optional[torch.dtype], bits: int) -> bool:
        """Whether a plan wants more than the mean at once. Half precision ends at 65504: shares are sent, not sums."""
        halves = plan.kind == "collective" and wire == torch.float16
        return plan.average == "changes" or is_late(plan) or bool(plan.batch_weights or bits) or halves

    def _zeros(self) -> Flats:
        return [torch.zeros_like(values) for values in self._flats]

    def bytes(self) -> Dict[str, int]:
        """What it takes: between averages, and for averages that are late."""
        kept = (self.start or (self._flats if self._plan.average == "changes" else []),
                self.velocity or [], self.error or [])
        return {"outer": sum(_bytes(flats) for flats in kept), "late": _bytes(self._before or [])}

    @torch.no_grad()
    def before_step(self) -> None:
        """Before a step that is not synchronous: θ is what models are when the first of them begins."""
        if self._plan.average == "changes" and self.start is None:
            for snapshot in self._snapshots:
                snapshot.load()
            self.start = [values.clone() for values in self._flats]

    @torch.no_grad()
    def take(self, piece: int) -> None:
        """Takes the current tensors for y."""
        self._snapshots[piece].load()
        for k in self._spans[piece]:
            y = self._flats[k]
            if self._before is not None:
                self._before[k].copy_(y)
            if self.start is not None:
                y.sub_(self.start[k])
            if self._share != 1:
                y.mul_(self._share)

    def errors(self, piece: int) -> Flats:
        """What rounding has left over of a piece."""
        return [self.error[k] for k in self._spans[piece]] if self.error is not None else []

    @torch.no_grad()
    def run(self, piece: int, exchange: Callable[[], None], late: bool) -> None:
        """Turns y into what x becomes; late: into what is to be added to x."""
        exchange()
        for k in self._spans[piece]:
            y = self._flats[k]
            if self.start is not None:
                self._step(k, y)
                y.copy_(self.start[k])
            if late:
                assert self._before is not None
                y.sub_(self._before[k])

    def _step(self, k: int, y: torch.Tensor) -> None:
        assert self.start is not None
        if self._plan.outer is None:
            self.start[k].add_(y)
            return
        assert self.velocity is not None
        rate, momentum = self._plan.outer.learning_rate, self._plan.outer.momentum
        u = self.velocity[k].mul_(momentum).sub_(y)
        self.start[k].add_(y.sub_(u, alpha=momentum), alpha=rate)

    def state(self) -> Dict[str, Any]:
        """For checkpoints; a late average is the caller's."""
        kept = {"start": self.start, "velocity": self.velocity, "error": self.error}
        return {key: None if flats is None else [values.clone() for values in flats] for key, flats in kept.items()}

    def wrong(self, state: Any) -> Optional[str]:
        """Why a saved state cannot be used."""
        mine = {**self.state(), "start": state.get("start") and self._flats} if state else {}
        if not state or sorted(state) != sorted(mine):
            return "the state has nothing about averages of changes; it is of a run without them"
        for key, flats in mine.items():
            if [v.shape for v in flats or []] != [v.shape for v in state[key] or []]:
                return f"the {key} of the state belongs to other tensors"
        return None

    def load(self, state: Dict[str, Any]) -> None:
        """Continues with what state gave."""
        for key in ("start", "velocity", "error"):
            flats = state[key]
            setattr(self, key, None if flats is None else
                    [values.to(like.device, like.dtype, copy=True) for values, like in
                     zip(flats, self._flats)])


def _bytes(flats: Flats) -> int:
    return sum(values.numel() * values.element_size() for values in flats)
