"""The queues to come: they are what the design says, and a toy run of every kind of entry in every committed queue."""

import dataclasses
import json
from pathlib import Path

import pytest

from training import results, runner, write_queues
from training.settings import Entry
from training.simulate import Options

FOLDER = Path(runner.__file__).parent
QUEUES = sorted(FOLDER.glob("queues/*.json"))


@pytest.mark.parametrize("name", write_queues.QUEUES)
def test_committed_queue_is_the_design(name: str) -> None:
    assert (FOLDER / "queues" / f"{name}.json").read_text() == write_queues.text(*write_queues.QUEUES[name]())


def toys(queue: Path) -> list[Entry]:
    """One entry of every kind that the queue has, on a tiny net and tiny data."""
    kinds: dict[str, Entry] = {}
    for cell in runner.read_queue(queue):
        plan = (queue.parent / cell.process).resolve()
        process = str(plan) if cell.process.endswith(".json") else cell.process
        toy = dataclasses.replace(cell, name="", net="resnet8", dataset="synthetic", width=8, batch=4, epochs=1,
                                  seed=1, process="exact", lazy=1.0, lr=0.05)
        kinds.setdefault(repr(toy), dataclasses.replace(toy, process=process, lazy=cell.lazy, lr=cell.lr))
    return [dataclasses.replace(toy, name=str(k)) for k, toy in enumerate(kinds.values())]


@pytest.mark.parametrize("queue", QUEUES, ids=lambda p: p.stem)
def test_toy_run_of_every_kind(queue: Path, tmp_path: Path) -> None:
    cells = toys(queue)
    (tmp_path / "q.json").write_text(json.dumps({"entries": [dataclasses.asdict(c) for c in cells]}))
    job = runner.Job(tmp_path / "q.json", tmp_path, tmp_path, 5, 2, Options(conv="grouped"))
    assert runner.run(job, lambda line: None)
    lines = results.read([tmp_path / "results.jsonl"])
    assert len(lines) == len(cells)
    assert all(len(line["series"]["averaged"]) == len(line["series"]["local"]) == 1 for line in lines)
