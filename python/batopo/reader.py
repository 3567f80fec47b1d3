"""Reads plan.json. Like the Go reader it refuses what two readers could understand differently; parts that a
training run does not need (question, claims, answer, provenance) may be missing; of them times, the size of messages
and the learning rate are read, which are numbers. Nothing that a file says in words is repeated."""

from __future__ import annotations

import json
import math
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Tuple, Union

from .checks import check
from .errors import PlanError
from .plan_file import FORMAT, Collective, Edge, Move, OuterStep, Phase, Plan, Round, plan_hash

MAX_BYTES = 64 << 20
MOST_RATE = 1000
USUAL_MB = 48.8976  # the message of a cluster that states none, see docs/formats.md
_TOP = {"format", "nodes", "names", "kind", "directed", "every", "order", "overlap", "rounds", "collective", "inside",
        "hash", "question", "claims", "provenance", "average", "wire", "pieces", "batch_weights", "delay", "outer",
        "phases", "bucket_mb", "library", "answer"}


def read_plan(path: Union[str, "os.PathLike[str]"]) -> Plan:
    """The plan in a file, with its hash checked."""
    name = os.fspath(path)
    if os.path.getsize(name) > MAX_BYTES:
        raise PlanError(f"{name}: larger than {MAX_BYTES >> 20} MiB, the most that a plan may have")
    return parse_plan(Path(name).read_bytes(), name)


def parse_plan(source: bytes, name: str = "plan") -> Plan:
    """The plan in the bytes of a file; name is for messages."""
    try:
        value = json.loads(source.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_no_constant,
                           parse_int=_whole)
        plan = _plan(_Fields("", value))
        check(plan)
    except PlanError as error:
        raise PlanError(f"{name}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{name}: not the JSON of a plan: {error}") from error
    computed = plan_hash(plan)
    if plan.hash != computed:
        raise PlanError(f"{name}: hash is {plan.hash!r}, but edges and weights give {computed}; "
                        "the file was changed after it was written")
    return plan


def _object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    value: Dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise PlanError(f"key {key[:64]!a} is given twice")
        value[key] = item
    return value


def _whole(digits: str) -> Union[int, float]:
    """A number without a point. Where a weight belongs, -0 has a sign, which the hash sees; no whole number has it."""
    return -0.0 if digits == "-0" else int(digits)


def _no_constant(word: str) -> None:
    raise PlanError(f"{word} is not a number that JSON has")


class _Fields:
    """An object of the file, read field by field with the kinds that a plan has."""

    def __init__(self, at: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise PlanError(f"{at or 'a plan'} must be an object")
        self.at, self.value = at, value

    def only(self, known: "set[str]") -> None:
        """Refuses unknown keys."""
        for key in self.value:
            if key not in known:
                raise PlanError(f"unknown key {self.at + key!r}")

    def get(self, key: str, kind: type, default: Any) -> Any:
        if key not in self.value:
            return default
        return _kind(self.at + key, self.value[key], kind)

    def list(self, key: str, kind: type) -> Tuple[Any, ...]:
        found = self.get(key, list, [])
        return tuple(_kind(f"{self.at}{key}[{k}]", item, kind) for k, item in enumerate(found))


_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", list: "a list",
          dict: "an object"}


def _kind(at: str, value: Any, kind: type) -> Any:
    if kind is list and value is None:  # Go writes and reads an empty list so
        return []
    if kind is float and type(value) is int:
        try:
            value = float(value)
        except OverflowError:
            value = math.inf
    if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
        raise PlanError(f"{at} is {value!r}; it must be {_WORDS[kind]}")
    return value


def _plan(top: _Fields) -> Plan:
    written = top.get("format", str, "")
    if written != FORMAT:
        raise PlanError(f"format is {written[:64]!r}; this package reads {FORMAT!r}: make the plan again with the "
                        "command that made it")
    top.only(_TOP)
    plan = Plan(
        nodes=top.get("nodes", int, 0), directed=top.get("directed", bool, False), names=top.list("names", str),
        hash=top.get("hash", str, ""), kind=top.get("kind", str, ""), every=top.get("every", int, 0),
        order=top.get("order", str, ""), overlap=top.get("overlap", bool, False),
        rounds=tuple(_round(t, item) for t, item in enumerate(top.get("rounds", list, []))))
    if top.value.get("collective") is not None:
        fields = _Fields("collective.", top.value["collective"])
        fields.only({"algorithm", "order", "parent", "steps", "chunks"})
        plan = replace(plan, collective=Collective(
            fields.get("algorithm", str, ""), fields.list("order", int), fields.list("parent", int),
            _steps(fields), fields.get("chunks", int, 0) or 1))
    if top.value.get("inside") is not None:
        fields = _Fields("inside.", top.value["inside"])
        fields.only({"groups", "gradients"})
        groups = [_kind(f"inside.groups[{k}]", g, list) for k, g in enumerate(fields.get("groups", list, []))]
        plan = replace(plan, groups=tuple(tuple(_kind(f"inside.groups[{k}]", i, int) for i in group)
                                          for k, group in enumerate(groups)) or ((),),
                       inside_gradients=fields.get("gradients", bool, False))
    plan = _clocks(plan, top)
    claims = top.value.get("claims")
    times = _Fields("claims.", claims).list("round_ms", float) if claims is not None else ()
    return replace(plan, round_ms=times, message_mb=_message_mb(top), learning_rate=_learning_rate(top))


def _learning_rate(top: _Fields) -> float:
    """The one at which the first row of the answer holds; 0 where it says none."""
    said = top.value.get("answer")
    rows = _Fields("answer.", said).get("rows", list, []) if said is not None else []
    rate = float(_Fields("answer.rows[0].", rows[0]).get("learning_rate", float, 0.0)) if rows else 0.0
    if rate and not 1 / MOST_RATE <= rate <= MOST_RATE:
        raise PlanError(f"answer.rows[0].learning_rate is {rate:.12g}; rates are 1/{MOST_RATE} to {MOST_RATE}")
    return rate


def _clocks(plan: Plan, top: _Fields) -> Plan:
    """Where nothing is said, what is usual."""
    wire = top.get("wire", str, "")
    plan = replace(plan, average=top.get("average", str, "") or "parameters", wire="" if wire == "fp32" else wire,
                   pieces=top.get("pieces", int, 0) or 1,
                   batch_weights=top.list("batch_weights", float), delay=top.get("delay", int, 0),
                   bucket_mb=top.get("bucket_mb", float, 0.0), library=top.get("library", bool, False))
    if top.value.get("outer") is not None:
        fields = _Fields("outer.", top.value["outer"])
        fields.only({"learning_rate", "momentum"})
        rate, momentum = fields.get("learning_rate", float, 0.0), fields.get("momentum", float, 0.0)
        plan = replace(plan, outer=OuterStep(rate, momentum))
    phases = []
    for k, item in enumerate(top.get("phases", list, [])):
        fields = _Fields(f"phases[{k}].", item)
        fields.only({"steps", "every", "delay"})
        phases.append(Phase(fields.get("steps", int, 0), fields.get("every", int, 0), fields.get("delay", int, 0)))
    return replace(plan, phases=tuple(phases))


def _message_mb(top: _Fields) -> float:
    """The size of message that the question states, or leaves out."""
    at, fields = "", top
    for key in ("question", "cluster", "model"):
        if fields.value.get(key) is None:
            return USUAL_MB if key == "model" else 0.0
        at += key + "."
        fields = _Fields(at, fields.value[key])
    return float(fields.get("message_mb", float, USUAL_MB))


def _steps(fields: _Fields) -> Tuple[Tuple[Move, ...], ...]:
    steps = []
    for s, step in enumerate(fields.list("steps", list)):
        moves = []
        for k, item in enumerate(step):
            m = _Fields(f"collective.steps[{s}][{k}].", item)
            m.only({"from", "to", "begin", "end", "add"})
            moves.append(Move(m.get("from", int, 0), m.get("to", int, 0), m.get("begin", float, 0.0),
                              m.get("end", float, 0.0), m.get("add", bool, False)))
        steps.append(tuple(moves))
    return tuple(steps)


def _round(t: int, value: Any) -> Round:
    fields = _Fields(f"rounds[{t}].", value)
    fields.only({"part", "edges", "self_weights"})
    edges = []
    for k, item in enumerate(fields.get("edges", list, [])):
        e = _Fields(f"{fields.at}edges[{k}].", item)
        e.only({"i", "j", "weight"})
        edges.append(Edge(e.get("i", int, 0), e.get("j", int, 0), e.get("weight", float, 0.0)))
    return Round(fields.get("part", float, 0.0), tuple(edges), fields.list("self_weights", float))
