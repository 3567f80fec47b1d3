"""Changes in 8, 4, 2 or 1 bits between nodes, with error feedback.

Every BLOCK numbers share a scale, which travels in 32 bits:
  int8, int4   whole multiples of the largest of them over 127 or 7
  int2         −a, 0 or +a: 0 for what is at most SMALL of their mean size; a is the mean size of the others
  int1         the sign, times their mean size
Who sends goes on with the rounded values itself. What it rounded off is kept and added to its next change. A sum is
rounded once by the node that has it. From then on the bytes themselves are copied, so all have the same bits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, List, Sequence, Tuple

import torch

from .blocks import ALIGN
from .engine import Engine, Inbox
from .errors import SetupError
from .plan_file import FEW_BITS, Move, Plan
from .stages import Program, Stage, Transfer, steps_of

BLOCK, SMALL = ALIGN, 0.75
_CACHED = 1 << 15  # numbers that stay in a processor's cache while they are rounded; whole blocks
Span = Tuple[int, int]
Part = Tuple[float, float]


def check(plan: Plan, wire: str) -> None:
    """Refuses collectives in which one error would count twice, or copies are cut again on their way."""
    given: Dict[int, List[Part]] = {}
    copied: Dict[int, List[Part]] = {}
    summed: Dict[int, List[Part]] = {}

    def meets(move: Move, spans: List[Part]) -> bool:
        return any(a < move.end and move.begin < b for a, b in spans)
    for step in steps_of(plan):
        for m in step:
            had, whole = copied.setdefault(m.source, []), (m.begin, m.end)
            if meets(m, given.get(m.source, [])) or (meets(m, had) and whole not in had):
                raise SetupError(f"wire {wire} needs a collective in which every part is summed at one node and "
                                 "then copied whole: a ring, a tree, or shards, not doubling")
            if m.add and FEW_BITS[wire] < 8 and meets(m, summed.get(m.source, [])):
                raise SetupError(f"wire {wire} needs a collective in which changes go straight to the node that "
                                 "sums them, such as shards: sums that are rounded on their way were never measured")
            if not m.add:
                had.append(whole)
        for m in step:
            if m.add:
                given.setdefault(m.source, []).append((m.begin, m.end))
                summed.setdefault(m.target, []).append((m.begin, m.end))
            else:
                copied.setdefault(m.target, []).append((m.begin, m.end))
                given[m.target] = _without(given.get(m.target, []), m.begin, m.end)


def _without(spans: List[Part], lo: float, hi: float) -> List[Part]:
    cut = [part for a, b in spans for part in ((a, min(b, lo)), (max(a, hi), b))]
    return [(a, b) for a, b in cut if a < b]


def size(elements: int, bits: int) -> int:
    """Bytes of that many elements on the wire."""
    return 4 * -(-elements // BLOCK) + -(-elements * bits // 8)


@lru_cache(maxsize=None)
def _tables(bits: int, dtype: torch.dtype, device: torch.device) -> Tuple[torch.Tensor, torch.Tensor]:
    """What each number in a byte counts there, the first one the least, and the numbers that each byte stands for."""
    places = 2 ** (bits * torch.arange(8 // bits))
    codes = torch.arange(256)[:, None] // places % 2 ** bits
    numbers = 2 * codes - 1 if bits == 1 else codes - 2 ** (bits - 1)
    return places.to(device, dtype), numbers.to(device, dtype)


def encode(x: torch.Tensor, bits: int) -> torch.Tensor:
    """The scales of all blocks, then the numbers."""
    code = torch.empty(size(x.numel(), bits), dtype=torch.uint8, device=x.device)
    scales, packed = _split(code, x.numel())
    step = _CACHED if x.device.type == "cpu" else max(1, -(-x.numel() // BLOCK)) * BLOCK
    for a in range(0, x.numel(), step):
        scale, numbers = _encode(x[a:a + step], bits)
        scales[a // BLOCK:a // BLOCK + len(scale)] = scale
        first = a * bits // 8
        packed[first:first + len(numbers)] = numbers
    return code


def _encode(x: torch.Tensor, bits: int) -> Tuple[torch.Tensor, torch.Tensor]:
    blocks = -(-x.numel() // BLOCK)
    rest = blocks * BLOCK - x.numel()
    parts = (torch.nn.functional.pad(x, (0, rest)) if rest else x).view(blocks, BLOCK)
    sizes = parts.abs()
    mean = sizes.sum(1, keepdim=True) / BLOCK
    if rest:
        mean[-1] *= BLOCK / (BLOCK - rest)
    if bits == 1:  # signs are made several times as fast as comparisons are numbers
        scale, codes = mean, parts.sign().add_(1).clamp_(max=1)
    elif bits == 2:
        kept = (sizes - SMALL * mean).sign_().clamp_(min=0)
        scale = (sizes * kept).sum(1, keepdim=True) / kept.sum(1, keepdim=True).clamp(min=1)
        codes = parts.sign().mul_(kept).add_(2)
    else:
        most = 2 ** (bits - 1) - 1
        scale = (sizes.amax(1, keepdim=True) / most).clamp(min=1e-30)
        codes = (parts / scale).round_().add_(most + 1)
    places, _ = _tables(bits, x.dtype, x.device)
    rows = codes.view(-1, 8 // bits)
    numbers = (rows @ places if bits < 8 else rows[:, 0]).to(torch.uint8)
    return scale.view(-1).float(), numbers[:-(-x.numel() * bits // 8)]


def _split(code: torch.Tensor, elements: int) -> Tuple[torch.Tensor, torch.Tensor]:
    first = 4 * -(-elements // BLOCK)
    return code[:first].view(torch.float32), code[first:]


def decode(code: torch.Tensor, like: torch.Tensor, bits: int) -> torch.Tensor:
    """What a code stands for; like has its length and type."""
    scales, packed = _split(code.to(like.device), like.numel())
    out, (_, numbers) = torch.empty_like(like), _tables(bits, like.dtype, like.device)
    step = _CACHED if like.device.type == "cpu" else max(1, -(-like.numel() // BLOCK)) * BLOCK
    for a in range(0, like.numel(), step):
        b = min(a + step, like.numel())
        here = packed[a * bits // 8:-(-b * bits // 8)]
        found = (numbers.index_select(0, here.to(torch.int32)).view(-1)[:b - a] if bits < 8
                 else here.to(like.dtype).sub_(128))
        each = scales[a // BLOCK:-(-b // BLOCK)].to(like.dtype)
        whole = (b - a) // BLOCK * BLOCK
        torch.mul(found[:whole].view(-1, BLOCK), each[:whole // BLOCK, None], out=out[a:a + whole].view(-1, BLOCK))
        if a + whole < b:
            torch.mul(found[whole:], each[-1], out=out[a + whole:b])
    return out


class FewBits:
    """Runs the stages of a collective, one after the other, on whole changes. Groups give results on as they are."""

    def __init__(self, program: Program, engine: Engine, bits: int) -> None:
        self._program, self._engine, self._bits = program, engine, bits

    @torch.no_grad()
    def sum(self, y: torch.Tensor, error: torch.Tensor) -> None:
        """Replaces y by the sum over all nodes; error is what this one has rounded off so far."""
        stages = self._program.stages(0, y.numel())
        tag = self._engine.links.number(len(stages))
        y.add_(error)
        error.zero_()
        final: Dict[Span, torch.Tensor] = {}  # codes of sums, made here or received
        sizes = [y.numel() * y.element_size() if stage.inside else size(y.numel(), self._bits) for stage in stages]
        inboxes = self._engine.inboxes(lambda k: self._receive(stages[k], tag + k, y.dtype), sizes)
        for k, (stage, inbox) in enumerate(zip(stages, inboxes)):
            self._stage(stage, tag + k, y, error, final, inbox)

    def _receive(self, stage: Stage, tag: int, dtype: torch.dtype) -> Inbox:
        """Starts to receive what a stage brings."""
        links, where, inbox = self._engine.links, self._engine.wires.device, []
        for t in stage.receives:
            if t.lo < t.hi:
                length, kind = ((t.hi - t.lo, dtype) if stage.inside else (size(t.hi - t.lo, self._bits), torch.uint8))
                buffer = torch.empty(length, dtype=kind, device=where)
                inbox.append((t, buffer, links.receive(t.rank, buffer, tag)))
        return inbox

    def _stage(self, stage: Stage, tag: int, y: torch.Tensor, error: torch.Tensor, final: Dict[Span, torch.Tensor],
               inbox: Inbox) -> None:
        links, coarse, bits = self._engine.links, not stage.inside, self._bits
        codes: Dict[Span, torch.Tensor] = final if coarse else {}
        outbox = []
        for t in stage.sends:
            if t.lo < t.hi:
                if (t.lo, t.hi) not in codes:
                    codes[t.lo, t.hi] = (rounded(y[t.lo:t.hi], error[t.lo:t.hi], bits) if coarse
                                         else y[t.lo:t.hi]).to(self._engine.wires.device)
                outbox.append((t, codes[t.lo, t.hi], links.send(t.rank, codes[t.lo, t.hi], tag)))
        links.flush()
        for t, _, work in inbox + outbox:
            links.wait(t.rank, work, True)
        if coarse:
            for t, buffer, _ in inbox:
                for span in [(lo, hi) for lo, hi in final if lo < t.hi and t.lo < hi]:
                    del final[span]
                if not t.add:
                    final[t.lo, t.hi] = buffer
        _take(stage.node, [(t, decode(buffer, y[t.lo:t.hi], bits) if coarse else buffer.to(y.device))
                           for t, buffer, _ in sorted(inbox, key=lambda item: item[0].node)], y)


def rounded(values: torch.Tensor, error: torch.Tensor, bits: int) -> torch.Tensor:
    """The code of values, which become what it stands for."""
    code = encode(values, bits)
    sent = decode(code, values, bits)
    error.add_(values.sub_(sent))
    values.copy_(sent)
    return code


def _take(own: int, got: Sequence[Tuple[Transfer, torch.Tensor]], y: torch.Tensor) -> None:
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
