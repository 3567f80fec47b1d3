"""What averages in 16 bits cost: runs beside those that differ from them in nothing but the wire.

Changes since the last average are rounded (exact averages), or parameters (graphs and schedules). A pair says ln of the
epochs in 16 bits over those in 32, a mean over SHARES of the lower of both best accuracies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .claims import student
from .law import LOOKED_AT, crossing, smooth
from .results import Series
from .tables import Line, markdown

SHARES = (0.85, 0.9, 0.95)


def kind(process: str) -> str:
    return "changes" if process == "exact" else "parameters"


def interval(logs: list[float]) -> dict[str, float]:
    """The ratio that the pairs say, with its 95 % t-interval."""
    n = len(logs)
    mean = sum(logs) / n
    error = math.sqrt(sum((x - mean) ** 2 for x in logs) / (n - 1) / n)
    half = student(0.025, n - 1) * error
    return {"ratio": round(math.exp(mean), 4), "low": round(math.exp(mean - half), 4),
            "high": round(math.exp(mean + half), 4), "pairs": n}


def by_kind(logs: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    """Intervals of "changes" and "parameters", where there are two pairs or more."""
    return {key: interval(some) for key, some in sorted(logs.items()) if len(some) > 1}


def pairs(lines: list[Line]) -> list[tuple[Line, Line]]:
    """The lines in 16 bits, each with the one in 32."""
    def key(line: Line) -> str:
        return repr({k: v for k, v in line["entry"].items() if k != "bits" and k not in LOOKED_AT})
    full = {key(line): line for line in lines if line["entry"]["bits"] == 32}
    half = [line for line in lines if line["entry"]["bits"] == 16]
    for line in half:
        if key(line) not in full:
            raise ValueError(f"{line['name']}: no run with the same settings in 32 bits is in the files")
    return [(line, full[key(line)]) for line in half]


def log_ratio(one: Line, other: Line) -> float:
    """ln of the epochs of one over those of the other."""
    curves = [smooth(Series(**line["series"])) for line in (one, other)]
    reached = min(max(c) for c in curves)
    logs = [[math.log(at) for at in (crossing(c, share * reached) for c in curves) if at is not None]
            for share in SHARES]
    return sum(a - b for a, b in logs) / len(logs)


def measured(lines: list[Line]) -> dict[str, dict[str, float]]:
    logs: dict[str, list[float]] = {}
    for one, other in pairs(lines):
        logs.setdefault(kind(one["entry"]["process"]), []).append(log_ratio(one, other))
    return by_kind(logs)


def table(lines: list[Line]) -> str:
    """Every pair, and what all of a kind say."""
    def last(line: Line, what: Callable[[Series], Any]) -> float:
        end = what(Series(**line["series"]))[-3:]
        return sum(end) / len(end)

    rows = [["run in 16 bits", "rounded", "epochs, times those in 32 bits", "accuracy at the end, 32 bits", "16 bits",
             "nodes apart, 32 bits", "16 bits"]]
    for one, other in pairs(lines):
        ends = [f"{last(line, lambda s: s.averaged):.4f}" for line in (other, one)]
        apart = [f"{last(line, lambda s: s.relative_distance):.2g}" for line in (other, one)]
        ratio = f"{math.exp(log_ratio(one, other)):.3f}"
        rows.append([one["name"], kind(one["entry"]["process"]), ratio, *ends, *apart])
    facts = [["rounded", "epochs, times those in 32 bits", "95 % interval", "pairs"]]
    facts += [[key, f"{f['ratio']:.3f}", f"{f['low']:.3f} to {f['high']:.3f}", str(f["pairs"])]
              for key, f in measured(lines).items()]
    return markdown(rows) + "\n\n" + markdown(facts)
