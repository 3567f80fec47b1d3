"""Runs the phases of a round on a message, over any kind of links."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Dict, List, Tuple

import torch

from .message import Message, Piece
from .phases import Phase, Transfer

_CHUNK = 1 << 16  # elements


@dataclass
class Timing:
    """What one round took. peers: from the start of the exchange until all of a peer's elements were here."""

    round: int
    ms: float = 0.0
    peers: Dict[int, float] = field(default_factory=dict)
    predicted_ms: float = float("nan")


class Engine:
    """One message over the links of one rank. Buffers are made once and used again."""

    def __init__(self, message: Message, links: Any, staged: bool, strict: bool = False) -> None:
        self.message, self.links, self.staged = message, links, staged
        self.strict = strict  # needs every peer, also those whose edges are closed; a loss is an error
        self._received: Dict[Tuple[int, Piece], torch.Tensor] = {}
        self._sent: Dict[Piece, torch.Tensor] = {}

    @torch.no_grad()
    def run(self, phases: List[Phase], timing: Timing) -> None:
        """Replaces the message's values by what the phases make of them."""
        start = time.perf_counter()
        for phase in phases:
            self.links.exchange += 1
            self._run(phase, timing, start)
        timing.ms = (time.perf_counter() - start) * 1e3

    def _run(self, phase: Phase, timing: Timing, start: float) -> None:
        closed = set() if self.strict else self.links.closed
        receives = [t for t in phase.receives if t.rank not in closed]
        sends = [t for t in phase.sends if t.rank not in closed]
        incoming = [(t, self.message.pieces(t.spans)) for t in receives]
        flight = self.links.launch(
            self.links.exchange,
            _by_rank([(t.rank, [self._buffer(t.rank, p) for p in pieces]) for t, pieces in incoming]),
            _by_rank(self._outgoing(sends)), self.strict)
        if self.links.fold and not self.strict:  # all of a peer's pieces count, or none
            flight.finish()
            for event in self.links.watch.news():
                flight.learn(event)
        window = self.message.pieces(phase.window)
        if phase.kind == "mix":
            for k, piece in enumerate(window):
                here = [t for t in receives if t.rank not in flight.lost]
                for transfer in here:
                    flight.wait(transfer.rank, k)
                self._mix(phase, piece, here)
        else:
            self._move(flight, incoming, sends)
        flight.finish()
        self._end(phase, window, sends)
        for peer, when in flight.arrived.items():
            timing.peers[peer] = max(timing.peers.get(peer, 0.0), (when - start) * 1e3)

    def _move(self, flight: Any, incoming: List[Tuple[Transfer, List[Piece]]], sends: List[Transfer]) -> None:
        """Adds or takes piece by piece what arrives."""
        if _meet(incoming, sends):  # what is on its way must not change
            flight.finish()
        before: Dict[int, int] = {}  # pieces of a rank that belong to its earlier transfers
        first = []
        for transfer, pieces in incoming:
            first.append(before.get(transfer.rank, 0))
            before[transfer.rank] = first[-1] + len(pieces)
        for k in range(max((len(pieces) for _, pieces in incoming), default=0)):
            for (transfer, pieces), offset in zip(incoming, first):
                if k < len(pieces):
                    flight.wait(transfer.rank, offset + k)
                    self._take(transfer, pieces[k])

    def _outgoing(self, sends: List[Transfer]) -> List[Tuple[int, List[torch.Tensor]]]:
        self._sent = {p: self._wire(p) for t in sends for p in self.message.pieces(t.spans)}
        return [(t.rank, [self._sent[p] for p in self.message.pieces(t.spans)]) for t in sends]

    def _wire(self, piece: Piece) -> torch.Tensor:
        """What is sent: the values themselves where they need no change."""
        values = self._values(piece)
        if self.staged:
            out = self._buffer(-1, piece)
            return out.copy_(values)
        return values.to(self.message.lanes[piece[0]].wire)

    def _values(self, piece: Piece) -> torch.Tensor:
        k, a, b = piece
        return self.message.lanes[k].value[a:b]

    def _spare(self, piece: Piece) -> torch.Tensor:
        k, a, b = piece
        return self.message.lanes[k].spare[a:b]

    def _rounded(self, piece: Piece) -> bool:
        """Whether what travels is coarser than the sums."""
        lane = self.message.lanes[piece[0]]
        return lane.wire != lane.value.dtype

    def _buffer(self, peer: int, piece: Piece) -> torch.Tensor:
        key = (peer, piece)
        if key not in self._received:
            k, a, b = piece
            lane = self.message.lanes[k]
            device = torch.device("cpu") if self.staged else lane.value.device
            self._received[key] = torch.empty(b - a, dtype=lane.wire, device=device, pin_memory=self.staged)
        return self._received[key]

    def _mix(self, phase: Phase, piece: Piece, present: List[Transfer]) -> None:
        """The piece of W x; weights of peers that are lost stay at home."""
        got = [(self._buffer(t.rank, piece), t.weight) for t in present]
        home = phase.self_weight + sum(t.weight for t in phase.receives if t not in present)
        values, sums = self._values(piece), self._spare(piece)
        if self._rounded(piece):
            # x + Σ w (Q(y) − Q(x)): what rounding takes from one it gives to the other, so the mean stays.
            mine = values.to(self.message.lanes[piece[0]].wire).to(values.dtype)
            sums.copy_(values)
            for received, weight in got:
                sums.add_(received.to(values.device).to(values.dtype).sub_(mine), alpha=weight)
            return
        # Chunk by chunk on the CPU, so that sums stay in its cache.
        step = _CHUNK if values.device.type == "cpu" else values.numel()
        for a in range(0, values.numel(), step):
            out = torch.mul(values[a:a + step], home, out=sums[a:a + step])
            for received, weight in got:
                out.add_(received[a:a + step].to(values.device, non_blocking=True), alpha=weight)

    def _take(self, transfer: Transfer, piece: Piece) -> None:
        values = self._values(piece)
        got = self._buffer(transfer.rank, piece).to(values.device, non_blocking=True)
        if transfer.add:
            values.add_(got)
        else:
            values.copy_(got)

    def _end(self, phase: Phase, window: List[Piece], sends: List[Transfer]) -> None:
        if phase.kind == "mix":
            self._swap(window)
        else:
            for piece in {p for t in sends if not t.add for p in self.message.pieces(t.spans)}:
                if self._rounded(piece):
                    self._values(piece).copy_(self._sent[piece])  # sender and receivers end with the same bits
        if phase.scale != 1:
            for piece in window:
                self._values(piece).mul_(phase.scale)

    def _swap(self, window: List[Piece]) -> None:
        """Sums become values: by exchanging the rows where all of a lane was summed."""
        for k, lane in enumerate(self.message.lanes):
            mine = [p for p in window if p[0] == k]
            if sum(b - a for _, a, b in mine) == lane.value.numel():
                lane.value, lane.spare = lane.spare, lane.value
            else:
                for piece in mine:
                    self._values(piece).copy_(self._spare(piece))


def _by_rank(lists: List[Tuple[int, List[torch.Tensor]]]) -> List[Tuple[int, List[torch.Tensor]]]:
    """One list per rank, in the order in which both ends have them."""
    merged: Dict[int, List[torch.Tensor]] = {}
    for rank, buffers in lists:
        merged.setdefault(rank, []).extend(buffers)
    return list(merged.items())


def _meet(incoming: List[Tuple[Transfer, List[Piece]]], sends: List[Transfer]) -> bool:
    """Whether something is received where something is sent from."""
    coming = [span for t, _ in incoming for span in t.spans]
    return any(lo < b and a < hi for t in sends for a, b in t.spans for lo, hi in coming)
