"""Table II of the paper beside measured runs: epochs to the target, re-timed for every kind of hardware.

A run counts for every scenario with its number of nodes: epochs depend on W, the time of an epoch on the hardware.
A run that never reaches the target in E epochs is censored: its epochs are shown as > E and its time as a lower limit.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from . import tables
from .hardware import HARDWARE, Hardware
from .processes import process, step_matrices
from .results import Series

FOLDER = Path(__file__).parent
PAPER = FOLDER.parent / "internal" / "paper" / "paper.json"  # the printed numbers, with their source
DATASETS = {"cifar10": "CIFAR-10", "cifar100": "CIFAR-100"}
BASELINES = ("ring", "grid", "torus", "exponential", "u-equistatic-m2", "u-equistatic-m3")
DRAWS = {"u-equistatic-16-32": "u-equistatic-m2", "u-equistatic-16-48": "u-equistatic-m3"}
RATE = 0.05  # of the paper
MAY_DIFFER = ("name", "seed", "process", "epochs", "target", "stop", "ema")  # the label tells processes apart
# Plans of the paper's method: as printed, from the free or the bounded start, or as mended. Plans of our search have
# auto in the place of paper.
BA_TOPO = re.compile(r"(?:literal-(?P<literal>.+)|figures-(?P<mended>.+)-(?:paper|bounded))-(?P<row>r\d+)$")


@dataclass(frozen=True)
class Crossing:
    """The first epoch that reaches the target, or the number of epochs without one."""

    epochs: int
    censored: bool

    def __str__(self) -> str:
        return f"{'> ' * self.censored}{self.epochs}"


@dataclass
class Topology:
    """All runs with one mixing process, by seed; its period has the steps without a round too."""

    label: str
    period: np.ndarray
    entry: dict[str, Any]  # settings of the first run; the others differ in what a run may differ in only
    averaged: dict[int, Crossing] = field(default_factory=dict)
    local: dict[int, Crossing] = field(default_factory=dict)

    def crossings(self, local: bool) -> dict[int, Crossing]:
        return self.local if local else self.averaged

    def epochs(self, local: bool) -> float:
        """Mean over the seeds; a lower limit where one is censored."""
        return float(np.mean([c.epochs for c in self.crossings(local).values()]))

    def times(self, factor: float, local: bool, digits: int = 0) -> str:
        """The mean times a factor, in words."""
        censored = any(c.censored for c in self.crossings(local).values())
        return f"{'> ' * censored}{factor * self.epochs(local):.{digits}f}"

    @property
    def made_for(self) -> str:
        """The hardware for which the paper's method made it; empty for anything else."""
        found = BA_TOPO.match(self.label)
        return (found["literal"] or found["mended"]) if found else ""

    def row_of(self, scenario: str) -> str | None:
        """The name of the paper's row that this is in a scenario."""
        if self.label in BASELINES:
            return self.label
        return f"paper-{self.label.rsplit('-', 1)[1]}" if self.made_for in (scenario, f"{scenario}-highest") else None

    def hardware(self, scenario: str) -> Hardware:
        """The scenario's; a plan made for another reading of the scenario is priced by that reading."""
        return HARDWARE[self.made_for if self.made_for.startswith(scenario) else scenario]


def label_of(line: tables.Line, rate: float = RATE) -> str:
    """The process by the paper's name for it, or by its file's; and what else is not as in the paper.

    rate: the one that goes without saying.
    """
    run, entry = tables.setting(line, "run"), line["entry"]
    other = [f"H = {entry['every']}"] * (entry["every"] > 1) + [entry["momentum"]] * (entry["momentum"] != "local")
    return ", ".join([DRAWS.get(run, run), *other, *[f"rate {entry['lr']:g}"] * (entry["lr"] != rate)])


def topologies(lines: list[tables.Line], target: float | None, folder: Path = FOLDER / "queues") -> list[Topology]:
    """Runs by process and seed. Refused: two runs in one place, and seeds that differ in another setting too.

    Without a target every run has its own. Runs that were cut by the clock before they reached it say little and are
    left out.
    """
    found: dict[tuple[str, int], Topology] = {}
    rates = {line["entry"]["lr"] for line in lines}
    rate = rates.pop() if len(rates) == 1 else RATE
    for line in lines:
        entry, series = line["entry"], Series(**line["series"])
        aim = entry["target"] if target is None else target
        at = {local: series.crossing(aim, local) for local in (False, True)}
        if not line["complete"] and None in at.values():
            continue
        label = label_of(line, rate)
        key = (label, entry["nodes"])
        if key not in found:
            period, every = process(entry["process"], entry["nodes"], entry["lazy"], folder), entry["every"]
            found[key] = Topology(label, step_matrices(period, every, 0, every * len(period)), entry)
        other = {k for k, v in entry.items() if k not in MAY_DIFFER and v != found[key].entry.get(k)}
        if other:
            raise ValueError(f"runs of {label}, {entry['nodes']} nodes, differ in {', '.join(sorted(other))}")
        if entry["seed"] in found[key].local:
            raise ValueError(f"two runs of {label}, {entry['nodes']} nodes, seed {entry['seed']}: choose by settings")
        for local, epoch in at.items():
            found[key].crossings(local)[entry["seed"]] = Crossing(epoch or series.epochs, epoch is None)
    return list(found.values())


def paper() -> dict[str, Any]:
    return json.loads(PAPER.read_text())


def side_by_side(all_runs: list[Topology], dataset: str) -> str:
    """Every row of the paper's table that has been run."""
    rows = [["scenario", "topology", "m", "paper: epochs", "s", "local: epochs", "s", "averaged: epochs", "s"]]
    for printed in paper()["table2"]:
        scenario, seconds = printed["scenario"], printed["seconds"][DATASETS[dataset]]
        for run in all_runs:
            hardware = run.hardware(scenario)
            if run.row_of(scenario) != printed["topology"] or run.period.shape[1] != hardware.nodes:
                continue
            each = hardware.epoch_seconds(run.period)
            rows.append([scenario, run.label, f"{np.mean(hardware.slowdowns(run.period)):g}",
                         f"{seconds / each:.1f}", f"{seconds:.0f}"] + [cell for local in (True, False) for cell in (
                             ", ".join(str(c) for _, c in sorted(run.crossings(local).items())),
                             run.times(each, local))])
    return tables.markdown(rows)
