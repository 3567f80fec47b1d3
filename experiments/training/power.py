"""Which of the paper's eight speed-ups can be tested by these runs, and how they come out.

A setting and a target can test a claim when exact averages, in rounds as short as BA-Topo's, would pass it. Epochs
are whole, so they must do so even if the best baseline were an epoch sooner. The target with the highest ceiling is
taken, where the best baseline gets there at all. It depends on the baselines and exact averages alone: the method's
runs must only reach it. The highest of many ceilings flatters the claim, so all targets that could pass it are counted
beside, with those that do, and that refute it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import claims, tables
from .hardware import HARDWARE
from .settings import Entry
from .table2 import DATASETS, MAY_DIFFER, Topology, paper, topologies

TARGETS = [percent / 100 for percent in range(10, 96)]


COUNTS = "targets: could, did, refute: means"


@dataclass(frozen=True)
class Trial:
    """A claim at one target, for the local or the averaged models of one setting."""

    setting: str
    row: str  # of the paper's method
    target: float
    ceiling: claims.Quotient
    surely: float  # the ceiling if the baseline were an epoch sooner
    measured: claims.Quotient
    each: tuple[float, ...]  # by seed, over the same baseline
    verdict: str

    def could(self, claimed: float) -> bool:
        return self.surely >= claimed


@dataclass(frozen=True)
class Tested:
    """One row in one setting: where the ceiling is highest, and all targets at which a graph could pass the claim."""

    best: Trial
    able: list[Trial]

    def counts(self, claimed: float) -> str:
        """Targets that could, did and refute the claim, and the range of the means at them."""
        means = [t.measured.mean for t in self.able]
        did, refuted = sum(m >= claimed for m in means), sum(t.verdict == "fails" for t in self.able)
        return f"{len(means)}, {did}, {refuted}" + (f": {min(means):.2f} to {max(means):.2f}" if means else "")


def settings(lines: list[tables.Line]) -> dict[str, list[tables.Line]]:
    """Runs that differ only in process, seed and number of nodes, by a name for what they share.

    What an older line does not name is a default.
    """
    found: dict[tuple[tuple[str, Any], ...], list[tables.Line]] = {}
    for line in lines:
        entry = dataclasses.asdict(Entry(**line["entry"]))
        shared = tuple(sorted((k, v) for k, v in entry.items() if k not in (*MAY_DIFFER, "nodes")))
        found.setdefault(shared, []).append({**line, "entry": entry})
    named: dict[str, list[tables.Line]] = {}
    for shared, each in found.items():
        words = _words(dict(shared))
        if words in named:
            other = named[words][0]["entry"]
            fields = ", ".join(f"{k} ({other[k]} and {v})" for k, v in shared if other[k] != v)
            raise ValueError(f"runs of two settings would be compared as one ({words}): they differ in {fields}; "
                             "give files that have one of them")
        named[words] = each
    return named


def _words(entry: dict[str, Any]) -> str:
    skew = f"Dirichlet {entry['skew']:g}" if entry["skew"] else "no skew"
    return f"{entry['norm']} norm, rate {entry['lr']:g}, batch {entry['batch']}, {skew}, {entry['order'].upper()}"


def trials(lines: list[tables.Line], claim: dict[str, Any]) -> Iterator[Tested]:
    """The claim in all settings of its data set, for every row of the method that was trained for that hardware."""
    scenario, found = claim["scenario"], dict[tuple[str, str], list[Trial]]()
    mine = [line for line in lines if DATASETS[line["entry"]["dataset"]] == claim["dataset"]
            and line["entry"]["nodes"] == HARDWARE[scenario].nodes]
    for name, runs in settings(mine).items():
        for target in TARGETS:
            same = topologies(runs, target)
            for local in (True, False):
                words = f"{name}, {'local models' if local else 'averaged model'}"
                for winner in (t for t in same if t.made_for in (scenario, f"{scenario}-highest")):
                    trial = _trial(words, winner, same, claim, target, local)
                    if trial:
                        found.setdefault((words, winner.label), []).append(trial)
    for each in found.values():
        best = max(each, key=lambda t: (not t.measured.at_least, t.surely))
        yield Tested(best, [t for t in each if t.could(claim["at_least"])])


def _trial(words: str, winner: Topology, same: list[Topology], claim: dict[str, Any], target: float,
           local: bool) -> Trial | None:
    """None where the method or exact averages have not reached the target."""
    scenario = claim["scenario"]
    reached = [c for t in same if t.label == "exact" for c in t.crossings(local).values()]
    if any(c.censored for c in (*reached, *winner.crossings(local).values())):
        return None
    most = claims.ceiling(winner, same, scenario, local)
    known = claims.against_baselines(winner, same, scenario, local)
    if not most or not known:
        return None
    measured, verdict = claims.decided(known, claim["at_least"])
    baseline = next(t for t in same if t.label == measured.baseline)
    shared, own = HARDWARE[scenario], winner.hardware(scenario)
    per_epoch = shared.epoch_seconds(baseline.period) / own.epoch_seconds(winner.period)
    mine, theirs = winner.crossings(local), baseline.crossings(local)
    each = tuple(per_epoch * theirs[s].epochs / mine[s].epochs for s in sorted(set(mine) & set(theirs)))
    sooner = {t.label: 1 - 1 / t.epochs(local) for t in same}
    least = min(most, key=lambda q: q.mean * sooner[q.baseline])
    return Trial(words, winner.label, target, least, least.mean * sooner[least.baseline], measured, each, verdict)


def verdict(best: Trial | None, claimed: float) -> str:
    """In words; a comparison that cannot confirm a claim does not refute it."""
    if best is None:
        return "cannot be tested here: not run"
    if not best.could(claimed):
        return "cannot be tested here"
    return {"holds": "reproduced", "fails": "not reproduced"}.get(best.verdict, best.verdict)


def report(lines: list[tables.Line]) -> str:
    """A table of verdicts at the highest ceilings, then one for every claim with all rows and settings."""
    summary = [["claim", "claimed", "highest ceiling", "where", "measured there, by seed", COUNTS, "verdict"]]
    parts = []
    for claim in paper()["speedups"]:
        title, claimed = f"{claim['dataset']}, {claim['scenario']}", claim["at_least"]
        found = sorted(trials(lines, claim), key=lambda t: -t.best.surely)
        named = [t for t in found if t.best.row.endswith(claim["topology"].replace("paper", ""))]
        summary.append([title, f"{claimed:g}", *(_row(named[0], claimed) if named else ["–"] * 4),
                        verdict(named[0].best if named else None, claimed)])
        rows = [["row", "setting", "target", "ceiling", COUNTS, "measured", "by seed", "verdict"]]
        rows += [[t.best.row, t.best.setting, f"{t.best.target:.0%}", f"{t.best.ceiling} ({t.best.ceiling.baseline})",
                  t.counts(claimed), f"{t.best.measured} ({t.best.measured.baseline})", _by_seed(t.best),
                  verdict(t.best, claimed)] for t in found]
        parts.append(f"### {title}, claimed {claimed:g}\n\n{tables.markdown(rows)}")
    return "\n\n".join([tables.markdown(summary), *parts])


def _row(tested: Tested, claimed: float) -> list[str]:
    best = tested.best
    return [f"{best.ceiling} ({best.ceiling.baseline})", f"{best.target:.0%}, {best.setting}",
            f"{_by_seed(best)}: {best.measured} ({best.measured.baseline})", tested.counts(claimed)]


def _by_seed(trial: Trial) -> str:
    return ", ".join(f"{q:.2f}" for q in trial.each)
