"""What processes of averaging and training take on a shaped network: rounds, and iterations with a gradient.

The gradient is a pause of COMPUTE_S, a third of it forward, as an accelerator leaves the processor alone; 8 processes
that computed on the processors of one machine would measure those.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.plan_file import Plan, plan_hash

from .still import Watch

Times = List[Tuple[float, float]]  # milliseconds per call in a period, and the share in which the machine stood still
BLOCK, WANTED, STILL = 2, 2, 0.05
KINDS = ("round_ms", "iteration_ms", "overlapped_ms")
LAYERS = 4
ELEMENTS = 250_000  # 1 MB in all
COMPUTE_S = 0.3
PROCESSES = ("ring", "exponential", "static", "schedule", "one-peer", "two-level")


class _Pause(torch.autograd.Function):
    """A layer that takes a third of its time forward and two thirds backward."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, weight: torch.Tensor,  # type: ignore[override]
                seconds: float) -> torch.Tensor:
        ctx.size, ctx.seconds = weight.shape, seconds
        time.sleep(seconds / 3)
        return x * 1

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, None]:  # type: ignore[override]
        time.sleep(ctx.seconds * 2 / 3)
        return grad, torch.zeros(ctx.size), None


class Paused(torch.nn.Module):
    """LAYERS layers of equal size."""

    def __init__(self, elements: int = ELEMENTS, seconds: float = COMPUTE_S) -> None:
        super().__init__()
        self.seconds = seconds
        self.weights = torch.nn.ParameterList([torch.nn.Parameter(torch.zeros(elements // LAYERS))
                                               for _ in range(LAYERS)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for weight in self.weights:
            x = _Pause.apply(x, weight, self.seconds / LAYERS)
        return x


class Stopwatch:
    """Times periods of a job until WANTED of them fell into times in which the machine did not stand still, or until
    a number of seconds is over."""

    def __init__(self, watch: Optional[Watch], seconds: float) -> None:
        self.watch, self.seconds = watch, seconds

    def time(self, job: Callable[[], None], period: int) -> Times:
        """Milliseconds per call of every period, until the last rank is done with it, and how still the machine was.

        The first period of every block leads in: it starts together, and what overlaps has begun before.
        """
        out: Times = []
        start, more = time.perf_counter(), True
        while more:
            ends = []
            dist.barrier()
            for _ in range(1 + BLOCK):
                for _ in range(period):
                    job()
                ends.append(time.perf_counter())
            last = torch.tensor(ends, dtype=torch.float64)
            dist.all_reduce(last, op=dist.ReduceOp.MAX)
            still = torch.tensor([self._still(a, b) for a, b in zip(last.tolist(), last.tolist()[1:])])
            dist.broadcast(still, 0)
            out += [((b - a) * 1e3 / period, share)
                    for a, b, share in zip(last.tolist(), last.tolist()[1:], still.tolist())]
            late = torch.tensor([float(time.perf_counter() - start > self.seconds)])
            dist.broadcast(late, 0)
            more = not late.item() and sum(share <= STILL for _, share in out) < WANTED
        if dist.get_rank() == 0:
            print(" ".join(f"{ms:.0f}({share:.0%})" for ms, share in out), flush=True)
        return out

    def _still(self, begin: float, end: float) -> float:
        return self.watch.still(begin, end) if self.watch and dist.get_rank() == 0 else 0.0


def ran(times: Times) -> bool:
    """Whether the machine ran in one of the periods."""
    return any(still <= STILL for _, still in times)


def settled(times: Times) -> float:
    """The median of the periods in which the machine ran; where it never did, the one in which it ran most."""
    good = [ms for ms, still in times if still <= STILL]
    return median(good) if good else min(times, key=lambda t: t[1])[0]


def gossip_times(plan: Plan, stopwatch: Stopwatch, kinds: Sequence[str] = KINDS) -> Dict[str, Times]:
    """A round, an iteration, and an iteration whose round is overlapped with the gradient."""
    out = {}
    if "round_ms" in kinds:
        p = torch.nn.Parameter(torch.zeros(ELEMENTS))
        gossip = batopo.attach(torch.optim.SGD([p], lr=0.1), plan, explicit=True)
        out["round_ms"] = stopwatch.time(gossip.mix, plan.period)
    for key, overlap in (("iteration_ms", False), ("overlapped_ms", True)):
        if key in kinds:
            variant = replace(plan, order="cta" if overlap else "atc", overlap=overlap)
            variant = replace(variant, hash=plan_hash(variant))
            model = Paused()
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            batopo.attach(optimizer, variant)
            out[key] = stopwatch.time(_step(model, optimizer), plan.period)
    return out


def _step(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> Callable[[], None]:
    x = torch.ones(1, requires_grad=True)

    def step() -> None:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
    return step


def ddp_times(stopwatch: Stopwatch, kinds: Sequence[str] = KINDS) -> Dict[str, Times]:
    """The all-reduce alone, and DistributedDataParallel in buckets of a quarter of the model."""
    out = {}
    if "round_ms" in kinds:
        value = torch.zeros(ELEMENTS)
        out["round_ms"] = stopwatch.time(lambda: dist.all_reduce(value), 1)
    if "overlapped_ms" in kinds:
        setattr(dist, "_DEFAULT_FIRST_BUCKET_BYTES", ELEMENTS)
        plain = Paused()
        model = DistributedDataParallel(plain, bucket_cap_mb=ELEMENTS / (1 << 20))
        optimizer = torch.optim.SGD(plain.parameters(), lr=0.1)
        out["overlapped_ms"] = stopwatch.time(_step(model, optimizer), 1)
    return out


def everything(rank: int, plans: Path, stopwatch: Stopwatch, only: List[str],
               have: Dict[str, Dict[str, Times]]) -> Dict[str, Dict[str, Times]]:
    """All processes, one after the other, but for what is already had from a time in which the machine ran; every rank
    measures, the results are the same on all."""
    out = {}
    for name in [*PROCESSES, "ddp"]:
        if only and name not in only:
            continue
        kinds = [key for key in KINDS if not ran(have.get(name, {}).get(key, []))]
        if name == "ddp":
            out[name] = ddp_times(stopwatch, kinds)
        elif kinds:
            out[name] = gossip_times(batopo.read_plan(plans / f"{name}.json"), stopwatch, kinds)
    return out
