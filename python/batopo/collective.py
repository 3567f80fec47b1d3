"""Exact averages of all nodes, told as phases between neighbours of a ring or a tree."""

from __future__ import annotations

from typing import List, Sequence

from .phases import Phase, Transfer, cut
from .plan import Collective


def collective_program(collective: Collective, node: int, rank_of: Sequence[int], elements: int) -> List[Phase]:
    """What a node does in one average of all elements."""
    if collective.algorithm == "ring":
        return _ring(collective.order, node, rank_of, elements)
    return _tree(collective.parent, node, rank_of, elements)


def _ring(order: Sequence[int], node: int, rank_of: Sequence[int], elements: int) -> List[Phase]:
    """n − 1 phases that sum pieces, each then complete at one node, and n − 1 that hand them round."""
    n, at = len(order), list(order).index(node)
    following, preceding = rank_of[order[(at + 1) % n]], rank_of[order[at - 1]]
    pieces = cut(((0, elements),), n)
    phases = []
    for kind, first in (("add", at), ("copy", at + 1)):
        for k in range(n - 1):
            out, into = pieces[(first - k) % n], pieces[(first - k - 1) % n]
            done = kind == "add" and k == n - 2
            phases.append(Phase(kind, (Transfer(preceding, into),), (Transfer(following, out),),
                                window=into if kind == "add" else out, scale=1 / n if done else 1.0))
    return phases


def _tree(parent: Sequence[int], node: int, rank_of: Sequence[int], elements: int) -> List[Phase]:
    """Level by level sums go up to the root, then the average comes down."""
    depth = [_depth(parent, i) for i in range(len(parent))]
    whole = ((0, elements),)
    children = [Transfer(rank_of[i], whole) for i, up in enumerate(parent) if up == node]
    above = () if parent[node] < 0 else (Transfer(rank_of[parent[node]], whole),)
    up, down = [], []
    for level in range(max(depth), 0, -1):
        receives = tuple(children) if depth[node] == level - 1 else ()
        sends = above if depth[node] == level else ()
        top = level == 1 and not above
        up.append(Phase("add", receives, sends, window=whole, scale=1 / len(parent) if top else 1.0))
        down.append(Phase("copy", sends, receives, window=whole if receives else ()))
    return up + down[::-1]


def _depth(parent: Sequence[int], node: int) -> int:
    depth = 0
    while parent[node] >= 0:
        node, depth = parent[node], depth + 1
    return depth
