"""Changes in few bits and in pieces: what arrives, what is kept, and real processes against a loop without any."""

from __future__ import annotations

import os
import signal
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo import fewbits
from batopo.blocks import parameter_slot, parted
from batopo.engine import Engine
from batopo.plan_file import FEW_BITS, Collective, Move, Plan
from batopo.stages import Program
from plans import collectives, sealed
from worlds import PATIENCE_S

N, PAIRS, WIDTH = 4, ((0, 2), (1, 3)), 1365  # numbers of the model: five whole blocks and a part of one


def shards(n: int) -> Collective:
    """Everybody sums a share for all and hands it back."""
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    return Collective("steps", steps=(tuple(Move(j, i, i / n, (i + 1) / n, True) for i, j in pairs),
                                      tuple(Move(i, j, i / n, (i + 1) / n, False) for i, j in pairs)))


def straight(n: int) -> Collective:
    """Everybody sends the whole to all others: one stage, and every change is rounded once."""
    return Collective("steps", steps=(tuple(Move(i, j, 0.0, 1.0, True) for i in range(n) for j in range(n) if i != j),))


STAGES: Dict[str, Callable[[int], Collective]] = {"one stage": straight, "two stages": shards}


def few(wire: str, every: int, pieces: int, delay: int = 0, groups: Any = (), stages: str = "two stages",
        **fields: Any) -> Plan:
    return sealed(Plan(N, kind="collective", collective=STAGES[stages](len(groups) or N), groups=groups, every=every,
                       inside_gradients=bool(groups), average="changes", wire=wire, pieces=pieces, delay=delay,
                       **fields))


def test_a_code_stands_for_what_the_rule_says() -> None:
    x = torch.tensor([4.0, -1.0, 0.5, -2.5])
    want = {"int1": [2.0, -2.0, 2.0, -2.0], "int2": [3.25, 0.0, 0.0, -3.25],
            "int4": [4.0, -8 / 7, 4 / 7, -16 / 7], "int8": [4.0, -128 / 127, 64 / 127, -316 / 127]}
    for wire, values in want.items():
        code = fewbits.encode(x, FEW_BITS[wire])
        assert torch.allclose(fewbits.decode(code, x, FEW_BITS[wire]), torch.tensor(values), atol=1e-6), wire
        assert len(code) == 4 + max(1, 4 * FEW_BITS[wire] // 8)


@pytest.mark.parametrize("bits", FEW_BITS.values())
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_rounding_is_of_blocks_whatever_the_length(bits: int, dtype: torch.dtype) -> None:
    x = torch.randn(2 * fewbits._CACHED + 700, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    for length in (1, 3, 256, 257, 1000, len(x)):
        part = x[:length].to(dtype)
        code = fewbits.encode(part, bits)
        got = fewbits.decode(code, part, bits)
        assert len(code) == fewbits.size(length, bits) and got.dtype == dtype
        for a in range(0, length, 256):  # a block does not know its neighbours
            block = part[a:a + 256]
            assert torch.equal(got[a:a + 256], fewbits.decode(fewbits.encode(block, bits), block, bits))
            assert len(got[a:a + 256].unique()) <= max(2, 2 ** bits - 1)
            assert (got[a:a + 256] - block).norm() < (0.75 if bits == 1 else 0.55) * block.norm() or length < 256
        assert not fewbits.decode(fewbits.encode(torch.zeros_like(part), bits), part, bits).any()


def test_pieces_have_the_same_size_whatever_the_tensors() -> None:
    tensors = [torch.arange(3000.0), torch.arange(3000.0, 3700.0).view(10, 70).t(), torch.arange(3700.0, 4200.0)]
    pieces = parted([parameter_slot(str(k), t) for k, t in enumerate(tensors)], 4)
    read = [[slot.read() for slot in part] for part in pieces]
    lengths = [sum(t.numel() for t in part if t is not None) for part in read]
    assert lengths == [1024, 1024, 1024, 4200 - 3 * 1024]
    assert torch.equal(torch.cat([t for part in read for t in part if t is not None]), torch.arange(4200.0))


class Noting:
    """Links of one rank without others: they only note what is posted."""

    batched = False
    server = None

    def __init__(self) -> None:
        self.seen: List[Tuple[str, int]] = []

    def number(self, stages: int) -> int:
        del stages
        return 0

    def receive(self, peer: int, buffer: torch.Tensor, tag: int) -> None:
        del peer
        buffer.zero_()
        self.seen.append(("receive", tag))

    def send(self, peer: int, buffer: torch.Tensor, tag: int) -> None:
        del peer, buffer
        self.seen.append(("send", tag))

    def flush(self) -> None:
        pass

    def wait(self, peer: int, work: Any, strict: bool) -> bool:
        del peer, work
        return strict


@pytest.mark.parametrize("wire, elements, ahead", [("int8", 1000, True), ("int8", 4_200_000, False),
                                                   ("int1", 4_200_000, True)])
def test_receives_are_posted_a_step_ahead_where_they_are_small(wire: str, elements: int, ahead: bool) -> None:
    links = Noting()
    few_bits = fewbits.FewBits(Program(few(wire, 1, 1), 0, range(N)), Engine(links, torch.device("cpu")),
                               FEW_BITS[wire])
    few_bits.sum(torch.zeros(elements), torch.zeros(elements))
    first = links.seen.index(("send", 0))
    assert (("receive", 1) in links.seen[:first]) == ahead and links.seen.count(("receive", 1)) == N - 1


class Net(torch.nn.Module):
    """Alike on all ranks at the start."""

    def __init__(self) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(5)
        self.a = torch.nn.Parameter(torch.randn(90, 15, generator=generator))
        self.b = torch.nn.Parameter(torch.zeros(15))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x @ self.a + self.b)


def stepped(model: torch.nn.Module, optimizer: torch.optim.Optimizer, data: int, step: int) -> None:
    x = torch.randn(6, 90, generator=torch.Generator().manual_seed(1000 * data + step))
    optimizer.zero_grad()
    (model(x) - 0.3 * data).pow(2).sum().backward()
    optimizer.step()


def flat(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([p.detach().reshape(-1) for p in model.parameters()])


def put(model: torch.nn.Module, lo: int, values: torch.Tensor, add: bool) -> None:
    row = flat(model)
    row[lo:lo + len(values)] = values + (row[lo:lo + len(values)] if add else 0)
    a, b = row.split([90 * 15, 15])
    model.a.data.copy_(a.view(90, 15))
    model.b.data.copy_(b)


def summed(y: List[torch.Tensor], error: List[torch.Tensor], bits: int) -> torch.Tensor:
    """Every change goes to the owner of a share, who sends the sum. Both are rounded, with errors of their own."""
    for values, left in zip(y, error):
        values.add_(left)
        left.zero_()
    cuts, length = [round(i / N * len(y[0])) for i in range(N + 1)], len(y[0])
    out = torch.zeros(length)
    for i, (a, b) in enumerate(zip(cuts, cuts[1:])):
        total = torch.zeros(b - a)
        for j in range(N):
            sent = y[j][a:b].clone()
            if j != i and bits:
                sent = fewbits.decode(fewbits.encode(sent, bits), sent, bits)
                error[j][a:b] = y[j][a:b] - sent
            total += sent
        out[a:b] = fewbits.decode(fewbits.encode(total, bits), total, bits) if bits else total
        if bits:
            error[i][a:b] = total - out[a:b]
    return out


def summed_by_all(y: List[torch.Tensor], error: List[torch.Tensor], bits: int) -> torch.Tensor:
    """Every change goes to all, and is rounded once."""
    total = torch.zeros(len(y[0]))
    for values, left in zip(y, error):
        values.add_(left)
        sent = fewbits.decode(fewbits.encode(values, bits), values, bits)
        left.copy_(values - sent)
        total += sent
    return total


def alone(plan: Plan, steps: int, add: Callable[..., torch.Tensor] = summed) -> torch.Tensor:
    """What training makes of the models of all ranks, in one process."""
    models = [Net() for _ in range(N)]
    optimizers = [torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9) for model in models]
    start, error = flat(models[0]).clone(), torch.zeros(N, WIDTH)
    blocks, pieces, between = -(-WIDTH // 256), plan.pieces, plan.every // plan.pieces
    late: List[Tuple[int, int, List[torch.Tensor]]] = []
    for step in range(1, steps + 1):
        for rank, (model, optimizer) in enumerate(zip(models, optimizers)):
            stepped(model, optimizer, rank, step - 1)
        if late and late[0][0] == step:
            _, lo, changes = late.pop()
            for model, change in zip(models, changes):
                put(model, lo, change, add=True)
        if step % between:
            continue
        k = (step // between - 1) % pieces
        lo, hi = (min(256 * (blocks * m // pieces), WIDTH) for m in (k, k + 1))
        before = [flat(model)[lo:hi] for model in models]
        y = [(x - start[lo:hi]) * 0.25 for x in before]
        start[lo:hi] += add(y, list(error[:, lo:hi]), FEW_BITS.get(plan.wire, 0))
        if plan.delay:
            late.append((step + plan.delay, lo, [start[lo:hi] - x for x in before]))
        else:
            for model in models:
                put(model, lo, start[lo:hi], add=False)
    return torch.stack([flat(model) for model in models])


def trained(rank: int, plan: Plan, steps: int, stops: Tuple[int, ...] = ()) -> torch.Tensor:
    """With attach; at stops everything but the state is made again. Ranks of a group have the same data."""
    saved: Dict[str, Any] = {}
    data = next((g for g, group in enumerate(plan.groups) if rank in group), rank)
    for first, last in zip((0, *stops), (*stops, steps)):
        model: Any = Net()
        if plan.groups:
            model = DistributedDataParallel(model)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        gossip = batopo.attach(optimizer, plan, model=model, timeout=PATIENCE_S)
        things = {"model": model, "optimizer": optimizer, "gossip": gossip}
        for name, state in saved.items():
            things[name].load_state_dict(state)
        for step in range(first, last):
            stepped(model, optimizer, data, step)
        saved = {name: thing.state_dict() for name, thing in things.items()}
        gossip.detach()
    return flat(model)


@pytest.mark.parametrize("wire, every, pieces, delay", [
    ("", 4, 4, 0), ("", 6, 3, 2), ("int8", 2, 1, 0), ("int4", 4, 2, 0), ("int2", 4, 4, 1), ("int1", 4, 4, 0),
    ("int1", 6, 3, 1)])
def test_processes_do_what_a_loop_without_them_does(world: Callable[[int], Any], wire: str, every: int, pieces: int,
                                                    delay: int) -> None:
    plan = few(wire, every, pieces, delay)
    want = alone(plan, 14)
    for rank, got in enumerate(world(N).run(trained, plan, 14)):
        assert torch.equal(got, want[rank])


@pytest.mark.parametrize("wire", FEW_BITS)
def test_one_stage_does_what_a_loop_does(world: Callable[[int], Any], wire: str) -> None:
    plan = few(wire, 4, 2, 1, stages="one stage")
    want = alone(plan, 14, summed_by_all)
    for rank, got in enumerate(world(N).run(trained, plan, 14)):
        assert torch.equal(got, want[rank])


@pytest.mark.parametrize("stages", STAGES)
@pytest.mark.parametrize("wire", FEW_BITS)
def test_resumed_it_has_the_same_bits(world: Callable[[int], Any], wire: str, stages: str) -> None:
    for pieces, delay in ((1, 0), (1, 2), (2, 1), (4, 0), (4, 1)):
        plan = few(wire, 4, pieces, delay, PAIRS, stages)
        whole = world(N).run(trained, plan, 13)
        again = world(N).run(trained, plan, 13, (3, 6))
        assert all(torch.equal(a, b) for a, b in zip(whole, again)), (pieces, delay)
        assert all(torch.equal(whole[a], whole[b]) for a, b in PAIRS), (pieces, delay)


def common(rank: int, plan: Plan, steps: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """What all have had in common since the last averages, and this rank's own model."""
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    gossip = batopo.attach(optimizer, plan, model=model, timeout=PATIENCE_S)
    for step in range(steps):
        stepped(model, optimizer, rank, step)
    return torch.cat(gossip.state_dict()["outer"]["start"]), flat(model)


@pytest.mark.parametrize("stages", STAGES)
@pytest.mark.parametrize("wire", FEW_BITS)
def test_all_ranks_have_the_same_bits(world: Callable[[int], Any], wire: str, stages: str) -> None:
    for pieces in (1, 4):
        got = world(N).run(common, few(wire, 4, pieces, stages=stages), 8)
        assert all(torch.equal(start, got[0][0]) for start, _ in got)
        assert all(torch.equal(own, got[0][1]) for _, own in got) == (pieces == 1)  # others go on between


def cut_short(rank: int, plan: Plan) -> None:
    """One rank dies between two averages."""
    w = torch.nn.Parameter(torch.zeros(4096))
    optimizer = torch.optim.SGD([w], lr=1.0)
    batopo.attach(optimizer, plan, timeout=10.0)
    for step in range(12):
        if rank == 2 and step == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        w.grad = torch.ones_like(w)
        optimizer.step()


@pytest.mark.parametrize("wire, pieces, delay", [("int8", 1, 0), ("int1", 4, 0), ("int2", 2, 1)])
def test_a_killed_rank_is_named(lone_world: Callable[..., Any], wire: str, pieces: int, delay: int) -> None:
    for outcome in lone_world(N).outcomes_of([0, 1, 3], cut_short, few(wire, 4, pieces, delay)):
        assert outcome.kind == "PeerError" and "rank 2" in outcome.text, outcome


def drifted(rank: int, plan: Plan, steps: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """Every rank's parameters move by the same change of its own in every step."""
    w = torch.nn.Parameter(torch.zeros(2000))
    drift = torch.randn(2000, generator=torch.Generator().manual_seed(rank)) + 0.5
    optimizer = torch.optim.SGD([w], lr=1.0)
    batopo.attach(optimizer, plan, timeout=PATIENCE_S)
    for _ in range(steps):
        w.grad = -drift
        optimizer.step()
    return w.detach().clone(), drift


@pytest.mark.parametrize("wire", FEW_BITS)
def test_nothing_is_lost_in_the_long_run(world: Callable[[int], Any], wire: str) -> None:
    off = []
    for steps in (40, 160):
        got = world(N).run(drifted, few(wire, 1, 1), steps)
        mean = torch.stack([drift for _, drift in got]).mean(0)
        assert all(torch.equal(x, got[0][0]) for x, _ in got)
        off.append((got[0][0] / steps - mean).norm() / mean.norm())
    assert off[1] < 0.5 * off[0]  # what is missing does not grow with the steps; without feedback it would


def test_sums_that_are_rounded_on_their_way_are_refused(world: Callable[[int], Any]) -> None:
    ring, tree = Collective("ring", (2, 0, 3, 1)), dict(collectives(N))["path in chunks"]
    for wire, collective, words in (("int1", ring, "straight"), ("int2", tree, "straight"), ("int4", ring, "straight"),
                                    ("int8", dict(collectives(N))["doubling"], "not doubling")):
        plan = sealed(Plan(N, kind="collective", collective=collective, average="changes", wire=wire))
        for outcome in world(N).outcomes(drifted, plan, 1):
            assert outcome.kind == "SetupError" and words in outcome.text, outcome


def test_too_many_pieces_are_refused(world: Callable[[int], Any]) -> None:
    for outcome in world(N).outcomes(drifted, few("", 8, 8), 1):
        assert not isinstance(outcome, torch.Tensor)
    for outcome in world(N).outcomes(drifted, few("", 16, 16), 1):
        assert outcome.kind == "SetupError" and "too small for 16 pieces" in outcome.text, outcome


def described(rank: int, plan: Plan) -> Tuple[int, str, int]:
    gossip = batopo.attach(torch.optim.SGD([torch.nn.Parameter(torch.zeros(1024))], lr=1.0), plan, timeout=PATIENCE_S)
    return gossip.sent_bytes, repr(gossip), gossip.memory()["outer"]


def test_a_run_says_what_it_sends_and_keeps(world: Callable[[int], Any]) -> None:
    for sent, words, kept in world(N).run(described, few("int1", 4, 4)):
        assert sent == 4 + 32 and "in 4 pieces, one of them every 1 steps" in words
        assert kept == 2 * 4 * 1024  # what all had in common, and what rounding left over
