"""Exchanges computed instead of timed: flows share links fairly (max-min), as measure would see them on a network."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from batopo.measure_probe import Arc, Task
from net.shaped import Network


def route(net: Network, arc: Arc) -> List[Tuple[Any, float]]:
    """The links of an arc, each direction apart, with their rates in bytes per second."""
    i, j = arc
    home = {node: g for g, group in enumerate(net.groups) for node in group}
    out: List[Tuple[Any, float]] = [(("up", i), net.link[i]), (("down", j), net.link[j])]
    if home.get(i) != home.get(j):
        out += [(("out", home[i]), net.uplink[home[i]]), (("into", home[j]), net.uplink[home[j]])]
    pair = (min(arc), max(arc))
    if pair in net.pairs:
        out.append((arc, net.pairs[pair]))
    return [(name, mbit * 125000) for name, mbit in out]


def finish(net: Network, arcs: Tuple[Arc, ...], size: float) -> Dict[Arc, float]:
    """When the transfer of every arc ends, all beginning together."""
    left = {arc: size for arc in arcs}
    ends: Dict[Arc, float] = {}
    now = 0.0
    while left:
        rates = fair(net, list(left))
        step = min(left[arc] / rates[arc] for arc in left)
        now += step
        for arc in list(left):
            left[arc] -= rates[arc] * step
            if left[arc] <= size * 1e-9:
                ends[arc] = now
                del left[arc]
    return ends


def fair(net: Network, arcs: List[Arc]) -> Dict[Arc, float]:
    """Max-min fair rates: the busiest link is filled first."""
    ways = {arc: route(net, arc) for arc in arcs}
    capacity = {name: rate for way in ways.values() for name, rate in way}
    rates: Dict[Arc, float] = {}
    while len(rates) < len(arcs):
        waiting = {name: [a for a in arcs if a not in rates and any(n == name for n, _ in ways[a])]
                   for name in capacity}
        tight = min((name for name in capacity if waiting[name]), key=lambda name: capacity[name] / len(waiting[name]))
        share = capacity[tight] / len(waiting[tight])
        for arc in waiting[tight]:
            rates[arc] = share
            for name, _ in ways[arc]:
                capacity[name] = max(0.0, capacity[name] - share)
        del capacity[tight]
    return rates


class Simulated:
    """Stands where a Prober stands, and answers by computing. noise(k) multiplies the k-th time; latency, message and
    call are seconds: of a message, and what each message and each call of a collective costs besides."""

    def __init__(self, net: Network, noise: Any = lambda k: 1.0, latency: float = 1e-4, message: float = 0.0,
                 call: float = 0.0) -> None:
        self.net, self.world, self.rank, self.noise = net, net.nodes, 0, noise
        self.latency, self.message, self.call = latency, message, call
        self.tasks: List[Task] = []
        self._count = 0

    def lead(self, task: Task) -> List[Any]:
        self.tasks.append(task)
        if task.kind == "calls":
            steps = 2 * (self.world - 1)  # of a ring
            return [[[self._noisy(self.call + steps * (self.latency + self.message)) for _ in task.points]]
                    for _ in range(self.world)]
        heard: List[Any] = [[{} for _ in range(task.repeats)] for _ in range(self.world)]
        ends = {point: finish(self.net, task.arcs, point[0] * point[1]) for point in set(task.points)}
        for i, j in task.arcs if task.kind == "messages" else ():
            heard[i][0][j] = [self._noisy(self.latency + point[0] * self.message + ends[point][i, j])
                              for point in task.points]
        for k in range(task.repeats if task.kind == "exchange" else 0):
            for (i, j), t in finish(self.net, task.arcs, task.size).items():
                sent = sum(arc[0] == i for arc in task.arcs)
                heard[j][k][i] = self._noisy(self.latency + sent * self.message + t)
        return heard

    def _noisy(self, seconds: float) -> float:
        self._count += 1
        return seconds * self.noise(self._count)
