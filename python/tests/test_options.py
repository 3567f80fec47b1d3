"""Options of attach: what travels, buffers, names, what is refused, and bystanders of the step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch

import batopo
from batopo.momentum import Momentum
from batopo.placement import place, strangers, where_am_i
from batopo.stability import check_stable, growth
from batopo.subjects import buffer_slots, check_model, parameter_slots
from plans import all_kinds, apply_round, dense, make, matching, ring, sealed, undirected
from worlds import PATIENCE_S

N = 4
RING = make(N, ring(N))
WEAK = make(N, undirected(N, [(i, (i + 1) % N, 0.05) for i in range(N)]))


def numbers(rank: int, size: int = 5000) -> torch.Tensor:
    return torch.randn(size, generator=torch.Generator().manual_seed(rank))


def coarse(rank: int, plan: Any, dtype: torch.dtype, wire: Any) -> torch.Tensor:
    p = torch.nn.Parameter(numbers(rank).to(dtype))
    gossip = batopo.attach(torch.optim.SGD([p], lr=0.1), plan, explicit=True, wire=wire, timeout=PATIENCE_S,
                           start="keep")
    for _ in range(4):
        gossip.mix()
    return p.detach()


@pytest.mark.parametrize("name", ["static", "directed", "hierarchical", "ring collective", "tree collective"])
def test_bf16_on_the_wire_keeps_the_mean(world: Callable[[int], Any], name: str) -> None:
    plan = dict(all_kinds(N))[name]
    got = torch.stack(world(N).run(coarse, plan, torch.float32, "bf16")).double()
    want = torch.stack([numbers(r) for r in range(N)]).double()
    mean = want.mean(0)
    for k in range(4):
        want = apply_round(plan, k, want)
    assert 1e-6 < (got - want).norm() / want.norm() < 1e-2  # bfloat16 has 8 bits
    if "collective" in name:
        assert torch.equal(got, got[:1].expand_as(got))  # the same bits everywhere
    elif name != "hierarchical":  # whose copies inside groups are rounded too
        assert (got.mean(0) - mean).abs().max() < 1e-6


def slowly(rank: int, dtype: torch.dtype, rounds: int) -> torch.Tensor:
    """Differences of a few roundings: each round's correction is less than one of them."""
    step = torch.finfo(dtype).eps
    p = torch.nn.Parameter((1 + 3 * step * torch.tensor([rank == 0, rank == 1, rank == 2, rank < 2])).to(dtype))
    gossip = batopo.attach(torch.optim.SGD([p], lr=0.1), WEAK, explicit=True, timeout=PATIENCE_S, start="keep")
    for _ in range(rounds):
        gossip.mix()
    return p.detach()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_small_corrections_of_short_types_are_not_lost(world: Callable[[int], Any], dtype: torch.dtype) -> None:
    """Rounded away in every round, each would leave the parameters as they are."""
    got = torch.stack(world(N).run(slowly, dtype, 60)).double()
    step = torch.finfo(dtype).eps
    means = 1 + 3 * step * torch.tensor([0.25, 0.25, 0.25, 0.5], dtype=torch.float64)
    assert got.dtype == torch.float64 and (got - means).abs().max() <= step
    assert (got.mean(0) - means).abs().max() <= step / 2


def test_half_precision_parameters_are_summed_in_float32(world: Callable[[int], Any]) -> None:
    got = torch.stack(world(N).run(coarse, RING, torch.float16, None))
    want = torch.stack([numbers(r).half() for r in range(N)]).double()
    mean = want.mean(0)
    for k in range(4):
        want = apply_round(RING, k, want)
    assert got.dtype == torch.float16
    # One rounding at the end of all rounds, and the messages' own; what a rank still owes is less than half a step.
    assert (got.double() - want).abs().max() <= 2 ** -9 and (got.double().mean(0) - mean).abs().max() <= 2 ** -10


ROUNDS = ring(2), undirected(2, [(0, 1, 0.2)])


def large(rank: int) -> Tuple[torch.Tensor, int]:
    """Three buckets: one tensor of 60 MB beside a small one, over a plan of two rounds."""
    a, b = torch.nn.Parameter(torch.full((15_000_001,), float(rank))), torch.nn.Parameter(torch.tensor([float(rank)]))
    plan = make(2, *ROUNDS)
    gossip = batopo.attach(torch.optim.SGD([a, b], lr=0.1), plan, explicit=True, timeout=PATIENCE_S,
                           start="keep")
    gossip.mix()
    gossip.mix()
    pieces = len(gossip._rounds.row.cut((0, 15_000_002), 1, 25_000_000))
    return torch.stack([a.detach()[0], a.detach()[7_500_000], a.detach()[7_500_001], b.detach()[0]]), pieces


def test_large_tensors_travel_in_buckets(world: Callable[[int], Any]) -> None:
    (first, pieces), (second, _) = world(2).run(large)
    want = torch.tensor([0.0, 1.0], dtype=torch.float64)
    for part in ROUNDS:
        want = dense(make(2, part), 0) @ want
    assert pieces == 3
    for rank, got in enumerate((first, second)):
        assert got.tolist() == pytest.approx([want[rank].item()] * 4, rel=1e-6)


def norms(rank: int, kind: str) -> List[List[float]]:
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.BatchNorm1d(3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    gossip = batopo.attach(optimizer, RING, model=model, buffers=kind, timeout=PATIENCE_S)
    running = model[1].running_mean
    running.fill_(float(rank))
    model(torch.ones(2, 3)).sum().backward()
    running.fill_(float(rank))
    optimizer.step()
    with gossip.averaged():
        inside = running[0].item()
    return [[running[0].item(), inside], [float(model[1].num_batches_tracked)]]


@pytest.mark.parametrize("kind", ["local", "mix", "average"])
def test_buffers_of_batch_norm(world: Callable[[int], Any], kind: str) -> None:
    mixed = (dense(RING, 0) @ torch.arange(N, dtype=torch.float64)).tolist()
    for rank, ((after, inside), (count,)) in enumerate(world(N).run(norms, kind)):
        want = {"local": (rank, rank), "mix": (mixed[rank], 1.5), "average": (rank, 1.5)}[kind]
        assert (after, inside) == pytest.approx(want, rel=1e-6) and count == 1


def bystanders(rank: int) -> Tuple[List[float], int, List[float]]:
    """A scheduler made before attach, one after it, another optimizer with the same scaler, explicit loops."""
    class Scaler:
        def step(self, optimizer: Any) -> None:
            optimizer.step()
    p, q = (torch.nn.Parameter(torch.tensor([float(rank)])) for _ in range(2))
    mine, other, scaler = torch.optim.SGD([p], lr=1.0), torch.optim.SGD([q], lr=1.0), Scaler()
    before = torch.optim.lr_scheduler.StepLR(mine, 1, 0.5)
    gossip = batopo.attach(mine, RING, scaler, timeout=PATIENCE_S, start="keep")
    after = torch.optim.lr_scheduler.StepLR(mine, 1, 0.5)
    p.grad, q.grad = torch.zeros(1), torch.zeros(1)
    for _ in range(2):
        scaler.step(mine)
        scaler.step(other)
        before.step()
        after.step()
    return [p.item(), q.item()], gossip.round, [t.ms for t in gossip.timings()]


def test_schedulers_and_other_optimizers_are_left_alone(world: Callable[[int], Any]) -> None:
    want = (torch.linalg.matrix_power(dense(RING, 0), 2) @ torch.arange(N, dtype=torch.float64)).tolist()
    for rank, (values, count, times) in enumerate(world(N).run(bystanders)):
        assert values == pytest.approx([want[rank], rank], rel=1e-6) and count == 2
        assert len(times) == 2 and all(t > 0 for t in times)


def turned(rank: int, plan: Any, node: Any) -> float:
    p = torch.nn.Parameter(torch.tensor([float(rank)]))
    gossip = batopo.attach(torch.optim.SGD([p], lr=0.1), plan, explicit=True, node=node(rank),
                           timeout=PATIENCE_S, start="keep")
    gossip.mix()
    return p.item()


def reversed_node(rank: int) -> int:
    return N - 1 - rank


def test_a_rank_may_be_another_node(world: Callable[[int], Any]) -> None:
    w = dense(RING, 0).flip(0).flip(1)
    want = (w @ torch.arange(N, dtype=torch.float64)).tolist()
    assert world(N).run(turned, RING, reversed_node) == pytest.approx(want, rel=1e-6)
    assert want != pytest.approx((dense(RING, 0) @ torch.arange(N, dtype=torch.float64)).tolist(), rel=1e-3)


def seats(names: List[str], *where: Tuple[str, Any]) -> Any:
    return place([{"names": names, "host": host, "local": local} for host, local in where])


@pytest.mark.parametrize("names, where, nodes", [
    ([], [("a", 0), ("a", 1)], [0, 1]),
    (["x", "y"], [("a", 0), ("a", 1)], [0, 1]),  # no name is a host
    (["paris", "oslo"], [("oslo.example.org", 0), ("PARIS", 0)], [1, 0]),
    (["b:0", "b:1", "a:0", "a:1"], [("a", 0), ("a", 1), ("b", 0), ("b", 1)], [2, 3, 0, 1]),
    (["a/gpu1", "a/gpu0"], [("a", 0), ("a", 1)], [1, 0]),
])
def test_names_are_hosts_and_local_ranks(names: List[str], where: Any, nodes: List[int]) -> None:
    assert seats(names, *where) == (nodes, None)


@pytest.mark.parametrize("names, where, words", [
    (["a", "b"], [("a", 0), ("c", 0)], "rank 1 (c, local rank 0) is no node of the plan"),
    (["a:0", "b"], [("a", 0), ("a", 0)], "ranks 0 and 1 are both node 0"),
])
def test_names_that_do_not_fit(names: List[str], where: Any, words: str) -> None:
    assert words in seats(names, *where)[1]


def test_names_are_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = [("us1", ["10.0.1.11"]), ("eu1", ["10.0.2.11", "172.17.0.1"])]
    everybody = [{"names": ["10.0.2.11", "10.0.1.11"], "host": host, "local": 0, "addresses": addresses}
                 for host, addresses in hosts]
    assert place(everybody) == ([1, 0], None) and strangers(everybody) is None
    monkeypatch.setenv("MASTER_ADDR", "127.0.0.1")
    assert where_am_i()["addresses"] == []


def test_several_hosts_that_the_plan_does_not_name() -> None:
    ranks = [{"names": ["server0/GPU0", "server1/GPU0"], "host": host, "local": 0} for host in ("us1", "eu1")]
    text = strangers(ranks)
    assert text is not None and "server0/GPU0" in text and "eu1, us1" in text and "node i is rank i" in text
    assert strangers([{**facts, "host": "laptop"} for facts in ranks]) is None
    assert strangers([{**facts, "names": []} for facts in ranks]) is None


class FlatParameter(torch.nn.Parameter):
    pass


class ZeroRedundancyOptimizer(torch.optim.SGD):
    pass


SMALL = [torch.nn.Parameter(torch.zeros(2))]


def heavy_ball(plan: Any, beta: float = 0.9) -> None:
    check_stable(plan, torch.optim.SGD(SMALL, lr=0.1, momentum=beta))


def hypercube(every: int) -> Any:
    return make(16, *[matching(16, 1 << k) for k in range(4)], every=every)


REFUSED: Dict[str, Tuple[Callable[[], Any], str]] = {
    "FSDP": (lambda: parameter_slots(torch.optim.SGD([FlatParameter(torch.zeros(2))], lr=0.1)), "FSDP1"),
    "ZeRO": (lambda: parameter_slots(ZeroRedundancyOptimizer(SMALL, lr=0.1)), "ZeroRedundancyOptimizer"),
    "SyncBatchNorm": (lambda: check_model(torch.nn.Sequential(torch.nn.SyncBatchNorm(2))), "SyncBatchNorm"),
    "complex": (lambda: parameter_slots(torch.optim.SGD([torch.nn.Parameter(torch.zeros(2, dtype=torch.complex64))],
                                                        lr=0.1)), "complex64"),
    "Adam": (lambda: Momentum("quasi-global", torch.optim.Adam(SMALL)), "this is Adam"),
    "nesterov": (lambda: Momentum("quasi-global", torch.optim.SGD(SMALL, lr=0.1, momentum=0.9, nesterov=True)),
                 "nesterov"),
    "quasi-global, rounds too rare": (lambda: heavy_ball(hypercube(8)), "grow by 1.018 per step"),
    "quasi-global, groups and rounds too rare": (
        lambda: heavy_ball(make(N, ring(2), groups=((0, 1), (2, 3)), every=30)), "diverges"),
    "plain SGD, mixed": (lambda: Momentum("mixed", torch.optim.SGD(SMALL, lr=0.1)).slots(), "momentum_buffer"),
    "unknown momentum": (lambda: Momentum("global", torch.optim.Adam(SMALL)), "'global'"),
    "unknown buffers": (lambda: buffer_slots("all", None), "'all'"),
    "buffers without model": (lambda: buffer_slots("mix", None), "model=model"),
    "no process group": (lambda: batopo.attach(torch.optim.SGD(SMALL, lr=0.1), RING), "init_process_group"),
}


def test_quasi_global_is_taken_where_differences_die_out() -> None:
    heavy_ball(hypercube(4))
    heavy_ball(hypercube(8), beta=0.5)
    heavy_ball(sealed(replace(dict(all_kinds(N))["ring collective"], every=22)))


@pytest.mark.deep
def test_quasi_global_is_taken_with_every_kind_of_plan() -> None:
    for _, plan in all_kinds(N):
        heavy_ball(plan)


@pytest.mark.parametrize("order", ["atc", "cta"])
@pytest.mark.parametrize("every", [1, 3, 16])
def test_growth_is_the_largest_eigenvalue(every: int, order: str) -> None:
    """The recursion written down as one matrix on (x, m) of all ranks."""
    plan, beta, one = make(8, ring(8), matching(8, 4)), 0.9, torch.eye(8, dtype=torch.float64)
    whole = torch.eye(16, dtype=torch.float64)
    for step in range(2 * every):
        w = dense(plan, step // every) if (step + 1) % every == 0 else one
        pushed = -beta * (w if order == "atc" else one)
        looked_back = torch.cat([(1 - beta) * (one - w), beta * one - (1 - beta) * pushed], 1)
        now = torch.cat([torch.cat([w, pushed], 1), looked_back])
        whole = now @ whole
    apart = torch.block_diag(one - 1 / 8, one - 1 / 8)
    want = float(torch.linalg.eigvals(apart @ whole @ apart).abs().max()) ** (1 / (2 * every))
    assert growth([dense(plan, k) for k in range(2)], every, order, beta) == pytest.approx(want, abs=2e-3)


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_why(name: str) -> None:
    job, words = REFUSED[name]
    with pytest.raises(batopo.SetupError) as error:
        job()
    assert words in str(error.value)


@pytest.mark.parametrize("plan", [
    make(N, ring(2), groups=((0, 1), (2, 3))), dict(all_kinds(N))["directed"], dict(all_kinds(N))["ring collective"]])
def test_only_symmetric_plans_fold(world: Callable[[int], Any], plan: Any) -> None:
    for outcome in world(N).outcomes(fold_with, plan):
        assert outcome.kind in ("SetupError", "HandshakeError") and "undirected gossip plan" in outcome.text


def fold_with(rank: int, plan: Any) -> None:
    batopo.attach(torch.optim.SGD([torch.nn.Parameter(torch.zeros(2))], lr=0.1), plan, on_loss="fold")


def attach_twice(rank: int) -> None:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(2))], lr=0.1)
    batopo.attach(optimizer, RING, timeout=PATIENCE_S)
    batopo.attach(optimizer, RING, timeout=PATIENCE_S)


def test_an_optimizer_is_attached_once(world: Callable[[int], Any]) -> None:
    for outcome in world(N).outcomes(attach_twice):
        assert outcome.kind == "SetupError" and "already" in outcome.text


def mix_in_flight(rank: int) -> None:
    p = torch.nn.Parameter(torch.zeros(2))
    p.grad = torch.zeros(2)
    optimizer = torch.optim.SGD([p], lr=0.1)
    gossip = batopo.attach(optimizer, sealed(replace(RING, order="cta", overlap=True)), timeout=PATIENCE_S)
    optimizer.step()
    gossip.mix()


def test_mix_in_the_middle_of_an_overlapping_round_is_refused(world: Callable[[int], Any]) -> None:
    for outcome in world(N).outcomes(mix_in_flight):
        assert outcome.kind == "SetupError" and "explicit=True" in outcome.text


def switch_to(rank: int, plan: Any, momentum: str) -> None:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(2))], lr=0.1, momentum=0.9)
    batopo.attach(optimizer, RING, momentum=momentum, timeout=PATIENCE_S).switch(plan)


@pytest.mark.parametrize("plan, momentum, words", [
    (make(8, ring(8)), "local", "the new plan has 8 nodes"),
    (make(N, *[matching(N, bit) for bit in (1, 2)], every=16), "quasi-global", "diverges with this plan"),
])
def test_a_plan_that_cannot_run_is_not_switched_to(
        world: Callable[[int], Any], plan: Any, momentum: str, words: str) -> None:
    for outcome in world(N).outcomes(switch_to, plan, momentum):
        assert outcome.kind in ("SetupError", "HandshakeError") and words in outcome.text, outcome
