"""Runs that go wrong without a word unless somebody looks: NaN gradients, checkpoints of different steps on different
ranks, ranks that do not take the same number of steps, and ranks that die while the others shake hands."""

from __future__ import annotations

import gc
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.plan_file import Collective, Plan
from plans import make, ring, sealed
from worlds import PATIENCE_S

N, BAD, TIMEOUT_S = 4, 2, 10.0
EXACT = sealed(Plan(N, kind="collective", collective=Collective("ring", tuple(range(N)))))
GRADIENTS = sealed(replace(EXACT, average="gradients"))
GROUPS = sealed(replace(make(N, ring(2), groups=((0, 1), (2, 3)), every=4), inside_gradients=True))
PLANS = {"ddp": GRADIENTS, "gradients": GRADIENTS, "groups": GROUPS, "exact": EXACT, "gossip": make(N, ring(N)),
         "overlap": make(N, ring(N), overlap=True, order="cta")}
Made = Tuple[Any, torch.optim.Optimizer, Any]


def made(kind: str, **options: Any) -> Made:
    torch.manual_seed(0)
    model = DistributedDataParallel(torch.nn.Linear(100, 100))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    if kind == "ddp":
        return model, optimizer, batopo.ddp(model, PLANS[kind], timeout=TIMEOUT_S, **options)
    return model, optimizer, batopo.attach(optimizer, PLANS[kind], model=model, timeout=TIMEOUT_S, **options)


def step(model: Any, optimizer: torch.optim.Optimizer, factor: float = 1.0) -> None:
    optimizer.zero_grad()
    (factor * model(torch.ones(2, 100))).pow(2).mean().backward()
    optimizer.step()


def with_nan(rank: int, kind: str) -> bool:
    """Until it is noticed; whether this rank's parameters are still numbers."""
    model, optimizer, _ = made(kind)
    try:
        for k in range(6):
            step(model, optimizer, float("nan") if rank == BAD and k == 3 else 1.0)
    except batopo.PeerError as error:
        assert str(error).startswith(f"rank {BAD}: gradients have a NaN or an infinity in backward pass 3; they were")
        return all(bool(torch.isfinite(p).all()) for p in model.parameters())
    raise AssertionError("nothing was noticed")


@pytest.mark.parametrize("kind", ["ddp", "gradients", "groups"])
def test_nan_gradients_are_named_and_reach_no_model(lone_world: Callable[..., Any], kind: str) -> None:
    assert lone_world(N).run(with_nan, kind) == [True] * N


def left_out(rank: int) -> float:
    """A scaler's infinities go to all ranks, which leave the step out."""
    model, optimizer, _ = made("ddp", on_nan="ignore")
    before = model.module.weight.detach().clone()
    (model(torch.ones(2, 100)).sum() * (float("inf") if rank == BAD else 1.0)).backward()
    assert not bool(torch.isfinite(model.module.weight.grad).all())
    return float((model.module.weight - before).abs().max())


def test_infinities_of_a_scaler_can_be_let_through(world: Callable[[int], Any]) -> None:
    assert world(N).run(left_out) == [0.0] * N


def resumed(rank: int, kind: str, load: bool) -> None:
    """One rank goes on from an older checkpoint."""
    model, optimizer, gossip = made(kind)
    kept: List[Any] = []
    for _ in range(4):
        step(model, optimizer)
        state = gossip.state_dict() if load else None
        kept.append(({name: value.clone() for name, value in model.state_dict().items()}, state))
    model, optimizer, gossip = made(kind)
    weights, state = kept[1 if rank == BAD else 3]
    model.load_state_dict(weights)
    if load:
        gossip.load_state_dict(state)
    step(model, optimizer)


@pytest.mark.parametrize("kind, load, words", [
    ("ddp", False, f"rank {BAD}: parameters are not those of ranks 0, 1, 3"),
    ("gradients", False, f"rank {BAD}: parameters are not those of ranks 0, 1, 3"),
    ("groups", False, ": parameters are not those of rank "),
    ("gradients", True, f"rank {BAD}: number of steps taken is 2; the other 3 have 4"),
    ("gossip", True, f"rank {BAD}: round is [2, 0]; the other 3 have [4, 0]")])
def test_a_rank_that_resumes_from_an_older_checkpoint_is_named(
        world: Callable[[int], Any], kind: str, load: bool, words: str) -> None:
    for outcome in world(N).outcomes(resumed, kind, load):
        assert outcome.kind == "HandshakeError" and words in outcome.text, outcome


def out_of_step(rank: int, kind: str, deed: str) -> None:
    """One rank takes a step less, or evaluates a step before the others."""
    model, optimizer, gossip = made(kind)
    for k in range(8):
        if deed == "fewer" and rank == BAD and k == 7:
            break
        step(model, optimizer)
        if deed == "early" and k == (4 if rank == BAD else 5):
            with gossip.averaged():
                pass
    gossip.average()


@pytest.mark.parametrize("kind, deed, place", [
    ("exact", "early", "average 0 over all ranks after 5 steps"),
    ("gradients", "fewer", "average 0 over all ranks after 7 steps"),
    pytest.param("gossip", "fewer", "average 0 over all ranks after 7 steps", marks=pytest.mark.deep),
    pytest.param("overlap", "early", "average 0 over all ranks after 5 steps", marks=pytest.mark.deep),
    pytest.param("exact", "fewer", "average 0 over all ranks after 7 steps", marks=pytest.mark.deep)])
def test_ranks_that_are_not_in_step_are_told_apart(
        lone_world: Callable[..., Any], kind: str, deed: str, place: str) -> None:
    for outcome in lone_world(N).outcomes(out_of_step, kind, deed):
        assert outcome is not None and outcome.kind == "PeerError", outcome  # and no process was aborted
        assert "ranks wait for each other, " in outcome.text and f"rank {BAD} in {place}" in outcome.text, outcome


def averages_between(rank: int) -> None:
    """Nobody waits for anybody: rounds are far apart."""
    p = torch.nn.Parameter(torch.full((100,), float(rank)))
    optimizer = torch.optim.SGD([p], lr=0.0)
    gossip = batopo.attach(optimizer, replace(EXACT, every=100), timeout=TIMEOUT_S)
    for _ in range(7 if rank == BAD else 8):
        optimizer.step()
    gossip.average()


def test_an_average_of_models_of_different_steps_is_an_error(lone_world: Callable[..., Any]) -> None:
    for outcome in lone_world(N).outcomes(averages_between):
        assert outcome.kind == "PeerError", outcome
        assert f"rank {BAD} came to average 0 over all ranks after 7 steps, others after 8" in outcome.text, outcome


def ends_early(rank: int, path: str) -> None:
    """A script whose process ends a step before the others', as scripts end."""
    import sys
    model, optimizer, _ = made("gradients")
    text = "done"
    try:
        for _ in range(5 if rank == BAD else 6):
            step(model, optimizer)
    except batopo.PeerError as error:
        text = str(error)
    with open(f"{path}/{rank}", "w", encoding="utf-8") as file:
        file.write(text)
    if rank == BAD:
        import atexit
        atexit._run_exitfuncs()  # a process of multiprocessing runs none
        sys.stdout.flush()
        os._exit(0)


def test_a_rank_that_ended_is_not_called_cut_off(lone_world: Callable[..., Any], tmp_path: Any) -> None:
    lone_world(N).outcomes(ends_early, str(tmp_path))
    for rank in {0, 1, 3}:
        said = (tmp_path / str(rank)).read_text()
        assert f"rank {BAD} ended after the gradients of backward pass 4" in said and "fewer steps" in said


def dies(rank: int, when: str) -> None:
    """One rank dies before it comes to the handshake, or in it."""
    if rank == BAD:
        if when == "in":
            from batopo import handshake
            handshake._ask = lambda board, timeout: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    batopo.attach(torch.optim.SGD([torch.nn.Parameter(torch.zeros(3))], lr=0.1), PLANS["gossip"], timeout=PATIENCE_S)


@pytest.mark.parametrize("when", ["before", "in"])
def test_a_rank_that_dies_before_the_handshake_did_is_noticed_at_once(
        lone_world: Callable[..., Any], when: str) -> None:
    begin = time.monotonic()
    for outcome in lone_world(N).outcomes_of([0, 1, 3], dies, when, timeout=PATIENCE_S):
        assert outcome.kind == "HandshakeError", outcome
        assert f"rank {BAD} ended before the handshake did" in outcome.text, outcome
    assert time.monotonic() - begin < PATIENCE_S / 2  # and not the timeout, which is PATIENCE_S


def alive(rank: int, times: int) -> Dict[str, int]:
    """How many more of our objects are there after some runs that were detached."""
    def count() -> List[int]:
        gc.collect()
        names = [type(thing).__name__ for thing in gc.get_objects()]
        return [names.count(name) for name in ("Gossip", "Rounds", "Snapshot")]
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1000))], lr=0.1)
    plan = sealed(replace(EXACT, every=4, delay=2))
    before = count()
    for _ in range(times):
        gossip = batopo.attach(optimizer, plan, timeout=PATIENCE_S)
        for _ in range(9):
            optimizer.step()
        gossip.detach()
    del gossip
    return dict(zip(("Gossip", "Rounds", "Snapshot"), (b - a for a, b in zip(before, count()))))


def test_a_detached_run_leaves_nothing_behind(world: Callable[[int], Any]) -> None:
    for more in world(N).run(alive, 4):
        assert max(more.values()) <= 0, more


def state_of(rank: int, folder: str, end: str) -> None:
    """Saves after two and after four steps; one rank is killed while it writes, or before the others have written."""
    model, optimizer, gossip = made("gossip")
    for k in range(1, 5):
        step(model, optimizer)
        if k == 4 and rank == BAD:
            setattr(os, end, lambda *args: os.kill(os.getpid(), signal.SIGKILL))
        if k % 2 == 0:
            batopo.save(folder, k, model=model, optimizer=optimizer, gossip=gossip)


def gone_on(rank: int, folder: str) -> Tuple[int, int, float]:
    model, optimizer, gossip = made("gossip")
    done = batopo.load(folder, model=model, optimizer=optimizer, gossip=gossip)
    return done, gossip.round, float(model.module.weight.sum())


@pytest.mark.parametrize("end", ["fsync", "replace"])
def test_a_rank_that_is_killed_while_it_saves_leaves_the_last_common_step(
        lone_world: Callable[..., Any], world: Callable[[int], Any], tmp_path: Path, end: str) -> None:
    for outcome in lone_world(N).outcomes_of([0, 1, 3], state_of, str(tmp_path), end):
        assert outcome.kind == "HandshakeError" and f"rank {BAD} ended" in outcome.text, outcome
    assert [got[:2] for got in world(N).run(gone_on, str(tmp_path))] == [(2, 2)] * N


def saved(rank: int, folder: str, deed: str) -> Tuple[int, float, float]:
    model, optimizer, gossip = made("gossip")
    assert batopo.load(folder, model=model, optimizer=optimizer, gossip=gossip) == 0
    for k in range(1, 4):
        step(model, optimizer, 1.0 + rank)
        batopo.save(folder, k + (deed == "another step" and rank == BAD), model=model, optimizer=optimizer,
                    gossip=gossip)
    with gossip.averaged():
        mean = float(model.module.weight.sum())
    batopo.export(Path(folder) / "mean.pt", model, gossip)
    own = float(model.module.weight.sum())
    done, there, again = gone_on(rank, folder)
    assert there == done and again == own
    assert float(torch.load(Path(folder) / "mean.pt")["weight"].sum()) == mean
    return done, own, mean


def test_checkpoints_and_the_mean_are_what_was_saved(world: Callable[[int], Any], tmp_path: Path) -> None:
    got = world(N).run(saved, str(tmp_path), "")
    assert [done for done, _, _ in got] == [3] * N and len({mean for _, _, mean in got}) == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "mean.pt", *(f"step3-rank{rank}of{N}.pt" for rank in range(N))]  # older ones are gone


def test_ranks_that_save_different_steps_are_told_apart(world: Callable[[int], Any], tmp_path: Path) -> None:
    for outcome in world(N).outcomes(saved, str(tmp_path), "another step"):
        assert f"rank {BAD}: number of steps taken is 2; the other 3 have 1" in outcome.text, outcome


def test_checkpoints_of_another_number_of_ranks_are_not_taken_for_none(
        world: Callable[[int], Any], tmp_path: Path) -> None:
    (tmp_path / "step5-rank0of2.pt").write_bytes(b"")
    kinds = [(outcome.kind, outcome.text) for outcome in world(N).outcomes(gone_on, str(tmp_path))]
    assert all(kind == "SetupError" and "has checkpoints of 2 ranks, and 4 run" in text for kind, text in kinds), kinds
