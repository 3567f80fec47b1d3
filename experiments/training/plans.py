"""Reads batopo plan.json files (format batopo.plan/v1) as mixing matrices."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = "batopo.plan/v1"


class PlanError(ValueError):
    """A plan file that cannot be used, with the reason."""


def read_plan(path: str | Path) -> np.ndarray:
    """The matrices of one period, [rounds, n, n]; row i of a matrix holds what node i takes from whom."""
    try:
        plan = json.loads(Path(path).read_text())
    except ValueError as error:
        raise PlanError(f"{path}: not JSON: {error}") from error
    if plan.get("format") != FORMAT:
        raise PlanError(f"{path}: format is {plan.get('format')!r}; it must be {FORMAT!r}")
    want, got = plan.get("hash"), plan_hash(plan)
    if want != got:
        raise PlanError(f"{path}: hash says {want}, the edges and weights give {got}")
    rounds = [_matrix(path, plan, part) for part in _rounds(plan)]
    return np.stack(rounds)


def plan_hash(plan: dict[str, Any]) -> str:
    """SHA-256 over format, size, edges and weights, as the Go program computes it."""
    lines = [f"{FORMAT} {plan['nodes']} {str(plan['directed']).lower()}\n"]
    for t, part in enumerate(_rounds(plan)):
        if plan.get("rounds"):
            lines.append(f"round {t}\n")
        lines += [f"{e['i']} {e['j']} {_bits(e['weight'])}\n" for e in part["edges"]]
        lines += [f"self {_bits(w)}\n" for w in part["self_weights"]]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _rounds(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return plan.get("rounds") or [{"edges": plan["edges"], "self_weights": plan["self_weights"]}]


def _bits(x: float) -> str:
    return f"{struct.unpack('>Q', struct.pack('>d', x))[0]:016x}"


def _matrix(path: str | Path, plan: dict[str, Any], part: dict[str, Any]) -> np.ndarray:
    n = plan["nodes"]
    w = np.diag(np.asarray(part["self_weights"], dtype=np.float64))
    if w.shape != (n, n):
        raise PlanError(f"{path}: self_weights has {len(w)} entries for {n} nodes")
    for e in part["edges"]:
        w[e["j"], e["i"]] = e["weight"]  # arc i→j: j receives from i
        if not plan["directed"]:
            w[e["i"], e["j"]] = e["weight"]
    off = max(abs(w.sum(axis=0) - 1).max(), abs(w.sum(axis=1) - 1).max())
    if off > 1e-9:
        raise PlanError(f"{path}: rows and columns must sum to 1; they are off by {off:.2g}")
    return w
