"""Models that the ranks of a group hold together, against the same training with whole models on all ranks.

The torch of these tests has no DTensor. Shards are plain tensors that answer what the package asks a DTensor."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import pytest
import torch
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.plan_file import Collective, Move, OuterStep, Phase, Plan
from batopo.subjects import check_model, check_parameters
from plans import make, matching, ring, sealed
from worlds import PATIENCE_S

N, GROUPS = 4, ((0, 2), (3, 1))  # ranks are nodes
SHAPES = ((4, 512), (1024,), (1,))  # of the last one, a rank of each group has nothing


class Placement:
    def __init__(self, partial: bool = False) -> None:
        self.is_partial = lambda: partial


@dataclass
class Mesh:
    mesh: torch.Tensor


class DTensor(torch.nn.Parameter):
    """A shard over some ranks."""

    device_mesh: Mesh
    placements: Tuple[Placement, ...]

    def to_local(self) -> torch.Tensor:
        return self.as_subclass(torch.Tensor)


def shard(values: torch.Tensor, over: Sequence[int], partial: bool = False) -> DTensor:
    made = DTensor(values.clone())
    made.device_mesh, made.placements = Mesh(torch.tensor(over)), (Placement(partial),)
    return made


class Elements(torch.nn.Module):
    """Every gradient depends on its own element, so a shard is trained without the others."""

    def __init__(self, values: Sequence[torch.nn.Parameter]) -> None:
        super().__init__()
        self.values = torch.nn.ParameterList(values)
        self.resharded = 0

    def forward(self, targets: Sequence[torch.Tensor]) -> torch.Tensor:
        return torch.stack([(p - t).pow(4).sum() + p.cos().sum() for p, t in zip(self.values, targets)]).sum()

    def reshard(self) -> None:
        self.resharded += 1


def values(seed: int) -> List[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator) for shape in SHAPES]


def part(tensors: Sequence[torch.Tensor], rank: int) -> List[torch.Tensor]:
    """What a rank has of each, as fully_shard cuts them."""
    mine = next(group.index(rank) for group in GROUPS if rank in group)
    return [(t.chunk(2)[mine] if len(t) > mine else t[:0]) for t in tensors]


def group_of(rank: int) -> Tuple[int, ...]:
    return next(group for group in GROUPS if rank in group)


def model_of(rank: int, sharded: bool, seed: int = 1) -> Elements:
    if sharded:
        return Elements([shard(t, group_of(rank)) for t in part(values(seed), rank)])
    return Elements([torch.nn.Parameter(t) for t in values(seed)])


def trained(rank: int, plan: Plan, sharded: bool, stops: Tuple[int, ...] = ()) -> Dict[str, List[torch.Tensor]]:
    """What a rank has at three moments. At stops everything but the state is made again."""
    bare, out, saved = model_of(rank, sharded), {}, None
    for first, last in zip((0, *stops), (*stops, 11)):
        model: Any = bare if sharded else DistributedDataParallel(bare)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        gossip = batopo.attach(optimizer, plan, model=model, timeout=PATIENCE_S)
        if saved is not None:
            for p, kept in zip(bare.values, saved[0]):
                p.data.copy_(kept)
            gossip.load_state_dict(saved[1])
        for step in range(first, last):
            targets = values(1000 * GROUPS.index(group_of(rank)) + step)
            optimizer.zero_grad()
            model(part(targets, rank) if sharded else targets).backward()
            optimizer.step()
        saved = [p.detach().clone() for p in bare.values], gossip.state_dict()
        if last == 11:
            with gossip.averaged():
                out["averaged"] = [p.detach().clone() for p in bare.values]
            out["after"] = [p.detach().clone() for p in bare.values]
            seen = bare.resharded
            gossip.average()
            out["average"] = [p.detach().clone() for p in bare.values]
            assert not sharded or (seen, bare.resharded) == (2, 3)
        gossip.detach()
    return out


def between(collective: Collective = Collective("ring", (1, 0)), **fields: Any) -> Plan:
    return sealed(Plan(N, kind="collective", collective=collective, groups=GROUPS, inside_gradients=True, **fields))


STRAIGHT = Collective("steps", steps=((Move(0, 1, 0.0, 1.0, True), Move(1, 0, 0.0, 1.0, True)),))
PLANS: Dict[str, Plan] = {
    "exact averages": between(every=1),
    "local SGD": between(every=3),
    "local SGD, unequal batches": between(every=3, batch_weights=(0.1, 0.2, 0.3, 0.4)),
    "local SGD, two phases, late": between(every=4, delay=1, phases=(Phase(3, 1, 0), Phase(0, 4, 1))),
    "local SGD, outer step": between(every=3, average="changes", outer=OuterStep(0.7, 0.9)),
    "gossip between groups": make(N, matching(2, 1), ring(2), groups=GROUPS, inside_gradients=True, every=2),
    **{wire: between(STRAIGHT, every=3, average="changes", wire=wire) for wire in ("int8", "int4", "int2", "int1")},
}


@pytest.mark.parametrize("name", PLANS)
def test_twins_that_average_shards_train_as_whole_models_do(world: Any, name: str) -> None:
    whole, shards = (world(N).run(trained, PLANS[name], sharded) for sharded in (False, True))
    for rank in range(N):
        for moment, want in whole[rank].items():
            for mine, theirs in zip(shards[rank][moment], part(want, rank)):
                assert mine.shape == theirs.shape and torch.allclose(mine, theirs, rtol=1e-5, atol=1e-5), moment
    apart = [(a - b).abs().max() for a, b in zip(whole[0]["after"], whole[1]["after"])]
    assert max(apart) > 1e-3 or name == "exact averages"  # groups have data of their own


@pytest.mark.parametrize("name", ["local SGD, two phases, late", "local SGD, outer step", "int2"])
def test_resumed_shards_have_the_same_bits(world: Any, name: str) -> None:
    for once, again in zip(*(world(N).run(trained, PLANS[name], True, stops) for stops in ((), (4, 9)))):
        assert all(torch.equal(a, b) for moment in once for a, b in zip(once[moment], again[moment]))


def started(rank: int) -> Tuple[List[torch.Tensor], int, List[str]]:
    """Groups start from other models; and what a rank says that it sends."""
    model = model_of(rank, True, GROUPS.index(group_of(rank)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gossip = batopo.attach(torch.optim.SGD(model.parameters(), lr=0.1), PLANS["local SGD"], model=model,
                               timeout=PATIENCE_S)
    return [p.detach().clone() for p in model.values], gossip.sent_bytes, [str(w.message) for w in caught]


def test_shards_that_differ_at_the_start_become_those_of_the_first_group(world: Any) -> None:
    for rank, (got, sent, said) in enumerate(world(N).run(started)):
        assert all(torch.equal(a, b) for a, b in zip(got, part(values(0), rank)))
        assert sent == 2 * 4 * sum(t.numel() for t in got)
        assert any("parameters differ at the start" in text for text in said) == (rank == 0)


def misused(rank: int, deed: str) -> None:
    """Where deed is not something that all ranks do, rank 3 does it."""
    model, plan = model_of(rank, True), PLANS["local SGD"]
    options: Dict[str, Any] = {"model": model, "timeout": 30.0}
    odd = list(model.values)
    if deed == "mesh of all":
        odd = [shard(p.detach(), range(N)) for p in odd]
    if deed == "order of the mesh":
        odd = [shard(p.detach(), sorted(group_of(rank))) for p in odd[:2]]
    if deed == "no groups":
        plan = make(N, ring(N))
    if deed == "synchronous phase":
        plan = between(every=4, phases=(Phase(3, 0, 0), Phase(0, 4, 0)))
    if rank == 3:
        if deed == "other cut":
            odd[0] = shard(torch.zeros(3, 512), (3, 1))
        if deed == "other mesh":
            odd[1] = shard(odd[1].detach(), (1, 3))
        if deed == "partial":
            odd[0] = shard(odd[0].detach(), (3, 1), partial=True)
        if deed == "whole":
            odd[2] = torch.nn.Parameter(torch.zeros(1))
        if deed == "no model":
            del options["model"]
        if deed == "momentum":
            options["momentum"] = "mixed"
    batopo.attach(torch.optim.SGD(odd, lr=0.1, momentum=0.5), plan, **options)


@pytest.mark.parametrize("deed, words", [
    ("mesh of all", "its model is sharded over ranks 0, 1, 2, 3, and its group in the plan is ranks 0, 2"),
    ("no groups", "take a plan of local SGD between groups"), ("synchronous phase", "without synchronous phases"),
    ("order of the mesh", "rank 3 holds shard 1 of its model, and rank 0, its twin in the plan, shard 0"),
    ("other cut", "tensor parameter 0: (3, 512)"), ("other mesh", "parameter 1 is a partial sum, or sharded over"),
    ("partial", "parameter 0 is a partial sum"), ("whole", "parameter 2 is whole on every rank"),
    ("no model", "attach(optimizer, plan, model=model)"), ("momentum", "momentum='local'")])
def test_what_the_door_does_not_understand_is_refused(world: Any, deed: str, words: str) -> None:
    for outcome in world(N).outcomes(misused, deed):
        assert outcome.kind in ("SetupError", "HandshakeError") and words in outcome.text, outcome


def test_shards_are_refused_where_whole_models_are_needed(tmp_path: Path) -> None:
    model = model_of(0, True)
    with pytest.raises(batopo.SetupError, match="give its optimizer to batopo.attach"):
        check_parameters(list(model.parameters()))
    with pytest.raises(batopo.SetupError, match="torch.distributed.checkpoint"):
        batopo.export(tmp_path / "mean.pt", model)
    with pytest.raises(batopo.SetupError, match="FSDP1.*use fully_shard"):
        check_model(type("FullyShardedDataParallel", (torch.nn.Linear,), {})(2, 2))
