"""Accuracy over 100 epochs, as in the paper's figures: averaged models, and the nodes' own."""

from __future__ import annotations

from . import results, svg
from .panel import Panel, legend
from .results import Series
from .table2 import FOLDER, label_of

STYLES = {"ring": ("ring", svg.BLUE, ""), "exponential": ("exponential", svg.MUTED, ""),
          "literal-homogeneous-r32": ("BA-Topo, 32 edges", svg.PURPLE, ""), "exact": ("exact", svg.VERMILION, ""),
          "ring, H = 8, quasi-global": ("ring, recipe", svg.BLUE, "5 3"),
          "exact, H = 8, quasi-global": ("exact, recipe", svg.VERMILION, "5 3")}
WIDE, HIGH, LEFT, TOP, GAP = 400, 300, 60, 96, 60
MEAN = 4  # epochs, after which rounds in every eighth of 98 iterations come at the same place again


def smooth(values: list[float]) -> list[tuple[float, float]]:
    """Means over MEAN epochs, at the middle of them."""
    return [(k + (MEAN + 1) / 2, sum(values[k:k + MEAN]) / MEAN) for k in range(len(values) - MEAN + 1)]


def draw() -> str:
    lines = results.read([FOLDER / "results" / "table2-cifar10-hundred-epochs.jsonl"])
    title = "Where 100 epochs end"
    parts = [svg.text(16, 24, title, size=15, bold=True),
             svg.text(16, 43, f"CIFAR-10, ResNet-18, 16 nodes, CTA, one seed, means over {MEAN} epochs. Recipe: a "
                      "round after every 8 steps and quasi-global momentum", fill=svg.MUTED),
             *legend(STYLES.values(), 65)]
    for k, (kind, words) in enumerate({"averaged": "mean of all models", "local": "nodes' own models"}.items()):
        panel = Panel(words, LEFT + k * (WIDE + GAP), TOP, WIDE, HIGH, (10, 100), (0.8, 0.94),
                      (0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.92, 0.94), (10, 25, 50, 75, 100), "end")
        parts += panel.frame()
        for line in lines:
            _, colour, dashes = STYLES[label_of(line)]
            parts.append(panel.curve(smooth(getattr(Series(**line["series"]), kind)), colour, dashes))
    return svg.document(LEFT + 2 * WIDE + GAP + 24, TOP + HIGH + 40, title, parts)
