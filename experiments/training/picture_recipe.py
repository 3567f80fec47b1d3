"""Accuracy over epochs of all-reduce and of a ring: local steps, quasi-global momentum, and both."""

from __future__ import annotations

from . import results, svg, tables
from .panel import Panel, legend
from .results import Series
from .table2 import FOLDER, label_of

COLOURS = {"": svg.MUTED, ", H = 8": svg.VERMILION, ", quasi-global": svg.BLUE, ", H = 8, quasi-global": svg.GREEN}
NAMES = {"": "a round in every step", ", H = 8": "a round after every 8 steps",
         ", quasi-global": "quasi-global momentum", ", H = 8, quasi-global": "both"}
WIDE, HIGH, LEFT, TOP, GAP = 400, 260, 60, 96, 60


def draw() -> str:
    files = [FOLDER / "results" / f"table2-cifar10-{part}.jsonl" for part in ("own-target", "seeds", "rests")]
    lines = tables.chosen(results.read(files), ["nodes=16", "seed=1"])
    parts = [svg.text(16, 24, "Rests need quasi-global momentum", size=15, bold=True),
             svg.text(16, 43, "CIFAR-10, ResNet-18, 16 nodes, CTA, one seed: mean accuracy of the nodes' own models "
                      "over epochs", fill=svg.MUTED),
             *legend(((name, COLOURS[kind], "") for kind, name in NAMES.items()), 65)]
    for k, (process, title) in enumerate({"exact": "exact averages", "ring": "ring"}.items()):
        panel = Panel(title, LEFT + k * (WIDE + GAP), TOP, WIDE, HIGH, (1, 30), (0.5, 0.92),
                      (0.5, 0.6, 0.7, 0.8, 0.9), (1, 10, 20, 30))
        parts += panel.frame()
        parts += [panel.curve(enumerate(Series(**line["series"]).local, 1), colour) for kind, colour in COLOURS.items()
                  for line in lines if label_of(line) == process + kind]
    return svg.document(LEFT + 2 * WIDE + GAP + 24, TOP + HIGH + 40, "Rests need quasi-global momentum", parts)
