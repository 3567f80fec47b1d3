"""Accuracy over epochs of exact averages and of a ring: what rests and quasi-global momentum do, alone and together."""

from __future__ import annotations

from . import results, svg, tables
from .results import Series
from .table2 import FOLDER, label_of

COLOURS = {"": svg.MUTED, ", H = 8": svg.VERMILION, ", quasi-global": svg.BLUE, ", H = 8, quasi-global": svg.GREEN}
NAMES = {"": "a round in every step", ", H = 8": "a round after every 8 steps",
         ", quasi-global": "quasi-global momentum", ", H = 8, quasi-global": "both"}
WIDE, HIGH, LEFT, TOP, GAP = 400, 260, 60, 96, 60
EPOCHS, LOW, HIGHEST, TARGET = 30, 0.5, 0.92, 0.84


def draw() -> str:
    files = [FOLDER / "results" / f"table2-cifar10-{part}.jsonl" for part in ("own-target", "seeds", "rests")]
    lines = tables.chosen(results.read(files), ["nodes=16", "seed=1"])
    parts = [svg.text(16, 24, "Rests need quasi-global momentum", size=15, bold=True),
             svg.text(16, 43, "CIFAR-10, ResNet-18, 16 nodes, CTA, one seed: mean accuracy of the nodes' own models "
                      "over epochs", fill=svg.MUTED)]
    x = 16.0
    for kind, name in NAMES.items():
        parts += [svg.line(x, 61, x + 22, 61, COLOURS[kind], 2), svg.text(x + 28, 65, name)]
        x += 28 + 6.6 * len(name) + 22
    for k, (process, title) in enumerate({"exact": "exact averages", "ring": "ring"}.items()):
        parts += _panel(lines, process, title, LEFT + k * (WIDE + GAP))
    return svg.document(LEFT + 2 * WIDE + GAP + 24, TOP + HIGH + 40, "Rests need quasi-global momentum", parts)


def _panel(lines: list[tables.Line], process: str, title: str, x0: float) -> list[str]:
    def place(epoch: float, accuracy: float) -> tuple[float, float]:
        return x0 + WIDE * (epoch - 1) / (EPOCHS - 1), TOP + HIGH * (HIGHEST - accuracy) / (HIGHEST - LOW)

    parts = [svg.text(x0, TOP - 8, title, bold=True)]
    for tenth in (0.5, 0.6, 0.7, 0.8, 0.9):
        y = place(1, tenth)[1]
        parts += [svg.line(x0, y, x0 + WIDE, y), svg.text(x0 - 6, y + 4, f"{tenth:.1f}", "end", svg.MUTED, 11)]
    for epoch in (1, 10, 20, 30):
        x = place(epoch, LOW)[0]
        parts.append(svg.text(x, TOP + HIGH + 16, "epoch 1" if epoch == 1 else f"{epoch}", "middle", svg.MUTED, 11))
    y = place(1, TARGET)[1]
    parts += [svg.line(x0, y, x0 + WIDE, y, svg.MUTED, 1, "4 3"),
              svg.text(x0 + 4, y - 4, "84 %", fill=svg.MUTED, size=11)]
    for kind, colour in COLOURS.items():
        for line in lines:
            if label_of(line) == process + kind:
                local = Series(**line["series"]).local[:EPOCHS]
                parts.append(svg.curve((place(e, a) for e, a in enumerate(local, 1) if a >= LOW), colour))
    return parts
