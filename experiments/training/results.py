"""Result lines: one JSON object per run, appended to a file; the crossing of a target; the table at the end."""

from __future__ import annotations

import dataclasses
import hashlib
import argparse
import json
import math
import platform
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from .settings import Entry

FOLDER = Path(__file__).parent
SOURCES = ("*.py", "plans/*.json")  # what the numbers of a run depend on, besides its entry and the data


@dataclass
class Series:
    """What was measured epoch by epoch; the local accuracies are there for some epochs only.

    Losses and distances that were no finite number any more are None: JSON has no word for them.
    """

    train_loss: list[float | None] = field(default_factory=list)
    averaged: list[float] = field(default_factory=list)  # accuracy of the averaged model
    test_loss: list[float | None] = field(default_factory=list)  # its cross-entropy on the test data
    moving_average: list[float] = field(default_factory=list)
    distance: list[float | None] = field(default_factory=list)
    relative_distance: list[float | None] = field(default_factory=list)
    local: list[float] = field(default_factory=list)  # mean of the local models, from test images spread over them
    local_mean: dict[str, float] = field(default_factory=dict)  # epoch, counted from 1 → mean over nodes, all images
    local_min: dict[str, float] = field(default_factory=dict)
    local_max: dict[str, float] = field(default_factory=dict)
    local_expected: dict[str, float] = field(default_factory=dict)  # older lines: means from a sample
    seconds: list[float] = field(default_factory=list)  # of the whole group, evaluation included

    @property
    def epochs(self) -> int:
        return len(self.averaged)

    @property
    def diverged(self) -> bool:
        """Whether a loss left the finite numbers, or the nodes came further apart than their mean is long."""
        return None in self.train_loss or any(d is None or d > 1 for d in self.relative_distance)

    def crossing(self, target: float, local: bool = False) -> int | None:
        """The first epoch e, counted from 1, whose accuracy as a mean over e − 1, e, e + 1 reaches the target.

        Older lines know local accuracies of some epochs only: e must be measured on all test images, its neighbours may
        be known from the sample, and the mean is over those of the three that are known. A run that diverges later has
        reached nothing: none.
        """
        if self.diverged:
            return None
        known = dict(enumerate(self.local if local else self.averaged, 1))
        if local and not self.local:
            known = {int(e): a for e, a in self.local_mean.items()}
        around = {**{int(e): a for e, a in self.local_expected.items()}, **known} if local else known
        for e in range(2, self.epochs):
            near = [around[k] for k in (e - 1, e, e + 1) if k in around]
            if e in known and round(sum(near) / len(near), 9) >= target:  # 0.795, 0.7953, 0.8097 add up to 2.3999…
                return e
        return None


def source(folder: Path = FOLDER) -> str:
    """Which program this is: the git tree of the folder, or a SHA-256 over its files where git cannot say.

    A tree is named only when the sources in use are the committed ones.
    """
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, text=True).stdout

    try:
        if not git("status", "--porcelain", "--", *SOURCES).strip():
            return "git tree " + git("rev-parse", "HEAD:./").strip()
    except (OSError, subprocess.CalledProcessError):
        pass
    digest = hashlib.sha256()
    for path in sorted(p for pattern in SOURCES for p in folder.glob(pattern)):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder)} {len(content)}\n".encode() + content)
    return "sha256 " + digest.hexdigest()


def provenance(options: Any, folder: Path = FOLDER) -> dict[str, Any]:
    device = torch.cuda.get_device_name() if options.device == "cuda" else platform.processor() or "cpu"
    return {"source": source(folder), "torch": torch.__version__, "python": platform.python_version(), "device": device,
            "options": dataclasses.asdict(options)}


def append(path: Path, cell: Entry, series: Series, complete: bool, origin: dict[str, Any]) -> None:
    crossing = {"averaged": series.crossing(cell.target), "local": series.crossing(cell.target, local=True)}
    line = {"name": cell.name, "complete": complete, "crossing": crossing,
            "entry": dataclasses.asdict(cell), "series": rounded(dataclasses.asdict(series)), "run": origin}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as out:
        out.write(json.dumps(line, allow_nan=False) + "\n")


def rounded(value: Any) -> Any:
    """Six digits are more than the measurements mean, and keep the files small; what is not finite becomes None."""
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return value


def existing(name: str) -> Path:
    """A file of the command line; one that is missing would let finished runs be repeated."""
    path = Path(name)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"{name} does not exist")
    return path


def read(paths: list[Path]) -> list[dict[str, Any]]:
    """All lines of the files that exist."""
    return [json.loads(line) for p in paths if p.exists() for line in p.read_text().splitlines() if line.strip()]


def finished(paths: list[Path], cell: Entry) -> bool:
    """Whether a complete line with exactly these settings is there; what an older line does not name is a default."""
    return any(line["complete"] and Entry(**line["entry"]) == cell for line in read(paths))
