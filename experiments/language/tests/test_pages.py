"""What is made from the results: the committed files are those of the committed results."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from language import pages, pictures, rows, runner
from language.__main__ import main
from language.rows import Study
from training.results import read

HERE = Path(runner.__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def study() -> Study:
    return Study(read(sorted((HERE / "results").glob("*.jsonl"))), runner.read_queue(HERE / "queue.json"))


def test_committed_files_are_those_of_the_results(study: Study) -> None:
    for path, text in pages.files(study, ROOT).items():
        assert path.read_text() == text, f"{path.name} is old: python3 -m language write"
    page = (ROOT / "docs" / "research" / "transformers.md").read_text()
    assert all(f"(../images/{name})" in page for name in pictures.DRAWN)
    assert {m[2] for m in pages.BLOCK.finditer(page)} == set(pages.TABLES)


def test_numbers_in_the_text_are_in_the_tables(study: Study) -> None:
    page = (ROOT / "docs" / "research" / "transformers.md").read_text()
    tables = "".join(make(study) for make in pages.TABLES.values()) + pages.runs_page(study)
    outside = pages.BLOCK.sub("", page)
    for interval in re.findall(r"\d\.\d\d ± \d\.\d\d", outside):
        assert f"| {interval} |" in tables, interval
    prose = "\n".join(words for words in outside.splitlines() if not words.startswith("|"))
    prose = re.sub(r"± \d\.\d\d", "", prose)  # looked at above
    goal = f"{pictures.GOAL_STEPS}"
    for number in set(re.findall(r"(?<!\d)\d\.\d\d(?!\d)", prose)) - {goal}:
        assert re.search(rf"\| {number}[ \d]", tables), number


def test_every_run_is_in_the_queue(study: Study) -> None:
    assert {line["name"] for line in study.lines} <= set(study.queue)


def test_steps_json(study: Study) -> None:
    text = json.loads(rows.json_text(study))
    assert text["format"] == "batopo.steps/v1" and 8 in text["domain"]["nodes"]
    for row in text["rows"]:
        if row["seeds"] < 3 or row["relative_steps"] is None:
            assert row["low"] is None and row["high"] is None
        else:
            assert 0.9 < row["low"] <= row["relative_steps"] <= row["high"]
    exact = next(row for row in text["rows"] if row["name"] == "exact H 1")
    assert exact["rate_factor"] == 2.0 and exact["steps"] == 1500 and exact["traffic"] == 1.0
    sums = [row for row in text["accumulated"] if row["low"] is not None]
    assert {row["batches"] for row in sums} == {2}
    assert all(1 < row["low"] <= row["relative_steps"] <= row["high"] < row["batches"] for row in sums)


def test_the_gain_of_a_finer_grid() -> None:
    tried = {rate: (rate_log - 0.25) ** 2 for rate, rate_log in ((1.0, 0.0), (2.718281828, 1.0), (0.36787944, -1.0))}
    assert pages._gain(tried, 1.0) == "0.0625" and pages._gain({1.0: 1.0, 2.0: 2.0}, 1.0) == "not known"


def test_nothing_leaves_its_picture(study: Study) -> None:
    for name, draw in pictures.DRAWN.items():
        root = ET.fromstring(draw(study))
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for mark in root.iter():
            x, y = mark.attrib.get("cx", mark.attrib.get("x")), mark.attrib.get("cy", mark.attrib.get("y"))
            assert x is None or y is None or (0 < float(x) < width and 0 < float(y) < height), name
            for place in re.findall(r"(-?[\d.]+),(-?[\d.]+)", mark.attrib.get("points", "")):
                assert 0 < float(place[0]) < width and 0 < float(place[1]) < height, name


def test_dots_stand_where_the_rows_are(study: Study) -> None:
    root = ET.fromstring(pictures.frontier(study))
    dots = root.findall("{http://www.w3.org/2000/svg}circle")
    assert len(dots) == len(pictures.drawn(study)) + 1  # and synchronous training
    assert len({(d.attrib["cx"], d.attrib["cy"]) for d in dots}) == len(dots)


def test_commands(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table"]) == 0
    assert study.row("groups of 4, H 64").steps() in capsys.readouterr().out
    assert main(["list", "--done", str(HERE / "results" / "first.jsonl")]) == 0
    left = capsys.readouterr().out
    assert " ddp 2000 steps, seed 1" in left and "  ddp 1000 steps, seed 1" not in left
