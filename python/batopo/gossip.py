"""Gossip: what a training loop sees. It counts steps and keeps what a resumed run needs."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional

from . import fewbits
from .averaging import Averager
from .clocks import describe, phase_at, same_clocks
from .engine import Timing
from .errors import BatopoError, SetupError
from .gradients import Gradients
from .plan_file import Plan
from .rounds import Rounds
from .sizes import compare_sizes

Agree = Callable[[str, Dict[str, Any]], Dict[str, Any]]


class Gossip:
    """Averages with neighbours as the plan says. Made by attach."""

    def __init__(self, rounds: Rounds, averager: Averager, agree: Agree, read: Callable[[Any], Plan],
                 local_norms: bool, gradients: Optional[Gradients]) -> None:
        self._gradients, self._steps = gradients, 0
        self._rounds, self._averager, self._agree, self._read = rounds, averager, agree, read
        self._local_norms = local_norms  # batch norm keeps its own statistics, also inside averaged()
        self._unhook: Callable[[], None] = lambda: None
        self._since = 0  # steps since the last round
        self._pending = False  # a round that starts from the parameters as they are, added after the next step
        self._broken: Optional[BatopoError] = None

    def __repr__(self) -> str:
        plan, row = self.plan, self._rounds.row
        what = f"{plan.kind} over {plan.nodes} ranks" + (f" in {len(plan.groups)} groups" if plan.groups else "")
        when = f"every {plan.every} steps, {plan.order}" if plan.every > 1 else f"every step, {plan.order}"
        tensors = sum(len(lane.slots) for lane in row.lanes)
        whose = "" if plan.average == "parameters" else f"{plan.average} of "
        return (f"Gossip({what}, plan {plan.hash[:12]}; {when}{', overlapping' if plan.overlap else ''}"
                f"{describe(plan, self._steps)}; averages {whose}{tensors} tensors of {row.elements} elements, "
                f"momentum {self._rounds.momentum.kind}; round {self.round})")

    def memory(self) -> Dict[str, int]:
        """Bytes beside the model and the optimizer: buffers is the most so far, or the bound before the first round;
        the rest is what each option costs."""
        rounds, engine = self._rounds, self._rounds.engine
        kept = sum(slot.like.numel() * slot.like.element_size() for lane in self._averager.row.lanes
                   for slot in lane.slots)
        taken = engine.pool.most + (engine.wires.most if engine.staged else 0)
        return {"buffers": max(taken, 0 if rounds.timings else rounds.buffer_bytes()),
                **(rounds.outer.bytes() if rounds.outer is not None else {"outer": 0, "late": 0}),
                "snapshot": rounds.snapshot_bytes, "residual": rounds.row.residual_bytes(),
                "momentum": rounds.momentum.bytes(), "inside averaged()": kept}

    def detach(self) -> None:
        """Steps are the optimizer's own again; parameters stay as they are, and a round on its way is dropped. All
        ranks call it. Threads and connections end, at the latest when something is attached again."""
        self._unhook()
        with self._guard():
            self._rounds.drop()
        if self._gradients is not None:
            self._gradients.remove()
        self._rounds.close()
        self._pending = False
        self._broken = SetupError("detach() ended this run: attach again for what exchanges with other ranks")

    @property
    def plan(self) -> Plan:
        """The plan that is running."""
        return self._rounds.plan

    @property
    def round(self) -> int:
        """Rounds whose result is in the parameters."""
        return self._rounds.count

    @property
    def _done(self) -> int:
        """How far this rank is: steps, or rounds in a loop that says itself when."""
        return self._steps or self.round

    @property
    def sent_bytes(self) -> int:
        """What a peer is sent in a round that exchanges whole messages; of a sharded model, all of a group's ranks."""
        row, bits = self._rounds.parts[0], self._rounds.bits
        mine = sum(fewbits.size(lane.ends[-1], bits) for lane in row.lanes) if bits else row.bytes()
        return mine * self._rounds.shards

    def before_step(self) -> None:
        """Called before the optimizer's step; exchanges of the parameters as they are begin here at the latest."""
        with self._guard():
            self._rounds.momentum.before_step()
            if self._rounds.outer is not None and phase_at(self.plan, self._steps).every > 0:
                self._rounds.outer.before_step()
            if self.plan.order == "cta" and self._since + 1 >= self.plan.every:
                self._pending = True
            if self._pending:
                if not self._rounds.begun:
                    self._rounds.begin()
                self._rounds.arrive()

    def after_step(self, stepped: bool = True) -> None:
        """Called after the optimizer's step, also where it was skipped: that counts on all ranks alike."""
        phase = phase_at(self.plan, self._steps)
        self._steps += 1
        self._since += 1
        due = self._since >= phase.every
        with self._guard():
            if due or self._steps == self._rounds.due:
                self._rounds.land()  # before the next snapshot, if not earlier
            if self._pending:
                self._rounds.finish(stepped)
                self._pending = False
            elif due and phase.every and self.plan.order == "atc" and not phase.delay:
                self._rounds.now(stepped)
            else:
                self._rounds.momentum.after_step(stepped, None)
                if due and phase.delay:
                    self._rounds.depart(self._steps + phase.delay)
            if due:
                self._since = 0
            self._prepare()

    def _prepare(self) -> None:
        """What the next step needs now: who averages its gradients, and the exchange that runs while it is computed."""
        if self._gradients is not None:
            self._gradients.follow(phase_at(self.plan, self._steps))
        if self.plan.overlap:
            self._pending = self._since + 1 >= self.plan.every
            if self._pending:
                self._rounds.begin()

    def mix(self) -> None:
        """One round now: x ← Wx with the next W of the plan, for loops that say themselves when."""
        if self._pending:
            raise SetupError("a round of an overlapping plan is on its way; attach with explicit=True to use mix()")
        with self._guard():
            self._rounds.now(stepped=False)

    def timings(self) -> List[Timing]:
        """The last 10000 rounds: time in all, and until the elements of each peer were here."""
        return list(self._rounds.timings)

    def lost(self) -> List[int]:
        """Ranks whose edges to this one are closed (on_loss="fold")."""
        return sorted(self._rounds.engine.links.closed)

    def average(self) -> None:
        """Replaces parameters (and buffers, where asked for) by their mean over all ranks."""
        with self._guard():
            self._rounds.land()
            self._rounds.drop()  # what was on its way starts again from the mean
            self._averager.average(self._done)

    @contextlib.contextmanager
    def averaged(self) -> Iterator[None]:
        """Inside, parameters are the mean over all ranks; afterwards what they were."""
        if self._local_norms:
            self._local_norms = False
            warnings.warn("batch norm keeps this rank's own statistics inside averaged(), and they do not fit the mean "
                          "of all models: attach(…, buffers='average')", stacklevel=3)
        with self._guard():
            self._rounds.worker.wait()  # exchanges must not meet; what was exchanged is kept for the next step
            first = self._rounds.add_late if self.plan.kind == "collective" else lambda: None
            self._averager.enter(first, self._done)
        try:
            yield
        finally:
            self._averager.leave()

    def switch(self, plan: Any, at: Optional[int] = None) -> int:
        """Uses another plan from round `at` on (as soon as all ranks can); all ranks call it. Returns the round."""
        new, error = None, None
        try:
            new = self._read(plan)
            if new.nodes != self.plan.nodes:
                error = f"the new plan has {new.nodes} nodes; the run has {self.plan.nodes}"
            elif not same_clocks(self.plan, new):
                error = ("a run can change to a plan that averages and sends the same at other times: average, wire, "
                         "batch_weights, outer and gradients must be those of the plan that runs, without phases")
            elif new.average == "gradients":
                error = ("gradients go on over the connections that attach made: restart from a checkpoint with the "
                         "new plan")
            elif self._rounds.engine.links.fold and not new.symmetric:
                error = "the new plan is not symmetric, which on_loss='fold' needs"
            self._rounds.momentum.check(new)
            if self._rounds.bits:
                fewbits.check(new, new.wire)
        except BatopoError as problem:
            error = str(problem)
        begun = self._pending or self._rounds.due is not None
        first = self.round + (1 if begun else 0)
        facts = {"plan": new.hash if new else "", "every": new.every if new else 0, "at": at, "now": first}
        with self._guard():
            first = max(self._agree("switch", {**facts, "error": error})["rounds"])
        if at is not None and at < first:
            raise SetupError(f"the switch is for round {at}, but round {first} is the first that can be changed")
        assert new is not None
        compare_sizes(new, self.sent_bytes)
        self._rounds.schedule(new, first if at is None else at)
        if not begun:
            self._rounds.change_plan()
        return first if at is None else at

    def state_dict(self) -> Dict[str, Any]:
        """What a resumed run needs beside the model and the optimizer. It waits for an average that is on its way."""
        with self._guard():
            kept = self._rounds.state()
        return {"version": 2, "hash": self.plan.hash, "round": self.round, "base": self._rounds.base,
                "since": self._since, "steps": self._steps, "pending": self._pending,
                "momentum": self._rounds.momentum.kind, **kept}

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Continues where state_dict was taken. All ranks call it, after model and optimizer were loaded."""
        error, kind = None, self._rounds.momentum.kind
        if state.get("version") not in (1, 2):
            error = f"state of version {state.get('version')!r}; this package reads versions 1 and 2"
        elif state["hash"] != self.plan.hash:
            error = f"the state is of plan {state['hash'][:12]}…, attached is {self.plan.hash[:12]}…"
        elif state["momentum"] != kind:
            error = f"the state was saved with momentum {state['momentum']!r}, not {kind!r}"
        else:
            error = self._rounds.wrong(state)
        with self._guard():
            self._agree("resume", {"plan": state.get("hash"), "error": error,
                                   "steps": state.get("steps"),
                                   "round": [state.get("round"), state.get("since")]})
            self._rounds.load(state)
        self._since = state["since"]
        self._pending = state["pending"]  # its exchange starts again from the parameters, which are the same
        self._steps = state.get("steps", 0)  # version 1 had no phases
        if self._gradients is not None:
            self._gradients.resumed()
        self._prepare()

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """After a failure ranks are not in step any more; every later call says so."""
        if self._broken is not None:
            raise self._broken
        try:
            yield
        except BatopoError as error:
            self._broken = error
            raise
