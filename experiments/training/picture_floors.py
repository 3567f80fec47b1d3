"""One graph of 24 edges, the weights of the smallest r_asym whose eigenvalues are at least μ: where training ends."""

from __future__ import annotations

from . import results, svg, tables
from .table2 import FOLDER

FLOORS = {"floor-none-16-24": "no floor (least −0.62)", "floor-minus-0.25-16-24": "μ = −0.25",
          "training-16-24": "μ = 0", "floor-0.25-16-24": "μ = 0.25", "floor-0.5-16-24": "μ = 0.5"}
SKEWS = {"None": ("no skew", svg.MUTED), "1": ("Dirichlet 1.0", svg.BLUE), "0.1": ("Dirichlet 0.1", svg.VERMILION)}
WIDE, HIGH, LEFT, TOP = 600, 250, 60, 92
LOW, HIGHEST = 0.4, 0.8


def draw() -> str:
    files = [FOLDER / "results" / f"{name}.jsonl" for name in ("peers-and-floors", "steps-and-momenta")]
    lines = tables.chosen(results.read(files),
                          ["order=atc", "every=1", "momentum=local", "beta=0.9", "complete=True"])
    parts = [svg.text(16, 24, "The same 24 edges, other weights", size=15, bold=True),
             svg.text(16, 43, "averaged model after 16 epochs, a dot per seed; r_asym rises from 0.62 to 0.88",
                      fill=svg.MUTED)]
    for k, (name, colour) in enumerate(SKEWS.values()):
        parts += [svg.dot(22 + 180 * k, 61, colour), svg.text(32 + 180 * k, 65, name)]
    for tenth in (0.4, 0.5, 0.6, 0.7, 0.8):
        y = _height(tenth)
        parts += [svg.line(LEFT, y, LEFT + WIDE, y), svg.text(LEFT - 8, y + 4, f"{tenth:.1f}", "end", svg.MUTED, 11)]
    for skew, (_, colour) in SKEWS.items():
        means = []
        for k, (run, name) in enumerate(FLOORS.items()):
            x = LEFT + WIDE * (k + 0.5) / len(FLOORS)
            ends = [float(tables.value(line, "end", None)) for line in lines
                    if tables.setting(line, "run") == run and tables.setting(line, "skew") == skew]
            means.append((x, _height(sum(ends) / len(ends))))
            parts += [svg.dot(x, _height(end), colour) for end in ends]
            parts += [svg.text(x, TOP + HIGH + 18, name, "middle", svg.MUTED)] * (skew == "None")
        parts.append(svg.curve(means, colour, 1.2))
    return svg.document(LEFT + WIDE + 16, TOP + HIGH + 32, "The same 24 edges, other weights", parts)


def _height(accuracy: float) -> float:
    return TOP + HIGH * (HIGHEST - accuracy) / (HIGHEST - LOW)
