"""After k rounds parameters are Wᵏx, for every kind of plan and number of ranks."""

from __future__ import annotations

from typing import Any, Callable, List

import pytest
import torch

import batopo
from batopo.plan_file import Plan
from plans import all_kinds, apply_round
from worlds import PATIENCE_S

SHAPES = [(7, 3), (5,), (2, 2, 2), (1,)]


def start(rank: int, dtype: torch.dtype) -> List[torch.Tensor]:
    generator = torch.Generator().manual_seed(rank)
    return [torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype) for shape in SHAPES]


def mixed(rank: int, plan: Plan, rounds: int, dtype: torch.dtype, options: Any) -> torch.Tensor:
    parameters = [torch.nn.Parameter(t) for t in start(rank, dtype)]
    gossip = batopo.attach(torch.optim.SGD(parameters, lr=0.1), plan, explicit=True, timeout=PATIENCE_S,
                           start="keep", **options)
    for _ in range(rounds):
        gossip.mix()
    gossip.detach()
    return torch.cat([p.detach().reshape(-1) for p in parameters])


def mixed_all(rank: int, plans: List[Plan], rounds: int, dtype: torch.dtype) -> List[torch.Tensor]:
    return [mixed(rank, plan, rounds, dtype, {}) for plan in plans]


def expected(plan: Plan, rounds: int, dtype: torch.dtype) -> torch.Tensor:
    x = torch.stack([torch.cat([t.double().reshape(-1) for t in start(r, dtype)]) for r in range(plan.nodes)])
    for k in range(rounds):
        x = apply_round(plan, k, x)
    return x


@pytest.mark.parametrize("n, dtype, tolerance", [
    (2, torch.float64, 1e-12), (4, torch.float64, 1e-12), (4, torch.float32, 1e-5),
    *(pytest.param(n, torch.float64, 1e-12, marks=pytest.mark.deep) for n in (8, 16))])
def test_parameters_are_what_the_matrices_say(world: Callable[[int], Any], n: int, dtype: torch.dtype,
                                              tolerance: float) -> None:
    kinds, rounds = all_kinds(n), 7
    got = world(n).run(mixed_all, [plan for _, plan in kinds], rounds, dtype)
    for k, (name, plan) in enumerate(kinds):
        x = torch.stack([per_rank[k] for per_rank in got]).double()
        want = expected(plan, rounds, dtype)
        error = ((x - want).norm() / want.norm()).item()
        assert error <= tolerance, f"{name}, {n} ranks: off by {error}"
