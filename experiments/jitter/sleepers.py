"""Measures iterations of 16 gloo processes that sleep in place of computing gradients.

  PYTHONPATH=python /usr/bin/python3 experiments/jitter/sleepers.py > experiments/jitter/measured.json

Every rank sleeps a log-normal time, then takes an optimizer's step that batopo.attach makes a round of the plan. The
messages are tiny: what is measured is who waits for whom. The sleeps are long, so that other work on the machine
changes little, and all plans are measured at the same time, each by processes of its own; about ten minutes.
`go run ./experiments/jitter` simulates the same.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
import tempfile
import time
import warnings
from datetime import datetime, timezone
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

import batopo

RANKS = 16
MEAN_MS, JITTER_MS = 8000.0, 2600.0
WARM, ITERATIONS = 4, 40
PLANS = Path(__file__).parent / "plans"


def sleeps(rank: int, plan: int) -> list[float]:
    """Seconds, with the mean and deviation that the simulation gets."""
    variance = math.log1p((JITTER_MS / MEAN_MS) ** 2)
    draw = random.Random(1000 * plan + rank)
    return [draw.lognormvariate(math.log(MEAN_MS) - variance / 2, math.sqrt(variance)) / 1e3
            for _ in range(WARM + ITERATIONS)]


def measure(rank: int, number: int, plan: Path) -> float:
    """Milliseconds per iteration of this rank, after a few iterations."""
    parameter = torch.nn.Parameter(torch.zeros(64))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    warnings.simplefilter("ignore", batopo.SizeWarning)  # rounds are to take no time beside the sleeps
    batopo.attach(optimizer, str(plan))
    parameter.grad = torch.zeros_like(parameter)
    started = 0.0
    for k, seconds in enumerate(sleeps(rank, number)):
        if k == WARM:
            started = time.monotonic()
        time.sleep(seconds)
        optimizer.step()
    return 1e3 * (time.monotonic() - started) / ITERATIONS


def work(rank: int, store: str, number: int, plan: Path, results: Any) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=RANKS)
    results.put((plan.stem, measure(rank, number, plan)))
    dist.barrier()


def main() -> None:
    plans = sorted(PLANS.glob("*.json"))
    load_before = os.getloadavg()[0]
    context = get_context("fork")
    results = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        ranks = [context.Process(target=work, args=(rank, f"{folder}/{plan.stem}", number, plan, results))
                 for number, plan in enumerate(plans) for rank in range(RANKS)]
        for each in ranks:
            each.start()
        found: dict[str, list[float]] = {}
        for _ in ranks:
            name, ms = results.get(timeout=1800)
            found.setdefault(name, []).append(ms)
        for each in ranks:
            each.join()
    json.dump({
        "ranks": RANKS, "mean_ms": MEAN_MS, "jitter_ms": JITTER_MS, "iterations": ITERATIONS,
        "torch": torch.__version__, "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "cores": os.cpu_count(), "load_before": round(load_before, 1), "load_after": round(os.getloadavg()[0], 1),
        "measured_ms": {name: round(sum(ms) / RANKS, 1) for name, ms in sorted(found.items())},
    }, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
