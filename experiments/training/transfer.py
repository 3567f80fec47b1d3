"""How well the convergence model does on new settings: fitted without some runs, it predicts the order among them.

The model does not predict how many epochs a new setting needs in all. So the level is taken from the setting itself:
every run is compared with the mean of the others of its block. The same with that mean as the only prediction says
what the model is worth there.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from . import law, tables
from .censored import Row, fit, in_order


def table(lines: list[tables.Line], conditions: list[str], folder: Path) -> str:
    """By number of nodes, skew and norm of the runs that meet the conditions and were left out of the fit."""
    rows, used = law.rows_of(lines, folder)
    new = {id(line) for line in tables.meeting(used, conditions)}
    known = [r for r, line in zip(rows, used) if id(line) not in new and not law.control(line["entry"])]
    coefficients = fit(known, len({r.block for r in rows})).coefficients
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row, line in zip(rows, used):
        if id(line) in new:
            key = tuple(tables.setting(line, field) for field in ("nodes", "skew", "norm"))
            groups.setdefault(key, []).append(row)
    out = [["nodes", "skew", "norm", "runs", "reached", "rms", "rms, mean only", "pairs in the right order"]]
    for key, group in groups.items():
        error, right, pairs = errors(group, coefficients)
        without, _, _ = errors(group, np.zeros_like(coefficients))
        out.append([*key, str(len(group)), str(sum(not r.censored for r in group)), f"{error:.4f}", f"{without:.4f}",
                    f"{right} of {pairs}"])
    return tables.markdown(out)


def errors(rows: list[Row], coefficients: np.ndarray) -> tuple[float, int, int]:
    """Root mean square error of ln E of runs that reached the target; pairs in the right order; pairs that have one."""
    guesses = [float(coefficients @ np.array(r.x)) for r in rows]
    squares: list[float] = []
    for block in {r.block for r in rows}:
        off = [r.y - g for r, g in zip(rows, guesses) if r.block == block and not r.censored]
        if len(off) > 1:
            squares += [((v - sum(off) / len(off)) * len(off) / (len(off) - 1)) ** 2 for v in off]
    right = in_order(rows, guesses)
    return math.sqrt(float(np.mean(squares))) if squares else math.nan, sum(right), len(right)
