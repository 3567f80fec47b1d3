"""Steps to the same final loss: how many synchronous steps would have ended where a run ended.

All runs decay fully. Synchronous runs of several lengths give a curve from final loss to steps, one per seed. Between
its points ln(steps) is a monotone cubic (Fritsch–Carlson) of the loss; beyond its ends there is no number. A run of T
steps with loss L and seed s costs T / steps_s(L) times the steps of synchronous training: it is compared with the
synchronous runs that had the same start and the same text. Every process, and every length of synchronous training,
is taken at its best rate: the lowest loss with the seed that was tried at most rates.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

from .settings import Entry, entry

Line = dict[str, Any]
FAR = 2  # times the steps of the length before: nothing is read across such a gap
STUDENT = {2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}  # 95 %, by seeds − 1


@dataclass(frozen=True)
class Curve:
    """Synchronous steps by final loss: points from the highest loss down, at most one for each loss."""

    losses: tuple[float, ...]
    logs: tuple[float, ...]  # ln(steps)

    @staticmethod
    def through(points: list[tuple[int, float]]) -> Curve:
        """Of (steps, loss). Neighbours in the wrong order become one point, at their means, until none are."""
        blocks: list[tuple[int, float, float]] = []  # how many, sum of losses, sum of ln(steps)
        for steps, loss in sorted(points):
            block = (1, loss, math.log(steps))
            while blocks and block[1] / block[0] >= blocks[-1][1] / blocks[-1][0]:
                last = blocks.pop()
                block = (block[0] + last[0], block[1] + last[1], block[2] + last[2])
            blocks.append(block)
        return Curve(tuple(loss / n for n, loss, _ in blocks), tuple(log / n for n, _, log in blocks))

    def side(self, loss: float) -> str:
        """Where a loss lies: above, below or inside of what was measured."""
        if not self.losses or loss > self.losses[0]:
            return "above"
        return "below" if loss < self.losses[-1] else "inside"

    def steps(self, loss: float) -> float | None:
        """Of the synchronous run that ends at this loss; none outside of the measured lengths."""
        if self.side(loss) != "inside":
            return None
        if len(self.losses) == 1:
            return math.exp(self.logs[0])
        x, y, m = [-loss for loss in self.losses], self.logs, self._slopes()
        k = max(i for i in range(len(x) - 1) if x[i] <= -loss)
        h = x[k + 1] - x[k]
        t = (-loss - x[k]) / h
        return math.exp(y[k] + t * t * (3 - 2 * t) * (y[k + 1] - y[k])
                        + t * (1 - t) * h * ((1 - t) * m[k] - t * m[k + 1]))

    def _slopes(self) -> list[float]:
        """Of ln(steps) over −loss at the points: weighted harmonic means inside, one-sided parabolas at the ends."""
        x, y = [-loss for loss in self.losses], self.logs
        h = [b - a for a, b in zip(x, x[1:])]
        d = [(b - a) / step for a, b, step in zip(y, y[1:], h)]
        if len(d) == 1:
            return [d[0], d[0]]

        def end(near: int, far: int) -> float:
            return min(max(((2 * h[near] + h[far]) * d[near] - h[near] * d[far]) / (h[near] + h[far]), 0.0),
                       3 * d[near])

        inner = [3 * (h[k] + h[k - 1]) / ((2 * h[k] + h[k - 1]) / d[k - 1] + (h[k] + 2 * h[k - 1]) / d[k])
                 for k in range(1, len(d))]
        return [end(0, 1), *inner, end(-1, -2)]


def process_of(e: Entry) -> Entry:
    """The settings without seed and rate, and with one spelling for all synchronous runs."""
    e = e.dense() if e.replicas == 1 else e
    return replace(e, name="", question="", seed=0, lr=1.0, lr_from="")


def setting_of(e: Entry) -> Entry:
    """What a run and the synchronous runs that it is compared with have in common.

    That is all but the process and the steps. Synchronous training sees all domains in every step, whichever node
    has them: runs with one domain per node are compared with the same synchronous ones. Runs with idle nodes are
    compared with synchronous training of all nodes.
    """
    return replace(process_of(e).dense(), nodes=1, idle=0, group=1, sequences=(e.nodes + e.idle) * e.sequences,
                   steps=e.warmup + 1, data="iid")


def is_reference(e: Entry) -> bool:
    """Whether others are compared with it: synchronous training of all nodes."""
    return e.replicas == 1 and e.idle == 0 and e.data == "iid"


def at_best_rate(lines: list[Line]) -> dict[Entry, list[Line]]:
    """Process → its lines at its best rate, one per seed; diverged ones are left out."""
    found: dict[Entry, list[Line]] = defaultdict(list)
    for line in lines:
        if "error" not in line and not line["diverged"]:
            found[process_of(entry(line["entry"]))].append(line)
    return {process: _best(some) for process, some in found.items()}


def _best(lines: list[Line]) -> list[Line]:
    by_seed: dict[int, dict[float, Line]] = defaultdict(dict)
    for line in lines:
        by_seed[line["entry"]["seed"]][line["entry"]["lr"]] = line
    tried = max(by_seed.values(), key=len)
    best = min(tried, key=lambda lr: tried[lr]["loss"])
    return [rates[best] for _, rates in sorted(by_seed.items()) if best in rates]


def synchronous(best: dict[Entry, list[Line]], setting: Entry) -> dict[int, list[tuple[int, float]]]:
    """Seed → (steps, loss) of the synchronous runs of a setting, up to the first gap that is too wide to read in."""
    out: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for e, lines in best.items():
        if is_reference(e) and setting_of(e) == setting:
            for line in lines:
                out[line["entry"]["seed"]].append((e.steps, line["loss"]))
    return {seed: _connected(sorted(some)) for seed, some in out.items()}


def _connected(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    far = [k for k in range(1, len(points)) if points[k][0] >= FAR * points[k - 1][0]]
    return points[: far[0]] if far else points


def curve_error(points: dict[int, list[tuple[int, float]]]) -> float:
    """Root mean square of ln(steps) when a length between two others is found from the others alone.

    It holds the error of reading between lengths, with gaps of twice the size, and the noise of a synchronous run.
    """
    off = []
    for some in points.values():
        some = sorted(some)
        for k in range(1, len(some) - 1):
            found = Curve.through(some[:k] + some[k + 1:]).steps(some[k][1])
            if found is not None:
                off.append(math.log(found / some[k][0]))
    return math.sqrt(sum(o * o for o in off) / len(off)) if off else math.nan


@dataclass(frozen=True)
class Cost:
    """Relative steps of a process: of every seed, and as an interval where there are three seeds or more."""

    each: tuple[float | None, ...]  # none: the loss is outside of what synchronous runs reached
    outside: str  # "", or where: above (too bad to compare) or below (as good as the longest synchronous run)
    mean: float | None  # none where any seed has none: the rest would be a biased choice
    half: float | None  # of the interval


def cost(lines: list[Line], points: dict[int, list[tuple[int, float]]]) -> Cost:
    """95 % t-interval of the mean over seeds, widened on both sides by the curve's error."""
    curves = [Curve.through(points.get(line["entry"]["seed"], [])) for line in lines]
    found = [c.steps(line["loss"]) for c, line in zip(curves, lines)]
    each = [None if f is None else line["entry"]["steps"] / f for f, line in zip(found, lines)]
    known = [r for r in each if r is not None]
    if len(known) < len(each):
        sides = {c.side(line["loss"]) for c, line in zip(curves, lines)} - {"inside"}
        return Cost(tuple(each), " and ".join(sorted(sides)), None, None)
    mean = sum(known) / len(known)
    return Cost(tuple(each), "", mean, _half(known, curve_error(points) * mean))


def _half(values: list[float], more: float) -> float | None:
    if len(values) - 1 not in STUDENT or math.isnan(more):
        return None
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))
    return STUDENT[len(values) - 1] * deviation / math.sqrt(len(values)) + more


def difference(one: list[Line], other: list[Line], points: dict[int, list[tuple[int, float]]]) -> tuple[float, float]:
    """Relative steps of one less those of the other, seed by seed: mean and half of its 95 % interval.

    The curve's error is not added: both are read from the same curves.
    """
    costs = [{line["entry"]["seed"]: r for line, r in zip(lines, cost(lines, points).each)} for lines in (one, other)]
    seeds = sorted(costs[0].keys() & costs[1].keys())
    values = [a - b for a, b in ((costs[0][s], costs[1][s]) for s in seeds) if a is not None and b is not None]
    half = _half(values, 0.0)
    if half is None:
        raise ValueError(f"{one[0]['name']}: {len(values)} seeds are too few for an interval")
    return sum(values) / len(values), half
