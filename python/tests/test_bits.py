"""The engine's sums are those of whole rows in the order that the plan says, bit by bit, however blocks are cut."""

from __future__ import annotations

from typing import Any, Callable, List

import pytest
import torch

import batopo
from batopo import blocks
from batopo.plan_file import Plan
from batopo.stages import rank_table
from plans import all_kinds

N = 4
KINDS = dict(all_kinds(N))
SHAPES = [(300_001,), (7, 3), (1,), (401, 500)]  # blocks of a tensor's own, and gathered ones


def start(rank: int, dtype: torch.dtype) -> List[torch.Tensor]:
    generator = torch.Generator().manual_seed(rank)
    return [torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype) for shape in SHAPES]


def flat(tensors: List[torch.Tensor]) -> torch.Tensor:
    return torch.cat([t.detach().reshape(-1) for t in tensors])


def mixed(rank: int, plan: Plan, dtype: torch.dtype, rounds: int) -> torch.Tensor:
    kept, blocks.LEAST_BYTES = blocks.LEAST_BYTES, 1 << 16
    try:
        parameters = [torch.nn.Parameter(t) for t in start(rank, dtype)]
        gossip = batopo.attach(torch.optim.SGD(parameters, lr=0.1), plan, explicit=True, start="keep")
        for _ in range(rounds):
            gossip.mix()
        return flat(parameters)
    finally:
        blocks.LEAST_BYTES = kept


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", ["static", "directed", "schedule"])
def test_a_round_is_the_row_of_w_in_the_order_of_edges(
        world: Callable[[int], Any], name: str, dtype: torch.dtype) -> None:
    plan, rounds = KINDS[name], 3
    got = world(N).run(mixed, plan, dtype, rounds)
    rows = [flat(start(r, dtype)) for r in range(N)]
    for k in range(rounds):
        tables = [rank_table(plan, node)[k % plan.period] for node in range(N)]
        new = [rows[node] * table.self_weight for node, table in enumerate(tables)]
        for node, table in enumerate(tables):
            for j, weight in table.receives:
                new[node].add_(rows[j], alpha=weight)
        rows = new
    for node in range(N):
        assert torch.equal(got[node], rows[node])


@pytest.mark.parametrize("name", ["shards in chunks", "doubling"])
def test_sums_of_a_step_are_made_in_the_order_of_nodes(world: Callable[[int], Any], name: str) -> None:
    got = world(N).run(mixed, KINDS[name], torch.float32, 1)
    rows = [flat(start(r, torch.float32)) for r in range(N)]
    want = (((rows[0] + rows[1]) + rows[2]) + rows[3] if name != "doubling"
            else (rows[0] + rows[1]) + (rows[2] + rows[3])) * (1 / N)
    for node in range(N):
        assert torch.equal(got[node], want)
