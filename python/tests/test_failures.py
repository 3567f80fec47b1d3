"""Each way in which a run can go wrong ends in bounded time, on all ranks, with words that name the place. Nothing
here asks how fast a machine is: a stuck rank stays stuck for longer than any test may take."""

from __future__ import annotations

import os
import re
import signal
import time
import warnings
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch

import batopo
import failure_table
from batopo.plan_file import matrices
from plans import ROOT, chords, make, ring, undirected
from worlds import PATIENCE_S

N = 4
TIMEOUT_S = 10.0  # until a rank is given up; a busy machine may keep an honest one waiting for seconds
STUCK_S = 2 * PATIENCE_S  # a rank that is stuck: who waited for it to come back would miss the limit below
PATH = make(N, undirected(N, [(0, 1, 0.3), (1, 2, 0.3), (2, 3, 0.3)]))  # 0 and 3 are three edges apart


def parameter(rank: int) -> torch.nn.Parameter:
    return torch.nn.Parameter(torch.full((1000,), float(rank), dtype=torch.float64))


def with_options(rank: int, plan: Any, special: Dict[int, Dict[str, Any]]) -> None:
    mine = special.get(rank, {})
    shape = mine.get("shape", (3, 4))
    p = torch.nn.Parameter(torch.zeros(shape, dtype=mine.get("dtype", torch.float32)))
    batopo.attach(torch.optim.SGD([p], lr=0.1), mine.get("plan", plan), timeout=TIMEOUT_S, **mine.get("options", {}))


@pytest.mark.parametrize("plan, special, words", [
    (make(N, ring(N)), {2: {"plan": make(N, chords(N))}}, "rank 2: plan hash is"),
    (make(8, ring(8)), {}, "the plan is for 8 nodes, but 4 ranks run (rank 0 to 3); start 8 ranks"),
    (make(N, ring(N)), {1: {"shape": (3, 5)}}, "rank 1: tensor parameter 0: (3, 5) float32; on rank 0 it is"),
    (make(N, ring(N)), {3: {"dtype": torch.float64}}, "rank 3: tensor parameter 0: (3, 4) float64"),
    (make(N, ring(N)), {0: {"options": {"wire": "bf16"}}}, "rank 0: options is"),
    (make(N, ring(N)), {0: {"plan": "/nowhere/plan.json"}}, "/nowhere/plan.json"),
    (make(N, ring(N)), {1: {"options": {"momentum": "quasi-global"}}}, "'quasi-global' is defined for torch.optim.SGD"),
    (make(N, ring(N)), {2: {"options": {"node": 7}}}, "node is 7"),
    (make(N, ring(N)), {1: {"options": {"node": 0}}, 0: {"options": {"node": 0}}}, "ranks 0 and 1 are both node 0"),
])
def test_ranks_that_disagree_fail_together(
        world: Callable[[int], Any], plan: Any, special: Dict[int, Dict[str, Any]], words: str) -> None:
    for outcome in world(N).outcomes(with_options, plan, special, timeout=PATIENCE_S):
        assert outcome.kind in ("HandshakeError", "SetupError") and words in outcome.text, outcome


def stay_away(rank: int, away: int) -> None:
    if rank != away:
        with_options(rank, make(N, ring(N)), {})


@pytest.mark.deep
def test_a_rank_that_does_not_come_is_named(lone_world: Callable[..., Any]) -> None:
    outcomes = lone_world(N).outcomes(stay_away, 3, timeout=PATIENCE_S)
    assert outcomes[3] is None
    for outcome in outcomes[:3]:
        assert outcome.kind == "HandshakeError" and "rank 3 did not come to the handshake" in outcome.text


def rounds(rank: int, plan: Any, bad: int, deed: str, options: Dict[str, Any], count: int) -> List[Any]:
    """Rounds until one rank does its deed before its third; returns values and what happened."""
    p = parameter(rank)
    gossip = batopo.attach(torch.optim.SGD([p], lr=0.0), plan, explicit=True, start="keep",
                           **{"timeout": TIMEOUT_S, **options})
    for k in range(count):
        if rank == bad and k == 2:
            if deed == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(float(deed))
        gossip.mix()
    slowest = max(gossip.timings()[2].peers.items(), key=lambda item: item[1], default=(-1, 0.0))
    own = p.detach()[0].item()
    with gossip.averaged():
        mean = p.detach()[0].item()
    return [own, slowest, sorted(gossip.lost()), mean]


@pytest.mark.parametrize("plan, bad, deed", [
    (PATH, 3, "die"), (PATH, 0, "die"), (PATH, 3, str(STUCK_S)),
    pytest.param(PATH, 1, str(STUCK_S), marks=pytest.mark.deep)])
def test_a_dead_or_stuck_rank_is_named_on_every_rank(
        lone_world: Callable[..., Any], plan: Any, bad: int, deed: str) -> None:
    others = [r for r in range(N) if r != bad]
    for outcome in lone_world(N).outcomes_of(others, rounds, plan, bad, deed, {}, 6, timeout=PATIENCE_S):
        assert outcome.kind == "PeerError" and f"rank {bad}" in outcome.text, outcome
        assert f"–{bad}:" in outcome.text or bad == 0 and "store" in outcome.text, outcome


def test_a_slow_rank_is_waited_for_and_seen_in_the_times(world: Callable[[int], Any]) -> None:
    got = world(N).run(rounds, PATH, 2, "3", {"timeout": PATIENCE_S}, 5)
    x = torch.arange(N, dtype=torch.float64)
    w = torch.tensor(matrices(PATH)[0], dtype=torch.float64)
    want = torch.linalg.matrix_power(w, 5) @ x
    assert [g[0] for g in got] == pytest.approx(want.tolist(), abs=1e-12)
    for neighbour in (1, 3):
        assert got[neighbour][1][0] == 2


def folded(n: int, plan: Any, gone: int, before: int, after: int) -> torch.Tensor:
    """What remains after a rank is gone: its edges' weights belong to their other ends."""
    w = torch.tensor(matrices(plan)[0], dtype=torch.float64)
    x = torch.linalg.matrix_power(w, before) @ torch.arange(n, dtype=torch.float64)
    cut = w.clone()
    for i in range(n):
        if i != gone:
            cut[i, i] += w[i, gone]
            cut[i, gone] = cut[gone, i] = 0
    cut[gone, gone] = 1
    return torch.linalg.matrix_power(cut, after) @ x


@pytest.mark.parametrize("deed", ["die", pytest.param(str(STUCK_S), marks=pytest.mark.deep)])
def test_fold_goes_on_without_a_lost_rank(lone_world: Callable[..., Any], deed: str) -> None:
    plan, bad = make(6, chords(6)), 5
    others = [r for r in range(6) if r != bad]
    outcomes = lone_world(6).outcomes_of(others, rounds, plan, bad, deed, {"on_loss": "fold"}, 6, timeout=PATIENCE_S)
    want = folded(6, plan, bad, 2, 4)
    for rank, outcome in zip(others, outcomes):
        assert isinstance(outcome, list), outcome
        assert outcome[0] == pytest.approx(want[rank].item(), abs=1e-12)
        assert outcome[2] == ([bad] if rank in (0, 2, 4) else [])
        assert outcome[3] == pytest.approx((want.sum() - want[bad]).item() / 5, abs=1e-12)  # of those who are there


@pytest.mark.deep
def test_a_rank_that_comes_back_closes_its_edges_too(lone_world: Callable[..., Any]) -> None:
    plan, bad = make(6, chords(6)), 5
    outcomes: List[Tuple[float, Any, List[int]]] = lone_world(6).run(
        rounds, plan, bad, str(1.5 * TIMEOUT_S), {"on_loss": "fold"}, 6, timeout=PATIENCE_S)
    want = folded(6, plan, bad, 2, 4)
    assert [o[0] for o in outcomes] == pytest.approx(want.tolist(), abs=1e-12)  # symmetric, so the mean stays
    assert outcomes[bad][2] == [0, 2, 4] and outcomes[bad][3] == pytest.approx(2.5)


def spoiled(rank: int, bad: int, on_nan: str) -> List[float]:
    """Four rounds; before the third one rank's parameters are spoiled."""
    p = parameter(rank)
    gossip = batopo.attach(torch.optim.SGD([p], lr=0.0), PATH, explicit=True, start="keep", timeout=PATIENCE_S,
                           on_nan=on_nan)
    for k in range(4):
        if rank == bad and k == 2:
            p.data[500] = float("nan")
        try:
            gossip.mix()
        except batopo.PeerError as error:
            assert rank == bad or bool(torch.isfinite(p).all())
            return [str(error)]  # type: ignore
    return [p.detach()[0].item(), p.detach()[500].item()]


def test_nan_is_sent_to_nobody_and_its_rank_is_named_on_all(lone_world: Callable[..., Any]) -> None:
    for (text,) in lone_world(N).run(spoiled, 2, "raise"):
        assert text.startswith("rank 2: parameter 0 has a NaN or an infinity before round 2")


def test_a_rank_with_nan_can_be_left_out(world: Callable[[int], Any]) -> None:
    got = world(N).run(spoiled, 2, "skip")
    want = folded(N, PATH, 2, 2, 2)
    assert [g[0] for g in got] == pytest.approx(want.tolist(), abs=1e-12)
    assert [g[1] != g[1] for g in got] == [False, False, True, False]


def dies_before_loading(rank: int) -> None:
    gossip = batopo.attach(torch.optim.SGD([parameter(0)], lr=0.0), PATH, timeout=TIMEOUT_S)
    if rank == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    gossip.load_state_dict(gossip.state_dict())


def test_a_rank_that_dies_before_it_loads_a_checkpoint_is_named_in_time(lone_world: Callable[..., Any]) -> None:
    begin = time.monotonic()
    outcomes = lone_world(N).outcomes_of([0, 1, 3], dies_before_loading, timeout=PATIENCE_S)
    for outcome in outcomes:
        assert outcome.kind == "HandshakeError" and "rank 2 ended before the handshake" in outcome.text, outcome
    assert time.monotonic() - begin < 3 * TIMEOUT_S  # and not the five minutes that are usual elsewhere


def test_survivors_average_without_the_rank_that_kept_the_store(lone_world: Callable[..., Any]) -> None:
    plan, others = make(6, chords(6)), list(range(1, 6))
    outcomes = lone_world(6).outcomes_of(others, rounds, plan, 0, "die", {"on_loss": "fold"}, 6, timeout=PATIENCE_S)
    want = folded(6, plan, 0, 2, 4)
    for rank, outcome in zip(others, outcomes):
        assert isinstance(outcome, list), outcome
        assert outcome[0] == pytest.approx(want[rank].item(), abs=1e-12)
        assert outcome[3] == pytest.approx((want.sum() - want[0]).item() / 5, abs=1e-12)


def started(rank: int, start: str) -> Tuple[float, List[str]]:
    p = parameter(rank + 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        batopo.attach(torch.optim.SGD([p], lr=0.0), PATH, timeout=PATIENCE_S, start=start)
    return p.detach()[7].item(), [str(w.message) for w in caught]


def test_all_ranks_start_alike_unless_they_are_to_differ(world: Callable[[int], Any]) -> None:
    (first, warned), *others = world(N).run(started, "broadcast")
    assert first == 1.0 and len(warned) == 1 and "parameters differ at the start (those of rank 1 first)" in warned[0]
    assert others == [(1.0, [])] * (N - 1)
    assert world(N).run(started, "keep") == [(rank + 1.0, []) for rank in range(N)]


def wrapped(rank: int) -> None:
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2))
    batopo.attach(torch.optim.SGD(model.parameters(), lr=0.1), PATH, timeout=PATIENCE_S)


def test_the_parameters_of_a_ddp_model_are_refused(world: Callable[[int], Any]) -> None:
    for outcome in world(N).outcomes(wrapped):
        assert outcome.kind == "SetupError" and "DistributedDataParallel" in outcome.text, outcome


@pytest.mark.deep
def test_the_guide_says_what_each_rank_prints() -> None:
    def words(line: str) -> str:  # without seconds, and who of two was first to notice
        return re.sub(r"[0-9.]+ s \|$|within [0-9.]+ s|edge \d|by rank \d", "", line)
    guide = {words(line) for line in (ROOT / "docs" / "pytorch.md").read_text().splitlines()}
    for line in failure_table.table():
        assert words(line) in guide, line
