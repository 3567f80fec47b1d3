"""The paper's speed-ups against measured ones, with an interval over seeds and a verdict.

Three seeds alone tell little about their own scatter. So it is taken from all runs with the same number of nodes:
ln(epochs) = what the process does + what the seed does + noise, a randomised block design. With two processes this is
the paired t-test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from . import tables
from .hardware import HARDWARE
from .table2 import BASELINES, DATASETS, Topology, paper


def student(tail: float, freedom: int) -> float:
    """The value that Student's t exceeds with probability tail, by bisection of its distribution for whole freedoms."""
    low, high = 0.0, 1e9
    while high - low > 1e-9 * high:
        t = (low + high) / 2
        angle = math.atan(t / math.sqrt(freedom))
        term = math.cos(angle) if freedom % 2 else 1.0
        total = term if freedom > 1 else 0.0
        for k in range(2 + freedom % 2, freedom, 2):  # the finite sum that the integral is for whole freedoms
            term *= math.cos(angle) ** 2 * (k - 1) / k
            total += term
        inside = 2 / math.pi * (angle + math.sin(angle) * total) if freedom % 2 else math.sin(angle) * total
        low, high = (t, high) if (1 - inside) / 2 > tail else (low, t)
    return high


FEWEST = 3  # seeds for a verdict


@dataclass(frozen=True)
class Noise:
    """What neither process nor seed explains: standard deviation of ln(epochs) of one run, and degrees of freedom."""

    deviation: float
    freedom: int


def noise(all_runs: list[Topology], local: bool) -> Noise:
    """From all runs that crossed, by least squares; infinite where as many numbers are fitted as there are runs."""
    seen = [(k, seed, math.log(c.epochs)) for k, t in enumerate(all_runs)
            for seed, c in sorted(t.crossings(local).items()) if not c.censored]
    if not seen:
        return Noise(math.inf, 0)
    seeds = sorted({seed for _, seed, _ in seen})
    effects = np.zeros((len(seen), len(all_runs) + len(seeds)))
    for row, (k, seed, _) in zip(effects, seen):
        row[k] = row[len(all_runs) + seeds.index(seed)] = 1
    logs = np.array([y for _, _, y in seen])
    fitted, _, rank, _ = np.linalg.lstsq(effects, logs, rcond=None)
    freedom = len(seen) - int(rank)
    if freedom < 1:
        return Noise(math.inf, 0)
    return Noise(math.sqrt(float(np.sum((logs - effects @ fitted) ** 2)) / freedom), freedom)


@dataclass(frozen=True)
class Quotient:
    """Time of a baseline over the time of the claimed winner: its mean over common seeds.

    error: the standard error of the mean's logarithm, with that many degrees of freedom.
    at_least, at_most: whether a censored run makes the mean a lower or an upper limit.
    """

    baseline: str
    seeds: int
    mean: float
    error: float
    freedom: int
    at_least: bool = False
    at_most: bool = False

    def interval(self, among: int = 1) -> tuple[float, float]:
        """Holds the true quotient with 95 %, or the quotients of that many baselines all at once (Bonferroni)."""
        if not self.freedom:
            return 0.0, math.inf
        factor = math.exp(student(0.025 / among, self.freedom) * self.error)
        return self.mean / factor, self.mean * factor

    def verdict(self, claimed: float, among: int = 1) -> str:
        """holds and fails need an interval on one side of the claim; anything else is open.

        A claim about the best of several baselines fails when one of them refutes it. Each may do so by luck, so
        among widens the interval. It holds only when all confirm it, and luck with one of them is not enough.
        """
        if self.seeds < FEWEST:
            return f"open: seeds {self.seeds} of {FEWEST}"
        confirmed = self.interval()[0] >= claimed
        if self.at_least or self.at_most:
            return "holds" if confirmed and not self.at_most else "open: censored"
        refuted = self.interval(among)[1] < claimed
        return "holds" if confirmed else "fails" if refuted else "open: too close"

    def __str__(self) -> str:
        sign = "≥ " * (self.at_least and not self.at_most) + "≤ " * (self.at_most and not self.at_least)
        sign = "? " if self.at_least and self.at_most else sign
        low, high = self.interval()
        spread = f" [{low:.2f}, {high:.2f}]" if self.freedom else ""
        return f"{sign}{self.mean:.2f}{spread}"


def over_common_seeds(winner: Topology, baseline: Topology, per_epoch: float, scatter: Noise,
                      local: bool) -> Quotient | None:
    """From runs with the same seed, which share their data order and start; none without a common one.

    per_epoch: time of an epoch of the baseline over the winner's.
    """
    mine, theirs = winner.crossings(local), baseline.crossings(local)
    seeds = sorted(set(mine) & set(theirs))
    if not seeds:
        return None
    logs = [math.log(per_epoch * theirs[s].epochs / mine[s].epochs) for s in seeds]
    return Quotient(baseline.label, len(seeds), math.exp(float(np.mean(logs))),
                    scatter.deviation * math.sqrt(2 / len(seeds)), scatter.freedom,
                    any(theirs[s].censored for s in seeds), any(mine[s].censored for s in seeds))


def against_baselines(winner: Topology, all_runs: list[Topology], scenario: str, local: bool,
                      each: float | None = None) -> list[Quotient]:
    """Over every baseline with a common seed, by the paper's formula; all runs have the winner's number of nodes.

    each: seconds of an epoch of the winner, where they are not those of its own rounds.
    """
    scatter, each = noise(all_runs, local), each or winner.hardware(scenario).epoch_seconds(winner.period)
    found = [over_common_seeds(winner, t, HARDWARE[scenario].epoch_seconds(t.period) / each, scatter, local)
             for t in all_runs if t.label in BASELINES]
    return [q for q in found if q]


def ceiling(winner: Topology, all_runs: list[Topology], scenario: str, local: bool) -> list[Quotient]:
    """What all-reduce would reach with rounds as short as that many edges allow: about the most that a graph could.

    Those are the winner's rounds, by Algorithm 1, and on equal nodes those of an even share of the edges. A comparison
    in which even all-reduce fails a claim cannot confirm it. Empty where they were not trained.
    """
    hardware, nodes = winner.hardware(scenario), HARDWARE[scenario].nodes
    least = max(hardware.slowdowns(winner.period))
    if scenario == "homogeneous":
        least = min(least, math.ceil(2 * int(winner.label.rsplit("-r", 1)[1]) / nodes))
    return [q for t in all_runs if t.label == "exact"
            for q in against_baselines(t, all_runs, scenario, local, hardware.epoch_seconds_at(least))]


def could(claimed: float, most: list[Quotient]) -> str:
    """Whether a graph could have met the claim in these runs."""
    if not most:
        return "unknown: exact averages were not trained"
    baseline, verdict = decided(most, claimed)
    return f"{baseline}: {'below the claim' if verdict == 'fails' else verdict}"


def decided(quotients: list[Quotient], claimed: float) -> tuple[Quotient, str]:
    """"At least x times faster than the others" fails with one baseline that refutes it and holds when all confirm it.

    With the baseline that decides: of those that refute it, else of those that do not confirm it, the one that comes
    closest.
    """
    verdicts = [q.verdict(claimed, len(quotients)) for q in quotients]
    against = [q for q, v in zip(quotients, verdicts) if v == "fails"]
    unconfirmed = [q for q, v in zip(quotients, verdicts) if v != "holds"]
    closest = min(against or unconfirmed or quotients, key=lambda q: q.mean)
    return closest, closest.verdict(claimed, len(quotients))


def noise_of(all_runs: list[Topology], local: bool) -> str:
    """The noise behind the intervals in words, for every number of nodes."""
    words = []
    for nodes in sorted({t.period.shape[1] for t in all_runs}, reverse=True):
        found = noise([t for t in all_runs if t.period.shape[1] == nodes], local)
        words.append(f"{found.deviation:.3f} on {nodes} nodes (degrees of freedom: {found.freedom})" if found.freedom
                     else f"unknown on {nodes} nodes")
    return f"Noise of ln(epochs): {', '.join(words)}."


def speedups(all_runs: list[Topology], dataset: str, local: bool) -> str:
    """All claims about the data set whose topology has been run."""
    rows = [["scenario", "BA-Topo", "claimed", "decided by", "seeds", "measured", "verdict",
             "exact averages in the shortest rounds"]]
    for claim in paper()["speedups"]:
        scenario = claim["scenario"]
        nodes = HARDWARE[scenario].nodes
        same = [t for t in all_runs if t.period.shape[1] == nodes]
        for winner in (t for t in same if t.row_of(scenario) == claim["topology"] and t.label not in BASELINES):
            if claim["dataset"] != DATASETS[dataset]:
                continue
            known = against_baselines(winner, same, scenario, local)
            if known:
                baseline, verdict = decided(known, claim["at_least"])
                rows.append([scenario, winner.label, f"{claim['at_least']:g}", baseline.baseline, str(baseline.seeds),
                             str(baseline), verdict, could(claim["at_least"], ceiling(winner, same, scenario, local))])
    return tables.markdown(rows)
