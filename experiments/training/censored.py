"""A linear model of ln E with censored rows and an intercept per block, and its error on processes left out.

  ln E = a_block + Σ coefficient · x + normal noise
A censored row says ln E > y, no more. The fit is the most likely one, with a normal prior of width PRIOR around 0 on
the coefficients: without it those that few rows tell apart would grow without limit.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
import torch

PRIOR = 0.5
ORDERED = 0.02  # rows of one block whose ln E differ by less have no order


@dataclass(frozen=True)
class Row:
    """A row of the fit: y is ln of the epochs to the target, or of the epochs without reaching it."""

    process: str
    block: int
    x: list[float]
    y: float
    censored: bool


@dataclass(frozen=True)
class Fit:
    """Coefficients of the terms, their standard errors, an intercept per block, and the noise of ln E."""

    coefficients: np.ndarray
    errors: np.ndarray
    intercepts: np.ndarray
    noise: float

    def predict(self, run: Row) -> float:
        return float(self.intercepts[run.block]) + self.relative(run)

    def relative(self, run: Row) -> float:
        """ln E less its value for exact averaging, for which all terms are 0."""
        return float(self.coefficients @ np.array(run.x))


def fit(rows: list[Row], blocks: int, prior: float = PRIOR) -> Fit:
    x = torch.tensor([r.x for r in rows], dtype=torch.float64)
    y = torch.tensor([r.y for r in rows], dtype=torch.float64)
    block = torch.tensor([r.block for r in rows])
    censored = torch.tensor([r.censored for r in rows])
    width = x.shape[1]
    start = torch.zeros(width + blocks + 1, dtype=torch.float64)
    start[width:-1], start[-1] = float(y.mean()), math.log(0.2)

    def loss(theta: torch.Tensor) -> torch.Tensor:
        """Minus ln of likelihood times prior; the intercepts hold to the mean of all very loosely."""
        coefficients, intercepts, log_noise = theta[:width], theta[width:-1], theta[-1]
        z = (y - x @ coefficients - intercepts[block]) / log_noise.exp()
        known = z.square() / 2 + log_noise
        limit = -torch.special.log_ndtr(-z)
        loose = (intercepts - start[width:-1]).square().sum() / 200
        return torch.where(censored, limit, known).sum() + coefficients.square().sum() / (2 * prior**2) + loose

    theta = start.clone().requires_grad_()
    search = torch.optim.LBFGS([theta], max_iter=500, tolerance_grad=1e-9, tolerance_change=1e-12,
                               line_search_fn="strong_wolfe")

    def again() -> float:
        search.zero_grad()
        value = loss(theta)
        value.backward()
        return float(value)

    search.step(again)
    curvature = torch.autograd.functional.hessian(loss, theta.detach())
    errors = torch.linalg.inv(curvature).diagonal().clamp(min=0).sqrt()
    found = theta.detach().numpy()
    return Fit(found[:width], errors[:width].numpy(), found[width:-1], float(np.exp(found[-1])))


@dataclass(frozen=True)
class LeaveOut:
    """Root mean square of ln(measured/predicted) over runs that reached the target and whose process was left out.

    mean_only is the same with no terms at all: every process as slow as the mean of its block. right is the share of
    pairs of runs of one block whose order comes out right, where one of the two may have been censored later than the
    other reached the target; censored_right the share of censored runs predicted to be late.
    """

    runs: int
    processes: int
    rms: float
    mean_only: float
    right: float
    censored_right: float


@dataclass(frozen=True)
class Guesses:
    """ln E of rows by fits that never saw their process: with all terms, and with none; rows by their position.

    relative is ln E less its value for exact averaging, for which all terms are 0: that is how the fit is used.
    """

    law: dict[int, float]
    mean: dict[int, float]
    relative: dict[int, float]


def left_out(rows: list[Row], blocks: int, prior: float = PRIOR) -> Guesses:
    """Predicts every row whose block has other processes too."""
    guesses = Guesses({}, {}, {})
    bare = [dataclasses.replace(r, x=[0.0] * len(r.x)) for r in rows]
    for name in sorted({r.process for r in rows}):
        others = [k for k, r in enumerate(rows) if r.process != name]
        known = {rows[k].block for k in others}
        law, none = fit([rows[k] for k in others], blocks, prior), fit([bare[k] for k in others], blocks, prior)
        for k, r in enumerate(rows):
            if r.process == name and r.block in known:
                guesses.law[k], guesses.mean[k] = law.predict(r), none.predict(bare[k])
                guesses.relative[k] = law.relative(r)
    return guesses


def in_order(rows: list[Row], guesses: list[float]) -> list[bool]:
    """Whether guesses have the order of ln E, for all pairs of a block that have one; the later may be censored."""
    return [g < h for r, g in zip(rows, guesses) for other, h in zip(rows, guesses)
            if not r.censored and r.block == other.block and r.y < other.y - ORDERED]


def errors(rows: list[Row], guesses: Guesses, some: set[int] | None = None) -> LeaveOut:
    """How far off the guesses are, over all rows or some of them."""
    predicted = [k for k in guesses.law if some is None or k in some]
    reached = [k for k in predicted if not rows[k].censored]
    late = [k for k in predicted if rows[k].censored]

    def rms(guess: dict[int, float]) -> float:
        return math.sqrt(float(np.mean([(rows[k].y - guess[k]) ** 2 for k in reached]))) if reached else math.nan

    right = in_order([rows[k] for k in predicted], [guesses.law[k] for k in predicted])
    seen_late = [guesses.law[k] > rows[k].y for k in late]
    return LeaveOut(len(reached), len({rows[k].process for k in predicted}), rms(guesses.law), rms(guesses.mean),
                    float(np.mean(right)) if right else math.nan, float(np.mean(seen_late)) if late else math.nan)


def leave_out(rows: list[Row], blocks: int, prior: float = PRIOR) -> LeaveOut:
    return errors(rows, left_out(rows, blocks, prior))
