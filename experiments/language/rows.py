"""The results as rows, one per process at its best rate, and the table that batopo plan reads."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from training.rounding import by_kind, kind

from . import cost
from .cost import Cost, Line
from .settings import Entry

FORMAT = "batopo.steps/v1"
PROCESS = ("optimizer", "process", "group", "every", "ending", "ending_every", "synchronous", "outer_lr",
           "outer_momentum", "bits", "delay", "state", "data")
FEW_BITS = ("pieces", "stages", "top", "keep")  # fields that only those rows have
DOMAIN = ("nodes", "idle", "sequences", "context", "steps")


@dataclass(frozen=True)
class Row:
    """A process at its best rate."""

    e: Entry
    lines: list[Line]  # one per seed
    cost: Cost
    rate_known: str  # how the rate was chosen: see Study.rate_known
    best_synchronous: float  # rate of synchronous training of that length, or of the nearest one measured

    @property
    def name(self) -> str:
        return str(self.lines[0]["name"]).rsplit(",", 1)[0]

    @property
    def rate(self) -> float:
        return float(self.lines[0]["entry"]["lr"])

    @property
    def traffic(self) -> float:
        return float(self.lines[0]["traffic"])

    @property
    def bytes(self) -> float:
        """Those of traffic over synchronous training's in float32; synchronous steps send float32."""
        dense = self.e.synchronous / self.e.steps
        return dense + (self.traffic - dense) * self.e.wire if self.traffic and self.e.replicas > 1 else self.traffic

    @property
    def few_bits(self) -> bool:
        """Whether it sends fewer than 8 bits, or pieces."""
        return self.e.bits < 8 or self.e.pieces

    @property
    def loss(self) -> float:
        return sum(line["loss"] for line in self.lines) / len(self.lines)

    @property
    def low(self) -> float | None:
        return None if self.cost.half is None or self.cost.mean is None else self.cost.mean - self.cost.half

    @property
    def high(self) -> float | None:
        return None if self.cost.half is None or self.cost.mean is None else self.cost.mean + self.cost.half

    def steps(self) -> str:
        """Relative steps with their interval, in words where there is no number."""
        if self.cost.mean is None:
            return f"{self.cost.outside} the curve"
        if self.cost.half is None:
            return f"{self.cost.mean:.2f} ({'one seed' if len(self.lines) == 1 else 'two seeds'})"
        return f"{self.cost.mean:.2f} ± {self.cost.half:.2f}"


class Study:
    """All lines of result files, with the queue that says where their rates came from."""

    def __init__(self, lines: list[Line], queue: list[Entry]) -> None:
        self.lines = [line for line in lines if "error" not in line]
        self.queue = {e.name: e for e in queue}
        self.best = cost.at_best_rate(self.lines)

    def points(self, e: Entry) -> dict[int, list[tuple[int, float]]]:
        return cost.synchronous(self.best, cost.setting_of(e))

    @cached_property
    def rows(self) -> list[Row]:
        """In the order of the first runs, synchronous ones included."""
        return [Row(e, lines, cost.cost(lines, self.points(e)), self.rate_known(e, lines), self._synchronous_rate(e))
                for e, lines in self.best.items()]

    def row(self, name: str) -> Row:
        return next(r for r in self.rows if r.name == name)

    def sparse(self) -> list[Row]:
        return [r for r in self.rows if not cost.is_reference(r.e)]

    def tried(self, e: Entry) -> dict[float, float]:
        """Rate → loss with seed 1."""
        return {line["entry"]["lr"]: line["loss"] for line in self.lines if not line["diverged"]
                and line["entry"]["seed"] == 1 and cost.process_of(Entry(**line["entry"])) == e}

    def rate_known(self, e: Entry, lines: list[Line]) -> str:
        """bracketed: a lower and a higher rate were worse. lowest, highest: at that edge of the rates tried.

        only: no other rate was tried. "from X": the best rate of process X, untried here.
        """
        rate, tried = lines[0]["entry"]["lr"], self.tried(e)
        if len(tried) > 1:
            lower, higher = min(tried) < rate, max(tried) > rate
            return "bracketed" if lower and higher else "highest" if lower else "lowest"
        asked = self.queue.get(lines[0]["name"])
        if asked is None or not asked.lr_from:
            return "only"
        source = next(x for x in self.queue.values() if x.question == asked.lr_from)
        return "from " + source.name.rsplit(",", 1)[0]

    def _synchronous_rate(self, e: Entry) -> float:
        near = [(abs(d.steps - e.steps), lines[0]["entry"]["lr"]) for d, lines in self.best.items()
                if cost.is_reference(d) and cost.setting_of(d) == cost.setting_of(e)]
        return float(min(near)[1]) if near else float("nan")


def table(study: Study) -> str:
    """What the command table prints."""
    out = ["relative steps       traffic  bytes    loss    seeds  rate    "
           "how it was chosen              of the peak  run"]
    for r in study.rows:
        steps = "synchronous" if cost.is_reference(r.e) else r.steps()
        share = sum(line["trained"]["peak_share"] for line in r.lines) / len(r.lines)
        out.append(f"{steps:20s} {r.traffic:7.4f}  {r.bytes:7.5f}  {r.loss:.4f}  {len(r.lines):5d}  {r.rate:<7g} "
                   f"{r.rate_known:30s} {share:6.1%}       {r.name}")
    out += [f"diverged: {line['name']}" for line in study.lines if line["diverged"]]
    return "\n".join(out)


def json_text(study: Study) -> str:
    """steps.json: fields are described in README.md."""
    sparse = study.sparse()
    plain, few = [r for r in sparse if not r.few_bits], [r for r in sparse if r.few_bits]
    domain = {key: sorted({getattr(r.e, key) for r in plain}) for key in ("optimizer", "data", *DOMAIN)}
    domain["parameters"] = sorted({r.lines[0]["parameters"] for r in plain})
    head = {"format": FORMAT, "domain": domain, "sixteen_bits": rounding(study)}
    body, more = (",\n".join("  " + json.dumps(fields, ensure_ascii=False) for fields in _fields(some))
                  for some in (plain, few))
    added = ",\n".join("  " + json.dumps(fields, ensure_ascii=False) for fields in accumulated(study))
    return (json.dumps(head, ensure_ascii=False)[:-1] + ',\n "rows": [\n' + body + '\n ],\n "few_bits": [\n' + more
            + '\n ],\n "accumulated": [\n' + added + "\n ]\n}\n")


def accumulated(study: Study) -> Iterator[dict[str, object]]:
    """What a larger batch costs: synchronous runs of 16 nodes have the batch of 8 that add up two batches each. Their
    steps count as two, and are read from the synchronous runs of 8."""
    usual = Entry("", group=8)
    points, rate = study.points(usual), study.row("ddp").rate
    for r in study.rows:
        total = r.e.nodes * r.e.sequences
        batches, rest = divmod(total, usual.nodes * usual.sequences)
        if not cost.is_reference(r.e) or rest or batches < 2 or r.e.size != usual.size:
            continue
        read = cost.cost(r.lines, points)
        if read.mean is not None:
            half = None if read.half is None else batches * read.half
            mean, each = batches * read.mean, [None if x is None else round(batches * x, 3) for x in read.each]
            yield {"name": f"{batches} batches a step, {r.e.steps} steps", "batches": batches,
                   "parameters": r.lines[0]["parameters"], "nodes": usual.nodes, "group": usual.group,
                   "sequences": usual.sequences, "steps": r.e.steps, "rate": r.rate,
                   "rate_factor": round(r.rate / rate, 3), "rate_known": r.rate_known,
                   "seeds": len(r.lines), "relative_steps": round(mean, 3), "each": each,
                   "low": None if half is None else round(mean - half, 3),
                   "high": None if half is None else round(mean + half, 3)}


def rounding(study: Study) -> dict[str, dict[str, float]]:
    """Relative steps with averages in 16 bits over those of the same process in 32, seed by seed."""
    rows, logs = {r.e: r for r in study.rows}, dict[str, list[float]]()
    for r in study.rows:
        if r.e.bits == 16:
            full = rows[replace(r.e, bits=32)]
            steps = {line["entry"]["seed"]: each for line, each in zip(full.lines, full.cost.each)}
            for line, each in zip(r.lines, r.cost.each):
                other = steps.get(line["entry"]["seed"])
                if each is not None and other is not None:
                    logs.setdefault(kind(r.e.process), []).append(math.log(each / other))
    return by_kind(logs)


def _fields(rows: list[Row]) -> Iterator[dict[str, object]]:
    def short(x: float | None) -> float | None:
        return None if x is None else round(x, 3)

    for r in rows:
        more = {**{key: getattr(r.e, key) for key in FEW_BITS}, "bytes": round(r.bytes, 6)} if r.few_bits else {}
        yield {"name": r.name, **{key: getattr(r.e, key) for key in PROCESS}, **more,
               "parameters": r.lines[0]["parameters"], **{key: getattr(r.e, key) for key in DOMAIN},
               "traffic": round(r.traffic, 5), "rate": r.rate, "rate_factor": short(r.rate / r.best_synchronous),
               "rate_known": r.rate_known, "seeds": len(r.lines), "relative_steps": short(r.cost.mean),
               "each": [short(x) for x in r.cost.each],
               "low": short(r.low), "high": short(r.high), "outside": r.cost.outside}
