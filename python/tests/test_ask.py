"""Questions to the program from Python: answers, errors, progress, and stopping it."""

from __future__ import annotations

import doctest
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict

import numpy
import pytest

import batopo
from batopo import program
from plans import ROOT
from test_package import WITHOUT_TORCH

UNEQUAL = [10.0, 10.0, 5.0, 5.0]


@pytest.fixture(scope="module", autouse=True)
def built(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("program") / "batopo"
    subprocess.run(["go", "build", "-o", str(path), "./cmd/batopo"], cwd=ROOT, check=True)
    before = os.environ.get("BATOPO")
    os.environ["BATOPO"] = str(path)
    yield
    os.environ.pop("BATOPO")
    if before is not None:
        os.environ["BATOPO"] = before


def test_a_design_has_what_it_says() -> None:
    """The best graph of 10 nodes and 15 edges is Petersen's, with r_asym 3/7."""
    design = batopo.optimize(nodes=10, edges=15)
    w = design.W
    size = sorted(abs(numpy.linalg.eigvalsh(w)))
    assert size[-2] == pytest.approx(design.r_asym, abs=1e-12)
    assert design.r_asym == pytest.approx(3 / 7) and design.bound == pytest.approx(3 / 7)
    assert numpy.allclose(w, w.T) and numpy.allclose(w.sum(0), 1) and w.tolist() == design.rows()
    assert design.edges == [(i, j) for i in range(10) for j in range(i + 1, 10) if w[i, j]]
    assert design.rounds == 13 and repr(design).startswith("Design(10 nodes, 15 edges, r_asym 0.428571, no graph has")


def test_simulation_follows_r_asym() -> None:
    design = batopo.optimize(nodes=10, edges=15)
    curve = design.simulate(trials=3)
    assert curve["reached"] and len(curve["rounds"]) - 1 <= (design.rounds or 0)
    for before, after in zip(curve["rounds"], curve["rounds"][1:]):
        assert after["error_rms"] <= design.r_asym * before["error_rms"] * (1 + 1e-9)
    assert not design.simulate(rounds=2)["reached"]


def test_saved_plans_are_read_and_verified(tmp_path: Path) -> None:
    design, path = batopo.optimize(nodes=6, edges=9), tmp_path / "plan.json"
    design.save(path)
    assert batopo.read_plan(path).hash == design.data["hash"]
    assert batopo.verify(path)["ok"] and batopo.verify(design)["ok"]
    design.data["claims"]["r_asym"] /= 2
    path.write_text(json.dumps(design.data))
    found = batopo.verify(path)
    assert not found["ok"] and any(f["claim"] == "r_asym" and f["status"] != "ok" for f in found["findings"])


def test_machines_are_named_in_three_ways(tmp_path: Path) -> None:
    cluster = {"format": "batopo.cluster/v1", "nodes": 4, "bandwidth": UNEQUAL}
    path = tmp_path / "cluster.yaml"
    path.write_text(json.dumps(cluster))
    ways: Dict[str, Any] = {"bandwidth": numpy.array(UNEQUAL), "cluster": cluster}
    want = batopo.optimize(cluster=path, edges=4, seed=5).data["hash"]
    for name, value in ways.items():
        assert batopo.optimize(edges=4, seed=5, **{name: value}).data["hash"] == want
        assert batopo.topology("ring", **{name: value}).nodes == 4
    with pytest.raises(batopo.BatopoError, match="give nodes and bandwidth, or a cluster"):
        batopo.optimize(nodes=4, cluster=path, edges=4)


def test_comparing_names_the_plans() -> None:
    own = [[0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5]]
    rows = batopo.compare({"ours": batopo.optimize(bandwidth=UNEQUAL, edges=4), "path": own}, bandwidth=UNEQUAL,
                          only="ring")
    times = {row["name"]: row["time_ms"] for row in rows}
    assert times["ours"] < times["path"] and "ring" in times
    assert list(times.values()) == sorted(times.values())


def test_schedules_have_a_matrix_each_round() -> None:
    schedule = batopo.topology("one-peer-exponential", nodes=4)
    product = numpy.array(schedule.rows(1)) @ numpy.array(schedule.rows(0))
    assert numpy.allclose(product, 1 / 4)
    with pytest.raises(batopo.BatopoError, match=r"in each of its 2 rounds: use rows\(k\)"):
        schedule.W
    with pytest.raises(batopo.BatopoError, match="an all-reduce has no W"):
        batopo.topology("ring-all-reduce", nodes=4).W


def test_weights_of_a_matrix_of_ones_own() -> None:
    ring = batopo.topology("ring", nodes=5)
    best = batopo.weights(ring.W)
    assert best.edges == ring.edges and best.r_asym < ring.r_asym and batopo.weights(ring).r_asym == best.r_asym


def test_plan_answers() -> None:
    answer = batopo.plan(nodes=8, evaluations=1000)
    assert str(answer).startswith("Run DDP on all 8 nodes") and len(answer.candidates) > 5
    assert answer.design is not None and batopo.verify(answer.design)["ok"]
    static = batopo.plan(nodes=8, evaluations=1000, static=True)
    assert static.design is not None and static.design.W.shape == (8, 8)


@pytest.mark.parametrize("ask, sentence", [
    (lambda: batopo.optimize(nodes=10, edges=3), "--edges is 3, too few to connect 10 nodes; give at least 9"),
    (lambda: batopo.optimize(nodes=10, edges=20, banana=3), "unknown flag: --banana; see batopo optimize --help"),
    (lambda: batopo.optimize(cluster={"format": "x"}, edges=3), "cluster.yaml:2:13: format: is \"x\""),
    (lambda: batopo.verify(ROOT / "examples/homogeneous-16.yaml"), "a plan is a JSON object written by this program"),
])
def test_errors_are_the_programs_own(ask: Callable[[], object], sentence: str) -> None:
    with pytest.raises(batopo.ProgramError, match=re.escape(sentence)) as caught:
        ask()
    assert caught.value.status == 2


def test_a_missing_program_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BATOPO", str(tmp_path / "batopo"))
    with pytest.raises(batopo.ProgramError, match="BATOPO is .*, which is no program"):
        batopo.optimize(nodes=4, edges=4)
    monkeypatch.delenv("BATOPO")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(batopo.ProgramError, match="make install"):
        batopo.optimize(nodes=4, edges=4)


def script(path: Path, text: str) -> str:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


def test_progress_is_shown_where_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
                                       capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("BATOPO", script(tmp_path / "batopo", "echo half >&2; echo 'batopo: no' >&2; exit 1\n"))
    for progress, shown in ((True, "half\n"), (False, ""), (None, "")):
        with pytest.raises(batopo.ProgramError, match="^no$"):
            program.run(["optimize"], progress)
        assert capsys.readouterr().err == shown


def test_ctrl_c_stops_the_program(tmp_path: Path) -> None:
    path = script(tmp_path / "batopo", "trap 'echo stopped >stopped; exit 1' TERM\necho on >&2\n"
                                       "while :; do sleep 0.1; done\n")
    # Shells start what runs in the background without Ctrl-C.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" \
           "import batopo; batopo.optimize(nodes=4, edges=4, progress=True)"
    env = {**os.environ, "BATOPO": path, "PYTHONPATH": str(ROOT / "python")}
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=env, stderr=subprocess.PIPE,
                          text=True) as process:
        assert process.stderr is not None and process.stderr.readline() == "on\n"
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.stderr.read()
    assert (tmp_path / "stopped").read_text() == "stopped\n"


def test_asking_needs_neither_torch_nor_numpy() -> None:
    code = "best = batopo.optimize(bandwidth=[10, 10, 5, 5], edges=4)\nprint(len(best.rows()))\nbest.W"
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH + code], cwd=ROOT / "python", capture_output=True,
                          text=True, timeout=120)
    assert done.stdout == "4\n" and "W needs numpy: pip install numpy; rows() does without" in done.stderr


def test_the_page_shows_what_python_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/paper.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```pycon\n(.*?)```", page, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    lines = doctest.DocTestParser().get_doctest(block, {}, "paper.md", None, None)
    assert len(lines.examples) >= 5 and doctest.DocTestRunner().run(lines).failed == 0
    assert (tmp_path / "curves.svg").exists() and batopo.verify(tmp_path / "plan.json")["ok"]


def test_the_example_in_cells_runs(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([sys.executable, str(ROOT / "examples/paper.py"), "8"], cwd=tmp_path, env=env,
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    table = [line.split() for line in done.stdout.splitlines()[1:]]
    assert table[0][:3] == ["8", "16", "0.3333"]
    assert (tmp_path / "equal.svg").exists() and (tmp_path / "unequal.svg").exists()
