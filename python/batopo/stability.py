"""Whether quasi-global momentum lets differences between ranks die out, when no rank has a gradient.

With m = ηu a step is linear, the same for every parameter: x' = W(x − βm) (atc) or Wx − βm (cta), and then m' = βm +
(1 − β)(x − x'). Between rounds m keeps β(2 − β) a step and pushes the ranks apart; a round takes that back and writes
it into m. Too many steps between the rounds that see a difference, and what is written back is more than what was
there: training diverges, whatever the learning rate is. With all-reduce and β = 0.9 that is more than 22 steps.
"""

from __future__ import annotations

import math
from typing import List

import torch

from .errors import SetupError
from .plan_file import Plan, Round

_STEPS, _FEWEST = 2000, 100  # of a power iteration: steps, and periods


def check_stable(plan: Plan, optimizer: torch.optim.Optimizer) -> None:
    """Raises where the plan cannot be run with quasi-global momentum."""
    rounds = [_matrix(plan, part) for part in plan.rounds]
    for beta in sorted({group["momentum"] for group in optimizer.param_groups}):
        grows = growth(rounds, plan.every, plan.order, beta)
        if plan.groups:  # ranks of a group average exactly
            grows = max(grows, growth([], plan.every, plan.order, beta))
        if grows >= 1:
            raise SetupError(
                f"momentum 'quasi-global' diverges with this plan: with beta {beta:g} and a round in every "
                f"{plan.every} steps, differences between ranks grow by {grows:.3f} per step. Use momentum 'local' or "
                "'mixed', or a plan with more frequent rounds")


def growth(rounds: List[torch.Tensor], every: int, order: str, beta: float) -> float:
    """By how much differences grow or shrink per step in the long run; no rounds: all-reduce."""
    rounds = rounds or [torch.full((2, 2), 0.5, dtype=torch.float64)]
    n, kept = len(rounds[0]), beta * (2 - beta)
    rest = kept ** (every - 1)
    drift = beta * (1 - rest) / (1 - kept)
    x, m = torch.randn(2, n, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    counted = max(_FEWEST, _STEPS // (len(rounds) * every))
    total = 0.0
    for period in range(counted + counted // 2):
        for w in rounds:
            x, m = x - drift * m, rest * m
            new = w @ (x - beta * m) if order == "atc" else w @ x - beta * m
            x, m = new, beta * m + (1 - beta) * (x - new)
        x, m = x - x.mean(), m - m.mean()
        size = math.hypot(float(x.norm()), float(m.norm()))
        if size == 0:
            return 0.0
        x, m = x / size, m / size
        if period >= counted // 2:
            total += math.log(size)
    return math.exp(total / (counted * len(rounds) * every))


def _matrix(plan: Plan, part: Round) -> torch.Tensor:
    """W of one round, between groups where the plan has them."""
    w = torch.diag(torch.tensor(part.self_weights, dtype=torch.float64))
    for edge in part.edges:
        w[edge.j, edge.i] = edge.weight
        if not plan.directed:
            w[edge.i, edge.j] = edge.weight
    return w
