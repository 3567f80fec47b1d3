"""From rates of exchanges to links: what each node can carry, and what several of them share.

An observation is a set of arcs that were in flight together, with the rate of each. Rates are GB/s.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import Dict, List, Sequence, Tuple

from .measure_probe import Arc

SLOWED = 0.75  # of the rate expected: below it an exchange was slowed by something that others used too
ALIKE = 0.1  # relative difference up to which two rates are the same
CLEARLY = 0.2  # so far below it there is no doubt
SLOWED_INSIDE = 3.0  # how much more a slowed pair says than one that was not: few crossed the uplink with it


@dataclass
class Observation:
    """Arcs that were busy at the same time, with the bandwidth of each."""

    what: str  # pairs, alone, inside or across
    rates: Dict[Arc, float]

    def through(self, node: int) -> float:
        """The busier direction of a node."""
        return max(carried([r for (i, _), r in self.rates.items() if i == node]),
                   carried([r for (_, j), r in self.rates.items() if j == node]))

    def crossing(self, group: "set[int]") -> float:
        """The busier direction over the edge of a group."""
        return max(carried([r for (i, j), r in self.rates.items() if i in group and j not in group]),
                   carried([r for (i, j), r in self.rates.items() if j in group and i not in group]))


def carried(rates: Sequence[float]) -> float:
    """What passed a resource that equal transfers shared: the k fastest were through when the k-th was."""
    return max((k * r for k, r in enumerate(sorted(rates, reverse=True), start=1)), default=0.0)


@dataclass
class Shared:
    """An uplink that nodes share: everything between them and others passes it."""

    nodes: Tuple[int, ...]
    gb_s: float
    spread: Tuple[float, float]
    ports_gb_s: float  # what the links of the nodes could carry in the same exchange


@dataclass
class Found:
    """Everything that is believed about the links."""

    port: List[float]
    port_samples: List[List[float]]
    shared: List[Shared] = field(default_factory=list)
    slow_pairs: Dict[Arc, float] = field(default_factory=dict)


def tournament(order: Sequence[int]) -> List[List[Arc]]:
    """Rounds of disjoint pairs, so that every two meet once; with an odd number one rests in each round."""
    seats: List[int] = list(order) + ([-1] if len(order) % 2 else [])
    rounds = []
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        pairs = [(min(a, b), max(a, b)) for a, b in zip(seats[:half], reversed(seats[half:])) if a >= 0 and b >= 0]
        rounds.append(sorted(pairs))
        seats = [seats[0], seats[-1]] + seats[1:-1]
    return rounds


def both_ways(pairs: Sequence[Arc]) -> Tuple[Arc, ...]:
    """The arcs of pairs that send and receive at the same time, as nodes do that average."""
    return tuple(pairs) + tuple((j, i) for i, j in pairs)


def ports(nodes: int, seen: Sequence[Observation]) -> Found:
    """What the link of each node carries: the most that was seen to pass it."""
    samples: List[List[float]] = [[o.through(i) for o in seen if o.through(i) > 0] for i in range(nodes)]
    return Found([_top(s) for s in samples], [_near_top(s) for s in samples])


def _top(values: Sequence[float]) -> float:
    """The second most where it is near the most, which may have been a burst; else the most: noise only slows."""
    ordered = sorted(values, reverse=True)
    return ordered[1] if len(ordered) > 1 and ordered[1] > ordered[0] * (1 - 2 * ALIKE) else ordered[0]


def _near_top(values: Sequence[float]) -> List[float]:
    top = _top(values)
    return [v for v in values if v > top * (1 - 2 * ALIKE)]


def expected(pair: Arc, found: Found) -> float:
    """What a pair should get that talks alone, or beside pairs it shares nothing with."""
    return min([found.port[pair[0]], found.port[pair[1]]]
               + [s.gb_s for s in found.shared if len(set(pair) & set(s.nodes)) == 1])


def suspects(found: Found, seen: Sequence[Observation]) -> List[Arc]:
    """Pairs that were slowed whenever they met, by more than the uplinks that are known explain; worst first."""
    best = {pair: max(ratios) for pair, ratios in _ratios(found, seen).items()}
    return sorted((pair for pair, ratio in best.items() if ratio < SLOWED), key=lambda pair: best[pair])


def _ratios(found: Found, seen: Sequence[Observation]) -> Dict[Arc, List[float]]:
    """Of every pair which share it got of what it should get, each time."""
    out: Dict[Arc, List[float]] = {}
    for o in seen:
        for pair in o.rates:
            if pair[0] < pair[1]:
                got = min(o.rates[pair], o.rates.get((pair[1], pair[0]), o.rates[pair]))
                out.setdefault(pair, []).append(got / expected(pair, found))
    return out


def slow_pairs(found: Found, alone: Sequence[Observation]) -> Dict[Arc, float]:
    """Pairs that get less than their links carry though nobody else sends."""
    slow = {}
    for o in alone:
        for pair, rate in o.rates.items():
            if pair[0] < pair[1] and rate < SLOWED * expected(pair, found):
                slow[pair] = min(rate, o.rates.get((pair[1], pair[0]), rate))
    return slow


def guess_groups(found: Found, seen: Sequence[Observation], units: Sequence[Tuple[int, ...]]) -> List[Tuple[int, ...]]:
    """Units that lie behind one uplink together: pairs inside are never slowed, pairs across often are.

    Often, not always: an uplink slows only when enough pairs cross it. So a pair that was slowed and lies in one group
    costs up to SLOWED_INSIDE, one that never was and lies across costs 1, and units move between groups until the cost
    is least. One group of all means: no uplink.
    """
    worst = {pair: min(ratios) for pair, ratios in _ratios(found, seen).items()}

    def gain(a: int, b: int) -> float:
        """What is saved by putting two units into one group."""
        met = [worst[p] for p in ((min(i, j), max(i, j)) for i in units[a] for j in units[b]) if p in worst]
        doubt = [min(1.0, (SLOWED - ratio) / CLEARLY) for ratio in met]
        return sum(1.0 if d <= 0 else -SLOWED_INSIDE * d for d in doubt)
    size = len(units)
    gains = [[gain(a, b) if a != b else 0.0 for b in range(size)] for a in range(size)]
    best: Tuple[float, List[int]] = (0.0, list(range(size)))
    starts = [list(range(size)), [0] * size] + [[int(gains[a][b] < 0) for b in range(size)] for a in range(size)]
    for start in starts:
        label = _settle(gains, start)
        saved = sum(gains[a][b] for a in range(size) for b in range(a) if label[a] == label[b])
        best = max(best, (saved, label))
    return sorted(tuple(sorted(i for u in range(size) if best[1][u] == g for i in units[u])) for g in set(best[1]))


def _settle(gains: List[List[float]], label: List[int]) -> List[int]:
    """Moves one unit at a time to the group where it saves most, until none wants to move."""
    size = len(label)
    for _ in range(10 * size):
        moved = False
        for a in range(size):
            pull: Dict[int, float] = {size + a: 0.0}  # a group of its own
            for b in range(size):
                if b != a:
                    pull[label[b]] = pull.get(label[b], 0.0) + gains[a][b]
            best = max(pull, key=lambda g: (pull[g], -g))
            if pull[best] > pull.get(label[a], 0.0) + 1e-9:
                label[a], moved = best, True
        if not moved:
            break
    return label


def uplinks(found: Found, groups: Sequence[Tuple[int, ...]], across: Sequence[Observation]) -> List[Shared]:
    """Groups whose nodes together get less out of the group than all links that were used could carry."""
    shared = []
    for group in groups:
        inside = set(group)
        tries = [(could, o.crossing(inside)) for o in across for could in [_could(found, o, inside)] if could > 0]
        if len(group) < 2 or not tries:
            continue
        could = max(c for c, _ in tries)
        totals = sorted((t for c, t in tries if c > (1 - ALIKE) * could), reverse=True)
        if totals[0] < SLOWED * could:
            near = [t for t in totals if t > totals[0] * (1 - 3 * ALIKE)]
            shared.append(Shared(group, median(near), (near[-1], near[0]), could))
    return shared


def _could(found: Found, o: Observation, group: "set[int]") -> float:
    """What crossing would show if the arcs over the edge of a group shared nothing but the links of their nodes."""
    sent = Counter(i for i, _ in o.rates)
    heard = Counter(j for _, j in o.rates)
    share = {(i, j): min(found.port[i] / sent[i], found.port[j] / heard[j]) for i, j in o.rates}
    return Observation("expected", share).crossing(group)


def alike(values: Sequence[float]) -> List[float]:
    """Values that differ by little become one, their median: noise is no structure."""
    order = sorted(range(len(values)), key=lambda k: values[k])
    out = list(values)
    run: List[int] = []
    for k in order + [-1]:
        if k >= 0 and (not run or values[k] <= values[run[0]] * (1 + ALIKE)):
            run.append(k)
            continue
        middle = median(values[r] for r in run)
        for r in run:
            out[r] = middle
        run = [k]
    return out
