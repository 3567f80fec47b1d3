from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from language import cost
from language.settings import Entry


def line(loss: float, diverged: bool = False, **fields: Any) -> dict[str, Any]:
    e = Entry("name, seed 1", **{"lr": 1e-3, **fields})
    return {"name": e.name, "entry": dataclasses.asdict(e), "loss": loss, "diverged": diverged, "traffic": 1.0,
            "trained": {"peak_share": 0.3}}


DENSE = [line(2.0, group=8, steps=500), line(1.5, group=8, steps=1000), line(1.7, group=8, steps=1000, lr=2e-3),
         line(1.3, group=8, steps=1000, lr=2e-3, seed=2), line(1.7, group=8, steps=1000, seed=2),
         line(1.2, group=8, steps=2000)]


def test_the_curve_of_synchronous_runs() -> None:
    best = cost.at_best_rate(DENSE)
    points = cost.curve(best, cost.setting_of(Entry("x")))
    assert points == [(2.0, 500.0), (pytest.approx(1.6), 1000.0), (1.2, 2000.0)]
    assert cost.synchronous_steps(1.8, points) == pytest.approx(500 * math.sqrt(2))
    assert cost.synchronous_steps(2.1, points) is None and cost.synchronous_steps(1.1, points) is None


def test_relative_steps_at_the_best_rate() -> None:
    sparse = [line(1.8, every=16, steps=1000), line(1.6, every=16, steps=1000, lr=4e-3),
              line(1.2, every=16, steps=1000, lr=4e-3, seed=2), line(float("nan"), True, every=16, steps=1000, lr=1.0)]
    best = cost.at_best_rate(DENSE + sparse)
    mine = best[cost.process_of(Entry("x", every=16, steps=1000))]
    assert [m["loss"] for m in mine] == [1.6, 1.2]
    assert cost.ratios(mine, cost.curve(best, cost.setting_of(Entry("x")))) == [pytest.approx(1.0), pytest.approx(0.5)]
    assert "0.750 (0.500 … 1.000)" in cost.table(DENSE + sparse)


def test_other_sizes_have_curves_of_their_own() -> None:
    best = cost.at_best_rate(DENSE)
    assert len(cost.curve(best, cost.setting_of(Entry("x", data="domains")))) == 3
    assert len(cost.curve(cost.at_best_rate(DENSE + [line(1.4, group=8, data="domains", steps=1000)]),
                          cost.setting_of(Entry("x")))) == 3
    assert cost.curve(best, cost.setting_of(Entry("x", size="medium"))) == []
    more = Entry("x", nodes=16, sequences=8, every=4)  # the same batch in all
    assert len(cost.curve(best, cost.setting_of(more))) == 3
