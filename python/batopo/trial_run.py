"""trial: some real iterations of the user's model in every way, in turn, and which way is fastest."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any, Callable, List, Sequence

import torch
import torch.distributed as dist
from torch.distributed.distributed_c10d import PrefixStore

from .blocks import gradient_bytes
from .errors import BatopoError, PeerError, SetupError
from .given import PlanLike, load
from .plan_file import Plan
from .trial_file import Result
from .trial_state import Saved, digest
from .trial_ways import Given, Way, ways
from .watch import linger

ROUNDS, FEWEST, MOST = 6, 3, 200  # blocks of every way at most; iterations of a block at least, units at most
SHARE = 0.7  # of the time: blocks themselves; the rest sets up, warms up and meets
Loss = Callable[[Any], torch.Tensor]
_trials = 0


class Meeting:
    """All ranks exchange what they have to say, over the store, whatever became of their process groups."""

    def __init__(self, timeout: float) -> None:
        global _trials
        _trials += 1
        self.rank, self.world, self.timeout = dist.get_rank(), dist.get_world_size(), timeout
        self._store = dist.distributed_c10d._get_default_store()
        self._prefix, self._count = f"batopo.trial/{_trials}", 0

    def share(self, fact: Any) -> List[Any]:
        """What every rank says, in their order. Who says nothing within the timeout is named. Rank 0, which may keep
        the store and end after this, waits a moment until the others have read it."""
        self._count += 1
        place, end = f"{self._prefix}/{self._count}", time.monotonic() + self.timeout
        try:
            self._store.set(f"{place}/{self.rank}", json.dumps(fact))
            missing = [r for r in range(self.world) if not self._came(f"{place}/{r}", end)]
            if not missing:
                facts = [json.loads(self._store.get(f"{place}/{r}")) for r in range(self.world)]
                linger(PrefixStore(place, self._store), self.rank, self.world, self.timeout)
                return facts
        except RuntimeError as error:
            raise PeerError(f"rank 0 or the launcher ended, and the store of the job with it: {_line(error)}",
                            (self.rank, 0)) from None
        names = ", ".join(map(str, missing))
        raise PeerError(f"rank {names} did not answer within {self.timeout:g} s: the process ended, or stands still "
                        f"(noticed by rank {self.rank})", (self.rank, missing[0]))

    def _came(self, key: str, end: float) -> bool:
        begin, left = time.monotonic(), max(0.05, end - time.monotonic())
        try:
            self._store.wait([key], timedelta(seconds=left))
            return True
        except RuntimeError:
            if time.monotonic() - begin < left / 2:
                raise  # not the time: the store is gone
            return False


class Trial:
    """A trial as one rank runs it."""

    def __init__(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer, loss: Loss, timeout: float) -> None:
        self._model, self._optimizer, self._loss, self._timeout = model, optimizer, loss, timeout
        self._saved, self.meeting = Saved(model, optimizer), Meeting(timeout)
        self._device = next(model.parameters()).device

    def block(self, way: Way, seconds: float) -> None:
        """Some iterations of one way from the same start; what fails on one rank ends the way on all."""
        self._saved.restore()
        times: List[float] = []
        error = ""
        try:
            with way.open(self._model, self._optimizer, self._timeout / 2) as called:
                taken = self._units(called, way, 2 if way.unit == 1 else 1)
                if way.count == 0:  # the first iterations warm up
                    slowest = max(self.meeting.share(taken[-1]))
                    count = int(seconds * 1e3 / max(slowest * way.unit, 1e-3))
                    way.count = max(1, FEWEST // way.unit, min(MOST, count))
                times = self._units(called, way, way.count)
        except PeerError as problem:
            error = str(problem)
        except Exception as problem:  # reported, and the other ways go on
            error = f"{type(problem).__name__}: {_line(problem)}"
        heard = self.meeting.share({"error": error, "times": times, "notes": way.notes})
        failed = [(rank, fact["error"]) for rank, fact in enumerate(heard) if fact["error"]]
        if failed:
            way.error = "; ".join(dict.fromkeys(f"rank {rank}: {text}" if len(failed) < len(heard) else text
                                                for rank, text in failed))
        else:
            way.blocks.append(max((fact["times"] for fact in heard), key=sum))
            way.own.append([median(fact["times"]) for fact in heard])
        way.notes = list(dict.fromkeys(note for fact in heard for note in fact["notes"]))

    def _units(self, called: Any, way: Way, count: int) -> List[float]:
        out = []
        for _ in range(count):
            begin = time.perf_counter()
            for _ in range(way.unit):
                self._optimizer.zero_grad(set_to_none=True)
                self._loss(called).backward()
                self._optimizer.step()
            if self._device.type == "cuda":
                torch.cuda.synchronize(self._device)
            out.append((time.perf_counter() - begin) * 1e3 / way.unit)
        return out

    def restore(self) -> None:
        """Restores model and optimizer to what they were before the trial."""
        self._saved.restore()


def trial(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loss: Loss, plans: Sequence[PlanLike] = (), *,
          minutes: float = 2.0, timeout: float = 60.0) -> Result:
    """Trains some iterations with DDP, with DDP in half precision and with every plan, and says which is fastest.

    All ranks call it in a process group. loss(m) computes the loss of one batch with m, the model or what wraps it.
    Model, optimizer and random numbers are afterwards what they were. docs/trial.md explains the result.
    """
    given = [Given(f"plan {k + 1}", plan) if isinstance(plan, Plan) else
             Given(str(plan), load(plan), Path(plan).read_text(encoding="utf-8-sig")) for k, plan in enumerate(plans)]
    return try_all(model, optimizer, loss, given, minutes, timeout)


def try_all(model: torch.nn.Module, optimizer: torch.optim.Optimizer, loss: Loss, plans: Sequence[Given],
            minutes: float, timeout: float) -> Result:
    """The trial of plans that have names."""
    if not dist.is_initialized():
        raise SetupError("call torch.distributed.init_process_group first, on every rank")
    if not (minutes > 0 and timeout > 0):
        raise SetupError("minutes and timeout must be above 0")
    rows = ways(plans)
    before, begin = digest(model, optimizer), time.monotonic()
    run = Trial(model, optimizer, loss, timeout)
    try:
        slot = minutes * 60 * SHARE / (ROUNDS / 2 * len(rows))
        for k in range(ROUNDS):
            if max(run.meeting.share(time.monotonic() - begin)) > minutes * 60 * k / (k + 1) and k > 1:
                break  # another round would end too late; one alone says nothing about noise
            for way in rows:
                if not way.error:
                    run.block(way, slot)
    except BatopoError:
        run.restore()
        raise
    run.restore()
    after = run.meeting.share([before, digest(model, optimizer)])
    own = {g.plan.hash: g.content for g in plans if g.content and g.plan.nodes == run.meeting.world}
    return Result(rows, run.meeting.world, str(dist.get_backend()), time.monotonic() - begin,
                  all(a == b for a, b in after), before, gradient_bytes(model) / 1e6, list(own.values()), 60 * minutes)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]
