"""The table and the plot of docs/research/links.md: python3 -m net.table FOLDER [-o PLOT.svg] (in python/)."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from statistics import median
from typing import Any, Dict, List, NamedTuple

from .shaped import networks
from .trial import ran, settled

KINDS = {"round_ms": "round", "iteration_ms": "iteration", "overlapped_ms": "overlapped"}
COLORS = {"nodes-3to1": "#1f77b4", "two-racks": "#d62728", "slow-pair": "#2ca02c", "two-servers": "#9467bd"}
SIDE, EDGE = 520, 60


class Point(NamedTuple):
    """One time, as the description predicts it, as the measured cluster does, and as it was; ran: in periods in which
    the machine did not stand still. predicted was said before measuring, mended is what the model says since."""

    network: str
    process: str
    kind: str
    predicted: float
    again: float
    measured: float
    ran: bool
    mended: float = float("nan")

    @property
    def error(self) -> float:
        return self.measured / self.predicted - 1

    @property
    def error_again(self) -> float:
        return self.measured / self.again - 1

    @property
    def error_mended(self) -> float:
        return self.measured / self.mended - 1

    @property
    def changed(self) -> bool:
        """Whether the mended model says something else, to a thousandth."""
        return abs(self.mended / self.predicted - 1) > 1e-3


def read(folder: Path) -> List[Point]:
    """Everything that was predicted and measured."""
    points = []
    for net in networks():
        if not (folder / f"{net.name}.measured.json").exists():
            continue
        said = json.loads((folder / f"{net.name}.json").read_text())
        again, mended = (_optional(folder / f"{net.name}.{which}.json") for which in ("again", "mended"))
        was = json.loads((folder / f"{net.name}.measured.json").read_text())["measured"]
        for process, times in was.items():
            points += [Point(net.name, process, key, said[process][key],
                             again.get(process, {}).get(key, float("nan")), settled(taken),
                             ran(taken), mended.get(process, {}).get(key, float("nan")))
                       for key, taken in times.items()]
    return points


def _optional(file: Path) -> Dict[str, Any]:
    found: Dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return found


def table(points: List[Point]) -> str:
    """Markdown: predicted → measured and the error; * where the machine stood still in every period."""
    lines = ["| network | process | round, ms | iteration | overlapped |", "|---|---|---|---|---|"]
    for network, process in dict.fromkeys((p.network, p.process) for p in points):
        cells = []
        for key in KINDS:
            found = [p for p in points if (p.network, p.process, p.kind) == (network, process, key)]
            cells.append("".join(f"{p.predicted:.0f} → {p.measured:.0f} ({p.error:+.0%}){'' if p.ran else '*'}"
                                 + (f"; mended {p.mended:.0f} ({p.error_mended:+.0%})" if p.changed else "")
                                 for p in found))
        lines.append(f"| {network} | {process} | {' | '.join(cells)} |")
    return "\n".join(lines)


def summary(points: List[Point]) -> str:
    """Median and worst, per kind and in all; again without what was measured while the machine stood still."""
    lines = ["| | times | median error | worst | while the machine ran | median error | worst |",
             "|---|---|---|---|---|---|---|"]
    for key in [*KINDS, ""]:
        cells = []
        for mine in ([p for p in points if not key or p.kind == key], [p for p in points
                                                                       if (not key or p.kind == key) and p.ran]):
            sizes = [abs(p.error) for p in mine] or [float("nan")]
            cells += [str(len(mine)), f"{median(sizes):.1%}", f"{max(sizes):.1%}"]
        lines.append(f"| {KINDS.get(key, 'all')} | {' | '.join(cells)} |")
    again = [abs(p.error_again) for p in points if not math.isnan(p.again)]
    if again:
        lines += ["", f"Predicted from the rates that measure found: median {median(again):.1%}, worst "
                  f"{max(again):.1%} of {len(again)} times."]
    since = [abs(p.error_mended) for p in points if not math.isnan(p.mended)]
    if since:
        lines += ["", f"By the mended model: median {median(since):.1%}, worst {max(since):.1%} of {len(since)} times; "
                  f"{sum(p.changed for p in points)} predictions changed."]
    return "\n".join(lines)


def plot(points: List[Point]) -> str:
    """Measured over predicted, both logarithmic, with a band of 10 %."""
    values = [v for p in points for v in (p.predicted, p.measured)]
    low, high = math.log(min(values) * 0.9), math.log(max(values) * 1.1)

    def at(v: float) -> float:
        return EDGE + (math.log(v) - low) / (high - low) * (SIDE - 2 * EDGE)

    def y(v: float) -> float:
        return SIDE - at(v)
    first, last = math.exp(low), math.exp(high)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE + 150} {SIDE}" font-family="sans-serif" '
           f'font-size="12">', f'<rect width="{SIDE + 150}" height="{SIDE}" fill="white"/>']
    band = [(first, first * 1.1), (last / 1.1, last), (last, last), (last, last / 1.1), (first * 1.1, first),
            (first, first)]
    out.append('<polygon fill="#eee" points="' + " ".join(f"{at(a):.1f},{y(b):.1f}" for a, b in band) + '"/>')
    out.append(f'<path stroke="#999" d="M{at(first):.1f},{y(first):.1f} L{at(last):.1f},{y(last):.1f}"/>')
    out.append(f'<rect x="{EDGE}" y="{EDGE}" width="{SIDE - 2 * EDGE}" height="{SIDE - 2 * EDGE}" fill="none" '
               'stroke="#333"/>')
    for tick in (200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000):
        if first < tick < last:
            out.append(f'<text x="{at(tick):.1f}" y="{SIDE - EDGE + 16}" text-anchor="middle">{tick}</text>')
            out.append(f'<text x="{EDGE - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>')
    out.append(f'<text x="{SIDE / 2}" y="{SIDE - 18}" text-anchor="middle">predicted, ms</text>')
    out.append(f'<text x="14" y="{SIDE / 2}" text-anchor="middle" transform="rotate(-90 14 {SIDE / 2})">'
               'measured, ms</text>')
    for p in points:
        out.append(_mark(p, at(p.predicted), y(p.measured)))
    for k, (name, color) in enumerate(COLORS.items()):
        out.append(f'<text x="{SIDE - EDGE + 24}" y="{EDGE + 20 + 20 * k}" fill="{color}">{name}</text>')
    for k, key in enumerate(KINDS):
        row = EDGE + 120 + 20 * k
        out.append(_mark(Point("", "", key, 1, 1, 1, True), SIDE - EDGE + 28, row - 4))
        out.append(f'<text x="{SIDE - EDGE + 40}" y="{row}">{KINDS[key]}</text>')
    out.append(f'<text x="{SIDE - EDGE + 24}" y="{EDGE + 195}" fill="#777">band: ±10 %</text>')
    return "\n".join([*out, "</svg>", ""])


def _mark(p: Point, x: float, y: float) -> str:
    color = COLORS.get(p.network, "#333")
    title = f"<title>{p.network} {p.process} {KINDS[p.kind]}: {p.error:+.0%}</title>"
    if p.kind == "round_ms":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}">{title}</circle>'
    if p.kind == "iteration_ms":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="none" stroke="{color}">{title}</rect>'
    corners = f"{x:.1f},{y - 5:.1f} {x + 5:.1f},{y + 4:.1f} {x - 5:.1f},{y + 4:.1f}"
    return f'<polygon points="{corners}" fill="none" stroke="{color}">{title}</polygon>'


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.table", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--out", type=Path)
    args = parser.parse_args()
    points = read(args.folder)
    print(table(points), summary(points), sep="\n\n")
    if args.out:
        args.out.write_text(plot(points))


if __name__ == "__main__":
    main()
