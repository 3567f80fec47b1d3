"""Local SGD, outer optimizers, late averages, phases and unequal batches against plain torch.distributed."""

from __future__ import annotations

import math
import os
import threading
import time
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Tuple

import pytest
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.gradients import Ways
from batopo.plan_file import Collective, OuterStep, Phase, Plan
from plans import collectives, make, matching, ring, sealed
from worlds import PATIENCE_S

N = 4
PAIRS, CROSSED = ((0, 1), (2, 3)), ((0, 2), (3, 1))
NESTEROV = OuterStep(0.7, 0.9)


def exact(groups: Any = (), **fields: Any) -> Plan:
    """An all-reduce over all nodes, or over groups that average gradients inside."""
    parties = len(groups) or N
    order = tuple(reversed(range(parties)))
    return sealed(Plan(N, kind="collective", collective=Collective("ring", order), groups=groups,
                       inside_gradients=bool(groups), **fields))


@dataclass(frozen=True)
class Run:
    """One training run."""

    plan: Plan
    adam: bool = True
    steps: int = 11
    dtype: torch.dtype = torch.float64
    accumulate: int = 1
    clip: float = 0.0


PHASES = (Phase(3, 0, 0), Phase(4, 2, 1), Phase(0, 3, 2))
UNEQUAL = (0.1, 0.2, 0.3, 0.4)
RUNS: Dict[str, Run] = {
    "gradients": Run(exact(average="gradients")),
    "gradients, unequal batches": Run(exact(average="gradients", batch_weights=UNEQUAL), adam=False),
    "local SGD": Run(exact(PAIRS, every=3)),
    "local SGD, SGD": Run(exact(CROSSED, every=3), adam=False),
    "local SGD, accumulation and clipping": Run(exact(CROSSED, every=2), accumulate=2, clip=0.05),
    "local SGD, unequal batches": Run(exact(CROSSED, every=3, batch_weights=UNEQUAL)),
    "local SGD, one-peer": Run(make(N, matching(2, 1), ring(2), groups=PAIRS, inside_gradients=True, every=2)),
    "changes": Run(exact(every=3, average="changes")),
    "outer, local SGD": Run(exact(PAIRS, every=3, average="changes", outer=NESTEROV)),
    "outer, SGD, unequal batches": Run(exact(every=2, average="changes", outer=NESTEROV, batch_weights=UNEQUAL),
                                       adam=False),
    "late": Run(exact(PAIRS, every=3, delay=2)),
    "late by a whole period": Run(exact(PAIRS, every=3, delay=3), adam=False),
    "late one-peer": Run(make(N, matching(N, 1), matching(N, 2), every=2, delay=2)),
    "late, outer": Run(exact(PAIRS, every=4, delay=3, average="changes", outer=NESTEROV)),
    "phases": Run(exact(PAIRS, every=3, delay=2, phases=PHASES)),
    "phases, outer": Run(exact(CROSSED, every=3, delay=2, phases=PHASES, average="changes", outer=NESTEROV)),
    "phases, gossip": Run(make(N, ring(N), every=3, delay=2, phases=PHASES)),
}


class Model(torch.nn.Module):
    """Small, smooth and the same on all ranks at the start; its second tensor is transposed in memory."""

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(7)
        self.a = torch.nn.Parameter(torch.randn(5, 6, generator=generator, dtype=torch.float64).to(dtype))
        self.b = torch.nn.Parameter(torch.randn(3, 6, generator=generator, dtype=torch.float64).to(dtype).t())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x @ self.a) @ self.b


def optimizer_of(run: Run, model: torch.nn.Module) -> torch.optim.Optimizer:
    if run.adam:
        return torch.optim.AdamW(model.parameters(), lr=0.02)
    return torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)


def backward(run: Run, model: torch.nn.Module, rank: int, step: int) -> None:
    """Gradients of one step, in several batches where they are accumulated."""
    generator = torch.Generator().manual_seed(1000 * rank + step)
    model.zero_grad()
    for _ in range(run.accumulate):
        x = torch.randn(4, 5, generator=generator, dtype=torch.float64).to(run.dtype)
        (model(x) - rank).pow(2).mean().backward()


def flat(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([p.detach().reshape(-1).double() for p in model.parameters()])


def put(model: torch.nn.Module, row: torch.Tensor) -> None:
    at = 0
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(row[at:at + p.numel()].view_as(p))
            at += p.numel()


def clipped(run: Run, model: torch.nn.Module) -> None:
    if run.clip:
        torch.nn.utils.clip_grad_norm_(model.parameters(), run.clip)


def attached(run: Run) -> Tuple[torch.nn.Module, torch.optim.Optimizer, Any]:
    model = DistributedDataParallel(Model(run.dtype), bucket_cap_mb=0.0001)
    optimizer = optimizer_of(run, model)
    return model, optimizer, batopo.attach(optimizer, run.plan, model=model, timeout=PATIENCE_S)


def ours(rank: int, run: Run) -> torch.Tensor:
    """With attach; the loop is the user's."""
    model, optimizer, gossip = attached(run)
    for step in range(run.steps):
        backward(run, model, rank, step)
        clipped(run, model)
        optimizer.step()
    gossip.detach()
    return flat(model)


class Plain:
    """The same with torch.distributed alone: all-reduces, and for gossip what everybody has."""

    def __init__(self, rank: int, run: Run) -> None:
        self.rank, self.run, self.plan = rank, run, run.plan
        self.model = Model(run.dtype)
        self.optimizer = optimizer_of(run, self.model)
        self.weights = torch.tensor(run.plan.batch_weights or (1 / N,) * N, dtype=torch.float64)
        groups = run.plan.groups if run.plan.inside_gradients else tuple((i,) for i in range(N))
        self.mine = next(group for group in groups if rank in group)
        self.group = [dist.new_group(list(group)) for group in groups][groups.index(self.mine)]
        self.start: Optional[torch.Tensor] = None
        self.velocity = torch.zeros_like(flat(self.model))
        self.late: Optional[Tuple[int, torch.Tensor]] = None
        self.rounds = 0

    def gradients(self, everybody: bool) -> None:
        """The weighted mean over all ranks, or over the group."""
        total = 1.0 if everybody else sum(self.weights[list(self.mine)])
        for p in self.model.parameters():
            assert p.grad is not None
            p.grad.mul_(self.weights[self.rank] / total)
            dist.all_reduce(p.grad, group=None if everybody else self.group)

    def between(self, x: torch.Tensor) -> torch.Tensor:
        """What an average makes of everybody's x."""
        if self.plan.kind == "collective":
            x = x * self.weights[self.rank]
            dist.all_reduce(x)
            return x
        everything = [torch.empty_like(x) for _ in range(N)]
        dist.all_gather(everything, x)
        part = self.plan.rounds[self.rounds % len(self.plan.rounds)]
        groups = self.plan.groups or tuple((i,) for i in range(N))
        me = groups.index(self.mine)
        out = part.self_weights[me] * x
        for e in part.edges:
            if me in (e.i, e.j):
                out += e.weight * everything[groups[e.i + e.j - me][0]]
        return out

    def result(self, x: torch.Tensor) -> torch.Tensor:
        """What models become after an average of x."""
        mean = self.between(x)
        self.rounds += 1
        if self.plan.outer is not None:
            assert self.start is not None
            d = self.start - mean
            self.velocity = self.plan.outer.momentum * self.velocity + d
            mean = self.start - self.plan.outer.learning_rate * (d + self.plan.outer.momentum * self.velocity)
        self.start = mean
        return mean

    def land(self) -> None:
        """Applies what is late."""
        if self.late is not None:
            put(self.model, flat(self.model) + self.late[1])
            self.late = None

    def train(self) -> torch.Tensor:
        plan, done, model = self.plan, 0, self.model
        all_phases = plan.phases or (Phase(0, plan.every, plan.delay),)
        if plan.average == "gradients":
            all_phases = (Phase(0, 0, 0),)
        for phase in all_phases:
            for t in range(1, (phase.steps or self.run.steps - done) + 1):
                if phase.every and self.start is None:
                    self.start = flat(model)
                backward(self.run, model, self.rank, done)
                self.gradients(everybody=phase.every == 0)
                clipped(self.run, model)
                self.optimizer.step()
                done += 1
                if self.late is not None and self.late[0] == done:
                    self.land()
                if phase.every and t % phase.every == 0:
                    self.land()
                    x = flat(model)
                    result = self.result(x)
                    if phase.delay:
                        self.late = (done + phase.delay, result - x)
                    else:
                        put(model, result)
        return flat(model)


def both(rank: int, runs: List[Run]) -> List[Tuple[torch.Tensor, torch.Tensor]]:
    return [(ours(rank, run), Plain(rank, run).train()) for run in runs]


def test_training_is_a_plain_loop_of_all_reduces(world: Callable[[int], Any]) -> None:
    got = world(N).run(both, list(RUNS.values()))
    seen: List[torch.Tensor] = []
    for k, (name, run) in enumerate(RUNS.items()):
        for rank in range(N):
            mine, plain = got[rank][k]
            assert torch.allclose(mine, plain, rtol=0, atol=1e-12), f"{name}: off by {(mine - plain).abs().max()}"
        last = got[3][k][0]
        assert all((last - other).abs().max() > 1e-6 for other in seen), f"{name} does what another one does"
        seen.append(last)


def in_float32(rank: int, run: Run) -> Tuple[torch.Tensor, torch.Tensor]:
    return ours(rank, run), Plain(rank, run).train()


@pytest.mark.parametrize("name", ["local SGD", "outer, local SGD"])
def test_in_float32_it_is_the_plain_loop_too_and_groups_end_alike(world: Callable[[int], Any], name: str) -> None:
    run = replace(RUNS[name], dtype=torch.float32, steps=12)
    got = world(N).run(in_float32, run)
    for mine, plain in got:
        assert (mine - plain).abs().max() <= 1e-6
        assert torch.equal(mine, got[0][0])  # the last step ended with an average


INT8 = Run(exact(PAIRS, every=2, average="changes", wire="int8", outer=NESTEROV), dtype=torch.float32, adam=False)


def resumed(rank: int, run: Run, stops: List[int]) -> Tuple[torch.Tensor, List[torch.Tensor]]:
    """The run in one piece, and in two with everything but the checkpoint made again."""
    whole, pieces = ours(rank, run), []
    for stop in stops:
        saved: Dict[str, Any] = {}
        model: torch.nn.Module = Model(run.dtype)
        for first, last in ((0, stop), (stop, run.steps)):
            model, optimizer, gossip = attached(run)
            if saved:
                model.load_state_dict(saved["model"])
                optimizer.load_state_dict(saved["optimizer"])
                gossip.load_state_dict(saved["gossip"])
            for step in range(first, last):
                backward(run, model, rank, step)
                clipped(run, model)
                optimizer.step()
            saved = {"model": {k: v.clone() for k, v in model.state_dict().items()},
                     "optimizer": optimizer.state_dict(), "gossip": gossip.state_dict()}
            gossip.detach()
        pieces.append(flat(model))
    return whole, pieces


@pytest.mark.parametrize("name, stops", [
    ("local SGD", [4]), ("outer, local SGD", [1, 5]), ("late", [4, 6]), ("late, outer", [4, 6]),
    ("phases, outer", [3, 8]), ("8 bits", [3, 4]),
    pytest.param("late, outer", [5, 7], marks=pytest.mark.deep),
    pytest.param("phases, outer", [2, 5, 7, 10], marks=pytest.mark.deep)])
def test_a_resumed_run_has_the_same_bits(world: Callable[[int], Any], name: str, stops: List[int]) -> None:
    for whole, pieces in world(N).run(resumed, {**RUNS, "8 bits": INT8}[name], stops):
        for stop, piece in zip(stops, pieces):
            assert torch.equal(whole, piece), stop


def looked_at(rank: int, run: Run) -> Tuple[torch.Tensor, torch.Tensor, float]:
    """A run that looks at the mean after every step, one that does not, and how far means were from what they are."""
    untouched = ours(rank, run)
    model, optimizer, gossip = attached(run)
    weights = torch.tensor(run.plan.batch_weights or (1 / N,) * N, dtype=torch.float64)
    off = 0.0
    for step in range(run.steps):
        backward(run, model, rank, step)
        optimizer.step()
        late = gossip.state_dict()["late"]
        want = flat(model)
        if late is not None:  # it counts; the second tensor lies in memory by columns
            (change,) = late["change"]
            want = want + torch.cat([change[:30], change[30:].view(3, 6).t().reshape(-1)])
        want = want * weights[rank]
        dist.all_reduce(want)
        with gossip.averaged():
            off = max(off, (flat(model) - want).abs().max().item())
    end = flat(model)
    gossip.average()
    with gossip.averaged():
        pass
    return untouched, end, off


@pytest.mark.parametrize("name", ["local SGD, unequal batches", "late, outer", "phases, outer"])
def test_means_are_right_after_every_step_and_change_nothing(world: Callable[[int], Any], name: str) -> None:
    for untouched, end, off in world(N).run(looked_at, RUNS[name]):
        assert torch.equal(untouched, end) and off <= 1e-12


def finals(rank: int, run: Run) -> Tuple[torch.Tensor, str, str, Dict[str, int], bool]:
    """average() with an average on its way, what a run says about itself, and detach."""
    model, optimizer, gossip = attached(run)
    before = repr(gossip)
    for step in range(run.steps):
        backward(run, model, rank, step)
        optimizer.step()
    said, memory = repr(gossip), gossip.memory()
    gossip.average()
    end = flat(model)
    gossip.detach()
    backward(run, model, rank, 0)
    other = Model(run.dtype)
    put(other, end)
    backward(run, other, rank, 0)
    for p in other.parameters():
        assert p.grad is not None
        dist.all_reduce(p.grad.div_(N))
    pairs = zip(model.parameters(), other.parameters())
    plain = all(p.grad is not None and q.grad is not None and torch.allclose(p.grad, q.grad) for p, q in pairs)
    return end, before, said, memory, plain


def test_a_run_ends_alike_on_all_ranks_and_says_what_it_does(world: Callable[[int], Any]) -> None:
    run = RUNS["phases, outer"]
    got = world(N).run(finals, run)
    for end, before, said, memory, plain in got:
        assert torch.equal(end, got[0][0]) and plain
        assert "gradients of all ranks in every step, step 0 is in phase 1 of 3, outer step 0.7" in before
        assert "gradients inside groups in every step, step 11 is in phase 3 of 3, 2 steps late" in said
        assert "averages changes of 2 tensors of 48 elements" in said
        assert memory["outer"] == 2 * 48 * 8 and memory["late"] == 48 * 8 and memory["snapshot"] > 0


def tasks(most: float) -> int:
    """Threads of this process. Those of closed connections need a moment to end, longer on a busy machine."""
    end = time.monotonic() + 60.0
    while True:
        count = len(os.listdir("/proc/self/task"))
        if count <= most or time.monotonic() >= end:
            return count
        time.sleep(0.01)


def attached_again(rank: int, run: Run, options: Dict[str, Any]) -> List[int]:
    """Threads of this process after each of several runs that were detached."""
    threads, ended, before = [], [], threading.enumerate()
    for _ in range(4):
        model = DistributedDataParallel(Model(run.dtype))
        optimizer = optimizer_of(run, model)
        gossip = batopo.attach(optimizer, run.plan, model=model, timeout=PATIENCE_S, **options)
        for step in range(4):
            backward(run, model, rank, step)
            optimizer.step()
        gossip.detach()
        ended.append(gossip)  # a user who keeps it does not keep its threads
        for thread in threading.enumerate():
            if thread.name.startswith("batopo") and thread not in before:
                thread.join(PATIENCE_S)
        threads.append(tasks(threads[1] if len(threads) > 1 else math.inf))
    with pytest.raises(batopo.SetupError, match="attach again"):
        ended[0].average()
    return threads


@pytest.mark.parametrize("run, options", [(RUNS["phases, outer"], {}), (Run(make(N, ring(N))), {"on_loss": "fold"})])
def test_detach_ends_threads_and_connections(world: Callable[[int], Any], run: Run, options: Dict[str, Any]) -> None:
    for threads in world(N).run(attached_again, run, options):
        assert max(threads[2:]) <= threads[1], threads  # the first run's groups end when the second connects


def rare(rank: int, wire: str, steps: int, collective: Collective, groups: Any) -> torch.Tensor:
    """Everybody's large element grows alike, the small ones by much less than a 256th of it, each node's by its own."""
    plan = sealed(Plan(N, kind="collective", collective=collective, groups=groups, inside_gradients=bool(groups),
                       average="changes", wire=wire))
    model = DistributedDataParallel(torch.nn.Linear(700, 1, bias=False))
    torch.nn.init.zeros_(model.module.weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    batopo.attach(optimizer, plan, model=model, timeout=PATIENCE_S)
    slopes = torch.full((1, 700), 1e-3) * (rank + 1)
    slopes[0, ::256] = 1.0
    for _ in range(steps):
        optimizer.zero_grad()
        model(slopes).sum().backward()
        optimizer.step()
    return -model.module.weight.detach().reshape(-1)


@pytest.mark.parametrize("name", [
    "ring", "path in chunks", *(pytest.param(name, marks=pytest.mark.deep) for name in ("tree", "shards in chunks"))])
def test_8_bits_lose_nothing_in_the_long_run(world: Callable[[int], Any], name: str) -> None:
    kinds = {**dict(collectives(N)), "ring": Collective("ring", (2, 0, 3, 1)),
             "tree": Collective("tree", parent=(-1, 0, 0, 1))}
    steps = 40
    got = world(N).run(rare, "int8", steps, kinds[name], ())
    want = torch.full((700,), 2.5e-3 * steps)
    want[::256] = 1.0 * steps
    for x in got:
        assert torch.equal(x, got[0])
        assert (x - want).abs().max() <= 3 / 64  # a few of the steps in which the change of an element is sent
    assert (got[0][1:256] - 2.5e-3 * steps).abs().max() < 0.5 * 2.5e-3 * steps  # without feedback all would be 0


def test_8_bits_refuse_sums_that_are_made_twice(world: Callable[[int], Any]) -> None:
    for name in ("doubling", "halving and doubling"):
        for outcome in world(N).outcomes(rare, "int8", 1, dict(collectives(N))[name], ()):
            assert outcome.kind == "SetupError" and "not doubling" in outcome.text, outcome


def gradients_of(rank: int, plan: Plan, backend: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    """What a step sees, and what torch alone makes of the same gradients; backend: fp16 sent by torch, as over NCCL."""
    run = Run(plan, dtype=torch.float32)
    model, _, gossip = attached(run)
    if backend:
        ways = gossip._gradients._ways
        ways.inside.close()
        groups = [dist.new_group(list(group)) for group in plan.groups]
        mine = next(k for k, group in enumerate(plan.groups) if rank in group)
        gossip._gradients._ways = Ways(group=groups[mine], wire=torch.float16)
    backward(run, model, rank, 0)
    got = torch.cat([p.grad.reshape(-1) for p in model.parameters() if p.grad is not None])
    plain = Plain(rank, run)
    backward(run, plain.model, rank, 0)
    plain.gradients(everybody=bool(plan.phases))
    want = torch.cat([p.grad.reshape(-1) for p in plain.model.parameters() if p.grad is not None])
    gossip.detach()
    return got, want


@pytest.mark.parametrize("wire, backend", [("bf16", False), ("fp16", False), ("fp16", True), ("int8", False)])
@pytest.mark.parametrize("batches", [(), UNEQUAL])
def test_gradients_inside_groups_travel_on_the_plans_wire(world: Callable[[int], Any], wire: str, backend: bool,
                                                          batches: Any) -> None:
    fields: Dict[str, Any] = {"average": "changes"} if wire == "int8" else {}
    plan = exact(CROSSED, every=3, wire=wire, batch_weights=batches, **fields)
    kind, most = {"bf16": (torch.bfloat16, 2e-2), "fp16": (torch.float16, 2e-3), "int8": (torch.float32, 1e-6)}[wire]
    got = world(N).run(gradients_of, plan, backend)
    for group in CROSSED:
        for rank in group:
            mine, want = got[rank]
            assert torch.equal(mine, got[group[0]][0])
            assert torch.equal(mine, mine.to(kind).float())  # nothing but numbers that the wire knows
            assert (mine - want).abs().max() <= most * want.abs().max()
            assert torch.equal(mine, want) == (wire == "int8")


def test_a_synchronous_start_before_gossip_is_on_the_plans_wire(world: Callable[[int], Any]) -> None:
    plan = make(N, ring(N), every=3, delay=2, phases=PHASES, wire="bf16")
    got = world(N).run(gradients_of, plan, False)
    for mine, want in got:
        assert torch.equal(mine, got[0][0]) and torch.equal(mine, mine.to(torch.bfloat16).float())
        assert 0 < (mine - want).abs().max() <= 2e-2 * want.abs().max()


@pytest.mark.parametrize("wire, most", [("fp16", 4e-3), ("bf16", 3e-2), ("int8", 6e-2)])
def test_16_and_8_bits_stay_near_32(world: Callable[[int], Any], wire: str, most: float) -> None:
    run = replace(RUNS["outer, local SGD"], dtype=torch.float32, steps=12)
    short = replace(run, plan=sealed(replace(run.plan, wire=wire)))
    got = world(N).run(both, [run, short])
    (exactly, _), (near, _) = got[0]
    assert all(torch.equal(row[1][0], near) for row in got)
    assert 0 < (near - exactly).abs().max() <= most
