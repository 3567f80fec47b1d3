"""Queues end to end on tiny nets and data: every kind of experiment, packing, resuming, time limits, results."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from training import data, results, runner
from training.__main__ import main
from training.results import Series
from training.settings import Entry, entry
from training.simulate import Options

DEFAULTS = {"dataset": "synthetic", "net": "resnet8", "width": 8, "nodes": 4, "batch": 32, "epochs": 2, "target": 0.5}
FOLDER = Path(runner.__file__).parent


def write_queue(path: Path, entries: list[dict]) -> Path:
    path.write_text(json.dumps({"defaults": DEFAULTS, "entries": entries}))
    return path


def job(queue: Path, out: Path, minutes: float = 5, **more: object) -> runner.Job:
    return runner.Job(queue, out, Path("unused"), minutes, 4, Options(conv="grouped"), **more)  # type: ignore[arg-type]


def silent(line: str) -> None:
    pass


def test_every_kind_of_experiment(tmp_path: Path) -> None:
    queue = write_queue(tmp_path / "q.json", [
        {"name": "skew lazy", "skew": 0.3, "process": "one-peer-hypercube", "lazy": 0.5},
        {"name": "skew ema", "skew": 0.3, "process": "exact", "ema": 0.8},
        {"name": "group norm quasi-global", "norm": "group", "process": "exponential", "momentum": "quasi-global"},
        {"name": "cta local", "order": "cta", "stem": "3x3", "augment": False},
        {"name": "every four cosine", "every": 4, "schedule": "cosine", "sampling": "independent"},
    ])
    assert runner.run(job(queue, tmp_path), silent)
    lines = {line["name"]: line for line in results.read([tmp_path / "results.jsonl"])}
    assert len(lines) == 5
    for line in lines.values():
        assert line["complete"]
        assert len(line["series"]["averaged"]) == 2
        assert list(line["series"]["local_mean"])[-1] == "2"
        assert line["run"]["torch"]
    assert lines["skew ema"]["run"]["together"] == 2
    assert len(lines["skew ema"]["series"]["moving_average"]) == 2
    assert lines["skew lazy"]["series"]["moving_average"] == []
    assert lines["skew ema"]["series"]["relative_distance"][-1] < 1e-5
    assert lines["skew lazy"]["series"]["relative_distance"][-1] > 1e-4
    before = (tmp_path / "results.jsonl").read_text()
    assert runner.run(job(queue, tmp_path), silent), "finished entries are skipped"
    assert (tmp_path / "results.jsonl").read_text() == before


@pytest.mark.deep
def test_cifar100_eight_nodes_and_schedules(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    rng = np.random.default_rng(1)
    for k, part in enumerate(data.PARTS["cifar100"]):
        records = rng.integers(0, 256, size=(160, 2 + data.PIXELS), dtype=np.uint8)
        records[:, 0], records[:, 1] = k, np.arange(160) % 100  # coarse label, fine label
        (tmp_path / f"{part}.bin").write_bytes(records.tobytes())
    assert main(["data", "cifar100", *map(str, tmp_path.glob("*.bin")), "--cache", str(tmp_path / "cache")]) == 0
    plan = FOLDER / "tests" / "testdata" / "one-peer-exponential-8.json"
    shutil.copy(plan, tmp_path / "schedule.json")
    defaults = {"dataset": "cifar100", "net": "resnet8", "width": 8, "nodes": 8, "batch": 8, "target": 0.61}
    entries = [{"name": "schedule", "process": "schedule.json", "epochs": 3, "schedule": "step"},
               {"name": "named", "process": "one-peer-exponential", "epochs": 3, "schedule": "step"},
               {"name": "exact", "process": "exact", "epochs": 3, "schedule": "cosine"}]
    (tmp_path / "q.json").write_text(json.dumps({"defaults": defaults, "entries": entries}))
    assert main(["run", str(tmp_path / "q.json"), "--out", str(tmp_path), "--cache", str(tmp_path / "cache")]) == 0
    lines = results.read([tmp_path / "results.jsonl"])
    assert lines[0]["series"]["averaged"] == lines[1]["series"]["averaged"] != lines[2]["series"]["averaged"]
    assert lines[0]["series"]["train_loss"][0] > 4, "a hundred classes: ln 100 = 4.6"
    capsys.readouterr()
    assert main(["table", str(tmp_path / "results.jsonl"), "--where", "dataset=cifar100", "nodes=8",
                 "--show", "run", "trained", "crossing", "local-crossing"]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "| schedule | 3 | – | – |"


def test_learns(tmp_path: Path) -> None:
    queue = write_queue(tmp_path / "q.json", [{"name": "ring", "epochs": 6, "target": 0.8, "stop": True}])
    runner.run(job(queue, tmp_path), silent)
    (line,) = results.read([tmp_path / "results.jsonl"])
    assert 2 <= line["crossing"]["averaged"] <= line["crossing"]["local"]
    assert line["complete"]


def test_cut_run_is_written_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = write_queue(tmp_path / "q.json", [{"name": "a"}, {"name": "b", "process": "exact"}])
    whole, cut = job(queue, tmp_path / "whole"), job(queue, tmp_path / "cut", checkpoint=tmp_path / "saved")
    assert runner.run(whole, silent)
    clock = [0.0]
    monkeypatch.setattr(runner.time, "monotonic", lambda: clock[0])
    original = runner.measure

    def measure_and_wait(*args: object) -> None:
        original(*args)  # type: ignore[arg-type]
        clock[0] += 1000

    monkeypatch.setattr(runner, "measure", measure_and_wait)
    assert not runner.run(cut, silent)
    lines = results.read([tmp_path / "cut" / "results.jsonl"])
    assert [(line["complete"], len(line["series"]["averaged"])) for line in lines] == [(False, 1), (False, 1)]
    clock[0] = 0.0
    assert runner.run(job(queue, tmp_path / "cut", minutes=100, checkpoint=tmp_path / "saved"), silent)
    again = results.read([tmp_path / "cut" / "results.jsonl"])[2:]
    for got, want in zip(again, results.read([tmp_path / "whole" / "results.jsonl"])):
        assert got["complete"]
        assert got["series"]["train_loss"] == pytest.approx(want["series"]["train_loss"], rel=1e-4)
    assert list((tmp_path / "saved").iterdir()) == []


def test_pack_keeps_order_and_shapes() -> None:
    def cell(name: str, epochs: int) -> Entry:
        return Entry(name, epochs=epochs)

    groups = runner.pack([cell("a", 1), cell("b", 2), cell("c", 1), cell("d", 1)], together=2)
    assert [[c.name for c in g] for g in groups] == [["a", "c"], ["b"], ["d"]]
    small = [Entry(str(k), nodes=8) for k in range(5)]
    assert [len(g) for g in runner.pack(small, together=2)] == [4, 1], "as many models as two runs of 16"
    assert [len(g) for g in runner.pack([Entry("x", nodes=32), Entry("y", nodes=32)], together=1)] == [1, 1]


def test_crossing() -> None:
    s = Series(averaged=[0.1, 0.9, 0.2, 0.5, 0.6, 0.7], local_mean={"2": 0.2, "4": 0.3, "5": 0.5})  # an older line
    assert [s.crossing(t) for t in (0.39, 0.5, 0.55, 0.7)] == [2, 3, 5, None]
    assert [s.crossing(t, local=True) for t in (0.2, 0.35, 0.45)] == [2, 4, None]
    s.local_expected = {"3": 0.5, "6": 0.0}
    assert [s.crossing(t, local=True) for t in (0.34, 0.43)] == [2, 4], "neighbours from the sample count, 3 alone not"
    s.local = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert [s.crossing(t, local=True) for t in (0.2, 0.35, 0.6)] == [2, 4, None]


@pytest.mark.parametrize("fields,words", [
    ({"name": "x", "colour": 1}, "unknown field 'colour'"), ({}, "without a name"),
    ({"name": "x", "order": "act"}, "order is 'act'"), ({"name": "x", "every": 0}, "every is 0"),
    ({"name": "x", "skew": 1, "share": "drawn"}, "share is 'drawn'"), ({"name": "x", "margin": 5}, "margin is 5"),
    ({"name": "x", "ema": 1.5}, "ema is 1.5"), ({"name": "x", "skew": -1}, "skew is -1")])
def test_bad_entries_are_explained(fields: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        entry(fields)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    queue = write_queue(tmp_path / "q.json", [{"name": "short", "epochs": 1}])
    assert main(["run", str(queue), "--out", str(tmp_path), "--conv", "auto"]) == 0
    assert main(["table", str(tmp_path / "results.jsonl")]) == 0
    assert capsys.readouterr().out.count("short  ") == 2


@pytest.mark.deep
def test_check_and_profile(capsys: pytest.CaptureFixture) -> None:
    assert main(["check", "--width", "8"]) == 0
    assert "without graphs               ok" in capsys.readouterr().out
    assert main(["profile", "--net", "resnet8", "--width", "8", "--nodes", "2", "--batch", "4", "--images", "80",
                 "--together", "1", "2"]) == 0
    assert "ms per 16 models" in capsys.readouterr().out


def test_lines_of_older_programs_count_as_finished(tmp_path: Path) -> None:
    cell = Entry("old", epochs=1)
    results.append(tmp_path / "r.jsonl", cell, Series(averaged=[0.1]), True, {})
    (line,) = results.read([tmp_path / "r.jsonl"])
    del line["entry"]["statistics"]
    (tmp_path / "r.jsonl").write_text(json.dumps(line) + "\n")
    assert results.finished([tmp_path / "r.jsonl"], cell)
    assert not results.finished([tmp_path / "r.jsonl"], Entry("old", epochs=1, statistics="nodes"))


@pytest.mark.parametrize("queue", sorted(FOLDER.glob("queues/*.json")), ids=lambda p: p.name)
def test_committed_queues_are_valid(queue: Path) -> None:
    from training.processes import process
    for cell in runner.read_queue(queue):
        process(cell.process, cell.nodes, cell.lazy, queue.parent)


def test_old_lines_of_gpts_are_read_but_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = str(FOLDER / "results" / "gpt.jsonl")
    words = ["--where", "complete=True", "--value", "last", "--rows", "run", "every", "--column", "skew"]
    assert main(["table", old, *words]) == 0
    assert "0.564" in capsys.readouterr().out
    for fields in ({"net": "gpt", "dataset": "a.txt"}, {"momentum": "adam"}):
        with pytest.raises(ValueError, match="python3 -m language"):
            runner.read_queue(write_queue(tmp_path / "q.json", [{"name": "a", **fields}]))
