"""The paper's four kinds of hardware, and what a round of gossip or an all-reduce takes on them.

m is how many times slower than 9.76 GB/s the slowest edge of a round is. The paper's time of an epoch is
c · (m · 5.01 + 15.21) ms with c iterations; its printed times are whole epochs when communication and computation of an
epoch are rounded to 10 ms each, which is done here too. Full duplex: what comes in and what goes out is counted apart.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

MESSAGE_MS, COMPUTE_MS = 5.01, 15.21  # the parameters of ResNet-18 at 9.76 GB/s; forward and backward of 32 images
FORWARD = 1 / 3  # share of the computation before the first gradient is known
IMAGES, BATCH = 50_000, 32
PORTS = 4  # of a BCube switch

Arc = tuple[int, int]
Loads = Callable[[Arc], Iterator[tuple[object, float]]]  # resources an arc uses, with how many times slower they are


@dataclass(frozen=True)
class Hardware:
    """loads says which resources a message loads; ring_ms is a ring all-reduce in node order."""

    name: str
    nodes: int
    loads: Loads
    ring_ms: float

    @property
    def iterations(self) -> int:
        """Of an epoch, as the paper counts them."""
        return math.ceil(IMAGES / (BATCH * self.nodes))

    def slowdowns(self, period: np.ndarray) -> list[float]:
        """m of every round."""
        return [self._slowdown(w) for w in period]

    def _slowdown(self, w: np.ndarray) -> float:
        arcs = [(int(i), int(j)) for j, i in zip(*np.nonzero(w)) if i != j]  # W[j, i]: j receives from i
        slower = {key: s for arc in arcs for key, s in self.loads(arc)}
        count = Counter(key for arc in {_canonical(arc, self.loads) for arc in arcs} for key, _ in self.loads(arc))
        return max((count[key] * slower[key] for key in count), default=0.0)

    def epoch_seconds(self, period: np.ndarray) -> float:
        """The paper's formula; a schedule's rounds count as they come."""
        return self.epoch_seconds_at(float(np.mean(self.slowdowns(period))))

    def epoch_seconds_at(self, slowdown: float) -> float:
        """The same for m."""
        return self._rounded(MESSAGE_MS) * slowdown + self._rounded(COMPUTE_MS)

    def overlapped_seconds(self, period: np.ndarray) -> float:
        """The same when x travels while its gradient is computed (combine, then adapt): the longer of both counts."""
        each = [max(MESSAGE_MS * m, COMPUTE_MS) for m in self.slowdowns(period)]
        return self.iterations * float(np.mean(each)) / 1e3

    def all_reduce_seconds(self, every: int = 1) -> float:
        """A ring all-reduce every H steps, not overlapped."""
        return self.iterations * (COMPUTE_MS + self.ring_ms / every) / 1e3

    def beside_backward_seconds(self) -> float:
        """Exact averaging of gradients by a ring, while the backward pass makes more of them."""
        return self.iterations * (FORWARD * COMPUTE_MS + max((1 - FORWARD) * COMPUTE_MS, self.ring_ms)) / 1e3

    def beside_gradient_seconds(self, every: int = 1) -> float:
        """The same of parameters, overlapped with the gradient of one step in H (combine, then adapt)."""
        return self.iterations * (max(COMPUTE_MS, self.ring_ms) + (every - 1) * COMPUTE_MS) / every / 1e3

    def _rounded(self, milliseconds: float) -> float:
        return round(self.iterations * milliseconds / 10) / 100


def _canonical(arc: Arc, loads: Loads) -> Arc:
    """Links between nodes carry a pair once, whichever way; ports and network cards count directions apart."""
    return min(arc, arc[::-1]) if set(loads(arc)) == set(loads(arc[::-1])) else arc


def _cards(slower: list[float]) -> Loads:
    def loads(arc: Arc) -> Iterator[tuple[object, float]]:
        yield ("out", arc[0]), slower[arc[0]]
        yield ("in", arc[1]), slower[arc[1]]

    return loads


def _server(arc: Arc) -> Iterator[tuple[object, float]]:
    """Two GPUs on a PCIe switch, two switches on a socket: the highest link crossed; PIX : NODE : SYS = 1 : 1 : 2."""
    i, j = arc
    if i // 2 == j // 2:
        yield ("PIX", i // 2), 2.0
    elif i // 4 == j // 4:
        yield ("NODE", i // 4), 2.0
    else:
        yield "SYS", 1.0


def _bcube(highest: bool) -> Loads:
    """Ports of layer 0 (the lower digit) have half the bandwidth of layer 1. A message crosses all layers in which the
    digits differ, or in the other reading loads the highest of them only."""
    def loads(arc: Arc) -> Iterator[tuple[object, float]]:
        layers = [layer for layer in (1, 0) if arc[0] // PORTS**layer % PORTS != arc[1] // PORTS**layer % PORTS]
        for layer in layers[:1] if highest else layers:
            yield ("out", layer, arc[0]), 2.0 - layer
            yield ("in", layer, arc[1]), 2.0 - layer

    return loads


def _ring_ms(nodes: int, slowest: float) -> float:
    return 2 * (nodes - 1) / nodes * slowest * MESSAGE_MS


# 3.25 GB/s of the paper's slow nodes is 9.76/3: only so are its times whole epochs.
HARDWARE = {h.name: h for h in (
    Hardware("homogeneous", 16, _cards([1.0] * 16), _ring_ms(16, 1)),
    Hardware("node-level", 16, _cards([1.0] * 8 + [3.0] * 8), _ring_ms(16, 3)),
    Hardware("intra-server", 8, _server, _ring_ms(8, 2)),
    Hardware("bcube-1to2", 16, _bcube(highest=False), _ring_ms(16, 2)),
    Hardware("bcube-1to2-highest", 16, _bcube(highest=True), _ring_ms(16, 2)),
)}
