"""Follows what nodes hold through the steps of a collective: all must end with the sum, each node counted once."""

from __future__ import annotations

import secrets
from bisect import bisect_left
from functools import lru_cache
from typing import Dict, List, Sequence, Set, Tuple

from .errors import PlanError
from .plan_file import Move

MOST_HELD = 1 << 24  # nodes times parts of the message that no move cuts: 128 MiB
MOST_MOVED = 1 << 31  # parts that all moves together send: some seconds
Steps = Sequence[Sequence[Move]]
Parts = Tuple[Tuple[float, float], ...]


@lru_cache(maxsize=8)
def completed(steps: Steps, nodes: int) -> Tuple[Dict[int, Parts], ...]:
    """For every step the parts whose sum is complete at a node once it has added what came. There it is divided, by
    one node or several; who takes a complete sum in place of its own gets it divided. What is added to a complete sum
    is wrong from then on, and has to be replaced.

    Followed are numbers from 1 to 2⁴⁰ that nobody can foresee, one per node. They are only added, up to a number that
    no sum reaches, so nothing gets smaller, and steps that do not average pass with probability 2⁻⁴⁰."""
    import torch  # reading a plan does not need it, unless it lists steps
    cuts = sorted({0.0, 1.0, *(end for step in steps for m in step for end in (m.begin, m.end))})
    if nodes * (len(cuts) - 1) > MOST_HELD:
        raise PlanError(f"collective.steps cut the message of {nodes} nodes into {len(cuts) - 1} parts, more than are "
                        "followed; use fewer")
    moved = sum(bisect_left(cuts, m.end) - bisect_left(cuts, m.begin) for step in steps for m in step)
    if moved > MOST_MOVED:
        raise PlanError(f"collective.steps send {moved} parts of the message in all, more than are followed; use fewer")
    own = torch.tensor([1 + secrets.randbelow(1 << 40) for _ in range(nodes)])
    held, whole = own[:, None].repeat(1, len(cuts) - 1), int(own.sum())
    done = []
    for step in steps:
        spans = [slice(bisect_left(cuts, m.begin), bisect_left(cuts, m.end)) for m in step]
        sent = [held[m.source, span].clone() for m, span in zip(step, spans)]
        for m, span, part in zip(step, spans, sent):
            held[m.target, span] = (held[m.target, span] + part).clamp(max=1 << 61) if m.add else part
        found: Dict[int, Set[int]] = {}
        for m, span in zip(step, spans):
            if m.add and bool((held[m.target, span] == whole).any()):
                complete = (held[m.target, span] == whole).nonzero()[:, 0] + span.start
                found.setdefault(m.target, set()).update(complete.tolist())
        done.append({node: _joined(cuts, sorted(pieces)) for node, pieces in found.items()})
    wrong = (held != whole).nonzero()
    if len(wrong):
        node, k = wrong[0].tolist()
        raise PlanError(f"collective.steps leave node {node} without the average of all in the part from {cuts[k]} to "
                        f"{cuts[k + 1]}; every node must count once")
    return tuple(done)


def _joined(cuts: Sequence[float], pieces: Sequence[int]) -> Parts:
    """Pieces in order, those that touch as one part."""
    parts: List[Tuple[float, float]] = []
    for k in pieces:
        begin = parts.pop()[0] if parts and parts[-1][1] == cuts[k] else cuts[k]
        parts.append((begin, cuts[k + 1]))
    return tuple(parts)
