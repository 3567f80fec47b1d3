"""Curves of runs as one SVG page: a panel per run, so that each is looked at by itself."""

from __future__ import annotations

from typing import Any

from . import svg
from .results import Series

WIDTH, HEIGHT, GAP, COLUMNS = 300, 180, 26, 5
TOP = 2 * GAP  # the legend has a line of its own above the names of the runs
COLOURS = {"averaged": "#1b6ca8", "local": "#c8553d", "moving average": "#6a994e"}


def page(lines: list[dict[str, Any]], low: float = 0.0, high: float = 1.0) -> str:
    """Accuracy over epochs, between low and high: averaged model, mean local model, moving average."""
    rows = -(-len(lines) // COLUMNS)
    size = (COLUMNS * (WIDTH + GAP), rows * (HEIGHT + GAP) + TOP)
    out = []
    at = 4
    for name, colour in COLOURS.items():
        out.append(svg.text(at, 14, name, fill=colour))
        at += 110
    for k, line in enumerate(lines):
        left, top = k % COLUMNS * (WIDTH + GAP) + GAP, k // COLUMNS * (HEIGHT + GAP) + TOP
        out.append(f'<g transform="translate({left},{top})">{panel(line, low, high)}</g>')
    return svg.document(*size, "Accuracy over epochs", out)


def panel(line: dict[str, Any], low: float, high: float) -> str:
    """One run, with lines at every tenth and at its target; a cut run ends early."""
    series, target = Series(**line["series"]), line["entry"]["target"]
    epochs = max(line["entry"]["epochs"], 2)

    def y(accuracy: float) -> float:
        return HEIGHT * (1 - (min(max(accuracy, low), high) - low) / (high - low))

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#bbb"/>',
             svg.text(0, -4, line["name"] + " (cut)" * (not line["complete"]), size=11)]
    for tenth in range(11):
        if low <= tenth / 10 <= high:
            height = y(tenth / 10)
            parts += [svg.line(0, height, WIDTH, height), svg.text(-2, height, f"{tenth / 10:.1f}", "end", size=8)]
    parts.append(svg.line(0, y(target), WIDTH, y(target), "#999", dashes="3"))
    measured = {int(e): a for e, a in series.local_mean.items()}
    curves = {"averaged": dict(enumerate(series.averaged, 1)),
              "local": dict(enumerate(series.local, 1)) if series.local else measured,
              "moving average": dict(enumerate(series.moving_average, 1))}
    for name, values in curves.items():
        points = (((e - 1) / (epochs - 1) * WIDTH, y(a)) for e, a in values.items())
        parts.append(svg.curve(points, COLOURS[name], 1))
    return "".join(parts)
