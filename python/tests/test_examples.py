"""The scripts in examples/pytorch run with every kind of plan, stop and go on, and learn."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch

from batopo.plan_file import Plan
from plans import ROOT, all_kinds
from test_clocks import INT8, N, RUNS
from worlds import PATIENCE_S

PLANS: Dict[str, Plan] = {**{name: plan for name, plan in all_kinds(N)},
                          **{name: run.plan for name, run in RUNS.items()}, "8 bits": INT8.plan}
STEPS = 6
QUICK = [pytest.param("gpt", marks=pytest.mark.deep), "images"]


def script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"examples/pytorch/{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def few(rank: int, name: str, plans: List[Plan], words: List[str]) -> List[float]:
    """Some steps with each plan; the last result of each."""
    example = script(name)
    args = example.options(["plan.json", *words, "--timeout", str(PATIENCE_S)])
    return [example.train(plan, args)[-1] for plan in plans]


def run_all(world: Callable[[int], Any], name: str, plans: List[Plan]) -> None:
    words = ["--steps", str(STEPS), "--batch", "2", "--width", "8", "--layers", "1", "--accumulate", "2"]
    got = world(N).run(few, name, plans, [w for w in words if name == "gpt" or w not in ("--layers", "1")])
    for row in got:
        assert row == got[0] and len(row) == len(plans)  # the mean is the same on all ranks


@pytest.mark.parametrize("name", QUICK)
def test_examples_run_with_plans_of_many_kinds(world: Callable[[int], Any], name: str) -> None:
    run_all(world, name, [PLANS[kind] for kind in ("static", "gradients", "local SGD", "phases, outer", "8 bits")])


@pytest.mark.deep
@pytest.mark.parametrize("name", ["gpt", "images"])
def test_examples_run_with_every_kind_of_plan(world: Callable[[int], Any], name: str) -> None:
    run_all(world, name, list(PLANS.values()))


def in_two(rank: int, name: str, plan: Plan, folder: str) -> Tuple[List[float], List[float]]:
    """A run in one piece, and the end of one that stopped and went on."""
    example = script(name)
    words = ["plan.json", "--steps", "9", "--batch", "2", "--width", "8", "--evaluate", "3", "--autocast",
             "--timeout", str(PATIENCE_S)]
    whole = example.train(plan, example.options(words))
    example.train(plan, example.options([*words, "--save", folder, "--stop", "5"]))
    return whole, example.train(plan, example.options([*words, "--save", folder, "--resume"]))


@pytest.mark.parametrize("name", QUICK)
def test_examples_go_on_where_they_stopped(world: Callable[[int], Any], name: str, tmp_path: Path) -> None:
    for whole, rest in world(N).run(in_two, name, PLANS["phases, outer"], str(tmp_path)):
        assert len(whole) == 3 and rest == whole[1:]


@pytest.mark.deep
@pytest.mark.parametrize("name", ["gpt", "images"])
def test_examples_learn_with_two_clocks(world: Callable[[int], Any], name: str) -> None:
    torch.manual_seed(1)
    (last,) = world(N).run(few, name, [PLANS["local SGD"]], [])[0]
    assert last < 1.9 if name == "gpt" else last > 0.9
