"""The law: relative epochs to a target, fitted from what is known before a run.

Runs that differ only in mixing, order and momentum form a block; all else (data, net, norm, learning rate, seed) is the
same. A block's target is 0.95 of the median of what its averaged models reach. A run that does not get there is
censored. The terms stand in features.py, the fit in censored.py. Left aside: other nets, other momenta than 0.9, runs
of fewer than five epochs, and quasi-global momentum where stability.py says that it diverges, no matter of epochs. And
controls: rates so large that exact averaging is far below its best, and schedules of the rate. The fit knows no rates,
and what averaging less gains there would be promised to everybody.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np

from . import features, stability, tables
from .censored import PRIOR, LeaveOut, Row, errors, fit, left_out
from .processes import process
from .results import Series

FORMAT = "batopo.law/v1"
LOOKED_AT = ("name", "ema", "target", "stop")  # how a run is called, measured and ended: the training is the same
VARIED = ("process", "lazy", "every", "order", "momentum", *LOOKED_AT)
SHARE = 0.95  # of the median, as the block's target
DOMAIN = ("dataset", "net", "stem", "nodes", "batch", "norm", "skew", "momentum", "order", "every", "epochs", "lr",
          "seed")
RUN = ("process", "lazy", "nodes", "norm", "skew", "momentum", "order", "every", "stem", "lr",
       "schedule", "seed")
LEAST = 3  # runs in a block: fewer say little about each other
SHORTEST = 5  # epochs of a run
LARGEST = {"batch": 0.1, "group": 0.025}  # constant rates; twice as large exact averaging loses 0.04 or does not learn


def smooth(series: Series) -> list[float]:
    """Means over three epochs; entry k belongs to epoch k + 2."""
    a = series.averaged
    return [sum(a[k:k + 3]) / 3 for k in range(len(a) - 2)]


def crossing(curve: list[float], target: float) -> float | None:
    """The epoch at which the line through the means reaches the target."""
    for k, value in enumerate(curve):
        if value >= target:
            before = curve[k - 1] if k else value
            return k + 2 - ((value - target) / (value - before) if value > before else 0.0)
    return None


def unstable(entry: dict[str, Any], folder: Path) -> bool:
    """Whether the run must diverge."""
    if entry["momentum"] != "quasi-global":
        return False
    period = process(entry["process"], entry["nodes"], entry["lazy"], folder)
    return stability.radius(period, entry["every"], entry["beta"], entry["order"]) >= 1


def within(lines: list[tables.Line], folder: Path, nets: tuple[str, ...] = ("resnet18",)) -> list[tables.Line]:
    """The runs that the law is about; of those that repeat a training, the longest."""
    longest: dict[str, tables.Line] = {}
    for line in lines:
        key = repr({k: v for k, v in line["entry"].items() if k not in LOOKED_AT})
        if key not in longest or _trained(line) > _trained(longest[key]):
            longest[key] = line
    return [line for line in longest.values() if line["entry"]["net"] in nets
            and line["entry"]["beta"] == stability.BETA and _trained(line) >= SHORTEST
            and not unstable(line["entry"], folder)]


def control(entry: dict[str, Any]) -> bool:
    """Whether a run belongs to no fit."""
    return entry["bits"] != 32 or entry["schedule"] != "constant" or entry["lr"] > LARGEST[entry["norm"]]


def _trained(line: tables.Line) -> int:
    return len(line["series"]["averaged"])


def rows_of(lines: list[tables.Line], folder: Path) -> tuple[list[Row], list[tables.Line]]:
    """A row for every run of a block that has enough of them, and the lines that they come from."""
    blocks: dict[str, list[tables.Line]] = {}
    for line in lines:
        blocks.setdefault(repr({k: v for k, v in line["entry"].items() if k not in VARIED}), []).append(line)
    rows: list[Row] = []
    used: list[tables.Line] = []
    for number, block in enumerate(b for b in blocks.values() if len(b) >= LEAST):
        curves = [smooth(Series(**line["series"])) for line in block]
        target = SHARE * float(np.median([max(c) for c in curves]))
        for line, curve in zip(block, curves):
            entry, at = line["entry"], crossing(curve, target)
            at = None if Series(**line["series"]).diverged else at
            period = process(entry["process"], entry["nodes"], entry["lazy"], folder)
            rows.append(Row(tables.setting(line, "run"), number, features.terms(features.base(entry, period)),
                            math.log(at or len(curve) + 1), at is None))
            used.append(line)
    return rows, used


def document(lines: list[tables.Line], folder: Path) -> dict[str, Any]:
    """What a planner reads; experiments/training/log.md describes it."""
    rows, used = rows_of(lines, folder)
    blocks = len({r.block for r in rows})
    law, guesses = fit(rows, blocks), left_out(rows, blocks)
    entries = [line["entry"] for line in used]

    def seen(field: str) -> list[Any]:
        return sorted({e[field] for e in entries}, key=str)

    def at(skew: float | None, least: int) -> set[int]:
        return {k for k, e in enumerate(entries) if e["skew"] == skew and e["every"] >= least}

    single = [k for k, term in enumerate(features.TERMS) if len(term) == 1]
    ranges = {features.TERMS[k][0]: [round(f(r.x[k] for r in rows), 4) + 0.0 for f in (min, max)] for k in single}
    return {
        "format": FORMAT,
        "gamma": features.GAMMA,
        "terms": [{"product": list(term), "coefficient": round(float(c), 4), "standard_error": round(float(e), 4)}
                  for term, c, e in zip(features.TERMS, law.coefficients, law.errors)],
        "prior": PRIOR,
        "noise": round(law.noise, 4),
        "leave_out": _facts(errors(rows, guesses)),
        "leave_out_by_skew": [{"skew": skew, **_facts(errors(rows, guesses, at(skew, 1))),
                               "rms_with_steps": _facts(errors(rows, guesses, at(skew, 2)))["rms"]}
                              for skew in seen("skew")],
        "runs": {"all": len(rows), "censored": sum(r.censored for r in rows), "blocks": blocks,
                 "processes": len({r.process for r in rows})},
        "domain": {**{field: seen(field) for field in DOMAIN}, "ranges": ranges},
    }


def runs(lines: list[tables.Line], folder: Path) -> dict[str, Any]:
    """Every run with its epochs to the block's target, and the relative epochs by a fit that never saw its process."""
    rows, used = rows_of(lines, folder)
    guesses = left_out(rows, len({r.block for r in rows})).relative
    return {"format": "batopo.left-out/v1", "runs": [
        {**{key: line["entry"][key] for key in RUN}, "block": row.block, "to_target": round(math.exp(row.y), 4),
         "censored": row.censored, "cut": row.censored and not line["complete"],
         "predicted": round(math.exp(guesses[k]), 4)}
        for k, (row, line) in enumerate(zip(rows, used)) if k in guesses]}


def _facts(error: LeaveOut) -> dict[str, float | None]:
    return {k: None if math.isnan(v) else round(v, 4) for k, v in dataclasses.asdict(error).items()}


def table(law: dict[str, Any]) -> str:
    """The law as Markdown: what doubles or halves the epochs, and how sure that is."""
    rows = [["term", "coefficient", "standard error", ""]]
    for term in law["terms"]:
        c, e = term["coefficient"], term["standard_error"]
        note = "not measured" if e > 0.95 * law["prior"] else "clear" if abs(c) > 2 * e else ""
        rows.append([" × ".join(term["product"]), f"{c:.2f}", f"{e:.2f}", note])
    facts = {**law["runs"], "noise": law["noise"], **{f"left out: {k}": v for k, v in law["leave_out"].items()}}
    skews = law["leave_out_by_skew"]
    apart = [list(skews[0])] + [[str(v) for v in skew.values()] for skew in skews]
    parts = [rows, [["", ""]] + [[k, str(v)] for k, v in facts.items()], apart]
    return "\n\n".join(map(tables.markdown, parts))


def write(path: Path, law: dict[str, Any]) -> None:
    """As JSON, lists of plain values on one line each."""
    text = json.dumps(law, indent=1, ensure_ascii=False)
    path.write_text(re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found[0].split()), text) + "\n")
