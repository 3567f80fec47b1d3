"""The tutorial and the README's lines of Python work as printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator, Tuple

import pytest
import torch

from plans import ROOT
from worlds import PATIENCE_S, World

TUTORIAL = (ROOT / "docs/tutorial.md").read_text()
README = (ROOT / "README.md").read_text()


def blocks(page: str) -> "Iterator[Tuple[str, str]]":
    """The language and text of every block, in order."""
    return ((m[1], m[2]) for m in re.finditer(r"^```(\w*)\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE))


@pytest.fixture(name="env", scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> "dict[str, str]":
    """Where the program and the package are installed."""
    bin_folder = tmp_path_factory.mktemp("bin")
    subprocess.run(["go", "build", "-o", bin_folder / "batopo", "./cmd/batopo"], cwd=ROOT, check=True,
                   timeout=PATIENCE_S)
    return {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "python"),
            "OMP_NUM_THREADS": "1"}


@pytest.mark.deep
def test_the_tutorial_runs_as_printed(tmp_path: Path, env: "dict[str, str]") -> None:
    (tmp_path / "format").symlink_to(ROOT / "format")
    printed = warned = ""
    ran = []
    for language, text in blocks(TUTORIAL):
        if language in ("yaml", "python"):
            name = re.match(r"# (\S+)\n", text)
            assert name is not None, f"the block does not say which file it is:\n{text}"
            (tmp_path / name[1]).write_text(text)
            continue
        if language not in ("console", "sh"):
            continue
        commands = re.findall(r"^\$ (.*)$", text, flags=re.MULTILINE) if language == "console" else text.splitlines()
        for command in commands:
            command = command.replace("python3", sys.executable)
            if torch.__version__.startswith("1.13") and sys.version_info >= (3, 11):  # as the tutorial says
                command = command.replace("--standalone", "--standalone --redirects 1 --tee 1")
            done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, env=env, text=True,
                                  capture_output=True, timeout=PATIENCE_S, check=False)
            assert done.returncode in (0, 141), f"{command}\n{done.stderr[-3000:]}"  # 141: head had enough
            ran.append(command)
            printed, warned = done.stdout, done.stderr
    assert len(ran) == 8 and "torch.distributed.run" in ran[-1], ran
    end = re.search(r"(8 ranks, plan [0-9a-f]{8}): ([\d.]+) of the held-out labels are right", printed)
    assert end is not None and end[1] in TUTORIAL and float(end[2]) > 0.93, printed
    said = re.search(r"made for messages of 350 MB,\s+and\s+this\s+job\s+sends\s+([\d.]+) MB", TUTORIAL)
    assert said is not None and warned.count("SizeWarning: ") == 1, warned
    assert f"made for messages of 350 MB, and this job sends {said[1]} MB to each peer" in warned
    for picture in ("tutorial-cluster.svg", "run/plan.json", "run/report.html"):
        assert (tmp_path / picture).stat().st_size > 0


def _readme_lines(rank: int, lines: str, folder: str) -> "list[float]":
    os.chdir(folder)
    model = torch.nn.Linear(3, 1, bias=False)
    parameter = model.weight
    *first, last = lines.splitlines()
    names = {"model": model, "optimizer": torch.optim.SGD([parameter], lr=0.1)}
    exec("\n".join(first), names)  # pylint: disable=exec-used
    with torch.no_grad():
        parameter.fill_(float(rank))  # attach gives all ranks the same start
    exec(last, names)  # pylint: disable=exec-used
    return parameter.flatten().tolist()


@pytest.mark.deep
def test_the_lines_of_the_readme_average(tmp_path: Path, env: "dict[str, str]") -> None:
    (lines,) = [text for language, text in blocks(README) if language == "python"]
    assert len(lines.splitlines()) == 4
    (tmp_path / "run").mkdir()
    subprocess.run(["batopo", "topology", "ring", "--nodes", "4", "-o", "run/plan.json"], cwd=tmp_path, env=env,
                   check=True, timeout=PATIENCE_S)
    world = World(4)
    try:
        assert world.run(_readme_lines, lines, str(tmp_path)) == [[1.5] * 3] * 4
    finally:
        world.close()
