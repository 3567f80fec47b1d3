"""Pieces of pictures, as SVG text; places in pixels, from the upper left."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

INK, MUTED, RULE = "#1f2328", "#59636e", "#e4e7ea"
BLUE, VERMILION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"  # as in the project's other pictures


def document(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="\'Liberation Sans\',Arial,Helvetica,sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>", '<rect width="100%" height="100%" fill="#ffffff"/>', *parts, "</svg>\n"])


def text(x: float, y: float, words: str, anchor: str = "start", fill: str = INK, size: float = 12,
         bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size:g}"{weight}>'
            f"{escape(words)}</text>")


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = RULE, width: float = 1, dashes: str = "") -> str:
    return (f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{stroke}" stroke-width="{width:g}"'
            f"{_dashed(dashes)}/>")


def curve(points: Iterable[tuple[float, float]], stroke: str, width: float = 1.8, dashes: str = "") -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="{stroke}" stroke-width="{width:g}"{_dashed(dashes)}/>'


def dot(x: float, y: float, colour: str, filled: bool = True, radius: float = 4) -> str:
    return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour if filled else "#ffffff"}" '
            f'stroke="{colour}" stroke-width="1.5"/>')


def _dashed(dashes: str) -> str:
    return f' stroke-dasharray="{dashes}"' if dashes else ""
