"""Gossip: counts steps, runs rounds, and keeps what a resumed run needs."""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Dict, Iterator, List, Optional

import torch

from .averaging import Averager
from .background import Background
from .engine import Engine, Timing
from .errors import BatopoError, SetupError
from .momentum import Momentum
from .phases import Phase
from .plan import Plan
from .program import Programs

log = logging.getLogger("batopo")


@dataclass
class Parts:
    """What Gossip is put together from; attach makes it."""

    plan: Plan
    node_of_rank: List[int]
    rank: int
    engine: Engine
    momentum: Momentum
    averager: Averager
    background: Background
    agree: Callable[[str, Dict[str, Any]], Dict[str, Any]]
    read: Callable[[Any], Plan]


class Gossip:
    """Averages with neighbours as the plan says. Made by attach."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.round = 0  # rounds whose result is in the parameters
        self._base = 0  # the round at which the plan began
        self._since = 0  # steps since the last round
        self._pending = False  # a round that starts from the parameters as they are, added after the next step
        self._next: Optional[Plan] = None
        self._next_at = 0
        self._timings: Deque[Timing] = deque(maxlen=10000)
        self._broken: Optional[BatopoError] = None
        self._use(parts.plan)

    @property
    def plan(self) -> Plan:
        """The plan that is running."""
        return self._parts.plan

    def _use(self, plan: Plan) -> None:
        self._parts.plan = plan
        rank_of = [0] * plan.nodes
        for rank, node in enumerate(self._parts.node_of_rank):
            rank_of[node] = rank
        self._programs = Programs(plan, self._parts.node_of_rank[self._parts.rank], rank_of,
                                  self._parts.engine.message.elements)

    def before_step(self) -> None:
        """Called before the optimizer's step; exchanges of the parameters as they are begin here at the latest."""
        self._check()
        self._parts.momentum.before_step()
        due = self._since + 1 >= self.plan.every
        if self.plan.order == "cta" and due:
            self._pending = True
        if self._pending and not self._parts.background.busy:
            self._begin()

    def after_step(self, stepped: bool = True) -> None:
        """Called after the optimizer's step, also where it was skipped: that counts on all ranks alike."""
        self._since += 1
        due = self._since >= self.plan.every
        if self._pending:
            self._finish(stepped)
        elif due and self.plan.order == "atc" and not self.plan.overlap:
            self._round_now(stepped)
        else:
            self._parts.momentum.after_step(stepped, None)
        if due:
            self._since = 0
        self._prepare(due)

    def _prepare(self, due: bool) -> None:
        """Starts the exchange that runs while the next gradient is computed."""
        if not self.plan.overlap:
            return
        if self.plan.order == "atc":
            self._pending = due
        else:
            self._pending = self._since + 1 >= self.plan.every
        if self._pending:
            self._begin()

    def mix(self) -> None:
        """One round now: x ← Wx with the next W of the plan, for loops that say themselves when."""
        self._check()
        if self._pending:
            raise SetupError("a round of an overlapping plan is on its way; attach with explicit=True to use mix()")
        self._round_now(stepped=False)

    def _round_now(self, stepped: bool) -> None:
        engine = self._parts.engine
        with self._guard():
            engine.message.load(keep=self._parts.momentum.needs_changes)
            self._exchange()
            engine.message.store()
            if self._parts.momentum.needs_changes:
                engine.message.changes()
            self._parts.momentum.after_step(stepped, engine.message)
        self._done()

    def _begin(self) -> None:
        engine = self._parts.engine
        engine.message.load(keep=True)
        if self.plan.overlap:
            self._parts.background.start(self._exchange)
        else:
            with self._guard():
                self._exchange()

    def _finish(self, stepped: bool) -> None:
        message = self._parts.engine.message
        with self._guard():
            self._parts.background.join()
            message.changes()
            message.add()
            self._parts.momentum.after_step(stepped, message)
        self._pending = False
        self._done()

    def _exchange(self) -> None:
        k = self.round - self._base
        timing = Timing(self.round)
        if self.plan.round_ms:
            timing.predicted_ms = self.plan.round_ms[k % len(self.plan.round_ms)]
        self._parts.engine.run(self._programs.phases(k), timing)
        self._timings.append(timing)

    def _done(self) -> None:
        self.round += 1
        if self._next is not None and self.round >= self._next_at:
            self._use(self._next)
            self._base, self._next = self.round, None
            log.info("rank %d: plan %s from round %d on", self._parts.rank, self.plan.hash[:12], self.round)

    def small_rounds(self) -> Iterator[List[Phase]]:
        """The rounds of a period (64 at most) with a message of a few elements, for a first meeting of all pairs."""
        few = min(self._parts.engine.message.elements, 4 * self.plan.nodes)
        small = Programs(self.plan, self._programs.node, self._programs.rank_of, few)
        return (small.phases(k) for k in range(min(self.plan.period, 64)))

    def timings(self) -> List[Timing]:
        """The last 10000 rounds: time in all, and until the elements of each peer were here."""
        return list(self._timings)

    def lost(self) -> List[int]:
        """Ranks whose edges to this one are closed (on_loss="fold")."""
        return sorted(self._parts.engine.links.closed)

    def average(self) -> None:
        """Replaces parameters (and buffers, where asked for) by their mean over all ranks."""
        self._check()
        with self._guard():
            self._parts.background.join()  # what was on its way starts again from the mean
            self._parts.averager.average()

    @contextlib.contextmanager
    def averaged(self) -> Iterator[None]:
        """Inside, parameters are the mean over all ranks; afterwards what they were."""
        self._check()
        with self._guard():
            self._settle()
            self._parts.averager.enter()
        try:
            yield
        finally:
            self._parts.averager.leave()

    def _settle(self) -> None:
        """Exchanges and collectives must not meet on the way; what was exchanged is kept for the next step."""
        if self._parts.background.busy:
            self._parts.background.wait()

    def switch(self, plan: Any, at: Optional[int] = None) -> int:
        """Uses another plan from round `at` on (as soon as all ranks can); all ranks call it. Returns the round."""
        self._check()
        new, error = None, None
        try:
            new = self._parts.read(plan)
        except BatopoError as problem:
            error = str(problem)
        now = self.round + (1 if self._pending else 0)
        verdict = self._parts.agree("switch", {
            "plan": new.hash if new else "", "every": new.every if new else 0, "at": at, "now": now, "error": error})
        first = max(verdict["rounds"])
        if at is not None and at < first:
            raise SetupError(f"the switch is for round {at}, but round {first} is the first that can be changed")
        assert new is not None
        if new.nodes != self.plan.nodes:
            raise SetupError(f"the new plan has {new.nodes} nodes; the run has {self.plan.nodes}")
        self._next, self._next_at = new, first if at is None else at
        if self.round >= self._next_at and not self._pending:
            self.round -= 1
            self._done()
        return self._next_at

    def state_dict(self) -> Dict[str, Any]:
        """What a resumed run needs beside the model and the optimizer."""
        return {"version": 1, "hash": self.plan.hash, "round": self.round, "base": self._base, "since": self._since,
                "pending": self._pending, "momentum": self._parts.momentum.kind}

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Continues where state_dict was taken. All ranks call it, after model and optimizer were loaded."""
        error = None
        if state.get("version") != 1:
            error = f"state of version {state.get('version')!r}; this package reads version 1"
        elif state["hash"] != self.plan.hash:
            error = f"the state is of plan {state['hash'][:12]}…, attached is {self.plan.hash[:12]}…"
        elif state["momentum"] != self._parts.momentum.kind:
            error = f"the state was saved with momentum {state['momentum']!r}, not {self._parts.momentum.kind!r}"
        self._parts.agree("resume", {"plan": state.get("hash"), "round": [state.get("round"), state.get("since")],
                                     "error": error})
        self.round, self._base, self._since = state["round"], state["base"], state["since"]
        self._pending = state["pending"]  # the exchange starts anew from the parameters, which are the same

    def _check(self) -> None:
        if self._broken is not None:
            raise self._broken

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """After a failure nothing is in step any more; every later call says so."""
        try:
            with torch.no_grad():
                yield
        except BatopoError as error:
            self._broken = error
            raise
