"""Changes as 8-bit numbers between nodes, with error feedback.

Of every BLOCK elements the largest decides a power of two, by which they are divided and rounded to −127 … 127. Who
sends goes on with the rounded values itself. What it rounded off is kept and added to its next change. A sum is rounded
once by the node that has it and then copied: powers of two make rounding the same values again leave them as they are.
"""

from __future__ import annotations

from typing import Dict, List, Tuple

import torch

from .engine import Engine
from .errors import SetupError
from .plan_file import Move, Plan
from .stages import Program, Stage, Transfer

BLOCK = 256


def check(plan: Plan) -> None:
    """Refuses collectives in which one error would count twice, or copies are cut again on their way."""
    given: Dict[int, List[Tuple[float, float]]] = {}
    copied: Dict[int, List[Tuple[float, float]]] = {}

    def meets(move: Move, spans: List[Tuple[float, float]]) -> bool:
        return any(a < move.end and move.begin < b for a, b in spans)
    for step in plan.collective.steps if plan.collective is not None else ():
        for m in step:
            had = copied.get(m.source, [])
            if meets(m, given.get(m.source, [])) or (meets(m, had) and (m.begin, m.end) not in had):
                raise SetupError("wire int8 needs a collective in which every part is summed at one node and then "
                                 "copied whole: a ring, a tree, or shards, not doubling")
        for m in step:
            if m.add:
                given.setdefault(m.source, []).append((m.begin, m.end))
            else:
                copied.setdefault(m.target, []).append((m.begin, m.end))
                given[m.target] = _without(given.get(m.target, []), m.begin, m.end)


def _without(spans: List[Tuple[float, float]], lo: float, hi: float) -> List[Tuple[float, float]]:
    cut = [part for a, b in spans for part in ((a, min(b, lo)), (max(a, hi), b))]
    return [(a, b) for a, b in cut if a < b]


def size(elements: int) -> int:
    """Bytes of that many elements on the wire."""
    return elements + -(-elements // BLOCK)


def encode(x: torch.Tensor) -> torch.Tensor:
    """Exponents of all blocks, then the numbers."""
    count = -(-x.numel() // BLOCK)
    parts = torch.nn.functional.pad(x, (0, count * BLOCK - x.numel())).view(count, BLOCK)
    fraction, exponent = torch.frexp(parts.abs().amax(1) / 127)
    exponent = (exponent - (fraction == 0.5).to(exponent.dtype)).clamp(-120, 120).to(torch.int8)
    numbers = (parts / _power(exponent, x.dtype).view(count, 1)).round_().view(-1)[:x.numel()]
    return torch.cat([exponent, numbers.to(torch.int8)])


def decode(code: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """What a code stands for; like has its length and type."""
    count = -(-like.numel() // BLOCK)
    code = code.to(like.device)
    scale = _power(code[:count], like.dtype)
    return code[count:].to(like.dtype).mul_(scale.repeat_interleave(BLOCK)[:like.numel()])


def _power(exponent: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Two to the power of the exponent, exactly."""
    return ((exponent.to(torch.int32) + 127) * (1 << 23)).view(torch.float32).to(dtype)


class Bytes:
    """Runs the stages of a collective, one after the other, on whole changes. Groups give results on as they are."""

    def __init__(self, program: Program, engine: Engine) -> None:
        self._program, self._engine = program, engine

    @torch.no_grad()
    def sum(self, y: torch.Tensor, error: torch.Tensor) -> None:
        """Replaces y by the sum over all nodes; error is what this one has rounded off so far."""
        stages = self._program.stages(0, y.numel())
        tag = self._engine.links.number(len(stages))
        y.add_(error)
        error.zero_()
        for k, stage in enumerate(stages):
            self._stage(stage, tag + k, y, error)

    def _stage(self, stage: Stage, tag: int, y: torch.Tensor, error: torch.Tensor) -> None:
        links, coarse = self._engine.links, not stage.inside
        where = self._engine.wires.device
        inbox = []
        for t in stage.receives:
            if t.lo < t.hi:
                length, kind = (size(t.hi - t.lo), torch.int8) if coarse else (t.hi - t.lo, y.dtype)
                buffer = torch.empty(length, dtype=kind, device=where)
                inbox.append((t, buffer, links.receive(t.rank, buffer, tag)))
        codes: Dict[Tuple[int, int], torch.Tensor] = {}
        outbox = []
        for t in stage.sends:
            if t.lo < t.hi:
                if (t.lo, t.hi) not in codes:
                    codes[t.lo, t.hi] = (_round(y[t.lo:t.hi], error[t.lo:t.hi]) if coarse else y[t.lo:t.hi]).to(where)
                outbox.append((t, links.send(t.rank, codes[t.lo, t.hi], tag)))
        links.flush()
        for t, buffer, work in inbox:
            links.wait(t.rank, work, True)
        for t, work in outbox:
            links.wait(t.rank, work, True)
        _take(stage.node, [(t, decode(buffer, y[t.lo:t.hi]) if coarse else buffer.to(y.device))
                           for t, buffer, _ in sorted(inbox, key=lambda item: item[0].node)], y)


def _round(values: torch.Tensor, error: torch.Tensor) -> torch.Tensor:
    """The code of values, which become what it stands for."""
    code = encode(values)
    rounded = decode(code, values)
    error.add_(values - rounded)
    values.copy_(rounded)
    return code


def _take(own: int, got: List[Tuple[Transfer, torch.Tensor]], y: torch.Tensor) -> None:
    """Adds in the order of nodes, own value included, so that all who add the same get the same bits."""
    below = [(t, values) for t, values in got if t.add and t.node < own]
    first = torch.zeros_like(y) if len(below) > 1 else y
    for t, values in below:
        first[t.lo:t.hi].add_(values)
    if first is not y:
        y.add_(first)
    for t, values in got:
        if not t.add:
            y[t.lo:t.hi].copy_(values)
        elif t.node > own:
            y[t.lo:t.hi].add_(values)
