"""Reads batopo plan.json files (formats batopo.plan/v1 and v2) as mixing matrices."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

V1, V2 = "batopo.plan/v1", "batopo.plan/v2"


class PlanError(ValueError):
    """A plan file that cannot be used, with the reason."""


def read_plan(path: str | Path) -> np.ndarray:
    """The matrices of one period, [rounds, n, n]; row i of a matrix holds what node i takes from whom."""
    try:
        plan = json.loads(Path(path).read_text())
    except ValueError as error:
        raise PlanError(f"{path}: not JSON: {error}") from error
    if plan.get("format") not in (V1, V2):
        raise PlanError(f"{path}: format is {plan.get('format')!r}; it must be {V1!r} or {V2!r}")
    want, got = plan.get("hash"), plan_hash(plan)
    if want != got:
        raise PlanError(f"{path}: hash says {want}, the edges and weights give {got}")
    _check_plain(path, plan)
    rounds = [_matrix(path, plan, part) for part in _rounds(plan)]
    return np.stack(rounds)


def plan_hash(plan: dict[str, Any]) -> str:
    """SHA-256 over what the plan does, as the Go program computes it (docs/formats.md)."""
    v1 = plan["format"] == V1
    lines = [f"{plan['format']} {plan['nodes']} {_word(plan['directed'])}"]
    if not v1:
        lines[0] += f" {plan['kind']} {plan['every']} {plan['order']} {_word(plan['overlap'])}"
        lines += [_list("group", g) for g in plan.get("inside", {}).get("groups", [])]
        collective = plan.get("collective")
        if collective:
            lines.append(f"collective {collective['algorithm']}")
            lines += [_list(word, collective[word]) for word in ("order", "parent") if collective.get(word)]
    for t, part in enumerate(_rounds(plan)):
        if not v1:
            lines.append(f"round {t} {_bits(part['part'])}")
        elif plan.get("rounds"):
            lines.append(f"round {t}")
        lines += [f"{e['i']} {e['j']} {_bits(e['weight'])}" for e in part["edges"]]
        lines += [f"self {_bits(w)}" for w in part["self_weights"]]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def _check_plain(path: str | Path, plan: dict[str, Any]) -> None:
    """Refuses what is more than matrices: how often and in which order they are applied is a setting of the run."""
    if plan["format"] == V1:
        return
    for field, plain in (("kind", "gossip"), ("every", 1), ("order", "atc"), ("overlap", False), ("inside", None)):
        if plan.get(field) != plain:
            raise PlanError(f"{path}: {field} is {plan.get(field)!r}; plans with {plain!r} are run here")
    if any(part["part"] != 1 for part in plan["rounds"]):
        raise PlanError(f"{path}: a round averages part of the message; rounds of whole messages are run here")


def _rounds(plan: dict[str, Any]) -> list[dict[str, Any]]:
    if plan["format"] == V1 and not plan.get("rounds"):
        return [{"edges": plan["edges"], "self_weights": plan["self_weights"]}]
    return plan.get("rounds", [])


def _word(value: bool) -> str:
    return str(value).lower()


def _list(word: str, values: list[int]) -> str:
    return " ".join([word, *map(str, values)])


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
