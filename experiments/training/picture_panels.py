"""The paper's eight panels of accuracy over time: two data sets on four kinds of hardware, the nodes' own models."""

from __future__ import annotations

from dataclasses import dataclass

from . import results, svg, tables
from .facts import FIRST, SOURCES
from .hardware import HARDWARE, Hardware
from .panel import Panel, legend
from .picture_times import CLAIMED, KINDS
from .table2 import BASELINES, DATASETS, FOLDER, Topology, label_of, topologies

STYLES = {"ring": ("ring", svg.BLUE, ""), "grid": ("2D grid", svg.BLUE, "6 3"),
          "torus": ("2D torus", svg.BLUE, "2 2"), "exponential": ("exponential", svg.GREEN, ""),
          "u-equistatic-m2": ("U-EquiStatic, 32 edges", svg.GREEN, "6 3"),
          "u-equistatic-m3": ("U-EquiStatic, 48 edges", svg.GREEN, "2 2")}
MINE = "BA-Topo, the claimed row", svg.VERMILION, ""
OTHER = "BA-Topo, other rows", svg.VERMILION, "2 2"
LIMIT = "exact averages in BA-Topo's rounds", svg.MUTED, "1 2"
RANGES = {"cifar10": (0.6, 0.9), "cifar100": (0.3, 0.7)}
CLAIMED_100 = {**CLAIMED, "node-level": "r48"}
WIDE, HIGH, LEFT, TOP, ACROSS, DOWN = 250, 230, 60, 114, 46, 56
LONGEST = {"homogeneous": 120, "node-level": 200, "intra-server": 120, "bcube-1to2": 140}  # seconds, CIFAR-10
LONGER = 1.5  # CIFAR-100


@dataclass(frozen=True)
class TimePanel(Panel):
    """Accuracy over seconds."""

    def word(self, column: float) -> str:
        return f"{column:g} s"


def draw() -> str:
    title = "Accuracy over time: the paper's eight panels, trained again"
    parts = [svg.text(16, 24, title, size=15, bold=True),
             svg.text(16, 43, "ResNet-18, the nodes' own models, means over three epochs, seed 1; measured epochs × "
                      "the paper's time of an epoch. BA-Topo: Algorithm 2 as printed, free start.", fill=svg.MUTED),
             *legend(STYLES.values(), 62), *legend((MINE, OTHER, LIMIT), 79)]
    for row, dataset in enumerate(DATASETS):
        source = SOURCES[row]
        lines = tables.chosen(results.read([FOLDER / "results" / f for f in source.files]), [f"dataset={dataset}"])
        runs = topologies(lines, None)
        for column, scenario in enumerate(KINDS):
            parts += _panel(lines, runs, dataset, scenario, LEFT + column * (WIDE + ACROSS), TOP + row * (HIGH + DOWN))
    return svg.document(LEFT + 4 * (WIDE + ACROSS), TOP + 2 * (HIGH + DOWN), title, parts)


def _panel(lines: list[tables.Line], runs: list[Topology], dataset: str, scenario: str, left: float,
           top: float) -> list[str]:
    hardware = HARDWARE[scenario]
    claimed = f"literal-{scenario}-{(CLAIMED_100 if dataset == 'cifar100' else CLAIMED)[scenario]}"
    longest = LONGEST[scenario] * (LONGER if dataset == "cifar100" else 1)
    low, high = RANGES[dataset]
    target = next(line["entry"]["target"] for line in lines if line["entry"]["nodes"] == hardware.nodes)
    panel = TimePanel(f"{DATASETS[dataset]}, {KINDS[scenario]}", left, top, WIDE, HIGH, (0, longest), (low, high),
                      tuple(round(low + k / 10, 1) for k in range(round(10 * (high - low)) + 1)),
                      (0, longest / 2, longest), "start", target)
    parts = panel.frame()
    drawn = {run.label: run for run in runs if run.period.shape[1] == hardware.nodes}
    for line in lines:
        entry, label = line["entry"], label_of(line)
        if (entry["nodes"], entry["seed"]) != (hardware.nodes, FIRST) or label not in drawn:
            continue
        style = _style(label, claimed, scenario)
        if style:
            each = _seconds(drawn, label, claimed, hardware)
            parts.append(panel.curve(smooth(line["series"]["local"], each), *style[1:]))
    return parts


def _style(label: str, claimed: str, scenario: str) -> tuple[str, str, str] | None:
    """How a run is drawn; none for what the paper's panel does not have."""
    if label in BASELINES:
        return STYLES[label]
    if label == "exact":
        return LIMIT
    if label == claimed:
        return MINE
    return OTHER if label.startswith(f"literal-{scenario}-r") else None


def _seconds(drawn: dict[str, Topology], label: str, claimed: str, hardware: Hardware) -> float:
    """Of an epoch; all-reduce takes the rounds of the claimed row."""
    return hardware.epoch_seconds(drawn[claimed if label == "exact" else label].period)


def smooth(accuracy: list[float], each: float) -> list[tuple[float, float]]:
    """Means over three epochs, at the end of the middle one, in seconds."""
    return [((k + 2) * each, sum(accuracy[k:k + 3]) / 3) for k in range(len(accuracy) - 2)]
