"""Who holds which training images, and in which order they are visited."""

from __future__ import annotations

import numpy as np

from .batches import MARGIN


def even(labels: np.ndarray, nodes: int, seed: int) -> np.ndarray:
    """The same number of images of every class at every node: indices [nodes, size]; what is left over stays unused."""
    rng = np.random.default_rng([seed, 1])
    shares = []
    for c in range(int(labels.max()) + 1):
        mine = rng.permutation(np.flatnonzero(labels == c))
        shares.append(mine[: len(mine) // nodes * nodes].reshape(nodes, -1))
    return np.concatenate(shares, axis=1)


def drawn(labels: np.ndarray, nodes: int, seed: int) -> np.ndarray:
    """As even, but every node draws its images of a class by itself: nodes share some, and some are at no node."""
    shares = []
    for i in range(nodes):
        rng = np.random.default_rng([seed, 5, i])
        mine = [np.flatnonzero(labels == c) for c in range(int(labels.max()) + 1)]
        shares.append(np.concatenate([rng.choice(m, len(m) // nodes, replace=False) for m in mine]))
    return np.stack(shares)


def dirichlet(labels: np.ndarray, nodes: int, alpha: float, seed: int) -> np.ndarray:
    """Every node draws class shares from Dirichlet(alpha) and gets the same number of images: indices [nodes, size].

    Images are dealt without replacement in rounds, so that no node is left with what others leave over; a class that
    has run out gives its share to the others.
    """
    rng = np.random.default_rng([seed, 2])
    classes = int(labels.max()) + 1
    shares = rng.dirichlet(np.full(classes, alpha), size=nodes)
    pools = [list(rng.permutation(np.flatnonzero(labels == c))) for c in range(classes)]
    size = len(labels) // nodes
    held: list[list[int]] = [[] for _ in range(nodes)]
    hand = max(1, size // 64)
    while len(held[0]) < size:
        for i in rng.permutation(nodes):
            want = min(hand, size - len(held[i]))
            while want:
                want -= _deal(pools, shares[i], want, held[i], rng)
    return np.array([rng.permutation(h) for h in held])


def _deal(pools: list[list[int]], share: np.ndarray, want: int, held: list[int], rng: np.random.Generator) -> int:
    left = np.array([len(p) for p in pools])
    p = np.where(left > 0, share, 0)
    if p.sum() < 1e-12:  # everything this node likes is gone
        p = left.astype(float)
    dealt = 0
    for c, k in enumerate(rng.multinomial(want, p / p.sum())):
        for _ in range(min(k, left[c])):
            held.append(pools[c].pop())
            dealt += 1
    return dealt


def epoch_order(held: np.ndarray, batch: int, epoch: int, seed: int, independent: bool) -> np.ndarray:
    """Indices [steps, nodes, batch] of one epoch, steps = ceil(size / batch).

    Each node visits its images in a new order; the last batch is filled up from the start of that order. Independent
    sampling draws every image from the node's own, with replacement.
    """
    nodes, size = held.shape
    steps = -(-size // batch)
    out = np.empty((nodes, steps * batch), dtype=np.int64)
    for i in range(nodes):
        rng = np.random.default_rng([seed, 3, epoch, i])
        if independent:
            out[i] = held[i, rng.integers(size, size=steps * batch)]
        else:
            out[i] = np.resize(held[i, rng.permutation(size)], steps * batch)
    return out.reshape(nodes, steps, batch).transpose(1, 0, 2)


def epoch_augmentation(steps: int, nodes: int, batch: int, epoch: int, seed: int, on: bool,
                       margin: int = MARGIN) -> np.ndarray:
    """Row and column offset, MARGIN ± margin, and flip 0/1 of every image, uint8 [steps, nodes, batch, 3].

    When off every image is (MARGIN, MARGIN, 0), its unflipped middle.
    """
    out = np.empty((steps, nodes, batch, 3), dtype=np.uint8)
    if not on:
        out[...] = (MARGIN, MARGIN, 0)
        return out
    rng = np.random.default_rng([seed, 4, epoch])
    out[..., :2] = MARGIN - margin + rng.integers(2 * margin + 1, size=(steps, nodes, batch, 2))
    out[..., 2] = rng.integers(2, size=(steps, nodes, batch))
    return out
