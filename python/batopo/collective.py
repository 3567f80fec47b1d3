"""Exact averages of all nodes, told as phases: along a ring, or in the steps of a tree or of a list."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from .phases import Phase, Transfer, between, cut, length
from .plan import Collective, Move


def collective_program(collective: Collective, node: int, rank_of: Sequence[int], elements: int) -> List[Phase]:
    """What a node does in one average of all elements."""
    if collective.algorithm == "ring":
        return _ring(collective.order, node, rank_of, elements)
    steps = collective.steps or _tree(collective.parent)
    return _pipelined(steps, collective.chunks, node, rank_of, elements)


def _ring(order: Sequence[int], node: int, rank_of: Sequence[int], elements: int) -> List[Phase]:
    """n − 1 phases that sum pieces, each then complete at one node, and n − 1 that hand them round."""
    n, at = len(order), list(order).index(node)
    following, preceding = rank_of[order[(at + 1) % n]], rank_of[order[at - 1]]
    pieces = cut(((0, elements),), n)
    phases = []
    for add, first in ((True, at), (False, at + 1)):
        for k in range(n - 1):
            out, into = pieces[(first - k) % n], pieces[(first - k - 1) % n]
            done = add and k == n - 2
            phases.append(Phase("move", (Transfer(preceding, into, add=add),), (Transfer(following, out, add=add),),
                                window=into, scale=1 / n if done else 1.0))
    return phases


def _tree(parent: Sequence[int]) -> List[List[Move]]:
    """Level by level sums go up to the root, then come down."""
    depth = [_depth(parent, i) for i in range(len(parent))]
    up: List[List[Move]] = [[] for _ in range(max(depth))]
    down: List[List[Move]] = [[] for _ in range(max(depth))]
    for i, above in enumerate(parent):
        if above >= 0:
            up[-depth[i]].append(Move(i, above, 0.0, 1.0, True))
            down[depth[i] - 1].append(Move(above, i, 0.0, 1.0, False))
    return up + down


def _depth(parent: Sequence[int], node: int) -> int:
    depth = 0
    while parent[node] >= 0:
        node, depth = parent[node], depth + 1
    return depth


def _pipelined(steps: Sequence[Sequence[Move]], chunks: int, node: int, rank_of: Sequence[int],
               elements: int) -> List[Phase]:
    """In slot t chunk k is in step t − k. All ranks have as many phases, whether or not they take part."""
    whole = ((0, elements),)
    pieces = cut(whole, chunks)
    own = [[move for move in step if node in (move.source, move.target)] for step in steps]
    slots = len(steps) + chunks - 1
    phases = []
    for slot in range(slots):
        receives, sends = [], []
        for chunk in range(max(0, slot - len(steps) + 1), min(slot, chunks - 1) + 1):
            for move in own[slot - chunk]:
                spans = _part(pieces[chunk], move)
                if move.target == node:
                    receives.append(Transfer(rank_of[move.source], spans, add=move.add))
                else:
                    sends.append(Transfer(rank_of[move.target], spans, add=move.add))
        last = slot == slots - 1
        phases.append(Phase("move", tuple(receives), tuple(sends), whole if last else (),
                            scale=1 / len(rank_of) if last else 1.0))
    return phases


def _part(chunk: Tuple[Tuple[int, int], ...], move: Move) -> Tuple[Tuple[int, int], ...]:
    """The elements of a chunk that move; both ends round alike, so parts that touch still do."""
    size = length(chunk)
    return between(chunk, round(move.begin * size), round(move.end * size))
