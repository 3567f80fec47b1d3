"""Plans for tests: made here by hand, and what they must do to n rows of numbers, computed another way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, List, Sequence, Tuple

import torch

from batopo.plan_file import Collective, Edge, Move, Plan, Round, plan_hash

ROOT = Path(__file__).resolve().parents[2]


def sealed(plan: Plan) -> Plan:
    """With the hash that belongs to it."""
    return replace(plan, hash=plan_hash(plan))


def make(nodes: int, *rounds: Round, **fields: Any) -> Plan:
    return sealed(Plan(nodes, rounds=tuple(rounds), **fields))


def undirected(parties: int, weights: Sequence[Tuple[int, int, float]]) -> Round:
    edges = tuple(Edge(min(i, j), max(i, j), w) for i, j, w in sorted((min(i, j), max(i, j), w) for i, j, w in weights))
    return Round(1.0, edges, tuple(1 - sum(e.weight for e in edges if i in (e.i, e.j)) for i in range(parties)))


def ring(n: int) -> Round:
    """Unequal weights, so that a transposed or shifted W would be seen."""
    pairs = {(min(i, (i + 1) % n), max(i, (i + 1) % n)) for i in range(n)}
    return undirected(n, [(i, j, 0.1 + 0.3 * (i + 1) / n) for i, j in pairs])


def chords(n: int) -> Round:
    return undirected(n, [(i, (i + 1) % n, 0.15) for i in range(n)] + [(i, i + n // 2, 0.2) for i in range(n // 2)])


def hops(n: int, *steps: int) -> Round:
    """Directed: everybody receives from those that many numbers behind."""
    weight = 1 / (len(steps) + 1)
    arcs = sorted((i, (i + h) % n) for h in steps for i in range(n))
    return Round(1.0, tuple(Edge(i, j, weight) for i, j in arcs), (1 - weight * len(steps),) * n)


def matching(n: int, bit: int) -> Round:
    return undirected(n, [(i, i ^ bit, 0.5) for i in range(n) if i < i ^ bit])


def all_kinds(n: int) -> List[Tuple[str, Plan]]:
    """One plan of every kind that the format knows, for n nodes (a power of two)."""
    halves = tuple(tuple(range(g, n, n // 2)) for g in range(n // 2)) if n > 2 else ()
    kinds = [
        ("static", make(n, ring(n))),
        ("directed", make(n, hops(n, *[1 << k for k in range((n - 1).bit_length())]), directed=True)),
        ("schedule", make(n, *[matching(n, 1 << k) for k in range((n - 1).bit_length())])),
        ("directed schedule", make(n, *[hops(n, 1 << k) for k in range((n - 1).bit_length())], directed=True)),
        ("ring collective", sealed(Plan(n, kind="collective", collective=Collective(
            "ring", tuple(range(0, n, 2)) + tuple(range(1, n, 2)))))),
        ("tree collective", sealed(Plan(n, kind="collective", collective=Collective(
            "tree", parent=tuple((i - 1) // 2 if i else -1 for i in range(n)))))),
    ]
    kinds += [(name, sealed(Plan(n, kind="collective", collective=collective)))
              for name, collective in collectives(n)]
    if n > 2:
        kinds.append(("hierarchical", make(n, ring(n // 2), groups=halves)))
    return kinds


def collectives(n: int) -> List[Tuple[str, Collective]]:
    """All-reduces of n nodes in steps: doubling in whole messages, halving and doubling, unequal shares in chunks;
    and a tree in chunks."""
    bits = [1 << k for k in range(n.bit_length() - 1)]
    doubling = tuple(tuple(Move(i, i ^ d, 0.0, 1.0, True) for i in range(n)) for d in bits)
    begin, width, halve, double = [0.0] * n, 1.0, [], []
    for d in bits:
        width /= 2
        kept = [begin[i] + (width if i & d else 0) for i in range(n)]
        other = [begin[i] + (0 if i & d else width) for i in range(n)]
        halve.append(tuple(Move(i, i ^ d, other[i], other[i] + width, True) for i in range(n)))
        double.append(tuple(Move(i, i ^ d, kept[i], kept[i] + width, False) for i in range(n)))
        begin = kept
    ends = [0.0, 0.7] + [0.7 + 0.3 * k / (n - 1) for k in range(1, n - 1)] + [1.0]
    parts = list(zip(range(n), ends, ends[1:]))
    reduce = tuple(Move(j, i, a, b, True) for i, a, b in parts for j in range(n) if i != j)
    gather = tuple(Move(i, j, a, b, False) for i, a, b in parts for j in range(n) if i != j)
    path = tuple(i - 1 for i in range(n))
    return [("doubling", Collective("steps", steps=doubling)),
            ("halving and doubling", Collective("steps", steps=(*halve, *reversed(double)))),
            ("shards in chunks", Collective("steps", steps=(reduce, gather), chunks=5)),
            ("path in chunks", Collective("tree", parent=path, chunks=3))]


def apply_round(plan: Plan, k: int, x: torch.Tensor) -> torch.Tensor:
    """Round k on the rows of x, [nodes, elements], by dense matrices."""
    if plan.kind == "collective":
        return x.mean(0, keepdim=True).expand_as(x).clone()
    return dense(plan, k) @ x


def dense(plan: Plan, k: int) -> torch.Tensor:
    """W between nodes; with groups, every member gets the mixed means of the groups."""
    part = plan.rounds[k % len(plan.rounds)]
    parties = len(plan.groups) or plan.nodes
    w = torch.diag(torch.tensor(part.self_weights, dtype=torch.float64))
    for e in part.edges:
        w[e.j, e.i] = e.weight
        if not plan.directed:
            w[e.i, e.j] = e.weight
    if not plan.groups:
        return w
    member = torch.zeros(plan.nodes, parties, dtype=torch.float64)
    for g, group in enumerate(plan.groups):
        member[list(group), g] = 1
    return member @ w @ member.T / len(plan.groups[0])
