"""Result lines: one JSON object per run, appended to a file; the crossing of a target; the table at the end."""

from __future__ import annotations

import dataclasses
import json
import platform
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from .settings import Entry


@dataclass
class Series:
    """What was measured epoch by epoch; the local accuracies are there for some epochs only."""

    train_loss: list[float] = field(default_factory=list)
    averaged: list[float] = field(default_factory=list)  # accuracy of the averaged model
    test_loss: list[float] = field(default_factory=list)  # its cross-entropy on the test data
    moving_average: list[float] = field(default_factory=list)
    distance: list[float] = field(default_factory=list)
    relative_distance: list[float] = field(default_factory=list)
    local_mean: dict[str, float] = field(default_factory=dict)  # epoch, counted from 1 → mean over the nodes
    local_min: dict[str, float] = field(default_factory=dict)
    local_max: dict[str, float] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)  # of the whole group, evaluation included

    @property
    def epochs(self) -> int:
        return len(self.averaged)

    def crossing(self, target: float, local: bool = False) -> int | None:
        """The first epoch e, counted from 1, whose accuracy as a mean over e − 1, e, e + 1 reaches the target.

        Local accuracies are not measured in every epoch; there the mean is over those of the three that are.
        """
        known = {int(e): a for e, a in self.local_mean.items()} if local else dict(enumerate(self.averaged, 1))
        for e in range(2, self.epochs):
            near = [known[k] for k in (e - 1, e, e + 1) if k in known]
            if e in known and sum(near) / len(near) >= target:
                return e
        return None


def provenance(commit: str, options: Any) -> dict[str, Any]:
    device = torch.cuda.get_device_name() if options.device == "cuda" else platform.processor() or "cpu"
    return {"commit": commit, "torch": torch.__version__, "python": platform.python_version(), "device": device,
            "options": dataclasses.asdict(options)}


def append(path: Path, cell: Entry, series: Series, complete: bool, origin: dict[str, Any]) -> None:
    crossing = {"averaged": series.crossing(cell.target), "local": series.crossing(cell.target, local=True)}
    line = {"name": cell.name, "complete": complete, "crossing": crossing,
            "entry": dataclasses.asdict(cell), "series": rounded(dataclasses.asdict(series)), "run": origin}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as out:
        out.write(json.dumps(line) + "\n")


def rounded(value: Any) -> Any:
    """Six digits are more than the measurements mean, and keep the files small."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return value


def read(paths: list[Path]) -> list[dict[str, Any]]:
    """All lines of the files that exist."""
    return [json.loads(line) for p in paths if p.exists() for line in p.read_text().splitlines() if line.strip()]


def finished(paths: list[Path], cell: Entry) -> bool:
    """Whether a complete line with exactly these settings is there."""
    want = json.loads(json.dumps(dataclasses.asdict(cell)))
    return any(line["complete"] and line["entry"] == want for line in read(paths))


def table(lines: list[dict[str, Any]]) -> str:
    """One row per line: averaged accuracy at epochs 5, 10, 15 as means over three, the last values, the crossings."""
    lines = list({line["name"]: line for line in lines}.values())  # of several lines of a run the last
    rows = [f"{'run':44} {'epochs':>7} {'e5':>6} {'e10':>6} {'e15':>6} {'last':>6} {'local':>6} {'ema':>6} "
            f"{'cross':>5} {'local':>5} {'apart':>8} {'s/ep':>6}"]
    for line in lines:
        s, cross = line["series"], line["crossing"]
        a, ema, local = s["averaged"], s["moving_average"], list(s["local_mean"].values())
        means = [f"{sum(a[e - 2:e + 1]) / 3:.3f}" if e < len(a) else "" for e in (5, 10, 15)]
        last = [f"{v[-1]:.3f}" if v else "" for v in (a, local, ema)]
        seconds = f"{sum(s['seconds']) / len(a):.2f}" if a else ""
        apart = f"{s['relative_distance'][-1]:.2g}" if a else ""
        rows.append(f"{line['name'][:44]:44} {len(a):>6}{' ' if line['complete'] else '…'} "
                    + " ".join(f"{v:>6}" for v in means + last)
                    + f" {cross['averaged'] or '–':>5} {cross['local'] or '–':>5} {apart:>8} {seconds:>6}")
    return "\n".join(rows)
