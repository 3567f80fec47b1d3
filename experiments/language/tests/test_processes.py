"""Every process against nodes in plain loops, in float64."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import torch
from language.settings import Entry
from language.simulate import Bench, Run
from language.text import Text
from language.trainer import Options, shape_of

from .reference import Nodes

BASE = Entry("test", size="tiny", nodes=4, sequences=1, context=8, steps=6, warmup=2, lr=1e-2)
FEW: dict[str, Any] = {"every": 2}
OUTER: dict[str, Any] = {"every": 2, "outer_lr": 0.7, "outer_momentum": 0.9}


def same_as_loops(text: Text, **fields: Any) -> None:
    e = dataclasses.replace(BASE, **fields)
    bench = Bench(text, Options(dtype="float64"))
    Run(e, bench).run()
    trainer = bench.trainers[shape_of(e)]
    want = Nodes(e, text).train()[:: e.group]
    start = trainer.layout.initial(e.seed)[:, : trainer.layout.used]
    moved = (want - start).norm()
    got = trainer.x[:, : trainer.layout.used]
    assert float((got - want).norm() / moved) < 1e-7
    assert float(moved) > 0.1


@pytest.mark.parametrize("fields", [
    {"group": 4}, {"group": 4, "optimizer": "sgd", "lr": 0.1}, {"group": 4, "data": "domains", "clip": 0.1},
    {}, FEW, {**FEW, "state": "m"}, {**FEW, "state": "mv"}, {**FEW, "optimizer": "sgd", "lr": 0.1},
    {"process": "ring"}, {"process": "one-peer-exponential", **FEW}, {"process": "one-peer-exponential", **OUTER},
    {"group": 2}, {"group": 2, **FEW}, {"group": 2, **OUTER}, {"synchronous": 3, **FEW},
    {"synchronous": 2, **OUTER}, {"synchronous": 1, "group": 2, **FEW},
    {"every": 2, "delay": 1}, {"every": 2, "delay": 2}, {**OUTER, "delay": 2, "synchronous": 1},
    {"every": 4, "delay": 3}, {**FEW, "bits": 8},
    {**OUTER, "bits": 8, "synchronous": 1}, {"group": 2, **FEW, "bits": 8},
    {**FEW, "bits": 16}, {"group": 2, **FEW, "bits": 16}, {"process": "ring", "bits": 16},
    {"process": "one-peer-exponential", "group": 2, "bits": 16}, {**OUTER, "bits": 16},
    {**FEW, "bits": 4}, {**FEW, "bits": 2}, {**FEW, "bits": 1}, {**FEW, "bits": 1, "stages": 1},
    {**FEW, "bits": 2, "stages": 1, "keep": 0.9}, {**FEW, "bits": 1, "group": 2, "keep": 0.5},
    {**FEW, "bits": 2, "stages": 1, "top": 64, "keep": 0.95},
    {"every": 3, "pieces": True}, {"every": 3, "pieces": True, "bits": 1, "group": 2, "synchronous": 1},
    {**FEW, "pieces": True, "bits": 2, "stages": 1}, {**FEW, "pieces": True, "bits": 16},
    {"every": 3, "pieces": True, "bits": 1, "delay": 1}, {"every": 3, "pieces": True, "delay": 2},
    {**OUTER, "pieces": True, "bits": 4}, {**FEW, "pieces": True, "bits": 2, "top": 64, "stages": 1},
], ids=str)
def test_agrees_with_nodes_in_plain_loops(text: Text, fields: dict[str, Any]) -> None:
    same_as_loops(text, **fields)


def test_a_plan_is_a_process(text: Text) -> None:
    same_as_loops(text, nodes=8, process="training-8-12.json", steps=3)


def test_exact_averages_of_sgd_in_every_step_are_synchronous_training(text: Text) -> None:
    ends = []
    for group in (1, 4):
        e = dataclasses.replace(BASE, group=group, optimizer="sgd", lr=0.1, clip=1e9)
        bench = Bench(text, Options(dtype="float64"))
        Run(e, bench).run()
        ends.append(bench.trainers[shape_of(e)].x[0])
    assert torch.allclose(ends[0], ends[1], rtol=0, atol=1e-12)


def test_exact_averages_of_adamw_are_not(text: Text) -> None:
    ends = []
    for group in (1, 4):
        e = dataclasses.replace(BASE, group=group)
        bench = Bench(text, Options(dtype="float64"))
        Run(e, bench).run()
        ends.append(bench.trainers[shape_of(e)].x[0])
    assert float((ends[0] - ends[1]).norm()) > 0.1
