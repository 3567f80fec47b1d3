"""Which claims made-up runs could test."""

import pytest

from training import power, results
from training.__main__ import main
from training.table2 import paper

from .test_designs import FOLDER
from .test_table2 import R32, line

COMMITTED = sorted((FOLDER / "results" / "power").glob("*.jsonl"))
ALL = power.TARGETS
EQUAL = next(c for c in paper()["speedups"] if c["scenario"] == "homogeneous" and c["dataset"] == "CIFAR-10")


@pytest.fixture(autouse=True)
def few_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the three-epoch means of the made-up curves jump at the crossing."""
    monkeypatch.setattr(power, "TARGETS", [0.7, 0.8, 0.85])


def runs(exact: int, winner: int | None, torus: int = 20, seeds: tuple[int, ...] = (1, 2, 3)) -> list[dict]:
    """The ring needs 29 epochs, in rounds half as long."""
    epochs = {"ring": 29, "torus": torus, "exact": exact, R32: winner}
    return [line(process, seed, e) for process, e in epochs.items() for seed in seeds]


def verdicts(lines: list[dict]) -> set[str]:
    return {power.verdict(t.best, EQUAL["at_least"]) for t in power.trials(lines, EQUAL)}


@pytest.mark.parametrize("exact, winner, verdict", [
    (10, 12, "reproduced"), (10, 19, "not reproduced"), (18, 12, "cannot be tested here")])
def test_a_verdict_needs_a_ceiling_above_the_claim(exact: int, winner: int, verdict: str) -> None:
    assert verdicts(runs(exact, winner)) == {verdict}


def test_one_seed_decides_nothing() -> None:
    assert verdicts(runs(10, 19, seeds=(1,))) == {"open: seeds 1 of 3"}


def test_a_target_that_the_method_never_reaches_is_left_out() -> None:
    assert not verdicts(runs(10, None))


def test_whole_epochs_leave_room() -> None:
    assert verdicts(runs(4, 4, torus=5)) == {"cannot be tested here"}, "5/4 is 1.25, but 4/4 is 1"
    assert verdicts(runs(12, 12, torus=16)) == {"reproduced"}, "15/12 is 1.25 still"


def test_targets_are_counted_and_ceilings_are_of_the_best_baseline() -> None:
    tested = next(power.trials(runs(10, 16), EQUAL))
    assert tested.best.ceiling.baseline == "torus" and tested.best.ceiling.mean == pytest.approx(2.0)
    assert tested.best.each == pytest.approx((1.25, 1.25, 1.25))
    assert tested.counts(EQUAL["at_least"]) == "3, 3, 0: 1.25 to 1.25"
    slow = next(power.trials(runs(10, 17), EQUAL))
    assert slow.counts(EQUAL["at_least"]) == "3, 0, 3: 1.18 to 1.18"
    assert next(power.trials(runs(18, 12), EQUAL)).counts(EQUAL["at_least"]) == "0, 0, 0"


def test_settings_are_kept_apart() -> None:
    lines = [*runs(10, 12), *runs(18, 12)]
    for each in lines[:12]:
        each["entry"]["skew"] = 1.0
    assert verdicts(lines) == {"reproduced", "cannot be tested here"}
    assert "CIFAR-10, homogeneous | 1.22 | 2.00" in power.report(lines), "the highest ceiling decides"


def test_settings_without_a_name_of_their_own_are_refused() -> None:
    lines = [*runs(10, 12), *runs(18, 12)]
    for each in lines[:12]:
        each["entry"]["bits"] = 16
    with pytest.raises(ValueError, match=r"differ in bits \(16 and 32\)"):
        power.report(lines)


def test_an_older_line_belongs_to_its_setting() -> None:
    lines = runs(10, 12)
    for each in lines[::3]:
        del each["entry"]["bits"]
    assert verdicts(lines) == {"reproduced"}


def test_command_prints_the_committed_runs(capsys: pytest.CaptureFixture) -> None:
    assert main(["power", *map(str, COMMITTED)]) == 0
    assert capsys.readouterr().out.count("### CIFAR") == 8


@pytest.mark.deep
def test_the_log_has_these_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "TARGETS", ALL)
    rows = power.report(results.read(COMMITTED)).split("\n\n")[0].splitlines()[2:]
    log = (FOLDER / "log.md").read_text().splitlines()
    for row in rows:
        _, claimed, ceiling, _, measured, counts, verdict = row.strip("| ").split(" | ")
        cells = (claimed, ceiling, *measured.split(": "), *counts.split(": "), verdict)
        assert any(all(f"| {cell} |" in line for cell in cells) for line in log), row
