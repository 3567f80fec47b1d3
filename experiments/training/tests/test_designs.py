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


def test_every_run_in_16_bits_has_one_in_32() -> None:
    done = [dataclasses.replace(Entry(**line["entry"]), name="")
            for line in results.read(sorted(FOLDER.glob("results/*.jsonl"))) if line["complete"]]
    cells = runner.read_queue(FOLDER / "queues" / "wires-16bits.json")
    assert len(cells) == 22
    for cell in cells:
        assert cell.bits == 16 and dataclasses.replace(cell, name="", bits=32) in done, cell.name


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


def few_with_every_value(cells: list[Entry]) -> list[Entry]:
    """Some of these that together have every value of every field that matters to a toy; the most telling first."""
    def values(cell: Entry) -> set[tuple[str, str]]:
        return {(field, repr(value)) for field, value in dataclasses.asdict(cell).items()
                if field not in ("name", "process", "lazy", "lr", "target")}
    missing = set().union(*map(values, cells))
    few = []
    while missing:
        few.append(max(cells, key=lambda cell: len(missing & values(cell))))
        missing -= values(few[-1])
    return [dataclasses.replace(toy, name=str(k)) for k, toy in enumerate(few)]


def test_toy_runs_of_every_value(tmp_path: Path) -> None:
    assert_toys_run(few_with_every_value([toy for queue in QUEUES for toy in toys(queue)]), tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("queue", QUEUES, ids=lambda p: p.stem)
def test_toy_run_of_every_kind(queue: Path, tmp_path: Path) -> None:
    assert_toys_run(toys(queue), tmp_path)


def assert_toys_run(cells: list[Entry], tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text(json.dumps({"entries": [dataclasses.asdict(c) for c in cells]}))
    job = runner.Job(tmp_path / "q.json", tmp_path, tmp_path, 5, 2, Options(conv="grouped"))
    assert runner.run(job, lambda line: None)
    lines = results.read([tmp_path / "results.jsonl"])
    assert len(lines) == len(cells)
    assert all(len(line["series"]["averaged"]) == len(line["series"]["local"]) == 1 for line in lines)
