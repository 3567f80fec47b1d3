"""Steps to the same final loss: how many synchronous steps would have ended where a run ended.

All runs decay fully. Synchronous runs of several lengths give a curve from steps to final loss, between whose points
ln(steps) is linear in the loss; it ends at the shortest and the longest run. A run of T steps that ends at loss L costs
T / steps(L) times the steps of synchronous training. Every process, and every length of synchronous training, is
taken at its best rate: that of the lowest loss with the seed that was tried at most rates.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from typing import Any

from .settings import Entry, entry

Line = dict[str, Any]
Curve = list[tuple[float, float]]  # (loss, steps), from the highest loss down


def process_of(e: Entry) -> Entry:
    """The settings without seed and rate, and with one spelling for all synchronous runs."""
    e = e.dense() if e.replicas == 1 else e
    return replace(e, name="", question="", seed=0, lr=1.0, lr_from="")


def setting_of(e: Entry) -> Entry:
    """What a run and the synchronous runs that it is compared with have in common.

    That is all but the process and the steps. Synchronous training sees all domains in every step, whichever node
    has them: runs with one domain per node are compared with the same synchronous ones.
    """
    return replace(process_of(e).dense(), nodes=1, group=1, sequences=e.nodes * e.sequences, steps=e.warmup + 1,
                   data="iid")


def at_best_rate(lines: list[Line]) -> dict[Entry, list[Line]]:
    """Process → its lines at its best rate, one per seed; diverged ones are left out."""
    found: dict[Entry, list[Line]] = defaultdict(list)
    for line in lines:
        if "error" not in line and not line["diverged"]:
            found[process_of(entry(line["entry"]))].append(line)
    return {process: _best(some) for process, some in found.items()}


def _best(lines: list[Line]) -> list[Line]:
    by_seed: dict[int, dict[float, Line]] = defaultdict(dict)
    for line in lines:
        by_seed[line["entry"]["seed"]][line["entry"]["lr"]] = line
    tried = max(by_seed.values(), key=len)
    best = min(tried, key=lambda lr: tried[lr]["loss"])
    return [rates[best] for _, rates in sorted(by_seed.items()) if best in rates]


def mean_loss(lines: list[Line]) -> float:
    return sum(line["loss"] for line in lines) / len(lines)


def curve(best: dict[Entry, list[Line]], setting: Entry) -> Curve:
    """Mean final loss of synchronous runs by length; lengths that are no better than a shorter one are left out."""
    points = sorted((e.steps, mean_loss(lines)) for e, lines in best.items()
                    if e.replicas == 1 and e.data == "iid" and setting_of(e) == setting)
    out: Curve = []
    for steps, loss in points:
        if not out or loss < out[-1][0]:
            out.append((loss, float(steps)))
    return out


def synchronous_steps(loss: float, points: Curve) -> float | None:
    """Of the synchronous run that ends at this loss; none outside of the measured lengths."""
    for (high, few), (low, many) in zip(points, points[1:]):
        if low <= loss <= high:
            share = (high - loss) / (high - low)
            return math.exp(math.log(few) + share * math.log(many / few))
    return None


def ratios(lines: list[Line], points: Curve) -> list[float | None]:
    """Relative steps of every line."""
    needed = [synchronous_steps(line["loss"], points) for line in lines]
    return [None if n is None else line["entry"]["steps"] / n for line, n in zip(lines, needed)]


def table(lines: list[Line]) -> str:
    """A row per process: relative steps as mean and range over seeds, traffic, losses, rate."""
    best = at_best_rate(lines)
    rows = ["relative steps (range)   traffic  loss    seeds  rate    share of peak  run"]
    for e, some in best.items():
        known = [r for r in ratios(some, curve(best, setting_of(e))) if r is not None]
        cost = f"{sum(known) / len(known):.3f} ({min(known):.3f} … {max(known):.3f})" if known else "outside"
        share = sum(line["trained"]["peak_share"] for line in some) / len(some)
        rows.append(f"{cost:24s} {some[0]['traffic']:7.4f}  {mean_loss(some):.4f}  {len(some):5d}  "
                    f"{some[0]['entry']['lr']:<7g} {share:6.1%}         {some[0]['name'].rsplit(',', 1)[0]}")
    failed = [line["name"] for line in lines if "error" in line or line["diverged"]]
    return "\n".join(rows + ([f"diverged or failed: {', '.join(failed)}"] if failed else []))
