"""A training run with attach is the n-model loop, whatever the order, the momentum and the rest of the loop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch

import batopo
from loops import Model, Run, flat, gradients, in_one_loop, on_ranks, optimizer_of
from plans import chords, make, matching, ring, sealed
from worlds import PATIENCE_S

N = 4
STATIC = make(N, chords(N))
SCHEDULE = make(N, matching(N, 1), matching(N, 2), ring(N))


def variant(plan: Any, **fields: Any) -> Any:
    return sealed(replace(plan, **fields))


RUNS: Dict[str, Run] = {
    "atc": Run(STATIC),
    "cta": Run(variant(STATIC, order="cta")),
    "cta, overlap": Run(variant(STATIC, order="cta", overlap=True)),
    "atc, H = 3": Run(variant(SCHEDULE, every=3)),
    "cta, H = 3": Run(variant(SCHEDULE, every=3, order="cta")),
    "cta, overlap, H = 3": Run(variant(SCHEDULE, every=3, order="cta", overlap=True)),
    "cta, overlap, H = 2": Run(variant(SCHEDULE, every=2, order="cta", overlap=True)),
    "schedule with a learning rate that changes": Run(SCHEDULE, schedule=True),
    "two levels": Run(make(N, ring(2), groups=((0, 2), (1, 3)))),
    "AdamW": Run(STATIC, adam=True),
    "AdamW, mixed": Run(STATIC, adam=True, momentum="mixed"),
    "AdamW, mixed, cta": Run(variant(STATIC, order="cta"), adam=True, momentum="mixed"),
    "mixed": Run(STATIC, momentum="mixed"),
    "mixed, overlap": Run(variant(STATIC, order="cta", overlap=True), momentum="mixed"),
    "mixed, overlap, H = 2": Run(variant(SCHEDULE, every=2, order="cta", overlap=True), momentum="mixed"),
    "quasi-global": Run(STATIC, momentum="quasi-global"),
    "quasi-global, cta, overlap": Run(variant(STATIC, order="cta", overlap=True), momentum="quasi-global"),
    "quasi-global, H = 2": Run(variant(SCHEDULE, every=2), momentum="quasi-global", schedule=True),
    "skipped steps": Run(STATIC, skip=((1, 2), (3, 2), (0, 5))),
    "skipped steps, H = 2": Run(variant(SCHEDULE, every=2), skip=((1, 2), (2, 3))),
    "skipped steps, overlap": Run(variant(STATIC, order="cta", overlap=True), skip=((1, 2), (0, 3))),
    "skipped steps, quasi-global": Run(STATIC, momentum="quasi-global", skip=((1, 2),)),
    "switch": Run(STATIC, other=SCHEDULE, at=4),
    "switch, overlap": Run(variant(STATIC, order="cta", overlap=True), at=4,
                           other=variant(SCHEDULE, order="cta", overlap=True)),
}


def all_runs(rank: int, runs: List[Run]) -> List[torch.Tensor]:
    return [on_ranks(rank, run, {}) for run in runs]


def test_training_is_the_loop_over_all_models(world: Callable[[int], Any]) -> None:
    got = world(N).run(all_runs, list(RUNS.values()))
    plain = in_one_loop(Run(make(N, *[ring(N)]), steps=9))
    for k, (name, run) in enumerate(RUNS.items()):
        x, want = torch.stack([per_rank[k] for per_rank in got]), in_one_loop(run)
        error = ((x - want).norm() / want.norm()).item()
        assert error <= 1e-12, f"{name}: off by {error}"
        assert name == "atc" or (want - plain).norm() > 1e-6, name


def resumed(rank: int, run: Run, stop: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """The run in one piece, and in two with everything but the checkpoint made anew."""
    whole = on_ranks(rank, run, {})
    saved: Dict[str, Any] = {}
    model = Model()
    for first, last in ((0, stop), (stop, run.steps)):
        model = Model()
        optimizer = optimizer_of(run, model)
        gossip = batopo.attach(optimizer, run.plan, momentum=run.momentum, timeout=PATIENCE_S)
        if saved:
            model.load_state_dict(saved["model"])
            optimizer.load_state_dict(saved["optimizer"])
            gossip.load_state_dict(saved["gossip"])
        for step in range(first, last):
            gradients(run, model, rank, step)
            optimizer.step()
        saved = {"model": {k: v.clone() for k, v in model.state_dict().items()},
                 "optimizer": optimizer.state_dict(), "gossip": gossip.state_dict()}
    return whole, flat(model)


@pytest.mark.parametrize("name, stop", [
    ("atc, H = 3", 4), ("cta, overlap", 4), ("cta, overlap, H = 2", 6), ("cta, overlap, H = 3", 5),
    ("quasi-global, H = 2", 3), ("mixed, overlap", 4)])
def test_a_resumed_run_has_the_same_bits(world: Callable[[int], Any], name: str, stop: int) -> None:
    run = replace(RUNS[name], schedule=False)
    for whole, pieces in world(N).run(resumed, run, stop):
        assert torch.equal(whole, pieces)


def wrong_resume(rank: int, state: Dict[str, Any]) -> None:
    gossip = batopo.attach(optimizer_of(RUNS["atc"], Model()), STATIC, timeout=PATIENCE_S)
    mine = {**gossip.state_dict(), **state.get(str(rank), {})}
    gossip.load_state_dict(mine)


@pytest.mark.parametrize("state, words", [
    ({"2": {"round": 5}}, "rank 2: round is [5, 0]; the other 3 have [0, 0]"),
    ({"1": {"hash": "f" * 64}}, "rank 1: the state is of plan ffff"),
    ({"3": {"momentum": "mixed"}}, "rank 3: the state was saved with momentum 'mixed'"),
    ({"0": {"version": 9}}, "rank 0: state of version 9"),
])
def test_ranks_resume_together_or_not_at_all(world: Callable[[int], Any], state: Dict[str, Any], words: str) -> None:
    for outcome in world(N).outcomes(wrong_resume, state):
        assert outcome.kind == "HandshakeError" and words in outcome.text


def means(rank: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """averaged() on an overlapping plan in the middle of a run, then average()."""
    run = RUNS["cta, overlap"]
    model = Model()
    optimizer = optimizer_of(run, model)
    gossip = batopo.attach(optimizer, run.plan, timeout=PATIENCE_S)
    for step in range(run.steps):
        gradients(run, model, rank, step)
        optimizer.step()
        if step == 4:
            before = flat(model)
            with gossip.averaged():
                inside = flat(model)
            assert torch.equal(before, flat(model))
    after = flat(model)
    gossip.average()
    return before, inside, after, flat(model)


def test_averages_for_evaluation_and_for_the_end(world: Callable[[int], Any]) -> None:
    got = world(N).run(means)
    befores, afters = (torch.stack([g[k] for g in got]) for k in (0, 2))
    want = in_one_loop(RUNS["cta, overlap"])
    assert torch.allclose(afters, want, rtol=1e-12)  # looking at the mean changed nothing
    for _, inside, _, end in got:
        assert torch.allclose(inside, befores.mean(0), rtol=1e-12) and torch.allclose(end, afters.mean(0), rtol=1e-12)
        assert torch.equal(inside, got[0][1]) and torch.equal(end, got[0][3])
