"""The guide's script and commands work as printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import torch

from plans import ROOT
from worlds import PATIENCE_S

GUIDE = (ROOT / "docs/pytorch.md").read_text()


def blocks(language: str) -> "list[str]":
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, flags=re.DOTALL)


@pytest.mark.deep
def test_the_guide_runs_as_printed(tmp_path: Path) -> None:
    _, plan, train = blocks("sh")[0].strip().splitlines()
    (tmp_path / "train.py").write_text(blocks("python")[0])
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "OMP_NUM_THREADS": "1"}
    made = tmp_path / "run"
    subprocess.run(plan.split("#")[0].replace("out/run", str(made)), shell=True, check=True, cwd=ROOT, env=env,
                   stdout=subprocess.DEVNULL, timeout=PATIENCE_S)
    command = train.replace("out/run", str(made)).replace("python3", sys.executable)
    if torch.__version__.startswith("1.13") and sys.version_info >= (3, 11):  # as the guide says
        command = command.replace("--standalone", "--standalone --redirects 1 --tee 1")
    done = subprocess.run(command, shell=True, cwd=tmp_path, env=env, capture_output=True, text=True,
                          timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "SizeWarning" not in done.stderr  # it is planned for its model
    right = [float(value) for value in re.findall(r"step \d+: ([\d.]+) right", done.stdout)]
    assert len(right) == 3 and right[-1] > 0.9, done.stdout
    assert "Gossip(" in done.stdout
    state = torch.load(tmp_path / "checkpoints/step300-rank3of4.pt")["things"]["gossip"]
    assert state["steps"] == 300
    assert list(torch.load(tmp_path / "mean.pt")) == ["0.weight", "0.bias", "2.weight", "2.bias"]
