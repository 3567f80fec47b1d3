"""Runs in 16 bits beside those in 32."""

import dataclasses
import json
import math

import pytest

from training import law, results, rounding, tables
from training.settings import Entry
from training.tables import Line


def line(name: str, curve: list[float], **fields: object) -> Line:
    series = {"averaged": curve, "relative_distance": [0.1] * len(curve)}
    return {"name": name, "entry": dataclasses.asdict(Entry(name, **fields)), "series": series}  # type: ignore


STRAIGHT, HALF = [0.01 * e for e in range(1, 41)], [0.005 * e for e in range(1, 41)]


def test_pairs_differ_in_the_wire_only() -> None:
    lines = [line("a", STRAIGHT), line("b", HALF, bits=16, target=0.2), line("c", HALF, seed=2),
             line("d", STRAIGHT, bits=16, seed=2), line("e", STRAIGHT, process="exact")]
    assert [(one["name"], other["name"]) for one, other in rounding.pairs(lines)] == [("b", "a"), ("d", "c")]
    assert rounding.log_ratio(lines[1], lines[0]) == pytest.approx(math.log(2))  # half as steep
    with pytest.raises(ValueError, match="f: no run"):
        rounding.pairs([*lines, line("f", HALF, bits=16, seed=3)])
    found = rounding.measured(lines)
    assert list(found) == ["parameters"] and found["parameters"]["pairs"] == 2
    assert found["parameters"]["ratio"] == pytest.approx(1)  # twice, and half
    assert "| b | parameters | 2.000 | 0.3900 | 0.1950 | 0.1 | 0.1 |" in rounding.table(lines)


def test_interval_is_students() -> None:
    found = rounding.interval([0.0, 0.1, 0.2])  # mean 0.1, standard error 0.1/√3, t = 4.303
    assert found["ratio"] == pytest.approx(math.exp(0.1), abs=1e-4) and found["pairs"] == 3
    assert math.log(found["high"]) == pytest.approx(0.1 + 4.3027 * 0.1 / math.sqrt(3), abs=1e-3)
    assert math.log(found["low"]) == pytest.approx(0.1 - 4.3027 * 0.1 / math.sqrt(3), abs=1e-3)


def test_law_and_page_have_what_the_results_say() -> None:
    lines = tables.chosen(results.read(sorted(results.FOLDER.glob("results/*.jsonl"))), [])
    committed = json.loads((results.FOLDER / "law.json").read_text())
    assert committed["sixteen_bits"] == rounding.measured(law.within(lines, results.FOLDER / "queues"))
    page = (results.FOLDER / "log.md").read_text()
    for row in rounding.table(lines).split("\n"):
        assert row.replace(", 16 bits |", " |").replace("run in 16 bits", "run") in page, row
