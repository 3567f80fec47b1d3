"""What processes of averaging and training take on a shaped network: rounds, and iterations with a gradient.

The gradient is a pause of COMPUTE_S, a third of it forward, as an accelerator leaves the processor alone; 8 processes
that computed on the processors of one machine would measure those.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.plan import Plan, plan_hash

Times = Dict[str, List[float]]  # of every kind, per period
LAYERS = 4
ELEMENTS = 250_000  # 1 MB in all
COMPUTE_S = 0.3
PROCESSES = ("ring", "exponential", "static", "schedule", "one-peer", "two-level")


class _Pause(torch.autograd.Function):
    """A layer that takes a third of its time forward and two thirds backward."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        ctx.size = weight.shape
        time.sleep(COMPUTE_S / LAYERS / 3)
        return x * 1

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:  # type: ignore[override]
        time.sleep(COMPUTE_S / LAYERS * 2 / 3)
        return grad, torch.zeros(ctx.size)


class Paused(torch.nn.Module):
    """LAYERS layers of equal size."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = torch.nn.ParameterList([torch.nn.Parameter(torch.zeros(ELEMENTS // LAYERS))
                                               for _ in range(LAYERS)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for weight in self.weights:
            x = _Pause.apply(x, weight)
        return x


def slowest(job: Callable[[], None], period: int, predicted_ms: float, seconds: float) -> List[float]:
    """Milliseconds per call, of every period until the last rank is done with it, after one call to warm up."""
    periods = max(2, round(seconds * 1e3 / predicted_ms / period))
    job()
    dist.barrier()
    begin, ends = time.perf_counter(), []
    for _ in range(periods):
        for _ in range(period):
            job()
        ends.append(time.perf_counter() - begin)
    last = torch.tensor(ends, dtype=torch.float64)
    dist.all_reduce(last, op=dist.ReduceOp.MAX)
    return [(b - a) * 1e3 / period for a, b in zip([0.0, *last.tolist()], last.tolist())]


def gossip_times(plan: Plan, predicted: Dict[str, float], seconds: float) -> Times:
    """A round, an iteration, and an iteration whose round runs beside the gradient."""
    out = {}
    p = torch.nn.Parameter(torch.zeros(ELEMENTS))
    gossip = batopo.attach(torch.optim.SGD([p], lr=0.1), plan, explicit=True)
    out["round_ms"] = slowest(gossip.mix, plan.period, predicted["round_ms"], seconds)
    for key, overlap in (("iteration_ms", False), ("overlapped_ms", True)):
        variant = replace(plan, order="cta" if overlap else "atc", overlap=overlap)
        variant = replace(variant, hash=plan_hash(variant))
        model = Paused()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        batopo.attach(optimizer, variant)
        out[key] = slowest(_step(model, optimizer), plan.period, predicted[key], seconds)
    return out


def _step(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> Callable[[], None]:
    x = torch.ones(1, requires_grad=True)

    def step() -> None:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
    return step


def ddp_times(predicted: Dict[str, float], seconds: float) -> Times:
    """The all-reduce alone, and DistributedDataParallel in buckets of a quarter of the model."""
    value = torch.zeros(ELEMENTS)
    out = {"round_ms": slowest(lambda: dist.all_reduce(value), 1, predicted["round_ms"], seconds)}
    setattr(dist, "_DEFAULT_FIRST_BUCKET_BYTES", ELEMENTS)
    plain = Paused()
    model = DistributedDataParallel(plain, bucket_cap_mb=ELEMENTS / (1 << 20))
    optimizer = torch.optim.SGD(plain.parameters(), lr=0.1)
    out["overlapped_ms"] = slowest(_step(model, optimizer), 1, predicted["overlapped_ms"], seconds)
    return out


def everything(rank: int, plans: Path, predictions: Dict[str, Dict[str, float]], seconds: float,
               only: List[str]) -> Dict[str, Times]:
    """All processes, one after the other; every rank measures, the results are the same on all."""
    out = {}
    for name in [*PROCESSES, "ddp"]:
        if only and name not in only:
            continue
        if name == "ddp":
            out[name] = ddp_times(predictions[name], seconds)
        else:
            plan = batopo.read_plan(plans / f"{name}.json")
            out[name] = gossip_times(plan, predictions[name], seconds)
    return out
