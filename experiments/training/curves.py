"""Curves of runs as one SVG page: a panel per run, so that each is looked at by itself."""

from __future__ import annotations

from html import escape
from typing import Any

from .results import Series

WIDTH, HEIGHT, GAP, COLUMNS = 300, 180, 26, 5
TOP = 2 * GAP  # the legend has a line of its own above the names of the runs
COLOURS = {"averaged": "#1b6ca8", "local": "#c8553d", "moving average": "#6a994e"}


def page(lines: list[dict[str, Any]], low: float = 0.0, high: float = 1.0) -> str:
    """Accuracy over epochs, between low and high: averaged model, mean local model, moving average."""
    rows = -(-len(lines) // COLUMNS)
    size = (COLUMNS * (WIDTH + GAP), rows * (HEIGHT + GAP) + TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" font-family="sans-serif" '
           'font-size="11">', '<rect width="100%" height="100%" fill="white"/>']
    at = 4
    for name, colour in COLOURS.items():
        out.append(f'<text x="{at}" y="14" fill="{colour}">{name}</text>')
        at += 110
    for k, line in enumerate(lines):
        left, top = k % COLUMNS * (WIDTH + GAP) + GAP, k // COLUMNS * (HEIGHT + GAP) + TOP
        out.append(f'<g transform="translate({left},{top})">{panel(line, low, high)}</g>')
    return "\n".join(out + ["</svg>\n"])


def panel(line: dict[str, Any], low: float, high: float) -> str:
    """One run, with lines at every tenth and at its target; a cut run ends early."""
    series, target = Series(**line["series"]), line["entry"]["target"]
    epochs = max(line["entry"]["epochs"], 2)

    def y(accuracy: float) -> float:
        return HEIGHT * (1 - (min(max(accuracy, low), high) - low) / (high - low))

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#bbb"/>',
             f'<text y="-4">{escape(line["name"])}{"" if line["complete"] else " (cut)"}</text>']
    for tenth in range(11):
        if low <= tenth / 10 <= high:
            height = y(tenth / 10)
            parts += [f'<path d="M0 {height:.1f}H{WIDTH}" stroke="#eee"/>',
                      f'<text x="-2" y="{height:.1f}" text-anchor="end" font-size="8">{tenth / 10:.1f}</text>']
    parts.append(f'<path d="M0 {y(target):.1f}H{WIDTH}" stroke="#999" stroke-dasharray="3"/>')
    measured = {int(e): a for e, a in series.local_mean.items()}
    curves = {"averaged": dict(enumerate(series.averaged, 1)),
              "local": dict(enumerate(series.local, 1)) if series.local else measured,
              "moving average": dict(enumerate(series.moving_average, 1))}
    for name, values in curves.items():
        points = " ".join(f"{(e - 1) / (epochs - 1) * WIDTH:.1f},{y(a):.1f}" for e, a in values.items())
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}"/>')
    return "".join(parts)
