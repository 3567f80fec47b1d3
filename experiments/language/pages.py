"""What is made from the results: the table of batopo plan, pictures, and pages of docs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

from . import cost, pictures
from .rows import Row, Study, json_text, rounding
from .settings import entry

BLOCK = re.compile(r"(<!-- table: ([a-z -]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def grid(head: str, lines: list[str]) -> str:
    """A table of Markdown from cells with | between."""
    return "\n".join(f"| {line} |" for line in (head, " | ".join(["---"] * (head.count("|") + 1)), *lines)) + "\n"


def chosen(r: Row) -> str:
    words = {"bracketed": "own sweep, inside", "lowest": "own sweep, **lowest tried**",
             "highest": "own sweep, **highest tried**", "only": "**only one tried**"}
    return words.get(r.rate_known, r.rate_known.replace("from", "as"))


def _recipes(rows: list[Row]) -> str:
    rows = sorted(rows, key=lambda r: (r.cost.mean is None, r.cost.mean, r.name))
    return grid("recipe | relative steps | traffic | final loss | rate | how the rate was chosen", [
        f"{r.name} | {r.steps()} | {r.traffic:.3g} | {r.loss:.4f} | {r.rate:g} | {chosen(r)}"
        for r in rows])


def three_seeds(study: Study) -> str:
    return _recipes([r for r in study.sparse() if len(r.lines) >= 3])


def short(study: Study) -> str:
    rows = sorted((r for r in study.sparse() if len(r.lines) >= 3 and not r.few_bits),
                  key=lambda r: (r.cost.mean is None, r.cost.mean, r.name))
    return grid("recipe | relative steps | traffic | rate",
                [f"{r.name} | {r.steps()} | {r.traffic:.3g} | {r.rate:g}" for r in rows])


def few_bits(study: Study) -> str:
    """By the number of models that differ, and from the most bytes down."""
    rows = sorted((r for r in study.sparse() if r.few_bits), key=lambda r: (r.e.replicas, -r.bytes, r.name))
    return grid("recipe | bytes | relative steps | rate", [
        f"{r.name} | 1/{1 / r.bytes:.0f} | {r.steps()} | {r.rate:g}" for r in rows])


def fewer_seeds(study: Study) -> str:
    return _recipes([r for r in study.sparse() if len(r.lines) < 3])


MAIN = "groups of 4, H 4 in pieces, 1 bit"
PAIRS = [("after 500 outer H 64", "after 500 average H 64"),
         ("after 500 groups of 4, outer H 64", "after 500 groups of 4, H 64"),
         ("groups of 4, H 64", "after 500 outer H 64"), ("groups of 4, H 64", "groups of 4, H 16"),
         ("groups of 4, H 256", "groups of 4, H 64"), ("groups of 2, H 64", "groups of 4, H 64"),
         ("groups of 4, H 64", "after 500 groups of 4, H 64"), ("groups of 4, H 16", "exact H 1"),
         ("groups of 4, H 64", "half the nodes alone"), ("groups of 4, H 256", "half the nodes alone"),
         ("groups of 2, H 64", "a quarter of the nodes alone"), ("groups of 2, H 256", "a quarter of the nodes alone"),
         ("groups of 4, H 64, late 16", "groups of 4, H 64"), ("groups of 4, H 16, late 4", "groups of 4, H 16"),
         ("groups of 4, H 24, 8 bits", "groups of 4, H 24"), ("domains, groups of 4, H 16", "groups of 4, H 16"),
         ("groups of 4, H 4", "exact H 1"), ("exact H 4", "groups of 4, H 4"),
         ("groups of 4, H 4 in pieces, 2 bits", "groups of 4, H 4"), (f"{MAIN}, late 1", MAIN),
         (MAIN, "groups of 4, H 4 in pieces, 2 bits"), (MAIN, "groups of 4, H 2 in pieces, 1 bit"),
         ("groups of 4, H 16 in pieces, 1 bit", "groups of 4, H 16"), (f"domains, {MAIN}", MAIN),
         ("H 2 in pieces, 2 bits", "exact H 2"), ("H 4 in pieces, 1 bit", "exact H 4"),
         *((f"{name}, 16 bits", name) for name in ("groups of 4, H 16", "groups of 2, H 16", "exact H 4", "exact H 1",
                                                   "one-peer H 1", "plan 8-12 H 1"))]


def differences(study: Study) -> str:
    lines = []
    for one, other in PAIRS:
        a, b = study.row(one), study.row(other)
        mean, half = cost.difference(a.lines, b.lines, study.points(a.e))
        word = "no difference seen" if abs(mean) <= half else "more steps" if mean > 0 else "fewer steps"
        lines.append(f"{one} | {other} | {mean:+.2f} ± {half:.2f} | {word}")
    return grid("recipe | less the recipe | difference of relative steps | verdict", lines)


def sixteen_bits(study: Study) -> str:
    """All pairs of a kind together."""
    return grid("rounded to bfloat16 | relative steps over those in 32 bits | 95 % interval | pairs of runs", [
        f"{key} | {r['ratio']:.3f} | {r['low']:.2f} to {r['high']:.2f} | {r['pairs']}"
        for key, r in rounding(study).items()])


def rates(study: Study) -> str:
    """Every process with a sweep of its own."""
    lines = []
    for r in study.rows:
        tried = study.tried(r.e)
        if len(tried) > 1:
            losses = "; ".join(f"{lr:g}: {loss:.4f}" for lr, loss in sorted(tried.items()))
            lines.append(f"{r.name} | {losses} | {r.rate:g} | {chosen(r)} | {_gain(tried, r.rate)}")
    return grid("process | rate: final loss, seed 1 | best | where | a finer grid could gain", lines)


def _gain(tried: dict[float, float], rate: float) -> str:
    """From the rate to the lowest point of the parabola through it and its neighbours, over logarithms of rates."""
    lower, higher = [r for r in tried if r < rate], [r for r in tried if r > rate]
    if not lower or not higher:
        return "not known"
    left, right = max(lower), min(higher)
    h, k = math.log(rate / left), math.log(right / rate)
    low, high = (tried[left] - tried[rate]) / h, (tried[right] - tried[rate]) / k
    bend = (low + high) / (h + k)
    slope = (high * h - low * k) / (h + k)
    return f"{slope * slope / 4 / bend:.4f}"


def curve(study: Study) -> str:
    """The synchronous runs that others are compared with."""
    lines = []
    for r in sorted((r for r in study.rows if cost.is_reference(r.e)),
                    key=lambda r: (r.lines[0]["parameters"], r.e.steps)):
        each = "; ".join(f"{line['entry']['seed']}: {line['loss']:.4f}" for line in r.lines)
        lines.append(f"{r.lines[0]['parameters'] / 1e6:.1f} M | {r.e.steps} | {each} | {r.rate:g} | {chosen(r)}")
    return grid("parameters | steps | seed: final loss | rate | how the rate was chosen", lines)


def error(study: Study) -> str:
    points = study.points(study.row("ddp").e)
    return (f"Left out in turn, lengths between two others are found from the rest\nwith a root mean square error of "
            f"{cost.curve_error(points):.1%} of the steps.\n").replace("%", " %")


def each_run(study: Study) -> str:
    lines = []
    for line in study.lines:
        e = cost.process_of(entry(line["entry"]))
        found = cost.cost([line], study.points(e))
        steps = f"{found.mean:.3f}" if found.mean is not None else f"{found.outside} the curve"
        trained = line["trained"]
        each, share = 1e3 * trained["seconds"] / trained["steps"], f"{trained['peak_share']:.0%}".replace("%", " %")
        lines.append(f"{line['name']} | {line['entry']['seed']} | {line['entry']['lr']:g} | {line['loss']:.5f} | "
                     f"{'synchronous' if cost.is_reference(e) else steps} | {line['traffic']:.4f} | "
                     f"{each:.1f} | {share}")
    return grid("run | seed | rate | final loss | relative steps | traffic | ms a step | of the GPU's peak", lines)


def runs_page(study: Study) -> str:
    """experiments/language/runs.md."""
    return "\n".join([
        "# Transformers with AdamW: every run", "",
        "For readers of [transformers.md](../../docs/research/transformers.md): every number behind it.",
        "`python3 -m language write`, in `experiments`, writes it from `language/results`.",
        "`python3 -m language table` prints the same rows as text.", "",
        "## Synchronous runs: the curve", "", curve(study), error(study),
        "## Learning rates", "", rates(study),
        "## Recipes with three seeds", "", three_seeds(study),
        "## Recipes with one seed", "", fewer_seeds(study),
        "## Differences between recipes, seed by seed", "", differences(study),
        "## Every run", "",
        "Relative steps are those of this run against synchronous runs with the same seed.",
        "Runs in 16 bits shared the GPU with another job: their times say nothing.", "", each_run(study)])


TABLES: dict[str, Callable[[Study], str]] = {"three seeds": short, "few bits": few_bits,
                                             "sixteen bits": sixteen_bits}


def page(text: str, study: Study) -> str:
    """With every table between its marks written again."""
    return BLOCK.sub(lambda m: m[1] + TABLES[m[2]](study) + m[3], text)


def files(study: Study, root: Path) -> dict[Path, str]:
    """What is written, by file."""
    docs = root / "docs"
    research = docs / "research"
    return {root / "internal" / "ground" / "steps" / "steps.json": json_text(study),
            root / "experiments" / "language" / "runs.md": runs_page(study),
            research / "transformers.md": page((research / "transformers.md").read_text(), study),
            **{docs / "images" / name: draw(study) for name, draw in pictures.DRAWN.items()}}


def write(study: Study, root: Path) -> None:
    for path, text in files(study, root).items():
        path.write_text(text)
