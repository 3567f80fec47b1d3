from __future__ import annotations

import dataclasses
import json
import math
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from language import check, queues, runner
from language.__main__ import main
from language.exchange import Exchange, cuts
from language.net import Layout, Parts, block
from language.rounding import largest, rounded
from language.settings import SIZES, Entry, entry
from language.simulate import Bench, Run
from language.text import Text
from language.trainer import Options, Trainer, shape_of
from training.results import read

TINY: dict[str, Any] = {"size": "tiny", "nodes": 4, "sequences": 1, "context": 8, "steps": 8, "warmup": 2}
BASE = Entry("test", lr=1e-2, **TINY)


def quiet(text: Text, **options: Any) -> Bench:
    return Bench(text, Options(**options), say=lambda words: None)


def queue(folder: Path, entries: list[dict[str, Any]]) -> Path:
    path = folder / "queue.json"
    path.write_text(json.dumps({"defaults": TINY, "entries": entries}))
    return path


RATES = [{"name": f"rate {lr}", "question": "rates", "group": 4, "lr": lr} for lr in (1e-4, 1e-2)]
LATER = {"name": "later", "question": "later", "lr": None, "lr_from": "rates", "every": 2, "synchronous": 4}


def test_a_queue_is_drained_in_slots(text: Text, tmp_path: Path) -> None:
    path = queue(tmp_path, [*RATES, LATER])
    first = runner.Job(path, tmp_path / "one")
    assert runner.run(first, quiet(text), time.monotonic() + 0.0) == 1
    assert read([first.out / "results.jsonl"]) == []
    assert runner.run(first, quiet(text), time.monotonic() + 600) == 0
    lines = read([first.out / "results.jsonl"])
    assert [line["name"] for line in lines] == ["rate 0.0001", "rate 0.01", "later"]
    assert lines[1]["loss"] < lines[0]["loss"]
    assert lines[2]["entry"]["lr"] == 1e-2  # the better rate
    assert lines[2]["traffic"] == (4 + 2) / 8  # four synchronous steps, two exchanges
    assert set(lines[2]["losses"]) == {"a", "b", "c", "d"}
    second = runner.Job(path, tmp_path / "two", done=(first.out / "results.jsonl",))
    assert runner.run(second, quiet(text), time.monotonic() + 600) == 0
    assert read([second.out / "results.jsonl"]) == []


def test_a_failing_run_is_written_down_and_tried_again(text: Text, tmp_path: Path) -> None:
    path = queue(tmp_path, [{"name": "bad", "process": "nonsense"}, {"name": "good"}])
    job = runner.Job(path, tmp_path)
    for expected in (["bad", "good"], ["bad", "good", "bad"]):
        assert runner.run(job, quiet(text), time.monotonic() + 600) == 1
        lines = read([tmp_path / "results.jsonl"])
        assert [line["name"] for line in lines] == expected
    assert "nonsense" in lines[0]["error"]


def test_a_diverged_run_is_finished_and_no_rate(text: Text, tmp_path: Path) -> None:
    path = queue(tmp_path, [{**RATES[0], "optimizer": "sgd", "lr": 1e6, "clip": 1e9}, RATES[1], LATER])
    assert runner.run(runner.Job(path, tmp_path), quiet(text), time.monotonic() + 600) == 0
    lines = read([tmp_path / "results.jsonl"])
    assert [line["diverged"] for line in lines] == [True, False, False]
    assert lines[0]["trained"]["steps"] < 8
    assert lines[2]["entry"]["lr"] == 1e-2


def test_entries_wait_for_rates_that_did_not_fit(text: Text, tmp_path: Path) -> None:
    long = {**RATES[1], "steps": 8000}
    path = queue(tmp_path, [RATES[0], long, LATER])
    bench = quiet(text)
    bench.estimate = lambda e: 0.0 if e.steps < 100 else 1e9  # type: ignore[method-assign]
    assert runner.run(runner.Job(path, tmp_path), bench, time.monotonic() + 600) == 1
    assert [line["name"] for line in read([tmp_path / "results.jsonl"])] == ["rate 0.0001"]


def test_a_kept_start_changes_nothing(text: Text) -> None:
    sparse = dataclasses.replace(BASE, every=2, synchronous=3)
    alone, shared = quiet(text, dtype="float64"), quiet(text, dtype="float64")
    shared.wanted = {sparse.dense(): {3}}
    dense = Run(dataclasses.replace(BASE, group=4), shared).run()
    assert dense["trained"]["steps"] == 8 and list(shared.starts) == [(sparse.dense(), 3)]
    fast, slow = Run(sparse, shared).run(), Run(sparse, alone).run()
    assert fast["trained"]["steps"] == 5 and slow["trained"]["steps"] == 8
    assert fast["losses"] == slow["losses"]
    assert Run(dataclasses.replace(BASE, group=4), shared).run()["losses"] == dense["losses"]


class Broken(Bench):
    def trainer(self, e: Entry) -> Trainer:
        found = super().trainer(e)
        found.parts = Parts(block=lambda x, *rest: block(x.flip(1), *rest))
        return found


@pytest.mark.deep
def test_check_passes_with_every_kind(text: Text) -> None:
    assert check.check(quiet(text), "tiny", 1, 8) == []


def test_check_passes_and_can_fail(text: Text, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "KINDS", {})
    assert check.check(quiet(text), "tiny", 1, 8) == []
    wrong = check.check(Broken(text, Options(), say=lambda words: None), "tiny", 1, 8)
    assert [w.split(":")[0] for w in wrong] == ["gradient of 1 models", "gradient of 8 models"]


class Frozen(Bench):
    def trainer(self, e: Entry) -> Trainer:
        found = super().trainer(e)
        found.update = lambda *rest: None
        return found


def test_check_finds_an_update_that_does_not_train(text: Text, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "KINDS", {"exact H 2": check.KINDS["exact H 2"]})
    wrong = check.check(Frozen(text, Options(), say=lambda words: None), "tiny", 1, 8)
    assert any(w.startswith("loss of exact H 2") and "off by 1;" in w for w in wrong)


def test_bfloat16_is_near(text: Text) -> None:
    near = Run(BASE, quiet(text, dtype="bfloat16")).run()["loss"]
    assert near == pytest.approx(Run(BASE, quiet(text)).run()["loss"], rel=0.01)


def test_the_queue_is_what_the_design_writes() -> None:
    path = Path(queues.__file__).parent / "queue.json"
    assert path.read_text() == queues.text()
    entries = runner.read_queue(path)
    asked = {e.question for e in entries if e.lr is not None}
    for k, e in enumerate(entries):
        assert not e.lr_from or e.lr_from in {before.question for before in entries[:k]} & asked


def test_messages_over_the_cut(text: Text) -> None:
    want = {"exact": 6, "ring": 6 * 2, "one-peer-exponential": 2 * (1 + 2 + 4)}
    for process, messages in want.items():
        e = dataclasses.replace(BASE, nodes=8, process=process)
        exchange = Exchange(e, Trainer(shape_of(e), text, Options()))
        exchange.rounds = 6
        assert exchange.messages() == messages
    for stages, messages in ((2, 6 / 3), (1, 6 / 3 * 4)):  # all of eight send a third of a model to all
        e = dataclasses.replace(BASE, nodes=8, every=3, pieces=True, bits=1, stages=stages)
        exchange = Exchange(e, Trainer(shape_of(e), text, Options()))
        exchange.rounds = 6
        assert exchange.messages() == messages
    e = dataclasses.replace(BASE, state="mv")
    exchange = Exchange(e, Trainer(shape_of(e), text, Options()))
    exchange.rounds = 6
    assert exchange.messages() == 18


def test_exchanges_are_denser_at_the_end(text: Text) -> None:
    e = dataclasses.replace(BASE, steps=12, synchronous=2, every=4, ending=3, ending_every=1)
    assert [e.every_at(step) for step in range(1, 11)] == [4] * 7 + [1] * 3
    result = Run(e, quiet(text)).run()
    assert result["rounds"] == 4 and result["traffic"] == (2 + 4) / 12  # after steps 4, 8, 9 and 10


def test_nodes_that_stay_idle_send_nothing(text: Text) -> None:
    e = dataclasses.replace(BASE, group=4, idle=4)
    alone, all_nodes = Run(e, quiet(text)).run(), Run(dataclasses.replace(e, idle=0), quiet(text)).run()
    assert alone["traffic"] == 0 and all_nodes["traffic"] == 1 and alone["losses"] == all_nodes["losses"]


@pytest.mark.parametrize("bits, off", [(8, 1 / 254), (4, 1 / 14)])
def test_multiples_of_a_scale_are_near(bits: int, off: float) -> None:
    x = torch.randn(3, 512, generator=torch.Generator().manual_seed(1))
    found = (rounded(x, bits) - x).abs().view(3, 2, 256).amax(2)
    assert (found <= x.abs().view(3, 2, 256).amax(2) * off * 1.0001).all() and float(found.max()) > 0


@pytest.mark.parametrize("bits, levels, error", [(8, 255, 1e-4), (4, 15, 0.02), (2, 3, 0.191), (1, 2, 0.364)])
def test_few_bits_have_few_levels(bits: int, levels: int, error: float) -> None:
    """Squared errors of the best two and three levels for normal numbers: 1 − 2/π and 0.190 (Max, 1960)."""
    x = torch.randn(8, 16384, generator=torch.Generator().manual_seed(1))
    sent = rounded(x, bits)
    assert max(len(part.unique()) for part in sent.view(-1, 256)) <= levels
    assert float((sent - x).square().mean()) == pytest.approx(error, rel=0.02) or bits > 2
    assert float((sent - x).square().mean()) < 1.02 * error
    assert rounded(torch.zeros(1, 256), bits).abs().sum() == 0


def test_the_largest_numbers_are_sent_in_two_sizes() -> None:
    x = torch.randn(2, 4096 + 512, generator=torch.Generator().manual_seed(1))
    sent = largest(x, 64)
    assert (sent[:, :4096] != 0).sum(1).tolist() == [64, 64] and (sent[:, 4096:] != 0).sum(1).tolist() == [64, 64]
    assert len(sent[0, :4096].abs().unique()) == 3  # and 0
    least = x[0, :4096].abs().sort().values[-64]
    assert ((sent[0, :4096] != 0) == (x[0, :4096].abs() >= least)).all()
    assert (sent * x >= 0).all() and float((sent - x).norm()) < float(x.norm())


def test_parts_have_the_same_size_and_cover_a_row() -> None:
    for width, count in ((256 * 103, 4), (256 * 16, 16), (700, 1)):
        parts = cuts(width, count)
        assert [p.start for p in parts] == [0, *(p.stop for p in parts[:-1])] and parts[-1].stop == width
        sizes = [p.stop - p.start for p in parts]
        assert all(size % 256 == 0 for size in sizes[:-1]) and max(sizes) - min(sizes) <= 256


@pytest.mark.parametrize("fields, wire", [
    ({}, 1.0), ({"bits": 16}, 0.5), ({"bits": 8}, 260 / 1024), ({"bits": 4}, 132 / 1024), ({"bits": 2}, 68 / 1024),
    ({"bits": 1}, 36 / 1024), ({"bits": 2, "top": 128, "stages": 1}, (128 * 14 / 8 + 8) / 16384),
], ids=str)
def test_bytes_of_a_message(fields: dict[str, Any], wire: float) -> None:
    assert dataclasses.replace(BASE, **fields).wire == wire


def test_rates_rise_and_fall_to_nothing() -> None:
    rates = dataclasses.replace(BASE, steps=1000, warmup=100, lr=1.0).rates()
    assert len(rates) == 1000 and rates[99] == rates[100] == 1.0 and rates[0] == 0.01
    assert rates[550] == pytest.approx(0.5) and 0 < rates[-1] < 1e-5


def test_data_of_longer_runs_go_on(text: Text) -> None:
    short, long = text.places(BASE), text.places(dataclasses.replace(BASE, steps=20))
    assert (long[:8] == short).all()
    domains = text.places(dataclasses.replace(BASE, data="domains")).reshape(8, 4, 1)
    for node in range(4):
        inside = domains[:, node] - text.starts[node]
        assert (inside >= 0).all() and (inside + BASE.context + 1 <= text.sizes[node]).all()


def test_operations_and_parameters() -> None:
    layout = Layout(SIZES["medium"], 256)
    assert 25e6 < layout.parameters < 26e6
    matrices = 8 * 12 * 512**2 + 128 * 512 + 17 * 512
    assert layout.flops(10) == 10 * (6 * matrices + 6 * 8 * 512 * 256)
    assert math.isclose(SIZES["large"].layers * 12 * SIZES["large"].width**2, 85e6, rel_tol=0.01)


@pytest.mark.parametrize("fields", [
    {"group": 3}, {"every": 2, "delay": 3}, {"bits": 8, "process": "ring"}, {"state": "m", "delay": 1}, {"lr": None},
    {"lr": 1.0, "lr_from": "x"}, {"size": "huge"}, {"steps": 2}, {"synchronous": 9}, {"unknown": 1},
    {"idle": 4}, {"ending": 9}, {"every": 2, "delay": 1, "ending": 2}, {"bits": 3}, {"pieces": True, "process": "ring"},
    {"pieces": True, "state": "m"}, {"pieces": True, "ending": 2}, {"bits": 1, "stages": 3}, {"bits": 2, "top": 64},
], ids=str)
def test_impossible_entries_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        entry({"name": "x", **TINY, **fields})


def test_commands(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    path = queue(tmp_path, [*RATES, LATER])
    words = ["--queue", str(path), "--text", str(folder), "--out", str(tmp_path), "--dtype", "float32",
             "--device", "cpu"]
    monkeypatch.setattr(check, "KINDS", {})
    assert main(["run", "--check", *words]) == 0
    assert main(["table", "--done", str(tmp_path / "results.jsonl")]) == 0
    assert "check: all well" in capsys.readouterr().out
    monkeypatch.setattr(check, "GRADIENT", -1.0)
    assert main(["check", *words]) == 4
    monkeypatch.setattr(check, "check", lambda *rest: 1 // 0)
    assert main(["run", "--check", *words]) == 4
    assert "ZeroDivisionError" in capsys.readouterr().out
