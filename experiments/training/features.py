"""What can be computed of a run before it: numbers of its mixing process, and of its setting.

All are 0 for exact averaging in every iteration with local momentum, adapt then combine:
  spread    ln(n / n_W): n_W is the effective number of neighbours, the factor by which averaging shrinks the variance
            of noise that is added in every iteration and kept with weight γ = 0.9; steps without mixing count
  negative  how far the least eigenvalue of any round lies below 0 (directed: the least real part)
  pull      how much of the differences a round takes away: mean of ‖I − W‖²/n (squares of all entries) over the rounds,
            less the value of exact averaging, 1 − 1/n
  churn     mean of ‖I − W‖²/n times spread in every step: models are moved a lot, and yet little mixed
  steps     log2 of the iterations from one mixing to the next
  cta, quasi, group   1 for combine then adapt, for quasi-global momentum, for group norm
  skew      0 without, 2/(1 + 10 α) for Dirichlet(α) over ten classes: 0.18 at 1.0 and 1 at 0.1. Half of it is how much
            the shares of classes vary between nodes, over how much they would if every node had one class
  size      log2(n/16), at least −1 and at most 1: no runs say what fewer than 8 or more than 32 nodes do
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .processes import step_matrices

GAMMA = 0.9
CLASSES = 10  # of the data that was skewed
# Products of what stands above; their sum, weighted by coefficients, is ln of the relative epochs. What the process is
# counts differently by skew, momentum and norm.
PROCESS = ("spread", "negative", "pull", "churn")
SETTINGS = (("skew",), ("skew", "quasi"), ("skew", "group"), ("skew", "group", "quasi"))
TERMS = (
    *((name,) for name in PROCESS), ("steps",), ("cta",), ("quasi",),
    *((name, "quasi") for name in PROCESS),
    *((name, *setting) for name in PROCESS for setting in SETTINGS),
    ("steps", "skew"), ("cta", "skew"), ("quasi", "skew"), ("steps", "quasi"), ("cta", "quasi"), ("cta", "steps"),
    ("cta", "skew", "quasi"),
    ("steps", "skew", "group"), ("steps", "skew", "quasi"), ("quasi", "skew", "group"),
    ("negative", "skew", "size"), ("churn", "skew", "size"),
)


def effective_neighbours(period: np.ndarray, every: int = 1, gamma: float = GAMMA) -> float:
    """n_W(γ): 1/(1 − γ) over the mean variance of x ← W_t(√γ x + noise), averaged over nodes and a period."""
    n, steps = period.shape[1], len(period) * every
    matrices = step_matrices(period, every, 0, steps)
    cov, variance = np.zeros((n, n)), 0.0
    for k in range(math.ceil(math.log(1e-10) / math.log(gamma) / steps) + 1):
        variance = 0.0
        for w in matrices:
            cov = w @ (gamma * cov + np.eye(n)) @ w.T
            variance += float(np.trace(cov)) / n / steps
    return 1 / (1 - gamma) / variance


def base(entry: dict[str, Any], period: np.ndarray) -> dict[str, float]:
    """The plain numbers; period already has the entry's laziness."""
    n, alpha = period.shape[1], entry["skew"]
    least = min(float(np.linalg.eigvals(w).real.min()) for w in period)
    taken = float(np.mean([np.square(np.eye(n) - w).sum() / n for w in period]))
    return {
        "spread": math.log(n / effective_neighbours(period, entry["every"])),
        "negative": max(0.0, -least),
        "pull": taken - (1 - 1 / n),
        "churn": taken * math.log(n / effective_neighbours(period)),
        "steps": math.log2(entry["every"]),
        "cta": float(entry["order"] == "cta"),
        "quasi": float(entry["momentum"] == "quasi-global"),
        "group": float(entry["norm"] == "group"),
        "skew": 0.0 if alpha is None else 2 / (1 + CLASSES * alpha),
        "size": min(max(math.log2(n / 16), -1.0), 1.0),
    }


def terms(plain: dict[str, float]) -> list[float]:
    return [math.prod(plain[name] for name in names) for names in TERMS]


def names() -> list[str]:
    return [" × ".join(term) for term in TERMS]
