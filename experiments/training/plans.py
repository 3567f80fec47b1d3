"""Reads batopo plan.json files as mixing matrices."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = "batopo.plan/v4"


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
    _check_plain(path, plan)
    want, got = plan.get("hash"), plan_hash(plan)
    if want != got:
        raise PlanError(f"{path}: hash says {want}, the edges and weights give {got}")
    rounds = [_matrix(path, plan, part) for part in plan["rounds"]]
    return np.stack(rounds)


def plan_hash(plan: dict[str, Any]) -> str:
    """SHA-256 over what a plan of plain rounds does, as the Go program computes it (docs/formats.md)."""
    lines = [f"{FORMAT} {plan['nodes']} {_word(plan['directed'])} {plan['kind']} {plan['every']} {plan['order']} "
             f"{_word(plan['overlap'])}"]
    lines += [f"name {name}" for name in plan.get("names", [])]
    for t, part in enumerate(plan["rounds"]):
        lines.append(f"round {t} {_bits(part['part'])}")
        lines += [f"{e['i']} {e['j']} {_bits(e['weight'])}" for e in part["edges"]]
        lines += [f"self {_bits(w)}" for w in part["self_weights"]]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def _check_plain(path: str | Path, plan: dict[str, Any]) -> None:
    """Refuses what is more than matrices: how often and in which order they are applied is a setting of the run."""
    for field, plain in (("kind", "gossip"), ("every", 1), ("order", "atc"), ("overlap", False), ("inside", None)):
        if plan.get(field) != plain:
            raise PlanError(f"{path}: {field} is {plan.get(field)!r}; plans with {plain!r} are run here")
    if any(part["part"] != 1 for part in plan["rounds"]):
        raise PlanError(f"{path}: a round averages part of the message; rounds of whole messages are run here")


def _word(value: bool) -> str:
    return str(value).lower()


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
