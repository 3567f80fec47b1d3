"""Runs blocks through their stages. Blocks follow each other one stage behind, each stage is posted as one batch, and
a rank waits only for what its next sum needs."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Callable, Deque, Dict, Generator, List, Optional, Sequence, Tuple

import torch

from . import blocks as _blocks
from .blocks import BLOCK_BYTES, Lane, Pool, Row, Values, finite, size_of
from .stages import Program, Stage, Stages, Transfer

_CACHED = 1 << 17  # elements of a sum that stay in a processor's cache
_COLLECTIVE_BYTES = 1 << 22  # of a block, up to which a plan's number of chunks is obeyed and memory comes second
_AT_ONCE_S = 2e-4
Arrived = Tuple[Transfer, torch.Tensor]
Inbox = List[Tuple[Transfer, torch.Tensor, Any]]  # with the work of each receive


@dataclass
class Timing:
    """What one round took. peers: from the start of the exchange until all of a peer's elements were here. A message
    that was already here when this rank came to look counts from when it began to wait for the one before it."""

    round: int
    ms: float = 0.0
    peers: Dict[int, float] = field(default_factory=dict)
    predicted_ms: float = float("nan")


class Engine:
    """One rank's exchanges. Buffers are made once and used again by all of them."""

    def __init__(self, links: Any, device: torch.device) -> None:
        self.links = links
        self.staged = device.type == "cuda" and not links.batched
        self.pool = Pool(device, pinned=False)
        self.wires = Pool(device, pinned=True) if self.staged else self.pool
        self.silent = False  # this rank has nothing to say in this round: it sends NaN, and keeps what it has
        self.skip = False  # a peer that sends NaN is left out
        self.strict = False  # needs every peer, also those whose edges are closed; a loss is an error
        self.refuse: Optional[Callable[[], Exception]] = None  # what is raised before a block with a NaN is sent
        self._timing, self._start, self._looked = Timing(-1), 0.0, 0.0
        self._late: Dict[int, float] = {}  # who came last is waited for last, so that others' times are their own

    @torch.no_grad()
    def run(self, feed: Callable[[], Optional["Flight"]], timing: Timing, strict: bool = False,
            most: float = float("inf")) -> None:
        """Until feed has no more blocks. At most that many are in flight at once."""
        self._timing, self.strict = timing, strict
        self._start = self._looked = time.perf_counter()
        running: List[Flight] = []
        ahead: Deque[Flight] = deque()
        while True:
            while len(ahead) <= self.links.ahead and len(running) + len(ahead) < most:
                flight = feed()
                if flight is None:
                    break
                flight.post()
                ahead.append(flight)
            if ahead:
                running.append(ahead.popleft())
            if not running:
                break
            self.links.flush()
            for flight in sorted(running, key=Flight.is_last):  # those first whose results others wait for
                flight.advance()
            running = [flight for flight in running if not flight.done]
        timing.ms = (time.perf_counter() - self._start) * 1e3
        self._late.update(timing.peers)

    def average(self, row: Row, program: Program, k: int, timing: Timing, strict: bool = False) -> None:
        """Round k of a program on all tensors of a row."""
        collective = program.plan.collective
        chunks = 1 if collective is None else collective.chunks
        blocks = row.cut((0, row.elements), chunks, _most(row, program), whole=collective is None)[::-1]
        largest = max(((hi - lo) * 4 for _, lo, hi in blocks), default=1)

        def feed() -> Optional[Flight]:
            if not blocks:
                return None
            lane, lo, hi = blocks.pop()
            return Flight(self, (lane, lo, hi), program.stages(k, hi - lo))
        self.links.confirm()
        self.run(feed, timing, strict, max(2, int(row.bytes() / self._taken(program, largest))))
        self.links.ended()

    def early(self, size: int) -> bool:
        """Whether a block of that many bytes receives a stage ahead. Gloo sends when it hears that its peer receives;
        where that was heard before, a step costs one delay and not two. Of large blocks it would take much memory."""
        return not self.links.batched and size <= _COLLECTIVE_BYTES

    def inboxes(self, receive: Callable[[int], Inbox], sizes: Sequence[int]) -> Generator[Inbox, None, None]:
        """What each stage brings, which receive posts; sizes: of the block as each of them sends it."""
        ahead: Optional[Inbox] = None
        for k in range(len(sizes)):
            here = receive(k) if ahead is None else ahead
            ahead = receive(k + 1) if k + 1 < len(sizes) and self.early(sizes[k + 1]) else None
            yield here

    def _taken(self, program: Program, size: int) -> float:
        """Bytes that a block of that many takes on its way, with what it receives."""
        return size * (1 + program.room[self.early(size)])

    def need(self, row: Row, program: Program) -> int:
        """The most bytes that the buffers of a round take."""
        at_once, most = len(program.stages(0, 1)) + 1, _most(row, program)
        return int(max(min(at_once, 4 * row.elements / size) * self._taken(program, size)
                       for size in (min(most, _COLLECTIVE_BYTES), most)))  # a plan's chunks may be smaller

    def collect(self, inbox: Inbox, tag: int) -> List[Arrived]:
        """Waits for all that a stage receives; what is lost is missing."""
        here = []
        for transfer, buffer, work in sorted(inbox, key=lambda item: self._late.get(item[0].rank, 0.0)):
            begin = time.perf_counter()
            if not self.links.wait(transfer.rank, work, self.strict):
                continue
            now = time.perf_counter()
            if now - begin > _AT_ONCE_S:
                self._looked, begin = begin, now
            else:
                begin = self._looked
            peers = self._timing.peers
            peers[transfer.rank] = max(peers.get(transfer.rank, 0.0), (begin - self._start) * 1e3)
            here.append((transfer, buffer))
        gone = set() if self.strict else self.links.dropped(tag)
        return [(transfer, buffer) for transfer, buffer in here if transfer.rank not in gone]

    def closed(self, rank: int) -> bool:
        """Whether the edge to a rank is given up."""
        return not self.strict and rank in self.links.closed


def _most(row: Row, program: Program) -> int:
    """Bytes of a block: all on their way and what they receive take at most a copy of the tensors. Gossip has one stage
    and needs two blocks at once; a collective keeps six in its stages, of more than what its plan's chunks may cost."""
    at_once, least = (2, _blocks.LEAST_BYTES) if program.plan.collective is None else (6, _COLLECTIVE_BYTES)
    return max(least, min(BLOCK_BYTES, int(row.bytes() / at_once / (1 + program.room[0]))))


class Flight:
    """One block on its way through its stages."""

    def __init__(self, engine: Engine, block: Tuple[Lane, int, int], stages: Stages,
                 landed: Callable[[], None] = lambda: None, in_place: bool = False) -> None:
        """in_place: a failure on the way may leave partial sums in the tensors."""
        self._engine, self._stages, self._landed = engine, stages, landed
        lane, lo, hi = block
        self._values = Values(lane, lo, hi, engine.pool, in_place or len(stages) == 1)
        self._value, self._wire = self._values.tensor, lane.wire
        if engine.refuse is not None and not engine.strict and not finite(self._value):
            raise engine.refuse()
        self._coarse = lane.wire != lane.sums
        self._apart = self._coarse or engine.staged  # what travels lies in buffers of its own
        self._tag = engine.links.number(len(stages), engine.strict)
        self._at = 0
        self._inboxes = engine.inboxes(self._receive, [(hi - lo) * size_of(lane.sums)] * len(stages))
        self._inbox: Inbox = []
        self._outbox: Inbox = []
        self._copies: Dict[Tuple[int, int], torch.Tensor] = {}
        self._own: Optional[Callable[[], None]] = None
        self.done = False

    def is_last(self) -> bool:
        """Whether nothing follows the stage that is on its way."""
        return self._at >= len(self._stages) - 1

    def post(self) -> None:
        """The receives and then the sends of the stage that is next."""
        stage, engine = self._stages[self._at], self._engine
        self._inbox = next(self._inboxes)
        if stage.inside and engine.links.server is not None:
            self._own = engine.links.inside(stage, self._value)
            return
        for t in stage.sends:
            if t.lo < t.hi and not engine.closed(t.rank):
                buffer = self._outgoing(t.lo, t.hi, stage.mix is None)
                self._outbox.append((t, buffer, engine.links.send(t.rank, buffer, self._tag + self._at)))

    def _receive(self, at: int) -> Inbox:
        """Starts to receive what a stage brings."""
        stage, engine, inbox = self._stages[at], self._engine, []
        for t in stage.receives:
            if t.lo < t.hi and not engine.closed(t.rank) and not (stage.inside and engine.links.server is not None):
                if at == self._at and stage.mix is None and not t.add and not self._apart:
                    self._settle(t.lo, t.hi)  # comes to where it belongs
                    buffer = self._value[t.lo:t.hi]
                else:
                    buffer = engine.wires.take(t.hi - t.lo, self._wire)
                inbox.append((t, buffer, engine.links.receive(t.rank, buffer, self._tag + at)))
        return inbox

    def _outgoing(self, lo: int, hi: int, move: bool) -> torch.Tensor:
        values = self._value[lo:hi]
        if self._engine.silent:
            return torch.full((hi - lo,), float("nan"), dtype=self._wire, device=self._engine.wires.device)
        if not self._apart:
            return values
        if (lo, hi) not in self._copies:
            self._copies[lo, hi] = self._engine.wires.take(hi - lo, self._wire).copy_(values)
            if self._coarse and move:
                values.copy_(self._copies[lo, hi])  # sender and receivers go on with the same bits
        return self._copies[lo, hi]

    def _settle(self, lo: int, hi: int) -> None:
        """Waits for sends from [lo, hi), which is about to change."""
        rest = []
        for t, buffer, work in self._outbox:
            if t.lo < hi and lo < t.hi:
                self._engine.links.wait(t.rank, work, self._engine.strict)
            else:
                rest.append((t, buffer, work))
        self._outbox = rest

    def advance(self) -> None:
        """Takes in what the stage brings, and posts the next."""
        stage = self._stages[self._at]
        if self._own is not None:  # the backend's own collective
            self._own()
            self._own = None
        here = self._engine.collect(self._inbox, self._tag + self._at)
        if stage.mix is not None:
            self._mix(stage, here)
        else:
            self._move(stage.node, here)
        for span in stage.scaled if stage.scale != 1 else ():
            self._changing(*span).mul_(stage.scale)
        for _, buffer in here:
            if buffer.data_ptr() != self._value.data_ptr() and not self._inside(buffer):
                self._engine.wires.give(buffer)
        self._inbox, self._at = [], self._at + 1
        if self._at < len(self._stages):
            if self._copies:
                self._clear()
            self.post()
        else:
            self._clear()
            self._settle(0, self._value.numel())
            self._values.store()
            self._inboxes.close()  # it holds this flight
            self.done = True
            self._landed()

    def _inside(self, buffer: torch.Tensor) -> bool:
        """Whether it is a part of the values."""
        first, size = self._value.data_ptr(), self._value.numel() * self._value.element_size()
        return first <= buffer.data_ptr() < first + size

    def _clear(self) -> None:
        """Copies of a stage go back when they are sent."""
        if self._apart:
            self._settle(0, self._value.numel())
            for buffer in self._copies.values():
                self._engine.wires.give(buffer)
            self._copies.clear()

    def _changing(self, lo: int, hi: int) -> torch.Tensor:
        """Values that may change now."""
        if not self._apart:
            self._settle(lo, hi)
        return self._value[lo:hi]

    def _arrived(self, buffer: torch.Tensor) -> torch.Tensor:
        return buffer.to(self._value.device).to(self._value.dtype)  # at once: the buffer goes back to the pool

    def _mix(self, stage: Stage, here: Sequence[Arrived]) -> None:
        """W x; weights of peers that are lost stay at home."""
        if self._engine.silent:
            return
        if self._engine.skip and not self._engine.strict:
            here = [(t, buffer) for t, buffer in here if not bool(torch.isnan(buffer[0]))]
        came = {id(t): buffer for t, buffer in here}
        got = [(t.weight, came[id(t)]) for t in stage.receives if id(t) in came]
        value = self._changing(stage.lo, stage.hi)
        home = (stage.mix or 0.0) + sum(t.weight for t in stage.receives if id(t) not in came)
        mine = self._outgoing(stage.lo, stage.hi, False) if self._coarse else value
        step = _CACHED if value.device.type == "cpu" else max(1, value.numel())
        for a in range(0, value.numel(), step):
            out = value[a:a + step]
            if self._coarse:
                # x + Σ w (Q(y) − Q(x)): what rounding takes from one it gives to the other, so the mean stays.
                own = self._arrived(mine[a:a + step])
                for weight, buffer in got:
                    out.add_(self._arrived(buffer[a:a + step]).sub_(own), alpha=weight)
            else:
                out.mul_(home)
                for weight, buffer in got:
                    out.add_(self._arrived(buffer[a:a + step]), alpha=weight)

    def _move(self, node: int, here: Sequence[Arrived]) -> None:
        adds = sorted(((t, buffer) for t, buffer in here if t.add), key=lambda item: item[0].node)
        for t, buffer in here:
            if not t.add and not self._inside(buffer):
                self._changing(t.lo, t.hi).copy_(buffer)
        cuts = sorted({end for t, _ in adds for end in (t.lo, t.hi)})
        for lo, hi in zip(cuts, cuts[1:]):
            over = [(t.node, buffer[lo - t.lo:hi - t.lo]) for t, buffer in adds if t.lo <= lo and hi <= t.hi]
            if over:
                self._add(node, self._changing(lo, hi), over)

    def _add(self, own: int, value: torch.Tensor, got: List[Tuple[int, torch.Tensor]]) -> None:
        """In the order of nodes, own value included, so that all who add the same get the same bits."""
        step = _CACHED if value.device.type == "cpu" else value.numel()
        for a in range(0, value.numel(), step):
            below = [self._arrived(x[a:a + step]) for node, x in got if node < own]
            out = value[a:a + step]
            for x in below[1:]:
                below[0].add_(x)
            for x in below[:1] + [self._arrived(x[a:a + step]) for node, x in got if node > own]:
                out.add_(x)
