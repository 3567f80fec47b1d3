"""Steps of a collective average exactly or are refused, as the Go program has it: both go through one file."""

from __future__ import annotations

import json
from typing import List

import pytest
import torch

from batopo import PlanError
from batopo.checks import check
from batopo.exact import completed
from batopo.plan_file import Collective, Move, Plan
from batopo.stages import Program
from plans import ROOT

VECTORS = [json.loads(line)
           for line in (ROOT / "internal/collective/testdata/meaning.jsonl").read_text().splitlines()]


def planned(vector: dict) -> Plan:
    steps = tuple(tuple(Move(m["from"], m["to"], float(m["begin"]), float(m["end"]), m["add"]) for m in step)
                  for step in vector["steps"])
    return Plan(vector["nodes"], kind="collective", collective=Collective("steps", steps=steps))


def played(plan: Plan, x: torch.Tensor) -> torch.Tensor:
    """What the stages of all ranks make of the rows of x."""
    ranks = range(plan.nodes)
    stages = [Program(plan, i, ranks).stages(0, x.shape[1]) for i in ranks]
    for step in zip(*stages):
        before = x.clone()
        for i, stage in enumerate(step):
            for t in stage.receives:
                part = before[t.rank, t.lo:t.hi]
                x[i, t.lo:t.hi] = x[i, t.lo:t.hi] + part if t.add else part
            for lo, hi in stage.scaled:
                x[i, lo:hi] *= stage.scale
    return x


@pytest.mark.parametrize("k", range(len(VECTORS)))
def test_what_averages_is_run_and_nothing_else(k: int) -> None:
    plan = planned(VECTORS[k])
    if not VECTORS[k]["exact"]:
        with pytest.raises(PlanError, match="without the average of all"):
            check(plan)
        return
    check(plan)
    for elements in (1, 7, 64, 129):
        x = torch.rand(plan.nodes, elements, dtype=torch.float64, generator=torch.Generator().manual_seed(k))
        want = x.mean(0).expand_as(x)
        torch.testing.assert_close(played(plan, x.clone()), want, rtol=1e-14, atol=0)


def test_both_sorts_are_in_the_file() -> None:
    assert 50 < sum(v["exact"] for v in VECTORS) < len(VECTORS) - 25


def test_a_sum_is_divided_where_it_is_complete() -> None:
    """Node 2 has the sum first, is overwritten by others that took it, and none of them divides twice or never."""
    steps: List[List[Move]] = [
        [Move(0, 1, 0.0, 1.0, True)], [Move(1, 2, 0.0, 1.0, True)], [Move(2, 0, 0.0, 1.0, False)],
        [Move(0, 2, 0.0, 0.5, False), Move(0, 1, 0.0, 1.0, True)], [Move(2, 1, 0.0, 1.0, False)]]
    plan = Plan(3, kind="collective", collective=Collective("steps", steps=tuple(map(tuple, steps))))
    got = played(plan, torch.tensor([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]], dtype=torch.float64))
    torch.testing.assert_close(got, torch.tensor([[2.0, 20.0]] * 3, dtype=torch.float64))


def test_more_parts_than_are_followed_are_refused() -> None:
    pieces = 5000
    steps = [tuple(Move(4095, i, k / pieces, (k + 1) / pieces, True) for k in range(pieces)) for i in range(2)]
    with pytest.raises(PlanError, match="into 5000 parts, more than are followed"):
        completed(tuple(steps), 4096)


def test_moves_that_take_too_long_to_follow_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("batopo.exact.MOST_MOVED", 7)
    steps = ((Move(0, 1, 0.0, 1.0, True),), tuple(Move(1, 0, k / 8, (k + 1) / 8, False) for k in range(8)))
    with pytest.raises(PlanError, match="send 16 parts of the message in all"):
        completed(steps, 2)
