"""Whether differences between nodes die out under quasi-global momentum when nobody has a gradient.

With m = ηu the step of optimizer.py without gradients is linear, the same for every parameter:
  adapt then combine   x' = W(x − βm)
  combine then adapt   x' = Wx − βm
  both                 m' = βm + (1 − β)(x − x')
A step without mixing keeps ρ = β(2 − β) of m and moves x by −βm, so differences of momentum, 0.99 a step at β = 0.9,
push the nodes apart until a round takes it back, and the round writes what it took back into m. Where the next round
that sees a difference comes T steps later and takes all of it, m changes by (ρᵀ − β)/(1 − β): below −1, and growing,
when T > ln(2β − 1)/ln ρ, 22 steps at β = 0.9. A one-peer hypercube of 16 nodes sees some differences only in every
fourth round, so that H must be 5 or less. Eigenvalues of W below 0 take back more than all and limit H further.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .plans import read_plan
from .processes import process
from .tables import markdown

BETA = 0.9
EVERY = (1, 2, 4, 8, 16, 32)


def step(w: np.ndarray, beta: float, order: str) -> np.ndarray:
    """One iteration as a matrix on (x, m) of all nodes."""
    one = np.eye(len(w))
    by_momentum = -beta * (w if order == "atc" else one)
    return np.block([[w, by_momentum], [(1 - beta) * (one - w), beta * one - (1 - beta) * by_momentum]])


def radius(period: np.ndarray, every: int = 1, beta: float = BETA, order: str = "atc") -> float:
    """By how much differences between nodes grow or shrink per iteration in the long run."""
    n = period.shape[1]
    between = np.linalg.matrix_power(step(np.eye(n), beta, order), every - 1)
    whole = np.eye(2 * n)
    for w in period:
        whole = step(w, beta, order) @ between @ whole
    differences = np.kron(np.eye(2), np.eye(n) - 1 / n)
    largest = np.abs(np.linalg.eigvals(differences @ whole @ differences)).max()
    return float(largest ** (1 / (len(period) * every)))


def periods(words: list[str], nodes: int) -> dict[str, np.ndarray]:
    """Processes by name or plan file, such as exponential, exact@0.5 or plans/training-16-24.json."""
    out: dict[str, np.ndarray] = {}
    for word in words:
        name, _, lazy = word.partition("@")
        size = read_plan(name).shape[1] if name.endswith(".json") else nodes
        out[Path(name).stem + f" lazy {lazy}" * bool(lazy)] = process(name, size, float(lazy or 1))
    return out


def table(periods: dict[str, np.ndarray], beta: float = BETA, order: str = "atc") -> str:
    """Radii by process and H as Markdown; from 1 on training diverges."""
    rows = [["process", *(f"H = {every}" for every in EVERY)]]
    for name, period in periods.items():
        found = (radius(period, every, beta, order) for every in EVERY)
        rows.append([name, *(f"**{r:.3f}**" if r >= 1 else f"{r:.3f}" for r in found)])
    return markdown(rows)
