"""Mixing processes: which matrix W_t the nodes average with in round t.

A process is one period of matrices, [rounds, n, n]. Definitions of the named ones (n nodes):
  ring                  1/3 for itself and for both neighbours (n = 2: 1/2)
  grid, torus           two closest factors of n, weight 1/(1 + max(d_i, d_j)) per edge, neighbours counted once
  exponential           directed: itself and the nodes 1, 2, 4, … behind, all weights 1/(tau + 1), tau = ceil(log2 n)
  one-peer-exponential  directed, tau rounds: half from itself, half from the node 2^t behind
  one-peer-hypercube    log2 n rounds: half from itself, half from the node whose number differs in bit t
  exact                 every entry 1/n
  none                  the identity: nodes never talk
NAME between groups of S is hierarchical averaging: nodes 0 … S − 1, S … 2S − 1, and so on average exactly, and their
averages are mixed as NAME says. Anything else is a plan file. Laziness a in (0, 1] turns W into (1 − a) I + a W:
one-peer-hypercube with a = 1/2 keeps 3/4 and takes 1/4; ring with a = 3/4 is (1/2, 1/4, 1/4).
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from .plans import read_plan


def process(name: str, nodes: int, lazy: float = 1.0, folder: Path = Path(".")) -> np.ndarray:
    """The period of the named process, or of the plan file of that name (relative to folder)."""
    if not 0 < lazy <= 1:
        raise ValueError(f"lazy is {lazy}; it must be in (0, 1]")
    between, size = _levels(name)
    if between in NAMED:
        if nodes % size:
            raise ValueError(f"process {name} is for groups of {size}; the entry has {nodes} nodes")
        period = np.kron(NAMED[between](nodes // size), np.full((1, size, size), 1 / size))
    elif name.endswith(".json"):
        period = read_plan(folder / name)
    else:
        raise ValueError(f"process {name!r} is neither a plan file (.json) nor one of {', '.join(NAMED)}")
    if period.shape[1] != nodes:
        raise ValueError(f"process {name} is for {period.shape[1]} nodes; the entry has {nodes}")
    return (1 - lazy) * np.eye(nodes) + lazy * period


def _levels(name: str) -> tuple[str, int]:
    """What mixes the averages of groups, and how large those are; of a process with one level itself, and 1."""
    found = re.fullmatch(r"(.+) between groups of ([1-9]\d*)", name)
    return (found[1], int(found[2])) if found else (name, 1)


def step_matrices(period: np.ndarray, every: int, first: int, steps: int) -> np.ndarray:
    """The matrices of iterations first … first+steps−1: every H-th iteration mixes, the others are the identity."""
    n = period.shape[1]
    out = np.broadcast_to(np.eye(n), (steps, n, n)).copy()
    for s in range(steps):
        done, left = divmod(first + s + 1, every)
        if left == 0:
            out[s] = period[(done - 1) % len(period)]
    return out


def _ring(n: int) -> np.ndarray:
    w = np.zeros((n, n))
    for i in range(n):
        for j in {i, (i + 1) % n, (i - 1) % n}:
            w[i, j] = 1 / min(n, 3)
    return w[None]


def _lattice(n: int, wrap: bool) -> np.ndarray:
    rows = max(d for d in range(1, n + 1) if n % d == 0 and d * d <= n)
    cols = n // rows
    edges = set()
    for i in range(n):
        r, c = divmod(i, cols)
        for r2, c2 in ((r + 1, c), (r, c + 1)):
            if wrap:
                r2, c2 = r2 % rows, c2 % cols
            if r2 < rows and c2 < cols and r2 * cols + c2 != i:
                edges.add(frozenset((i, r2 * cols + c2)))
    return metropolis(n, [(min(e), max(e)) for e in edges])[None]


def metropolis(n: int, edges: list[tuple[int, int]]) -> np.ndarray:
    """Weight 1/(1 + max(d_i, d_j)) on every edge, the rest at home."""
    degree = np.zeros(n, dtype=int)
    for i, j in edges:
        degree[i] += 1
        degree[j] += 1
    w = np.zeros((n, n))
    for i, j in edges:
        w[i, j] = w[j, i] = 1 / (1 + max(degree[i], degree[j]))
    return w + np.diag(1 - w.sum(axis=1))


def _hops(n: int) -> list[int]:
    return [1 << k for k in range((n - 1).bit_length())]


def _from_behind(n: int, hop: int) -> np.ndarray:
    """The permutation in which every node receives from the one that is hop numbers behind it."""
    return np.roll(np.eye(n), hop, axis=0)


def _exponential(n: int) -> np.ndarray:
    hops = _hops(n)
    return ((np.eye(n) + sum(_from_behind(n, h) for h in hops)) / (len(hops) + 1))[None]


def _one_peer_exponential(n: int) -> np.ndarray:
    return np.stack([(np.eye(n) + _from_behind(n, h)) / 2 for h in _hops(n)])


def _one_peer_hypercube(n: int) -> np.ndarray:
    if n & (n - 1):
        raise ValueError(f"one-peer-hypercube needs a power of 2; nodes is {n}")
    return np.stack([(np.eye(n) + np.eye(n)[np.arange(n) ^ h]) / 2 for h in _hops(n)])


NAMED = {
    "ring": _ring,
    "grid": lambda n: _lattice(n, wrap=False),
    "torus": lambda n: _lattice(n, wrap=True),
    "exponential": _exponential,
    "one-peer-exponential": _one_peer_exponential,
    "one-peer-hypercube": _one_peer_hypercube,
    "exact": lambda n: np.full((1, n, n), 1 / n),
    "none": lambda n: np.eye(n)[None],
}
