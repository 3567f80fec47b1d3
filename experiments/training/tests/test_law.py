"""The convergence model: features of known processes, a made-up model that the fit must find, censored rows."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from training import features, law, results, runner, tables, transfer
from training.__main__ import main
from training.censored import Row, errors, fit, leave_out, left_out
from training.processes import process

FOLDER = Path(runner.__file__).parent


def test_effective_neighbours() -> None:
    assert features.effective_neighbours(process("exact", 16)) == pytest.approx(16)
    assert features.effective_neighbours(process("none", 16)) == pytest.approx(1)
    assert features.effective_neighbours(process("ring", 16)) == pytest.approx(6.60, abs=0.005)
    # Mixed in every second step: the common value has variance m = 0.9 (0.9 m + 1/16) + 1/16, between 0.9 m + 1.
    mixed = 1.9 / 16 / (1 - 0.81)
    want = 10 / ((mixed + 0.9 * mixed + 1) / 2)
    assert features.effective_neighbours(process("exact", 16), every=2) == pytest.approx(want)


def test_features_are_zero_for_exact_averaging() -> None:
    entry = {"every": 1, "order": "atc", "momentum": "local", "norm": "batch", "skew": None}
    exact = features.base(entry, process("exact", 16))
    assert features.terms(exact) == pytest.approx([0] * len(features.TERMS), abs=1e-9)
    ring = features.base({**entry, "skew": 0.1, "every": 4, "norm": "group"}, process("ring", 16))
    assert ring["negative"] == pytest.approx(1 / 3) and ring["pull"] == pytest.approx(4 / 9 + 2 / 9 - 15 / 16)
    assert ring["churn"] == pytest.approx(6 / 9 * math.log(16 / 6.60), abs=1e-3), "as if it mixed in every step"
    assert (ring["steps"], ring["skew"], ring["group"], ring["cta"], ring["size"]) == (2, 1, 1, 0, 0)
    assert [features.base(entry, process("exact", n))["size"] for n in (4, 8, 32, 128)] == [-1, -1, 1, 1]


def made_up(noise: float, limit: float, seed: int = 3) -> list[Row]:
    """Ten processes in six blocks with ln E = a + 0.5 x₁ − 1.0 x₂ + 0 x₃; what is above the limit is censored."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 1, size=(10, 3))
    rows = []
    for block in range(6):
        for k in range(10):
            y = 2 + 0.1 * block + x[k] @ [0.5, -1.0, 0.0] + noise * rng.normal()
            rows.append(Row(f"process {k}", block, list(x[k]), min(y, limit), bool(y > limit)))
    return rows


def test_fit_finds_a_known_law() -> None:
    found = fit(made_up(0.05, math.inf), 6, prior=10)
    np.testing.assert_allclose(found.coefficients, [0.5, -1.0, 0.0], atol=0.08)
    assert found.noise == pytest.approx(0.05, rel=0.3)
    assert (abs(found.coefficients - [0.5, -1.0, 0.0]) < 4 * found.errors).all()


def test_censored_rows_are_limits_not_values() -> None:
    rows = made_up(0.05, 2.2)
    assert 0.2 < np.mean([r.censored for r in rows]) < 0.7
    found = fit(rows, 6, prior=10)
    np.testing.assert_allclose(found.coefficients, [0.5, -1.0, 0.0], atol=0.2)
    taken = fit([Row(r.process, r.block, r.x, r.y, False) for r in rows], 6, prior=10)
    assert abs(taken.coefficients[1] + 1) > 0.25, "taken as values they would mislead"


def test_error_of_processes_left_out() -> None:
    error = leave_out(made_up(0.05, math.inf), 6)
    assert error.processes == 10 and error.runs == 60
    assert error.rms < 0.15 < error.mean_only and error.right > 0.9
    rng = np.random.default_rng(5)
    noise = [Row(r.process, r.block, list(rng.uniform(0, 1, 3)), r.y, False) for r in made_up(0.05, math.inf)]
    assert leave_out(noise, 6).rms > 0.9 * error.mean_only, "features without meaning help nothing"


def test_errors_of_some_rows_add_up_to_those_of_all() -> None:
    rows = made_up(0.05, math.inf)
    guesses = left_out(rows, 6)
    first = {k for k, r in enumerate(rows) if r.block < 2}
    some, rest = errors(rows, guesses, first), errors(rows, guesses, set(range(60)) - first)
    assert (some.runs, rest.runs) == (20, 40)
    assert 20 * some.rms**2 + 40 * rest.rms**2 == pytest.approx(60 * errors(rows, guesses).rms ** 2)


def test_order_in_blocks_that_the_fit_has_not_seen() -> None:
    coefficients = np.array([0.5, -1.0, 0.0])
    rows = made_up(0.0, 9.0)
    error, right, pairs = transfer.errors(rows, coefficients)
    assert error == pytest.approx(0, abs=1e-12) and right == pairs > 200, "whatever the level of a block is"
    error, right, pairs = transfer.errors(rows, -coefficients)
    assert error > 0.5 and right == 0


def test_block_that_nobody_else_is_in_is_not_predicted() -> None:
    rows = made_up(0.05, math.inf)
    alone = [r for r in rows if r.block < 5 or r.process == "process 3"]
    assert leave_out(alone, 6).runs == 50


def test_crossing_lies_between_epochs() -> None:
    assert law.crossing([0.1, 0.3, 0.5], 0.4) == pytest.approx(3.5)
    assert law.crossing([0.5, 0.6], 0.4) == 2 and law.crossing([0.1, 0.2], 0.4) is None


def test_of_runs_that_repeat_a_training_the_longest_counts() -> None:
    def line(name: str, epochs: int, **fields: object) -> tables.Line:
        entry = {"name": name, "net": "resnet18", "beta": 0.9, "momentum": "local", "ema": None, "seed": 1, **fields}
        return {"entry": entry, "series": {"averaged": [0.5] * epochs}}

    lines = [line("cut", 9), line("whole", 16), line("measured otherwise", 12, ema=0.98), line("other", 16, seed=2)]
    assert [kept["entry"]["name"] for kept in law.within(lines, FOLDER)] == ["whole", "other"]


def test_other_rates_and_schedules_of_the_rate_are_controls() -> None:
    base = {"schedule": "constant", "norm": "batch", "lr": 0.1, "bits": 32}
    other = [{"lr": 0.2}, {"schedule": "cosine"}, {"norm": "group"}, {"bits": 16}]
    assert [law.control({**base, **o}) for o in other] == [True] * 4
    assert not law.control(base) and not law.control({**base, "norm": "group", "lr": 0.025})


def test_command_writes_what_a_planner_reads(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    files = [str(p) for p in sorted(FOLDER.glob("results/skew*.jsonl"))]
    assert main(["law", *files, "--where", "norm=batch", "--out", str(tmp_path / "law.json")]) == 0
    found = json.loads((tmp_path / "law.json").read_text())
    assert found["format"] == "batopo.law/v1" and found["domain"]["norm"] == ["batch"]
    assert [t["product"] for t in found["terms"]] == [list(t) for t in features.TERMS]
    assert "| steps | 0.00 | 0.50 | not measured |" in capsys.readouterr().out


def test_command_says_how_unseen_runs_are_predicted(capsys: pytest.CaptureFixture) -> None:
    files = [str(FOLDER / "results" / f"{name}.jsonl") for name in ("sizes", "skew-rates-norms-momenta")]
    assert main(["law", *files, "--unseen", "nodes=32", "skew=0.1"]) == 0
    head, _, row = capsys.readouterr().out.splitlines()
    assert row.startswith("| 32 | 0.1 | batch | 14 | 8 |")
    without = float(row.split(" | ")[head.split(" | ").index("rms, mean only")])
    assert without == pytest.approx(math.log(1.372), abs=0.001), "the scatter of the eight among themselves"


@pytest.mark.deep
def test_committed_law_is_that_of_the_committed_results() -> None:
    lines = tables.chosen(results.read(sorted(FOLDER.glob("results/*.jsonl"))), [])
    lines = [line for line in law.within(lines, FOLDER / "queues") if not law.control(line["entry"])]
    rows, used = law.rows_of(lines, FOLDER / "queues")
    assert {line["entry"]["net"] for line in used} == {"resnet18"} and {line["entry"]["beta"] for line in used} == {0.9}
    committed = json.loads((FOLDER / "law.json").read_text())
    assert committed["runs"]["all"] == len(rows)
    found = fit(rows, len({r.block for r in rows}))
    np.testing.assert_allclose([t["coefficient"] for t in committed["terms"]], found.coefficients, atol=2e-3)
    predicted = json.loads((FOLDER / "left_out.json").read_text())["runs"]
    cut = [k for k, row in enumerate(rows) if row.censored and not used[k]["complete"]]
    assert sum(r["cut"] for r in predicted) == len(cut) and all(r["censored"] for r in predicted if r["cut"])
