"""experiments/training/runs.md: epochs of every process and seed behind Table II, from the committed results.

python3 -m training appendix --out training/runs.md writes it; a test says when it is old.
"""

from __future__ import annotations

from pathlib import Path

from . import results, tables
from .facts import MORE, PARTS
from .table2 import DATASETS, FOLDER, side_by_side, topologies

RECIPES = "rests"  # the files of runs with local steps
SOURCES = (
    *((f"{name}, the paper's targets", dataset, None,
       tuple(f"-{part}" for part in (*PARTS, *MORE.get(dataset, ()), RECIPES))) for dataset, name in DATASETS.items()),
    ("CIFAR-10, 80 %, ImageNet stem", "cifar10", 0.8, ("",)),
    *((f"{name}, adapt then combine", dataset, None, ("-atc",)) for dataset, name in DATASETS.items()),
)


def page() -> str:
    """All sources, each with the paper's rows and every process."""
    parts = ["# Training: epochs of every run behind Table II",
             "For readers of [log.md](log.md): the epochs to the target of every process, one number "
             "per\nseed. `python3 -m training appendix --out training/runs.md`, in `experiments`, "
             "writes this\npage from `training/results`.",
             "*Local* is the mean accuracy of the nodes' own models, *averaged* the accuracy of their mean. `>` and a "
             "number: not\nreached by then. m says how many times slower than a lone message the slowest edge of a "
             "round is; s are seconds by\nthe paper's formula."]
    for title, dataset, target, files in SOURCES:
        lines = tables.chosen(results.read([FOLDER / "results" / f"table2-{dataset}{f}.jsonl" for f in files]),
                              [f"dataset={dataset}"])
        runs = topologies(lines, target)
        rows = [["process", "nodes", "local: epochs", "averaged: epochs"]]
        rows += [[run.label, str(run.period.shape[1])] + [
            ", ".join(str(c) for _, c in sorted(run.crossings(local).items())) for local in (True, False)]
            for run in sorted(runs, key=lambda run: (-run.period.shape[1], run.label))]
        parts += [f"## {title}", "### Beside the paper", side_by_side(runs, dataset), "### Every process",
                  tables.markdown(rows)]
    return "\n\n".join(parts) + "\n"


def write(out: Path) -> None:
    out.write_text(page())
