"""The paper's speed-ups against measured ones, with an interval over seeds and a verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from . import tables
from .hardware import HARDWARE
from .table2 import BASELINES, DATASETS, Topology, paper

# 97.5 % points of Student's t by degrees of freedom.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}


@dataclass(frozen=True)
class Quotient:
    """Time of a rival over that of the claimed winner: mean over common seeds and 95 % interval of the mean.

    at_least, at_most: whether a censored run makes the mean a lower or an upper limit.
    """

    rival: str
    seeds: int
    mean: float
    low: float
    high: float
    at_least: bool = False
    at_most: bool = False

    def verdict(self, claimed: float) -> str:
        """holds and fails need an interval on one side of the claim; anything else is open."""
        if self.at_least or self.at_most:
            if self.at_least and not self.at_most and self.seeds > 1 and self.low >= claimed:
                return "holds"
            return "open: censored"
        if self.seeds < 2:
            return "open: one seed"
        return "holds" if self.low >= claimed else "fails" if self.high < claimed else "open: too few seeds"

    def __str__(self) -> str:
        sign = "≥ " * (self.at_least and not self.at_most) + "≤ " * (self.at_most and not self.at_least)
        sign = "? " if self.at_least and self.at_most else sign
        spread = f" [{self.low:.2f}, {self.high:.2f}]" if self.seeds > 1 else ""
        return f"{sign}{self.mean:.2f}{spread}"


def quotient(winner: Topology, rival: Topology, scenario: str, local: bool) -> Quotient | None:
    """From runs with the same seed, which share their data order and start; none without a common one."""
    mine, theirs = winner.crossings(local), rival.crossings(local)
    seeds = sorted(set(mine) & set(theirs))
    if not seeds:
        return None
    per_epoch = (HARDWARE[scenario].epoch_seconds(rival.period)
                 / winner.hardware(scenario).epoch_seconds(winner.period))
    logs = [math.log(per_epoch * theirs[s].epochs / mine[s].epochs) for s in seeds]
    mean, half = float(np.mean(logs)), math.inf
    if len(seeds) > 1:
        half = STUDENT[min(len(seeds) - 1, max(STUDENT))] * float(np.std(logs, ddof=1)) / math.sqrt(len(seeds))
    return Quotient(rival.label, len(seeds), math.exp(mean), math.exp(mean - half), math.exp(mean + half),
                    any(theirs[s].censored for s in seeds), any(mine[s].censored for s in seeds))


def decided(quotients: list[Quotient], claimed: float) -> tuple[Quotient, str]:
    """"At least x times faster than the others" fails with one rival that refutes it and holds when all confirm it.

    With the rival that decides: of those that refute it, or of all, the one that comes closest.
    """
    verdicts = [q.verdict(claimed) for q in quotients]
    against = [q for q, v in zip(quotients, verdicts) if v == "fails"]
    closest = min(against or quotients, key=lambda q: q.mean)
    return closest, "holds" if set(verdicts) == {"holds"} else closest.verdict(claimed)


def speedups(all_runs: list[Topology], dataset: str, local: bool) -> str:
    """All claims about the data set whose topology has been run."""
    rows = [["scenario", "BA-Topo", "claimed", "decided by", "seeds", "measured", "verdict"]]
    for claim in paper()["speedups"]:
        scenario = claim["scenario"]
        nodes = HARDWARE[scenario].nodes
        same = [t for t in all_runs if t.period.shape[1] == nodes]
        for winner in (t for t in same if t.row_of(scenario) == claim["topology"] and t.label not in BASELINES):
            if claim["dataset"] != DATASETS[dataset]:
                continue
            found = [quotient(winner, t, scenario, local) for t in same if t.label in BASELINES]
            known = [q for q in found if q]
            if known:
                rival, verdict = decided(known, claim["at_least"])
                rows.append([scenario, winner.label, f"{claim['at_least']:g}", rival.rival, str(rival.seeds),
                             str(rival), verdict])
    return tables.markdown(rows)
