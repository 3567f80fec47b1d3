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
    "hierarchical": Run(make(N, ring(2), groups=((0, 2), (1, 3)))),
    "AdamW": Run(STATIC, adam=True),
    "AdamW over lists of tensors": Run(STATIC, adam=True, foreach=True),
    "gradients of two batches": Run(STATIC, batches=2),
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
    """The run in one piece, and in two with everything but the checkpoint made again."""
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


def let_go(rank: int, name: str) -> Tuple[bool, bool, str, Dict[str, int], str]:
    """Five steps with gossip, then detach and three more, beside three steps of a copy that never had it."""
    run = RUNS[name]
    model, other = Model(), Model()
    optimizer = optimizer_of(run, model)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 100)
    gossip = batopo.attach(optimizer, run.plan, momentum=run.momentum, timeout=PATIENCE_S)
    for step in range(5):
        gradients(run, model, rank, step)
        optimizer.step()
        scheduler.step()
    memory, said, before = gossip.memory(), repr(gossip), flat(model)
    gossip.detach()
    same = torch.equal(before, flat(model))
    plain = optimizer_of(run, other)
    other.load_state_dict(model.state_dict())
    plain.load_state_dict(optimizer.state_dict())
    for step in range(5, 8):
        gradients(run, model, rank, step)
        gradients(run, other, rank, step)
        optimizer.step()
        plain.step()
    alone = torch.equal(flat(model), flat(other))
    again = batopo.attach(optimizer, run.plan, momentum=run.momentum, timeout=PATIENCE_S, start="keep")
    return same, alone, said, memory, repr(again)


@pytest.mark.parametrize("name", ["atc", "cta, overlap, H = 2"])
def test_detach_leaves_every_bit_and_the_optimizer_alone(world: Callable[[int], Any], name: str) -> None:
    run, parameters = RUNS[name], 36 * 8
    for same, alone, said, memory, again in world(N).run(let_go, name):
        assert same and alone
        assert said.startswith(f"Gossip(gossip over 4 ranks, plan {run.plan.hash[:12]}; every ")
        assert ("overlapping" in said) == run.plan.overlap and "averages 2 tensors of 36 elements" in said
        assert memory["residual"] == memory["momentum"] == 0 and memory["inside averaged()"] == parameters
        assert (memory["snapshot"] > 0) == run.plan.overlap and "round 0" in again


def seldom(rank: int, plan: Any, every: Any) -> torch.Tensor:
    run = Run(plan)
    model = Model()
    optimizer = optimizer_of(run, model)
    batopo.attach(optimizer, plan, every=every, timeout=PATIENCE_S)
    for step in range(run.steps):
        gradients(run, model, rank, step)
        optimizer.step()
    return flat(model)


def test_rounds_may_be_rarer_than_the_plan_says(world: Callable[[int], Any]) -> None:
    got = torch.stack(world(N).run(seldom, SCHEDULE, 3))
    assert torch.allclose(got, in_one_loop(Run(variant(SCHEDULE, every=3))), rtol=1e-12)
    for outcome in world(N).outcomes(seldom, SCHEDULE, 0):
        assert "every is 0" in outcome.text


def use(rank: int, megabytes: int) -> Tuple[int, int, int]:
    """What rounds and the all-reduce of a model of many tensors take, in bytes, and how large it is."""
    tensors = [torch.nn.Parameter(torch.ones(megabytes * 25_000)) for _ in range(8)]
    tensors += [torch.nn.Parameter(torch.ones(50)) for _ in range(megabytes * 1000)]
    gossip = batopo.attach(torch.optim.SGD(tensors, lr=0.1), STATIC, explicit=True, timeout=PATIENCE_S)
    for _ in range(2):
        gossip.mix()
    rounds = gossip.memory()["buffers"]
    gossip.average()
    return rounds, gossip.memory()["buffers"], gossip.sent_bytes


def test_rounds_and_averages_take_at_most_one_copy_of_the_parameters(world: Callable[[int], Any]) -> None:
    for rounds, both, size in world(N).run(use, 2):
        assert 0 < rounds <= size and both <= size
