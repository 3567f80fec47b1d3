"""What one rank does in one round: phases of transfers that are all in flight at once.

A message is the rank's parameters (and what else is mixed) as one row of elements. A phase moves spans of it. Every
kind of plan becomes a list of phases, so one engine runs them all:
  mix    value = self_weight·value + Σ weight·received, over the window
  move   value += received, or value = received
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

from .collective import collective_program
from .phases import Phase, Span, Transfer, cut
from .plan import Plan, Round


class Programs:
    """The programs of one rank for all rounds of a plan."""

    def __init__(self, plan: Plan, node: int, rank_of: List[int], elements: int) -> None:
        self.plan, self.node, self.rank_of, self.elements = plan, node, rank_of, elements
        self._tables = [_table(plan, part, node) for part in plan.rounds]
        self._windows = Windows(plan, elements)
        self._made: Dict[Tuple[int, int], List[Phase]] = {}

    def phases(self, k: int) -> List[Phase]:
        """Those of round k, counted from the start of the plan."""
        if self.plan.kind == "collective":
            key = (0, 0)
        else:
            key = (k % self.plan.period, self._windows.start(k))
        if key not in self._made:
            if len(self._made) > 4 * self.plan.period:  # parts can start almost anywhere; do not keep them all
                self._made.clear()
            self._made[key] = self._make(k)
        return self._made[key]

    def _make(self, k: int) -> List[Phase]:
        if self.plan.collective is not None:
            return collective_program(self.plan.collective, self.node, self.rank_of, self.elements)
        window = self._windows.spans(k)
        table = self._tables[k % self.plan.period]
        if self.plan.groups:
            return self._two_levels(table, window)
        return [_mix(table, self.rank_of, window)]

    def _two_levels(self, table: "Table", window: Tuple[Span, ...]) -> List[Phase]:
        """Reduce-scatter inside the group, mix one shard with its counterparts, gather inside the group."""
        mine, member = _seat(self.plan, self.node)
        group = self.plan.groups[mine]
        shards = cut(window, len(group))
        peers = [(m, self.rank_of[node]) for m, node in enumerate(group) if m != member]
        shard = shards[member]
        counterparts = [self.rank_of[g[member]] for g in self.plan.groups]
        collect = Phase(
            "move", tuple(Transfer(rank, shard, add=True) for _, rank in peers),
            tuple(Transfer(rank, shards[m], add=True) for m, rank in peers), window=shard, scale=1 / len(group))
        spread = Phase(
            "move", tuple(Transfer(rank, shards[m]) for m, rank in peers),
            tuple(Transfer(rank, shard) for _, rank in peers))
        return [collect, _mix(table, counterparts, shard), spread]


@dataclass(frozen=True)
class Table:
    """A row of W for the receiver, and who needs this node's value; both in the order of the plan's edges."""

    self_weight: float
    receives: Tuple[Tuple[int, float], ...]
    sends: Tuple[int, ...]


def _seat(plan: Plan, node: int) -> Tuple[int, int]:
    return next((g, group.index(node)) for g, group in enumerate(plan.groups) if node in group)


def _table(plan: Plan, part: Round, node: int) -> Table:
    party = _seat(plan, node)[0] if plan.groups else node
    receives, sends = [], []
    for e in part.edges:
        if e.j == party:
            receives.append((e.i, e.weight))
        if e.i == party:
            sends.append(e.j)
        if not plan.directed:
            if e.i == party:
                receives.append((e.j, e.weight))
            if e.j == party:
                sends.append(e.i)
    return Table(part.self_weights[party], tuple(receives), tuple(sends))


def rank_table(plan: Plan, node: int) -> List[Table]:
    """What a node does in every round of a period, by node numbers of the plan (of groups, with two levels)."""
    return [_table(plan, part, node) for part in plan.rounds]


def _mix(table: Table, rank_of: List[int], window: Tuple[Span, ...]) -> Phase:
    return Phase("mix", tuple(Transfer(rank_of[j], window, weight) for j, weight in table.receives),
                 tuple(Transfer(rank_of[j], window) for j in table.sends), window, table.self_weight)


class Windows:
    """Which elements a round averages: round(part·elements) of them, at least one, from where the last round
    ended, and on from the beginning after the end."""

    def __init__(self, plan: Plan, elements: int) -> None:
        self.elements = elements
        self.lengths = [max(1, round(part.part * elements)) for part in plan.rounds]
        self.before = [sum(self.lengths[:t]) for t in range(len(self.lengths))]

    def start(self, k: int) -> int:
        period, t = divmod(k, len(self.lengths))
        return (period * sum(self.lengths) + self.before[t]) % self.elements

    def spans(self, k: int) -> Tuple[Span, ...]:
        """The window of round k, in one or two pieces."""
        size = self.lengths[k % len(self.lengths)]
        if size >= self.elements:
            return ((0, self.elements),)
        start = self.start(k)
        over = start + size - self.elements
        if over <= 0:
            return ((start, start + size),)
        return ((start, self.elements), (0, over))
