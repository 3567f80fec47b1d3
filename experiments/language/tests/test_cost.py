from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from language import cost, rows
from language.cost import Curve
from language.settings import Entry


def line(loss: float, diverged: bool = False, **fields: Any) -> dict[str, Any]:
    e = Entry("name, seed 1", **{"lr": 1e-3, **fields})
    return {"name": e.name, "entry": dataclasses.asdict(e), "loss": loss, "diverged": diverged, "traffic": 0.5,
            "parameters": 1000, "trained": {"peak_share": 0.3, "seconds": 1.0, "steps": 10}}


def law(steps: float) -> float:
    """A loss that falls as runs of GPTs do."""
    return 0.9 + 5 * steps ** -0.5


LENGTHS = (500, 750, 1000, 1250, 1500)
DENSE = [line(law(steps) + 0.01 * seed, group=8, steps=steps, seed=seed, lr=lr)
         for steps in LENGTHS for seed in (1, 2, 3) for lr in ((1e-3, 2e-3) if seed == 1 else (1e-3,))]
DENSE = [{**d, "loss": d["loss"] + (d["entry"]["lr"] == 2e-3)} for d in DENSE]  # the second rate is worse


def points(**fields: Any) -> dict[int, list[tuple[int, float]]]:
    return cost.synchronous(cost.at_best_rate(DENSE), cost.setting_of(Entry("x", **fields)))


def test_a_curve_goes_through_its_points_and_falls_between_them() -> None:
    curve = Curve.through([(steps, law(steps)) for steps in LENGTHS])
    for steps in LENGTHS:
        assert curve.steps(law(steps)) == pytest.approx(steps)
    found = [curve.steps(law(steps)) for steps in range(500, 1501, 10)]
    assert all(f is not None and f == pytest.approx(steps, rel=0.004) for f, steps in zip(found, range(500, 1501, 10)))
    assert found == sorted(found, key=lambda f: f or 0)


def test_beyond_its_ends_a_curve_has_no_number() -> None:
    curve = Curve.through([(500, 2.0), (1000, 1.5)])
    assert curve.steps(2.001) is None and curve.side(2.001) == "above"
    assert curve.steps(1.499) is None and curve.side(1.499) == "below"
    assert curve.steps(1.75) == pytest.approx(500 * math.sqrt(2))
    assert Curve.through([]).steps(1.0) is None and Curve.through([(500, 2.0)]).steps(2.0) == pytest.approx(500)


def test_lengths_in_the_wrong_order_become_one() -> None:
    curve = Curve.through([(500, 2.0), (800, 1.4), (1250, 1.6), (2000, 1.0)])
    assert curve.losses == (2.0, pytest.approx(1.5), 1.0)
    assert [math.exp(log) for log in curve.logs] == [pytest.approx(s) for s in (500, 1000, 2000)]


def test_nothing_is_read_across_a_wide_gap() -> None:
    far = [*DENSE, line(law(3000), group=8, steps=3000), line(law(4000), group=8, steps=4000)]
    assert cost.synchronous(cost.at_best_rate(far), cost.setting_of(Entry("x"))) == points()
    near = [*DENSE, line(law(2900), group=8, steps=2900)]
    assert len(cost.synchronous(cost.at_best_rate(near), cost.setting_of(Entry("x")))[1]) == 6


def test_runs_are_compared_with_the_same_seed() -> None:
    sparse = [line(law(1200) + 0.01 * seed, every=16, steps=1500, seed=seed) for seed in (1, 2, 3)]
    found = cost.cost(sparse, points())
    assert found.each == tuple(pytest.approx(1.25, rel=0.004) for _ in range(3))
    assert found.mean == pytest.approx(1.25, rel=0.004)
    assert found.half == pytest.approx(cost.curve_error(points()) * 1.25, rel=0.01)  # no noise but the curve's


def test_intervals_are_students() -> None:
    sparse = [line(law(steps) + 0.01 * seed, every=16, steps=1500, seed=seed)
              for seed, steps in ((1, 1000), (2, 1250), (3, 1500))]
    found = cost.cost(sparse, points())
    deviation = math.sqrt(((1.5 - 3.7 / 3) ** 2 + (1.2 - 3.7 / 3) ** 2 + (1 - 3.7 / 3) ** 2) / 2)
    more = cost.curve_error(points()) * 3.7 / 3
    assert found.half == pytest.approx(4.303 * deviation / math.sqrt(3) + more)
    assert cost.cost(sparse[:2], points()).half is None and cost.cost(sparse[:1], points()).half is None
    base = [line(law(1500) + 0.01 * seed, every=1, steps=1500, seed=seed) for seed in (1, 2, 3)]
    assert cost.difference(sparse, base, points()) == (pytest.approx(0.7 / 3), pytest.approx(found.half - more))
    with pytest.raises(ValueError, match="too few"):
        cost.difference(sparse[:1], base, points())


def test_a_seed_outside_of_the_curve_takes_the_number_away() -> None:
    sparse = [line(law(steps) + 0.01 * seed, every=16, steps=1500, seed=seed)
              for seed, steps in ((1, 1000), (2, 1600), (3, 1200))]
    found = cost.cost(sparse, points())
    assert (found.mean, found.half, found.outside) == (None, None, "below")
    assert found.each[1] is None and found.each[0] is not None


def test_relative_steps_at_the_best_rate() -> None:
    sparse = [line(1.8, every=16), line(1.1, every=16, lr=4e-3), line(1.2, every=16, lr=4e-3, seed=2),
              line(float("nan"), True, every=16, lr=1.0)]
    best = cost.at_best_rate(DENSE + sparse)
    assert [m["loss"] for m in best[cost.process_of(Entry("x", every=16))]] == [1.1, 1.2]


def test_what_is_compared_with_what() -> None:
    assert len(points(data="domains")[1]) == 5
    domains = line(1.4, group=8, data="domains")
    assert not cost.is_reference(Entry("x", group=8, data="domains"))
    assert cost.synchronous(cost.at_best_rate([*DENSE, domains]), cost.setting_of(Entry("x"))) == points()
    assert points(size="medium") == {}
    assert len(points(nodes=16, sequences=8, every=4)[1]) == 5  # the same batch in all
    half = Entry("x", nodes=4, group=4, idle=4)  # against all eight nodes
    assert not cost.is_reference(half) and len(cost.synchronous(
        cost.at_best_rate([*DENSE, line(1.1, nodes=4, group=4, idle=4)]), cost.setting_of(half))[1]) == 5


@pytest.mark.parametrize("tried, known", [((1e-3, 2e-3, 4e-3), "bracketed"), ((2e-3, 4e-3), "lowest"),
                                          ((1e-3, 2e-3), "highest"), ((2e-3,), "only")])
def test_how_a_rate_is_known(tried: tuple[float, ...], known: str) -> None:
    sparse = [line(1.1 + abs(lr - 2e-3), every=16, lr=lr) for lr in tried]
    (row,) = rows.Study(DENSE + sparse, []).sparse()
    assert (row.rate, row.rate_known, row.best_synchronous) == (2e-3, known, 1e-3)


def test_a_rate_taken_from_another_process() -> None:
    queue = [Entry("groups, rate 0.001", question="sweep", lr=1e-3),
             Entry("name, seed 1", lr=None, lr_from="sweep")]
    (row,) = rows.Study([*DENSE, line(1.1, every=16)], queue).sparse()
    assert row.rate_known == "from groups"
