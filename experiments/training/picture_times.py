"""Seconds to 84 % on the paper's four kinds of hardware, with and without quasi-global momentum and rests."""

from __future__ import annotations

import re

from . import results, svg, tables
from .facts import SOURCES
from .hardware import HARDWARE
from .race import priced
from .table2 import FOLDER, Topology, topologies

KINDS = {"homogeneous": "equal nodes", "node-level": "unequal nodes", "intra-server": "inside a server",
         "bcube-1to2": "between servers"}
CLAIMED = {"homogeneous": "r32", "node-level": "r32", "intra-server": "r8", "bcube-1to2": "r48"}
EXACT, QUASI = "exact by ring all-reduce of models", "quasi-global"
PLAIN, ALONE, BOTH = ("a round in every step", "that, with quasi-global momentum",
                      "with that momentum, rounds seldom")
LEFT, WIDE, GAP, STEP, TOP = 250, 168, 36, 20, 84
MOST = 180  # seconds on the axis


def _rows(scenario: str) -> list[tuple[str, str, str]]:
    """Heading, name and pattern of the labels of every row; of several that match the soonest is drawn."""
    seldom = rf", H = [48], {QUASI}"
    return [
        (PLAIN, "ring", "ring"), (PLAIN, "exponential graph", "exponential"),
        (PLAIN, "BA-Topo, the claimed row", f"literal-{scenario}-{CLAIMED[scenario]}"),
        (PLAIN, "our search, best of its rows", rf"figures-{scenario}-auto-r\d+"),
        (PLAIN, "one-peer hypercube", "one-peer-hypercube"), (PLAIN, "exact averages", EXACT),
        (ALONE, "ring", f"ring, {QUASI}"), (ALONE, "exponential graph", f"exponential, {QUASI}"),
        (ALONE, "exact averages", f"{EXACT}, {QUASI}"),
        (BOTH, "ring", f"ring{seldom}"), (BOTH, "exponential graph", f"exponential{seldom}"),
        (BOTH, "exact averages", f"{EXACT}{seldom}")]


def draw() -> str:
    files = [*SOURCES[0].files, "table2-cifar10-rests.jsonl"]
    lines = tables.chosen(results.read([FOLDER / "results" / f for f in files]), ["dataset=cifar10"])
    runs = topologies(lines, None)
    height = TOP + STEP * (len(_rows("homogeneous")) + 3) + 8
    parts = [svg.text(16, 24, "Seconds to 84 %: CIFAR-10, ResNet-18, the nodes' own models", size=15, bold=True),
             svg.text(16, 43, "measured epochs × the paper's time of an epoch; a dot per seed, a stroke at their mean. "
                      "Seldom: every 8 steps, the ring inside a server every 4.", fill=svg.MUTED),
             svg.dot(20, 58, svg.BLUE), svg.text(29, 62, "nothing overlaps"), svg.dot(160, 58, svg.BLUE, False),
             svg.text(169, 62, "rounds overlapped with compute")]
    for column, (scenario, kind) in enumerate(KINDS.items()):
        parts += _column(runs, scenario, kind, LEFT + column * (WIDE + GAP), height, column == 0)
    return svg.document(LEFT + 4 * (WIDE + GAP), height + 26, "Seconds to 84 % on four kinds of hardware", parts)


def _column(runs: list[Topology], scenario: str, kind: str, x0: float, height: float, first: bool) -> list[str]:
    parts = [svg.text(x0, TOP, kind, bold=True)]
    for seconds in range(0, MOST + 1, 60):
        x = x0 + WIDE * seconds / MOST
        parts += [svg.line(x, TOP + 8, x, height), svg.text(x, height + 15, f"{seconds} s", "middle", svg.MUTED, 11)]
    y, heading = TOP, ""
    for group, name, pattern in _rows(scenario):
        if group != heading:
            y, heading = y + STEP, group
            parts += [svg.text(16, y + 2, group, fill=svg.MUTED)] * first
        y += STEP
        parts += [svg.text(28, y, name)] * first + _marks(runs, scenario, pattern, x0, y - 4)
    return parts


def _marks(runs: list[Topology], scenario: str, pattern: str, x0: float, y: float) -> list[str]:
    hardware = HARDWARE[scenario]
    found = [(run, plain, overlapped) for run in runs if run.period.shape[1] == hardware.nodes
             for label, plain, overlapped in priced(run, hardware) if re.fullmatch(pattern, label)]
    if not found:
        return [svg.text(x0 + 4, y + 4, "not run", fill=svg.MUTED, size=11)]
    run, plain, overlapped = min(found, key=lambda entry: entry[1] * entry[0].epochs(True))
    parts: list[str] = []
    for unit, filled in ((plain, True), (overlapped, False)):
        assert unit is not None, "all of these runs combine, then adapt"
        seconds = [unit * c.epochs for _, c in sorted(run.local.items())]
        mean = x0 + WIDE * sum(seconds) / len(seconds) / MOST
        parts += [svg.line(mean, y - 7, mean, y + 7, svg.BLUE, 1.5),
                  *(svg.dot(x0 + WIDE * s / MOST, y, svg.BLUE, filled, 3) for s in seconds)]
    return parts
