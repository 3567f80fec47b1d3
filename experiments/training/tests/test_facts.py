"""The facts for the report: the committed file follows from the committed results, and says what table2 prints."""

import json
from pathlib import Path

import pytest

from training import appendix, facts, results, runner
from training.__main__ import main

COMMITTED = Path(runner.__file__).parent.parent / "results" / "training.json"


def test_committed_facts_are_those_of_the_committed_results(tmp_path: Path) -> None:
    assert main(["facts", "--out", str(tmp_path / "training.json")]) == 0
    assert (tmp_path / "training.json").read_text() == COMMITTED.read_text(), "run python3 -m training facts"


def test_the_appendix_follows_from_the_committed_results() -> None:
    page = Path(runner.__file__).parent / "runs.md"
    assert page.read_text() == appendix.page(), "run python3 -m training appendix --out …"


def test_facts_are_what_table2_prints(capsys: pytest.CaptureFixture) -> None:
    rows = {row["key"]: row["value"] for row in json.loads(COMMITTED.read_text())["rows"]}
    source = facts.SOURCES[1]
    files = [facts.FOLDER / "results" / f for f in source.files]
    assert main(["table2", *map(str, files), "--dataset", source.dataset]) == 0
    printed = capsys.readouterr().out
    claim = rows["own targets/CIFAR-100/node-level/speed-up"]
    interval = f"{claim['measured']:.2f} [{claim['low']:.2f}, {claim['high']:.2f}] | {claim['verdict']} |"
    assert f"| {claim['baseline']} | {claim['seeds']} | {interval}" in printed
    ring = rows["own targets/CIFAR-100/intra-server/ring"]
    assert f"| {ring['seconds']:.0f} | 14, 15, 14 |" in printed, "61 % on eight nodes"
    lines = [line for line in results.read(files) if line["complete"]]
    ours = ("one-peer-", "exact", "training-", "figures-")
    kinds = {(Path(line["entry"]["process"]).stem, line["entry"]["nodes"]) for line in lines}
    printed_in_paper = {k for k in kinds if not k[0].startswith(ours) and "highest" not in k[0]}
    assert rows["own targets/CIFAR-100/all"]["trained"] == len(printed_in_paper)


def test_accuracy_between_epochs() -> None:
    curve = [0.0, 0.3, 0.6, 0.9, 0.9]
    assert facts.smoothed(curve, 2) == pytest.approx(0.3)
    assert facts.smoothed(curve, 2.5) == pytest.approx(0.45)
    assert facts.smoothed(curve, 9) == pytest.approx(0.8), "the last mean that is known"
