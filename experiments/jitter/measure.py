"""Measures iterations of 16 gloo processes that sleep in place of computing gradients.

  PYTHONPATH=python /usr/bin/python3 experiments/jitter/measure.py > experiments/jitter/measured.json

Every rank sleeps a log-normal time, then takes an optimizer's step that batopo.attach makes a round of the plan. The
messages are tiny: what is measured is who waits for whom. All plans are run three times; the median counts, since other
work on the machine makes some passes late. `go run ./experiments/jitter` simulates the same.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
import tempfile
import time
from datetime import datetime, timezone
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

import batopo

RANKS = 16
MEAN_MS, JITTER_MS = 400.0, 130.0
WARM, ITERATIONS, PASSES = 5, 40, 3
PLANS = Path(__file__).parent / "plans"


def sleeps(rank: int, plan: int) -> list[float]:
    """Seconds, with the mean and deviation that the simulation is told."""
    variance = math.log1p((JITTER_MS / MEAN_MS) ** 2)
    draw = random.Random(1000 * plan + rank)
    return [draw.lognormvariate(math.log(MEAN_MS) - variance / 2, math.sqrt(variance)) / 1e3
            for _ in range(WARM + ITERATIONS)]


def measure(rank: int, number: int, plan: Path) -> float:
    """Milliseconds per iteration of this rank, after a few iterations."""
    parameter = torch.nn.Parameter(torch.zeros(64))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    batopo.attach(optimizer, str(plan))
    parameter.grad = torch.zeros_like(parameter)
    started = 0.0
    for k, seconds in enumerate(sleeps(rank, number)):
        if k == WARM:
            started = time.monotonic()
        time.sleep(seconds)
        optimizer.step()
    return 1e3 * (time.monotonic() - started) / ITERATIONS


def work(rank: int, store: str, plans: list[Path], results: Any) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=RANKS)
    for k in range(PASSES):
        for number, plan in enumerate(plans):
            results.put((k, plan.stem, measure(rank, k * len(plans) + number, plan)))
            dist.barrier()


def main() -> None:
    plans = sorted(PLANS.glob("*.json"))
    load_before = os.getloadavg()[0]
    context = get_context("fork")
    results = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        ranks = [context.Process(target=work, args=(rank, f"{folder}/store", plans, results)) for rank in range(RANKS)]
        for each in ranks:
            each.start()
        found: dict[str, list[list[float]]] = {plan.stem: [[] for _ in range(PASSES)] for plan in plans}
        for _ in range(PASSES * RANKS * len(plans)):
            k, name, ms = results.get(timeout=600)
            found[name][k].append(ms)
        for each in ranks:
            each.join()
    json.dump({
        "ranks": RANKS, "mean_ms": MEAN_MS, "jitter_ms": JITTER_MS, "iterations": ITERATIONS,
        "passes_ms": {name: [round(sum(ms) / RANKS, 1) for ms in passes] for name, passes in sorted(found.items())},
        "torch": torch.__version__, "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "cores": os.cpu_count(), "load_before": round(load_before, 1), "load_after": round(os.getloadavg()[0], 1),
        "measured_ms": {name: round(sorted(sum(ms) / RANKS for ms in passes)[PASSES // 2], 1)
                        for name, passes in sorted(found.items())},
    }, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
