"""What one rank does with one block of a message, for every kind of plan.

A block goes through stages. A stage is one batch of sends and receives:
  mix    value = self_weight·value + Σ weight·received
  move   value += received, in the order of the plan's nodes, own value included; or value = received. Who completes a
         sum by adding divides it, and others take the quotient: what is complete is only ever replaced or taken.
Blocks of one message do not depend on each other, so their stages run side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from .exact import Parts, completed
from .plan_file import Collective, Move, Plan, Round

Span = Tuple[int, int]
Stages = Tuple["Stage", ...]


@dataclass(frozen=True)
class Transfer:
    """The elements lo … hi − 1 of a block, to or from a rank; node is the number of the sender in the plan."""

    rank: int
    node: int
    lo: int
    hi: int
    weight: float = 1.0  # of what is received in a mix
    add: bool = False  # in a move


@dataclass(frozen=True)
class Stage:
    """Transfers that are in flight together; afterwards the spans `scaled` are multiplied with scale."""

    node: int  # this one's number among those that sum
    receives: Tuple[Transfer, ...]
    sends: Tuple[Transfer, ...]
    lo: int = 0
    hi: int = 0
    mix: Optional[float] = None  # the weight of a node's own value
    scale: float = 1.0
    scaled: Tuple[Span, ...] = ()
    inside: str = ""  # "reduce" or "gather": within a server, for which a backend may have something of its own


@dataclass(frozen=True)
class Table:
    """A row of W for the receiver, and who needs this node's value; both in the order of the plan's edges."""

    self_weight: float
    receives: Tuple[Tuple[int, float], ...]
    sends: Tuple[int, ...]


def rank_table(plan: Plan, node: int) -> List[Table]:
    """What a node does in every round of a period, by node or, with hierarchical averaging, by group."""
    return [_table(plan, part, node) for part in plan.rounds]


class Program:
    """The stages of one node for blocks of any length."""

    def __init__(self, plan: Plan, node: int, rank_of: Sequence[int], mean: bool = True,
                 inside: Sequence[int] = (), member: int = 0, equal: bool = False, sharded: bool = False) -> None:
        """mean: a collective ends with the mean of all nodes, and not with their sum. inside: ranks of a server, which
        is one node of a collective; each of its members averages a share of the message with its counterparts.
        equal: members of a group hold the same numbers, so that nothing has to be averaged inside first. sharded: they
        hold one model together, so that each exchanges all that it has with its counterparts."""
        self.plan, self.node, self.rank_of, self._mean = plan, node, list(rank_of), mean
        self.inside, self._member, self._equal = list(inside), member, equal
        if plan.groups:
            self.node, self._member = seat_in_group(plan, node)
            self.inside = [] if sharded else [rank_of[i] for i in plan.groups[self.node]]
            self.rank_of = [rank_of[group[self._member]] for group in plan.groups]
        self._tables = rank_table(plan, node)
        self._steps: List[Tuple[List[Move], Parts]] = []  # its own moves, and the parts that it then has to divide
        if plan.collective is not None:
            steps, done = _listed(plan.collective), _completed(plan)
            self._steps = [([m for m in step if self.node in (m.source, m.target)], done[s].get(self.node, ()))
                           for s, step in enumerate(steps)]
        self._made: Dict[Tuple[int, int], Stages] = {}
        self.room = self._room()

    def stages(self, k: int, length: int) -> Stages:
        """What round k, counted from the start of the plan, does with a block of that many elements."""
        key = (k % self.plan.period, length)
        if key not in self._made:
            self._made[key] = self._make(key[0], length)
        return self._made[key]

    def _make(self, t: int, length: int) -> Stages:
        if not self.inside:
            return self._between(t, 0, length)
        lo, hi = piece(length, self._member, len(self.inside))
        collect, spread = _inside(self.inside, self._member, length, self._mean)
        between = self._between(t, lo, hi)
        return (*between, spread) if self._equal else (collect, *between, spread)

    def _between(self, t: int, lo: int, hi: int) -> Stages:
        parties = len(self.plan.groups) or self.plan.nodes
        collective, share = self.plan.collective, 1 / parties if self._mean else 1.0
        if collective is None:
            return (_mix(self._tables[t], self.rank_of, self.node, lo, hi),)
        if collective.algorithm == "ring":
            return _ring(collective, self.node, self.rank_of, (lo, hi), share)
        return _moves(self._steps, self.node, self.rank_of, (lo, hi), share)

    def _room(self) -> Tuple[float, float]:
        """The most blocks that any node receives in a stage, and in two that follow each other: alike on all ranks."""
        steps = _listed(self.plan.collective) if self.plan.collective is not None else ()
        into = [((s, m.target), m.end - m.begin) for s, step in enumerate(steps) for m in step]
        for t, part in enumerate(self.plan.rounds):  # a block goes through one of them
            into += [((2 * t, node), 1.0) for e in part.edges for node in (e.j, e.i)[:1 if self.plan.directed else 2]]
        sums: Dict[Tuple[int, int], float] = {}
        for key, size in into:
            sums[key] = sums.get(key, 0.0) + size
        least = 1.0 if self.inside else 1 / self.plan.nodes
        one, pairs = max([*sums.values(), least]), [size + sums.get((s + 1, i), 0.0) for (s, i), size in sums.items()]
        return one, max([*pairs, 2 * least, one + least if self.inside else one])


def piece(length: int, m: int, pieces: int, first: int = 0) -> Span:
    """Piece m of length elements from first on, cut into pieces whose lengths differ by at most one."""
    return first + length * m // pieces, first + length * (m + 1) // pieces


def _ring(collective: Collective, node: int, rank_of: Sequence[int], span: Span, share: float) -> Stages:
    """n − 1 stages that sum pieces, each then complete at one node, and n − 1 that hand them round."""
    order = collective.order
    n, at = len(order), order.index(node)
    following, before = order[(at + 1) % n], order[at - 1]
    stages = []
    for add, first in ((True, at), (False, at + 1)):
        for k in range(n - 1):
            out, into = (piece(span[1] - span[0], m % n, n, span[0]) for m in (first - k, first - k - 1))
            stages.append(Stage(node, (Transfer(rank_of[before], before, *into, add=add),),
                                (Transfer(rank_of[following], node, *out, add=add),), *into,
                                scale=share, scaled=(into,) if add and k == n - 2 else ()))
    return tuple(stages)


def _tree(parent: Sequence[int]) -> List[List[Move]]:
    """Level by level sums go up to the root, then come down."""
    depth = [_depth(parent, i) for i in range(len(parent))]
    up: List[List[Move]] = [[] for _ in range(max(depth, default=0))]
    down: List[List[Move]] = [[] for _ in up]
    for i, above in enumerate(parent):
        if above >= 0:
            up[-depth[i]].append(Move(i, above, 0.0, 1.0, True))
            down[depth[i] - 1].append(Move(above, i, 0.0, 1.0, False))
    return up + down


def _listed(collective: Collective) -> Sequence[Sequence[Move]]:
    """The steps that a file lists, or those of its tree."""
    return collective.steps or _tree(collective.parent)


def steps_of(plan: Plan) -> Sequence[Sequence[Move]]:
    """All transfers of a plan's collective, step by step."""
    collective = plan.collective
    if collective is None or collective.algorithm != "ring":
        return () if collective is None else _listed(collective)
    order, n = collective.order, len(collective.order)
    return [[Move(node, order[(a + 1) % n], m / n, (m + 1) / n, add) for a, node in enumerate(order)
             for m in [(a + (not add) - k) % n]] for add in (True, False) for k in range(n - 1)]


def _depth(parent: Sequence[int], node: int) -> int:
    depth = 0
    while parent[node] >= 0:
        node, depth = parent[node], depth + 1
    return depth


def _completed(plan: Plan) -> Sequence[Dict[int, Parts]]:
    """Who divides what after which step of a tree, whose root has the sum half way, or of steps."""
    collective, nodes = plan.collective, plan.parties
    if collective is None or collective.algorithm == "ring":
        return ()
    if collective.algorithm == "steps":
        return completed(collective.steps, nodes)
    levels = max(_depth(collective.parent, i) for i in range(nodes))
    half: List[Dict[int, Parts]] = [{} for _ in range(2 * levels)]
    half[levels - 1] = {collective.parent.index(-1): ((0.0, 1.0),)}
    return half


def _moves(steps: Sequence[Tuple[Sequence[Move], Parts]], node: int, rank_of: Sequence[int], span: Span,
           share: float) -> Stages:
    """A stage per step; both ends of a move round its part alike, so parts that touch still do."""
    stages: List[Stage] = []
    length = span[1] - span[0]

    def rounded(begin: float, end: float) -> Span:
        return span[0] + round(begin * length), span[0] + round(end * length)
    for step, done in steps:
        receives: List[Transfer] = []
        sends: List[Transfer] = []
        for m in step:
            lo, hi = rounded(m.begin, m.end)
            if m.target == node:
                receives.append(Transfer(rank_of[m.source], m.source, lo, hi, add=m.add))
            else:
                sends.append(Transfer(rank_of[m.target], node, lo, hi, add=m.add))
        stages.append(Stage(node, tuple(receives), tuple(sends), *span, scale=share,
                            scaled=tuple(rounded(*part) for part in done)))
    return tuple(stages)


def _inside(ranks: Sequence[int], member: int, length: int, mean: bool) -> Tuple[Stage, Stage]:
    """Member m of a server gets shard m of all others; in the end it hands its shard to them."""
    n, (lo, hi) = len(ranks), piece(length, member, len(ranks))
    others = [(m, rank) for m, rank in enumerate(ranks) if m != member]
    collect = Stage(member, tuple(Transfer(rank, m, lo, hi, add=True) for m, rank in others),
                    tuple(Transfer(rank, member, *piece(length, m, n), add=True) for m, rank in others), lo, hi,
                    scale=1 / n if mean else 1.0, scaled=((lo, hi),), inside="reduce")
    spread = Stage(member, tuple(Transfer(rank, m, *piece(length, m, n)) for m, rank in others),
                   tuple(Transfer(rank, member, lo, hi) for _, rank in others), lo, hi, inside="gather")
    return collect, spread


def _mix(table: Table, rank_of: Sequence[int], node: int, lo: int, hi: int) -> Stage:
    return Stage(node, tuple(Transfer(rank_of[j], j, lo, hi, weight) for j, weight in table.receives),
                 tuple(Transfer(rank_of[j], node, lo, hi) for j in table.sends), lo, hi, table.self_weight)


def seat_in_group(plan: Plan, node: int) -> Tuple[int, int]:
    """The group of a node, and which of its members it is."""
    return next((g, group.index(node)) for g, group in enumerate(plan.groups) if node in group)


def _table(plan: Plan, part: Round, node: int) -> Table:
    party = seat_in_group(plan, node)[0] if plan.groups else node
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
