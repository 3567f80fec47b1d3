"""Rounds of the plan that is running: which one is next, how it is exchanged, and when another plan takes over."""

from __future__ import annotations

import logging
import time
from collections import deque
from dataclasses import replace
from typing import Any, Deque, Dict, List, Optional, Sequence

import torch

from .blocks import Row, Snapshot, finite, parameter_slot
from .engine import Engine, Timing
from .fewbits import FewBits
from .momentum import Momentum
from .outer import Outer
from .plan_file import Plan
from .stages import Program
from .worker import Worker

log = logging.getLogger("batopo")
KEPT_TIMINGS = 10000
WARM_UP_ROUNDS = 64  # of long schedules; pairs that meet later connect then


class Rounds:
    """Counts rounds and runs them, at once or beside the next steps."""

    def __init__(self, plan: Plan, nodes: Sequence[int], rank: int, row: Row, engine: Engine, momentum: Momentum,
                 worker: Worker, bits: int = 0, parts: Sequence[Row] = (), shards: int = 1) -> None:
        """bits: of the numbers that travel, where they are few; parts: of the row, averaged in turn; none: all of it;
        shards: ranks that hold one model together."""
        self.row, self.engine, self.momentum, self.worker = row, engine, momentum, worker
        self.count = 0  # rounds whose result is in the parameters
        self.base = 0  # the round at which the plan began
        self.timings: Deque[Timing] = deque(maxlen=KEPT_TIMINGS)
        self._rank, self._node_of_rank = rank, list(nodes)
        self.on_nan, self.bits, self.parts, self.shards = "raise", bits, list(parts) or [row], shards
        self.begun = False  # an exchange from a snapshot, whose changes are not in the parameters yet
        self._snapshots: List[Snapshot] = []
        self.due: Optional[int] = None  # after which step a late average, which is on its way, is applied
        self.outer: Optional[Outer] = None
        if Outer.needed(plan, row.lanes[0].wire, bits):
            self.outer = Outer(plan, nodes[rank], self._all_snapshots(), bits)
        self._next: Optional[Plan] = None
        self._next_at = 0
        self._use(plan)

    def _use(self, plan: Plan) -> None:
        self.plan = plan
        self._program = self._compile(plan)
        self._few = FewBits(self._program, self.engine, self.bits)

    def _compile(self, plan: Plan) -> Program:
        rank_of = [self._node_of_rank.index(node) for node in range(plan.nodes)]
        return Program(plan, self._node_of_rank[self._rank], rank_of, mean=self.outer is None,
                       equal=plan.inside_gradients, sharded=self.shards > 1)

    def _all_snapshots(self) -> List[Snapshot]:
        if not self._snapshots:
            self._snapshots = [Snapshot(part) for part in self.parts]
        return self._snapshots

    @property
    def piece(self) -> int:
        """Whose turn it is."""
        return self.count % len(self.parts)

    @property
    def snapshot(self) -> Snapshot:
        """The copy of the parameters that the next round averages, made when a round first needs it."""
        return self._all_snapshots()[self.piece]

    def buffer_bytes(self) -> int:
        """The most that the buffers of a round take."""
        return self.engine.need(self.row, self._program)

    @property
    def snapshot_bytes(self) -> int:
        """Bytes of that copy, now or in the next round."""
        needed = bool(self._snapshots) or self.plan.order == "cta" or self.momentum.needs_changes
        return 4 * self.row.elements if needed else 0

    def _look(self) -> None:
        """NaN goes nowhere: one rank's would be everybody's after a few rounds. On the host every block is looked at
        before it is sent; on a GPU, which would have to be waited for each time, all of them before the first is."""
        early = self.on_nan == "raise" and self.row.lanes[0].device.type == "cpu"
        self.engine.refuse = self._refusal if early else None
        bad = None if early or self.on_nan == "ignore" else self.parts[self.piece].not_finite()
        if bad is not None and self.on_nan == "raise":
            raise self._refusal()
        self.engine.silent, self.engine.skip = bad is not None, self.on_nan == "skip"

    def _refusal(self) -> Exception:
        bad = self.row.not_finite() or "what it sends"
        return self.engine.links.fail(
            f"rank {self._rank}: {bad} has a NaN or an infinity before round {self.count}; it was not sent. Look "
            "at this rank's data, loss and learning rate; attach(…, on_nan='skip') leaves this rank out")

    def now(self, stepped: bool) -> None:
        """x ← Wx, or what the plan makes of it."""
        self._look()
        if self.outer is not None:
            self.outer.take(self.piece)
            self.outer.run(self.piece, self._exchange_copy, late=False)
            self.snapshot.changes(store=True)
            self.momentum.after_step(stepped, self.snapshot)
        elif self.momentum.needs_changes:
            self.snapshot.load()
            self._exchange_copy()
            self.snapshot.changes(store=True)
            self.momentum.after_step(stepped, self.snapshot)
        else:
            self._exchange(self.row)
        self._done()

    def begin(self) -> None:
        """Takes the parameters as they are and exchanges them, beside the caller where the plan overlaps."""
        self._look()
        self.snapshot.load()
        self.begun = True
        row = self.snapshot.row
        if self.plan.overlap:
            self.worker.start(lambda: self._exchange(row))
        else:
            self._exchange(row)

    def arrive(self) -> None:
        """Before a step: waits for what begin sent for, and changes what has to change before the step."""
        self.worker.join()
        self.snapshot.changes(store=False)
        self.snapshot.add(early=True)

    def finish(self, stepped: bool) -> None:
        """After a step: x ← x + (W − I)·what begin took."""
        self.snapshot.add(early=False)
        self.momentum.after_step(stepped, self.snapshot)
        self.begun = False
        self._done()

    def depart(self, due: int) -> None:
        """Takes the parameters as they are and averages them beside the caller, to be applied after step due."""
        self._look()
        outer = self.outer
        assert outer is not None
        outer.take(self.piece)
        run, self.due = outer.run, due
        self.worker.start(lambda: run(self.piece, self._exchange_copy, late=True))

    def land(self) -> None:
        """Applies a late average that is on its way: x ← x + (average_k − x_k)."""
        if self.due is not None:
            self.add_late()
            self.due = None
            self._done()

    def add_late(self) -> None:
        """Adds what is on its way to the parameters, and leaves it on its way."""
        if self.due is not None:
            self.worker.join()
            self.snapshot.add(early=False)

    def drop(self) -> None:
        """Forgets an exchange: the parameters are others now."""
        self.worker.join()
        self.begun, self.due = False, None
        self.row.forget()

    def close(self) -> None:
        """Ends the thread and the connections."""
        self.worker.close()
        self.engine.links.close()

    def state(self) -> Dict[str, Any]:
        """What averages need from step to step, for checkpoints."""
        late = None
        if self.due is not None:
            self.worker.join()
            late = {"due": self.due, "change": [values.clone() for values in self.snapshot.flats]}
        return {"outer": None if self.outer is None else self.outer.state(), "late": late}

    def wrong(self, state: Dict[str, Any]) -> Optional[str]:
        """Why a state cannot be used."""
        return None if self.outer is None else self.outer.wrong(state.get("outer"))

    def load(self, state: Dict[str, Any]) -> None:
        """Continues with what state gave."""
        self.drop()
        self.count, self.base, late = state["round"], state["base"], state.get("late")
        if self.outer is not None:
            self.outer.load(state["outer"])
        if late is not None:
            self.due = late["due"]
            for values, saved in zip(self.snapshot.flats, late["change"]):
                values.copy_(saved)

    def _exchange_copy(self) -> None:
        self._exchange(self.snapshot.row)

    def _exchange(self, row: Row) -> None:
        k = self.count - self.base
        timing, self.engine.links.at = Timing(self.count), f"round {self.count}"
        if self.plan.round_ms:
            timing.predicted_ms = self.plan.round_ms[k % len(self.plan.round_ms)]
        if self.outer is not None and self.bits:
            begin = time.perf_counter()
            if self.engine.refuse is not None and not all(finite(y) for y in self.snapshot.flats):
                raise self.engine.refuse()
            for y, error in zip(self.snapshot.flats, self.outer.errors(self.piece)):
                self._few.sum(y, error)
            timing.ms = (time.perf_counter() - begin) * 1e3
        else:
            self.engine.average(row, self._program, k, timing)
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
        """Every pair meets once over a few elements: NCCL makes connections here, not in the first round."""
        self.engine.links.at = "the first meeting"
        few = torch.zeros(4 * self.plan.nodes, device=self.row.lanes[0].device)
        plan = self.plan
        if plan.collective is not None:
            plan = replace(plan, collective=replace(plan.collective, chunks=1))
        program = self._compile(plan)
        for k in range(min(self.plan.period, WARM_UP_ROUNDS)):
            self.engine.average(Row([parameter_slot("", few)]), program, k, Timing(-1))
