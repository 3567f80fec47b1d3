"""Rounds of the plan that is running: which one is next, how it is exchanged, and when another plan takes over."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import replace
from typing import Deque, List, Optional

import torch

from .background import Background
from .engine import Engine, Timing
from .momentum import Momentum
from .plan import Plan
from .program import Programs

log = logging.getLogger("batopo")
KEPT_TIMINGS = 10000
WARM_UP_ROUNDS = 64  # of long schedules; pairs that meet later connect then


class Rounds:
    """Counts rounds and runs them, at once or beside the next step."""

    def __init__(self, plan: Plan, node_of_rank: List[int], rank: int, engine: Engine, momentum: Momentum,
                 background: Background) -> None:
        self.engine, self.momentum, self.background = engine, momentum, background
        self.count = 0  # rounds whose result is in the parameters
        self.base = 0  # the round at which the plan began
        self.timings: Deque[Timing] = deque(maxlen=KEPT_TIMINGS)
        self._rank, self._node_of_rank = rank, node_of_rank
        self._arrived = False
        self._next: Optional[Plan] = None
        self._next_at = 0
        self._use(plan)

    def _use(self, plan: Plan) -> None:
        self.plan = plan
        rank_of = [self._node_of_rank.index(node) for node in range(plan.nodes)]
        self._programs = Programs(plan, self._node_of_rank[self._rank], rank_of, self.engine.message.elements)

    @torch.no_grad()
    def now(self, stepped: bool) -> None:
        """x ← Wx."""
        message = self.engine.message
        message.load(keep=self.momentum.needs_changes)
        self._exchange()
        message.store()
        if self.momentum.needs_changes:
            message.changes()
        self.momentum.after_step(stepped, message)
        self._done()

    def begin(self) -> None:
        """Takes the parameters as they are and exchanges them, beside the caller where the plan overlaps."""
        self.engine.message.load(keep=True)
        if self.plan.overlap:
            self.background.start(self._exchange)
        else:
            self._exchange()

    @torch.no_grad()
    def finish(self, stepped: bool) -> None:
        """x ← x + (W − I)·what begin took."""
        if not self._arrived:
            self.arrive()
        self._arrived = False
        self.engine.message.add(early=False)
        self.momentum.after_step(stepped, self.engine.message)
        self._done()

    @torch.no_grad()
    def arrive(self) -> None:
        """Waits for what begin sent for, and changes what has to change before the step."""
        self.background.join()
        self.engine.message.changes()
        self.engine.message.add(early=True)
        self._arrived = True

    def _exchange(self) -> None:
        k = self.count - self.base
        timing = Timing(self.count)
        if self.plan.round_ms:
            timing.predicted_ms = self.plan.round_ms[k % len(self.plan.round_ms)]
        self.engine.run(self._programs.phases(k), timing)
        self.timings.append(timing)

    def _done(self) -> None:
        self.count += 1
        self.change_plan()

    def schedule(self, plan: Plan, at: int) -> None:
        """Another plan from round `at` on."""
        self._next, self._next_at = plan, at

    def change_plan(self) -> None:
        """Uses the scheduled plan when its round has come."""
        if self._next is None or self.count < self._next_at:
            return
        self._use(self._next)
        self.base, self._next = self.count, None
        log.info("rank %d: plan %s from round %d on", self._rank, self.plan.hash[:12], self.count)

    def warm_up(self) -> None:
        """Every pair of the plan meets once over a few elements: connections are made here, not in the first round."""
        few, plan = min(self.engine.message.elements, 4 * self.plan.nodes), self.plan
        if plan.collective is not None:
            plan = replace(plan, collective=replace(plan.collective, chunks=1))
        small = Programs(plan, self._programs.node, self._programs.rank_of, few)
        for k in range(min(self.plan.period, WARM_UP_ROUNDS)):
            self.engine.run(small.phases(k), Timing(-1))
