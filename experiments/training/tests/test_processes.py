"""Named processes against plan files of the Go program (batopo topology NAME --nodes N), and the plan reader."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest

from training.plans import PlanError, read_plan
from training.processes import process, step_matrices

DATA = Path(__file__).parent / "testdata"
PLANS = Path(__file__).parent.parent / "plans"


@pytest.mark.parametrize("nodes", [8, 16])
@pytest.mark.parametrize("name", ["ring", "grid", "torus", "exponential", "one-peer-exponential", "one-peer-hypercube"])
def test_named_processes_equal_the_plans(name: str, nodes: int) -> None:
    np.testing.assert_allclose(process(name, nodes), read_plan(DATA / f"{name}-{nodes}.json"), atol=1e-15)


def test_known_factors() -> None:
    """r_asym of the exponential graph is 1 − 2/(1 + tau); the hypercube schedule is exact after log2 n rounds."""
    w = process("exponential", 16)[0]
    assert np.linalg.norm(w - 1 / 16, 2) == pytest.approx(1 - 2 / 5)
    product = np.linalg.multi_dot(list(process("one-peer-hypercube", 16)))
    np.testing.assert_allclose(product, np.full((16, 16), 1 / 16), atol=1e-15)


def test_lazy() -> None:
    row = process("ring", 8, lazy=0.75)[0][0]
    np.testing.assert_allclose(row[[0, 1, 7]], [0.5, 0.25, 0.25])
    np.testing.assert_allclose(np.sort(process("one-peer-hypercube", 8, lazy=0.5)[1][0])[-2:], [0.25, 0.75])


def test_two_levels_are_what_the_words_say() -> None:
    """Node by node: the mean of the own group and of its peer's in the round; exact once all rounds are done."""
    x = np.random.default_rng(3).standard_normal(16)
    for t, w in enumerate(process("one-peer-hypercube between groups of 4", 16)):
        for node, got in enumerate(w @ x):
            group = node // 4
            assert got == pytest.approx((x[4 * group:][:4].mean() + x[4 * (group ^ 1 << t):][:4].mean()) / 2)
    done = np.linalg.multi_dot(list(process("one-peer-exponential between groups of 2", 16)))
    np.testing.assert_allclose(done, np.full((16, 16), 1 / 16), atol=1e-15)


def test_groups_must_divide_the_nodes() -> None:
    with pytest.raises(ValueError, match="groups of 3; the entry has 16 nodes"):
        process("ring between groups of 3", 16)
    with pytest.raises(ValueError, match="neither a plan file"):
        process("rings between groups of 4", 16)


def test_step_matrices() -> None:
    period = process("one-peer-hypercube", 4)
    w = step_matrices(period, every=2, first=3, steps=4)  # iterations 3 … 6; mixing after 4, 6 (counted from 1)
    for got, want in zip(w, [period[1], np.eye(4), period[0], np.eye(4)]):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("path", sorted(PLANS.glob("*.json")), ids=lambda p: p.name)
def test_committed_plans(path: Path) -> None:
    period = read_plan(path)
    w = functools.reduce(lambda done, each: each @ done, period)
    n = len(w)
    plan = json.loads(path.read_text())
    claimed = plan["claims"]
    assert np.linalg.norm(w - 1 / n, 2) == pytest.approx(claimed["r_asym"] ** len(period), abs=1e-8)
    if len(period) == 1:
        assert np.linalg.eigvalsh(w)[0] == pytest.approx(claimed["lambda_n"], abs=1e-8)
    if path.name.startswith("training"):
        assert np.linalg.eigvalsh(w)[0] > -1e-8
    assert np.linalg.norm(w - 1 / n, 2) < 1, "disconnected"


def test_changed_plan_is_refused(tmp_path: Path) -> None:
    plan = json.loads((DATA / "ring-8.json").read_text())
    plan["rounds"][0]["edges"][0]["weight"] += 1e-12
    (tmp_path / "p.json").write_text(json.dumps(plan))
    with pytest.raises(PlanError, match="hash"):
        read_plan(tmp_path / "p.json")


@pytest.mark.parametrize("field,value", [("every", 4), ("order", "cta"), ("overlap", True), ("kind", "collective"),
                                         ("inside", {"groups": [[0, 1, 2, 3], [4, 5, 6, 7]]})])
def test_what_is_not_run_is_refused(tmp_path: Path, field: str, value: object) -> None:
    plan = json.loads((DATA / "torus-8.json").read_text())
    plan[field] = value
    (tmp_path / "p.json").write_text(json.dumps(plan))
    with pytest.raises(PlanError, match=field):
        read_plan(tmp_path / "p.json")


@pytest.mark.parametrize("bad,words", [("mesh", "neither"), ("missing.json", "No such file")])
def test_unknown_process(bad: str, words: str) -> None:
    with pytest.raises((ValueError, OSError), match=words):
        process(bad, 8)
