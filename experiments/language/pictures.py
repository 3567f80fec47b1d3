"""Pictures of docs/research/transformers.md, drawn from the results."""

from __future__ import annotations

from collections.abc import Iterable

from training import svg
from training.panel import Axes, LogAxes, legend

from .rows import Row, Study

GOAL_STEPS, GOAL_TRAFFIC = 1.15, 1 / 20
KINDS = {"gradients averaged inside groups of 4": svg.BLUE, "inside groups of 2": svg.GREEN,
         "no groups, synchronous start": svg.VERMILION, "no groups": svg.PURPLE}
SMALL = 10.5
LETTER = 5.7  # mean width at that size
Box = tuple[float, float, float, float]  # left, top, right, bottom


def colour(r: Row) -> str:
    kinds = list(KINDS.values())
    if r.e.group > 1:
        return kinds[0] if r.e.group == 4 else kinds[1]
    return kinds[2] if r.e.synchronous else kinds[3]


def frontier(study: Study) -> str:
    """Relative steps over bytes: filled with an interval from three seeds, hollow from one."""
    axes = LogAxes("steps relative to synchronous training", 60, 112, 900, 520, (0.0007, 8), (1, 3.5),
                   (1, 1.15, 1.5, 2, 2.5, 3), (0.001, 0.003, 0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5), steep=True)
    rows = drawn(study)
    rows.sort(key=lambda r: (-len(r.lines), r.bytes, r.name))
    (left, top), (right, bottom) = axes.place(axes.across[0], GOAL_STEPS), axes.place(GOAL_TRAFFIC, 1)
    reached = [r for r in rows if r.bytes <= GOAL_TRAFFIC and r.high and r.high <= GOAL_STEPS]
    title = ("1.15 times the steps with a twentieth of the bytes: "
             + (f"reached by {reached[0].name}" if reached else "no recipe reaches it"))
    parts = [svg.text(16, 24, title, size=15, bold=True),
             svg.text(16, 43, "GPT of 10.8 M parameters, AdamW, 8 nodes, 1500 steps. Filled: three seeds, 95 % "
                      "interval. Hollow: one seed. Dotted: best of three seeds.", fill=svg.MUTED),
             *legend(((name, c, "") for name, c in KINDS.items()), 68),
             f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" '
             'fill="#fff3c4"/>', svg.text(left + 8, (top + bottom) / 2 + 4, "the goal", fill=svg.MUTED),
             *axes.frame()]
    places = [axes.place(r.bytes, r.cost.mean or 1) for r in rows]
    bars = [(r, x, axes.place(1, r.high)[1], axes.place(1, r.low)[1])
            for r, (x, _) in zip(rows, places) if r.high and r.low]
    line = [axes.place(r.bytes, r.cost.mean or 1) for r in best(rows)] + [axes.place(1, 1)]
    parts.append(svg.curve(line, svg.MUTED, 1, "2 3"))
    alone = axes.place(1, study.row("half the nodes alone").cost.mean or 1)[1]
    parts += [svg.line(axes.left, alone, axes.left + axes.wide, alone, svg.MUTED, 1.2, "4 3"),
              svg.text(axes.left + axes.wide - 6, alone - 5, "half the nodes alone, no traffic", "end", svg.MUTED)]
    parts += [svg.line(x, high, x, low, colour(r), 1.5) for r, x, high, low in bars]
    parts += [svg.dot(x, y, colour(r), len(r.lines) > 2) for r, (x, y) in zip(rows, places)]
    parts += [svg.dot(*line[-1], svg.INK), svg.text(line[-1][0] + 8, bottom - 5, "synchronous", size=SMALL)]
    taken = [(x - 2, high, x + 2, low) for _, x, high, low in bars]
    for (x, y), (to, down) in zip(line, line[1:]):
        along = [(x + (to - x) * k / 40, y + (down - y) * k / 40) for k in range(41)]
        taken += [(a - 3, b - 3, a + 3, b + 3) for a, b in along]
    taken += [(x - 5, y - 5, x + 5, y + 5) for x, y in places]
    taken.append((axes.left + axes.wide - 190, alone - 16, axes.left + axes.wide, alone + 4))
    named = [(r, place) for r, place in zip(rows, places) if r.high]
    parts += labels([(r.name, colour(r)) for r, _ in named], [place for _, place in named], taken,
                    (left, axes.top, axes.left + axes.wide, bottom))
    across = axes.left + axes.wide / 2
    words = "bytes over the slow cut, synchronous training in 32 bits = 1 (logarithmic; 0.05 is a twentieth)"
    return svg.document(axes.left + axes.wide + 24, axes.top + axes.high + 48, title,
                        [*parts, svg.text(across, axes.top + axes.high + 36, words, "middle", svg.MUTED)])


def drawn(study: Study) -> list[Row]:
    """Of the main setting, whose runs all compare: those that send anything and have a number.

    Runs in 16 bits lie on those in 32.
    """
    return [r for r in study.sparse() if r.traffic and 1 <= (r.cost.mean or 0) <= 3.5 and r.e.data == "iid"
            and r.e.bits != 16 and (r.e.size, r.e.nodes, r.e.steps) == ("small", 8, 1500)]


def best(rows: list[Row]) -> list[Row]:
    """Of those with an interval that save bytes: fewer steps than all with no more bytes."""
    out: list[Row] = []
    for r in sorted((r for r in rows if r.high and r.bytes < 1), key=lambda r: (r.bytes, r.cost.mean)):
        if not out or (r.cost.mean or 0) < (out[-1].cost.mean or 0):
            out.append(r)
    return out


def labels(names: list[tuple[str, str]], places: list[tuple[float, float]], bars: list[Box],
           inside: Box) -> list[str]:
    """Names beside their dots, each where it covers no mark and no name placed before; far ones get a line."""
    taken = bars + [(x - 5, y - 5, x + 5, y + 5) for x, y in places]
    parts = []
    for (words, ink), (x, y) in zip(names, places):
        box, anchor = min(_candidates(words, x, y), key=lambda c: _overlap(c[0], taken, inside))
        taken.append(box)
        at = box[0] if anchor == "start" else box[2]
        far = abs((box[1] + box[3]) / 2 - y) > 14
        parts += [svg.line(x, y, at, (box[1] + box[3]) / 2, ink, 0.6)] if far else []
        parts.append(svg.text(at, box[3] - 3, words, anchor, size=SMALL))
    return parts


def _candidates(words: str, x: float, y: float) -> Iterable[tuple[Box, str]]:
    """Nearest first: right, left, then ever higher and lower."""
    wide = LETTER * len(words)
    for down in (0, -11, 11, -22, 22, -34, 34, -46, 46, -58, 58, -72, 72):
        yield (x + 8, y + down - 7, x + 8 + wide, y + down + 7), "start"
        yield (x - 8 - wide, y + down - 7, x - 8, y + down + 7), "end"


def _overlap(box: Box, taken: list[Box], inside: Box) -> float:
    """Area that is covered already, or outside."""
    def common(a: Box, b: Box) -> float:
        return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))

    whole = (box[2] - box[0]) * (box[3] - box[1])
    return sum(common(box, other) for other in taken) + 10 * (whole - common(box, inside))


def starts(study: Study) -> str:
    """Final loss over the length of the synchronous start."""
    axes = Axes("final loss", 60, 102, 640, 300, (0, 750), (1.04, 1.44), (1.05, 1.1, 1.2, 1.3, 1.4),
                (0, 50, 100, 250, 500, 750))
    kinds = {"groups of 4, H 64": ("averaged between groups of 4", svg.BLUE, lambda e: e.group == 4),
             "outer H 64": ("outer Nesterov, no groups", svg.VERMILION, lambda e: e.group == 1 and e.outer_lr == 0.7),
             "average H 64": ("averaged, no groups", svg.PURPLE,
                              lambda e: e.group == 1 and e.outer_lr == 1.0)}
    title = "Final loss over the length of the synchronous start"
    parts = [svg.text(16, 24, title, size=15, bold=True),
             svg.text(16, 43, "H = 64. Filled: mean of three seeds; hollow: one seed. Dashed: synchronous training.",
                      fill=svg.MUTED),
             *legend(((words, c, "") for words, c, _ in kinds.values()), 66), *axes.frame()]
    for ending, (_, ink, holds) in kinds.items():
        rows = sorted((r for r in study.sparse() if holds(r.e) and (r.name == ending or r.name.endswith(" " + ending))
                       and r.name in (ending, f"after {r.e.synchronous} {ending}")), key=lambda r: r.e.synchronous)
        parts.append(axes.curve(((r.e.synchronous, r.loss) for r in rows), ink))
        parts += [svg.dot(*axes.place(r.e.synchronous, r.loss), ink, len(r.lines) > 2) for r in rows]
    y = axes.place(0, study.row("ddp").loss)[1]
    parts += [svg.line(axes.left, y, axes.left + axes.wide, y, svg.MUTED, 1.2, "4 3"),
              svg.text(axes.left + axes.wide / 2, axes.top + axes.high + 36, "synchronous steps at the start, of 1500",
                       "middle", svg.MUTED)]
    return svg.document(axes.left + axes.wide + 24, axes.top + axes.high + 48, title, parts)


def rates(study: Study) -> str:
    """Final loss over the learning rate, seed 1."""
    axes = LogAxes("final loss", 60, 102, 640, 300, (0.0009, 0.009), (1.03, 1.3), (1.05, 1.1, 1.15, 1.2, 1.25),
                   (0.001, 0.002, 0.004, 0.008))
    kinds = {"ddp": ("synchronous", svg.INK), "exact H 1": ("averaged in every step", svg.PURPLE),
             **{f"groups of {g}, H 64": (f"groups of {g}, H 64", ink) for g, ink in ((4, svg.BLUE), (2, svg.GREEN))}}
    title = "Final loss over the learning rate"
    parts = [svg.text(16, 24, title, size=15, bold=True),
             svg.text(16, 43, "1500 steps, one seed. Losses above 1.3, all at 0.008, are not drawn.",
                      fill=svg.MUTED), *legend(((words, ink, "") for words, ink in kinds.values()), 66), *axes.frame()]
    for name, (_, ink) in kinds.items():
        tried = sorted(study.tried(study.row(name).e).items())
        parts.append(axes.curve(tried, ink))
        parts += [svg.dot(*axes.place(lr, loss), ink) for lr, loss in tried if loss <= axes.upwards[1]]
    return svg.document(axes.left + axes.wide + 24, axes.top + axes.high + 48, title, [
        *parts, svg.text(axes.left + axes.wide / 2, axes.top + axes.high + 36, "largest learning rate (logarithmic)",
                         "middle", svg.MUTED)])


DRAWN = {"transformers-frontier.svg": frontier, "transformers-starts.svg": starts, "transformers-rates.svg": rates}
