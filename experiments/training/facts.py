"""What the report on the paper's sentences needs of the trained runs: results/training.json, made from the results.

python3 -m training facts --out results/training.json writes it; a test says when it is old. Rows are named
TARGETS/DATA SET/SCENARIO/ROW with the names that the paper's tables have in paper.json, where TARGETS is "own targets"
(3×3 stem) or "80 %" (ImageNet stem). Epochs and seconds are those of local models, means over the seeds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import claims, results, tables
from .hardware import HARDWARE
from .table2 import BASELINES, DATASETS, FOLDER, Topology, label_of, paper, topologies

Row = dict[str, Any]
FIRST = 1  # the seed that every topology was trained with


@dataclass(frozen=True)
class Source:
    """Files of results, and what their rows are called."""

    targets: str
    dataset: str
    files: tuple[str, ...]
    target: float | None  # none: every run has its own


PARTS = ("own-target", "seeds", "rows", "five-seeds", "our-search")
MORE = {"cifar10": ("few-edges",)}
SOURCES = tuple(Source("own targets", d, tuple(f"table2-{d}-{part}.jsonl" for part in PARTS + MORE.get(d, ())), None)
                for d in DATASETS) + (Source("80 %", "cifar10", ("table2-cifar10.jsonl",), 0.8),)


def document() -> Row:
    """In the format of the other result files."""
    runs: list[Row] = []
    rows: list[Row] = []
    for source in SOURCES:
        lines = tables.chosen(results.read([FOLDER / "results" / f for f in source.files]),
                              [f"dataset={source.dataset}"])
        origin = lines[-1]["run"]
        run = {"program": f"training simulator, {origin['source'][:21]}", "go": "", "machine": origin["device"],
               "lapack": "", "started": ""}
        runs += [run] * (run not in runs)
        settings = {"files": [f"experiments/training/results/{f}" for f in source.files],
                    "stem": lines[0]["entry"]["stem"], "target": source.target or "the paper's"}
        rows += [{"key": f"{source.targets}/{DATASETS[source.dataset]}/{key}", "settings": settings,
                  "run": runs.index(run), "elapsed_ms": 0, "value": value}
                 for key, value in _values(lines, source).items()]
    return {"format": "batopo.experiment/v1", "experiment": "training", "runs": runs, "rows": rows}


def _values(lines: list[tables.Line], source: Source) -> dict[str, Row]:
    found = topologies(lines, source.target)
    printed = {(t["scenario"], t["topology"]) for t in paper()["table2"]}
    out: dict[str, Row] = {}
    trained: set[tuple[str, int]] = set()
    for scenario, hardware in HARDWARE.items():
        for run in (t for t in found if t.period.shape[1] == hardware.nodes):
            name = run.row_of(scenario)
            if name and (scenario, name) in printed and run.made_for in ("", scenario):
                each = hardware.epoch_seconds(run.period)
                out[f"{scenario}/{name}"] = {
                    "seeds": len(run.local), "epochs": run.epochs(True), "seconds": each * run.epochs(True),
                    "seconds_per_epoch": each, "reached": sum(not c.censored for c in run.local.values())}
                trained.add((run.label, hardware.nodes))
    reached = [t for t in found if (t.label, t.period.shape[1]) in trained
               and not any(c.censored for c in t.local.values())]
    out["all"] = {"trained": len(trained), "reached": len(reached)}
    for claim in (c for c in paper()["speedups"] if c["dataset"] == DATASETS[source.dataset]):
        out[f"{claim['scenario']}/speed-up"] = _speedup(found, claim)
    if source.target is None:
        out["homogeneous/at one time"] = _at_one_time(lines, found, "paper-r32")
    return out


def _speedup(found: list[Topology], claim: Row) -> Row:
    """Over the baseline that decides, with a 95 % interval; and over the closest one."""
    scenario = claim["scenario"]
    same = [t for t in found if t.period.shape[1] == HARDWARE[scenario].nodes]
    winner = next(t for t in same if t.made_for == scenario and t.row_of(scenario) == claim["topology"])
    known = claims.against_baselines(winner, same, scenario, local=True)
    baseline, verdict = claims.decided(known, claim["at_least"])
    low, high = baseline.interval()
    most = claims.ceiling(winner, same, scenario, local=True)
    limit, could = claims.decided(most, claim["at_least"])
    return {"claimed": claim["at_least"], "measured": baseline.mean, "seeds": baseline.seeds,
            "baseline": baseline.baseline, "verdict": verdict, "closest": min(q.mean for q in known),
            "exact": limit.mean, "exact_verdict": could, "exact_closest": min(q.mean for q in most),
            **({"low": low, "high": high} if baseline.freedom else {})}


def _at_one_time(lines: list[tables.Line], found: list[Topology], mine: str) -> Row:
    """Accuracies of local models of one seed on equal nodes when the first topology of the paper has the target."""
    hardware = HARDWARE["homogeneous"]
    rows = {t.label: t for t in found if t.period.shape[1] == hardware.nodes
            and (t.label in BASELINES or t.made_for == hardware.name and t.row_of(hardware.name) == mine)}
    each = {label: hardware.epoch_seconds(t.period) for label, t in rows.items()}
    then = min(each[label] * t.local[FIRST].epochs for label, t in rows.items())
    same = [line for line in lines if label_of(line) in rows
            and (line["entry"]["nodes"], line["entry"]["seed"]) == (hardware.nodes, FIRST)]
    accuracy = {label_of(line): smoothed(line["series"]["local"], then / each[label_of(line)]) for line in same}
    return {"seconds": then, "mine": max(a for label, a in accuracy.items() if label not in BASELINES),
            "baseline": max(a for label, a in accuracy.items() if label in BASELINES)}


def smoothed(accuracy: list[float], epoch: float) -> float:
    """The mean over three epochs, on the line between those of two whole epochs."""
    def mean(e: int) -> float:
        return sum(accuracy[e - 2:e + 1]) / 3

    low = min(int(epoch), len(accuracy) - 1)
    high = min(low + 1, len(accuracy) - 1)
    return mean(low) + (epoch - low) * (mean(high) - mean(low))


def write(path: Path) -> None:
    path.write_text(json.dumps(results.rounded(document()), indent=1, ensure_ascii=False) + "\n")
