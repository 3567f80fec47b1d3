"""DistributedDataParallel with a plan's average is DistributedDataParallel, for every collective and loop."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from dataclasses import replace
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.links import Gloo
from batopo.placement import place_servers
from batopo.plan_file import Plan
from plans import all_kinds
from worlds import PATIENCE_S

N, TIMEOUT_S = 4, 6.0
KINDS = {name: plan for name, plan in all_kinds(N) if plan.kind == "collective"}


def start(rank: int, dtype: torch.dtype, size: int = 1001) -> torch.Tensor:
    return torch.randn(size, generator=torch.Generator().manual_seed(rank), dtype=torch.float64).to(dtype)


def reduced(rank: int, plans: List[Plan], dtype: torch.dtype, options: Dict[str, Any]) -> List[torch.Tensor]:
    return [batopo.all_reduce(start(rank, dtype), plan, timeout=PATIENCE_S, **options) for plan in plans]


@pytest.mark.parametrize("dtype, options, tolerance", [
    (torch.float64, {}, 1e-15), (torch.float64, {"chunks": 7}, 1e-15), (torch.float32, {}, 1e-6),
    (torch.float32, {"wire": "bf16"}, 2e-2), (torch.float32, {"wire": "fp16", "chunks": 3}, 2e-3)])
def test_every_collective_gives_the_mean_with_equal_bits(
        world: Callable[[int], Any], dtype: torch.dtype, options: Dict[str, Any], tolerance: float) -> None:
    got = world(N).run(reduced, list(KINDS.values()), dtype, options)
    want = torch.stack([start(r, dtype).double() for r in range(N)]).mean(0)
    for k, name in enumerate(KINDS):
        for rank in range(N):
            assert torch.equal(got[rank][k], got[0][k]), (name, rank)
        assert (got[0][k].double() - want).norm() / want.norm() <= tolerance, name


def in_servers(rank: int, plans: List[Plan], options: Dict[str, Any]) -> List[torch.Tensor]:
    """Ranks 0, 2 and 1, 3 share a server."""
    return [batopo.all_reduce(start(rank, torch.float64), plan, timeout=PATIENCE_S, node=rank % 2, **options)
            for plan in plans]


@pytest.mark.parametrize("options", [{}, {"chunks": 3}])
def test_a_node_may_be_a_server_of_several_ranks(world: Callable[[int], Any], options: Dict[str, Any]) -> None:
    plans = [plan for _, plan in all_kinds(2) if plan.kind == "collective"]
    got = world(N).run(in_servers, plans, options)
    want = torch.stack([start(r, torch.float64) for r in range(N)]).mean(0)
    for k in range(len(plans)):
        assert all(torch.equal(row[k], got[0][k]) for row in got) and torch.allclose(got[0][k], want, rtol=1e-14)


def test_servers_are_found_by_their_hosts() -> None:
    def seats(hosts: str, names: List[str], **more: Any) -> Any:
        return place_servers([{"host": host, "nodes": 2, "names": names, **more} for host in hosts])
    assert seats("aabb", []) == ([0, 0, 1, 1], None) and seats("abab", ["b", "a"]) == ([1, 0, 1, 0], None)
    for hosts in ("aaab", "abcd", "aaaa"):
        assert "start as many on each of 2 hosts" in seats(hosts, [])[1]


class Model(torch.nn.Module):
    """Three layers; the last is left out where a batch says so."""

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        torch.manual_seed(3)
        self.a, self.b, self.c = (torch.nn.Linear(8, 8).to(dtype) for _ in range(3))

    def forward(self, x: torch.Tensor, short: bool) -> torch.Tensor:
        x = torch.tanh(self.b(torch.tanh(self.a(x))))
        return x if short else self.c(x)


def trained(rank: int, plan: Any, dtype: torch.dtype, how: str, options: Dict[str, Any]) -> torch.Tensor:
    """Twelve steps of a loop as users write them; plan None: plain DistributedDataParallel."""
    unused, static = how == "unused parameters", how == "static graph"
    # Buckets of 400 bytes: several in every step but the first.
    model = DistributedDataParallel(Model(dtype), find_unused_parameters=unused, static_graph=static,
                                    bucket_cap_mb=0.0004)
    reduce = None if plan is None else batopo.ddp(model, plan, timeout=PATIENCE_S, **options)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    generator = torch.Generator().manual_seed(rank)
    for step in range(12):
        x = torch.randn(4, 8, generator=generator, dtype=torch.float64).to(dtype)
        short = unused and step % 3 == 1
        if how == "accumulation" and step % 2 == 0:
            with model.no_sync():
                model(x, short).pow(2).mean().backward()
            continue
        model(x, short).pow(2).mean().backward()
        if how == "clipping":
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.01)
        if how != "skipped steps" or step % 4:  # a scaler sees the same gradients, and skips on all ranks
            optimizer.step()
        optimizer.zero_grad(set_to_none=step % 2 == 0)
    if reduce is not None:
        reduce.close()
    return torch.cat([p.detach().reshape(-1) for p in model.parameters()])


def both(rank: int, plans: List[Plan], dtype: torch.dtype, how: str, options: Dict[str, Any]) -> List[torch.Tensor]:
    return [trained(rank, plan, dtype, how, options) for plan in [None, *plans]]


@pytest.mark.parametrize("how", ["plain", "accumulation", "unused parameters", "static graph", "clipping",
                                 "skipped steps"])
def test_training_is_that_of_ddp(world: Callable[[int], Any], how: str) -> None:
    plans = list(KINDS.values()) if how == "plain" else [KINDS["shards in chunks"]]
    got = world(N).run(both, plans, torch.float64, how, {})
    for rank in range(N):
        want, *others = got[rank]
        for name, x in zip(KINDS, others):
            assert (x - want).abs().max() <= 1e-12, (name, how)
        for x, first in zip(others, got[0][1:]):
            assert torch.equal(x, first)


@pytest.mark.parametrize("wire, most", [(None, 1e-6), ("bf16", 2e-3), ("fp16", 3e-4)])
def test_sums_are_float32_whatever_travels(world: Callable[[int], Any], wire: Any, most: float) -> None:
    got = world(N).run(both, [KINDS["shards in chunks"], KINDS["ring collective"]], torch.float32, "plain",
                       {"wire": wire})
    for k in (1, 2):
        assert all(torch.equal(row[k], got[0][k]) for row in got)
        assert (got[0][k] - got[0][0]).abs().max() <= most
    if wire is not None:
        assert not torch.equal(got[0][1], got[0][0])


def order_matters(rank: int, plan: Any, turn: int) -> torch.Tensor:
    """Thirty steps in float32; turn: ranks have each other's batches, so that DDP sums in another order."""
    model = DistributedDataParallel(Model(torch.float32))
    if plan is not None:
        batopo.ddp(model, plan, timeout=PATIENCE_S)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    generator = torch.Generator().manual_seed((rank + turn) % N)
    for _ in range(12):
        x = torch.randn(4, 8, generator=generator)
        optimizer.zero_grad()
        (model(x, False) - x.flip(1)).pow(2).mean().backward()
        optimizer.step()
    return torch.cat([p.detach().double().reshape(-1) for p in model.parameters()])


def test_in_float32_it_is_no_further_from_ddp_than_ddp_with_other_ranks(world: Callable[[int], Any]) -> None:
    runs = [(None, turn) for turn in range(N)] + [(plan, 0) for plan in KINDS.values()]
    want, *others = (world(N).run(order_matters, plan, turn)[0] for plan, turn in runs)
    apart = [(x - want).norm().item() for x in others]
    turned, ours = apart[:N - 1], apart[N - 1:]
    assert min(turned) > 0 and max(ours) <= 1.5 * max(turned), apart  # all of them are sums of chance roundings


class Late(torch.nn.Module):
    """Six layers, each of them a bucket whose gradient comes at another time on every rank."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ParameterList([torch.nn.Parameter(torch.ones(400_000)) for _ in range(6)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = x * layer.mean()
            x.register_hook(lambda gradient: time.sleep(0.012 * random.random()))
        return x


def late_buckets(rank: int, plans: List[Plan]) -> bool:
    random.seed(rank)
    for plan in plans:
        model = DistributedDataParallel(Late(), bucket_cap_mb=1.0)
        reduce = batopo.ddp(model, plan, timeout=60.0)
        for _ in range(8):
            model(torch.ones(1)).sum().backward()
        reduce.close()
    return True


def test_ranks_whose_buckets_come_at_other_times_do_not_wait_for_each_other(lone_world: Callable[..., Any]) -> None:
    assert all(lone_world(N).run(late_buckets, [KINDS["ring collective"], KINDS["path in chunks"]]))


def three_buckets(rank: int, plan: Plan, first_alone: bool) -> List[float]:
    """A pass of three buckets, and whether the thread of one that never ends is gone after close()."""
    tensors = [torch.full((1000,), float(rank + k)) for k in range(3)]
    model = DistributedDataParallel(torch.nn.Linear(1, 1))
    reduce = batopo.ddp(model, plan, timeout=60.0)
    reduce.total = 12_000  # bytes of the three
    futures = [reduce.begin(tensors[0], False)]
    if first_alone:
        futures[0].wait()
    futures += [reduce.begin(tensors[1], False), reduce.begin(tensors[2], True)]
    for future in futures:
        future.wait()
    reduce.begin(torch.zeros(1000), False)
    reduce.close()
    for thread in threading.enumerate():
        if thread.name == "batopo":
            thread.join(PATIENCE_S)
    return [tensor[0].item() for tensor in tensors]


@pytest.mark.parametrize("kind, first_alone", [("path in chunks", False), ("ring collective", True)])
def test_buckets_of_a_pass(lone_world: Callable[..., Any], kind: str, first_alone: bool) -> None:
    """A bucket of few chunks is averaged before the next one comes, so that it overlaps with the backward pass."""
    mean = (N - 1) / 2
    assert lone_world(N).run(three_buckets, KINDS[kind], first_alone) == [[mean, mean + 1, mean + 2]] * N


def misused(rank: int, deed: str) -> None:
    """Every rank but one does it right; some mistakes are made by all."""
    plan: Any = KINDS["shards in chunks"]
    inner: torch.nn.Module = Model(torch.float32)
    model: Any = DistributedDataParallel(inner)
    options: Dict[str, Any] = {"timeout": 30.0}
    if deed == "nodes":
        plan = dict(all_kinds(8))["ring collective"]
    if rank == 2:
        if deed == "plan":
            plan = KINDS["ring collective"]
        if deed == "gossip":
            plan = dict(all_kinds(N))["static"]
        if deed == "file":
            plan = "nowhere.json"
        if deed == "model":
            model = inner
        if deed == "sharded":
            model = type("FullyShardedDataParallel", (torch.nn.Linear,), {})(2, 2)
        if deed == "wire":
            options["wire"] = "fp8"
        if deed == "chunks":
            options["chunks"] = 3
    batopo.ddp(model, plan, **options)


@pytest.mark.parametrize("deed, words", [
    ("nodes", "the plan is for 8 nodes, but 4 ranks run"), ("plan", "rank 2: plan hash is"),
    ("gossip", "give it to batopo.attach"), ("file", "nowhere.json"), ("model", "wrap it first"),
    ("sharded", "sharded by FSDP"), ("wire", "wire is 'fp8'"), ("chunks", "rank 2: options")])
def test_misuse_fails_on_every_rank_before_the_first_step(world: Callable[[int], Any], deed: str, words: str) -> None:
    for outcome in world(N).outcomes(misused, deed, timeout=PATIENCE_S):
        assert outcome.kind in ("HandshakeError", "SetupError") and words in outcome.text, outcome


def interrupted(rank: int, bad: int, deed: str) -> Tuple[str, str]:
    """Steps until one rank dies or hangs; what backward and then the next step say."""
    model = DistributedDataParallel(Model(torch.float32))
    batopo.ddp(model, KINDS["shards in chunks"], timeout=TIMEOUT_S)
    said = []
    for step in range(4):
        if rank == bad and step == 2:
            if deed == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(2 * PATIENCE_S)
        try:
            model(torch.ones(1, 8), False).sum().backward()
        except batopo.PeerError as error:
            said.append(str(error))
            if len(said) == 2:
                break
    return said[0], said[-1]


@pytest.mark.parametrize("deed", ["die", "hang"])
def test_a_lost_rank_is_named_in_backward_on_every_rank(lone_world: Callable[..., Any], deed: str) -> None:
    begin = time.monotonic()
    outcomes = lone_world(N).outcomes_of([0, 1, 3], interrupted, 2, deed, timeout=PATIENCE_S)
    for outcome in outcomes:
        assert isinstance(outcome, tuple), outcome
        assert "–2: rank 2 " in outcome[0], outcome
        assert ("closed the connection" if deed == "die" else "did not answer within") in outcome[0], outcome
    assert deed == "die" or time.monotonic() - begin >= 0.5 * TIMEOUT_S


def flights(rank: int, plan: Plan, chunks: int) -> int:
    """How many blocks an average of 1001 elements goes through."""
    del rank
    counted = []
    module: Any = sys.modules["batopo.data_parallel"]
    begin = module.Flight

    def count(*args: Any, **more: Any) -> Any:
        counted.append(1)
        return begin(*args, **more)
    module.Flight = count
    try:
        batopo.all_reduce(start(0, torch.float32), plan, timeout=PATIENCE_S, chunks=chunks)
    finally:
        module.Flight = begin
    return len(counted)


def test_a_message_is_cut_as_the_plan_says(world: Callable[[int], Any]) -> None:
    """However short the plan says that its round is: the planner has priced the chunks."""
    plan = replace(KINDS["shards in chunks"], round_ms=(0.001,), message_mb=1.0)
    assert plan.collective is not None and plan.collective.chunks == 5
    assert world(N).run(flights, plan, 0) == [5] * N and world(N).run(flights, plan, 3) == [3] * N


def posted(rank: int, elements: int) -> List[Tuple[str, int]]:
    """What a rank posts for one all-reduce around a ring, in its order, with the number of the step."""
    del rank
    seen: List[Tuple[str, int]] = []
    kept = Gloo.receive, Gloo.send

    def noted(kind: str, call: Any) -> Any:
        def post(links: Any, peer: int, buffer: torch.Tensor, tag: int) -> Any:
            seen.append((kind, tag))
            return call(links, peer, buffer, tag)
        return post
    plan = KINDS["ring collective"]
    batopo.all_reduce(torch.ones(4), plan, timeout=PATIENCE_S)  # connects
    try:
        setattr(Gloo, "receive", noted("receive", kept[0]))
        setattr(Gloo, "send", noted("send", kept[1]))
        batopo.all_reduce(torch.ones(elements), plan, timeout=PATIENCE_S)
    finally:
        Gloo.receive, Gloo.send = kept  # type: ignore
    first = min(tag for _, tag in seen)
    return [(kind, tag - first) for kind, tag in seen]


@pytest.mark.parametrize("elements, ahead", [(1000, 1), (2_000_000, 0)])
def test_receives_of_small_blocks_are_posted_a_step_ahead(world: Callable[[int], Any], elements: int,
                                                          ahead: int) -> None:
    """Otherwise gloo's notice that a rank receives would cost a delay in every step."""
    for seen in world(N).run(posted, elements):
        for step in range(6):
            expected = min(step + ahead, 5)
            before = seen[:seen.index(("send", step))]
            assert max(tag for kind, tag in before if kind == "receive") == expected
