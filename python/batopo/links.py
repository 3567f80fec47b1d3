"""Exchanges over gloo. Receives are posted first, then sends; a thread per peer waits for them, so that
every arrival has its own time, and giving up on one peer leaves the connections to all others alone."""

from __future__ import annotations

import logging
import queue
import time
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

import torch
import torch.distributed as dist

from .errors import PeerError
from .listener import Listener
from .watch import Watch

Pieces = Sequence[Tuple[int, List[torch.Tensor]]]  # a rank, and the buffers that go to it or come from it
POLL_S = 0.25
log = logging.getLogger("batopo")
_TAGS = 1 << 20


class GlooLinks:
    """All connections of one rank."""

    def __init__(self, group: Any, watch: Watch, timeout: float, fold: bool) -> None:
        self.group, self.watch, self.timeout, self.fold = group, watch, timeout, fold
        self.closed: Set[int] = set()  # peers that are folded away
        self.exchange = 0  # phases so far, the same on all ranks
        self._listeners: Dict[int, Listener] = {}

    def launch(self, exchange: int, receives: Pieces, sends: Pieces, strict: bool) -> "Flight":
        """Posts everything of a phase; exchange is its number, the same on all ranks."""
        flight = Flight(self, exchange, strict)
        for call, direction, todo in ((dist.irecv, "recv", receives), (dist.isend, "send", sends)):
            for peer, buffers in todo:
                flight.expect(direction, peer, len(buffers))
                for k, buffer in enumerate(buffers):
                    self._post(flight, call, direction, peer, k, buffer)
        return flight

    def _post(self, flight: "Flight", call: Any, direction: str, peer: int, k: int, buffer: torch.Tensor) -> None:
        def tell(error: Optional[str]) -> None:
            flight.inbox.put((direction, peer, k, error, time.perf_counter()))
        try:
            work = call(buffer, peer, group=self.group, tag=(flight.exchange * 64 + k) % _TAGS)
        except RuntimeError as error:
            tell(str(error))
            return
        if peer not in self._listeners:
            self._listeners[peer] = Listener(self.group, peer, unused_tag=_TAGS)
        self._listeners[peer].post(work, tell)


class Flight:
    """The transfers of one phase."""

    def __init__(self, links: GlooLinks, exchange: int, strict: bool) -> None:
        self.links, self.exchange = links, exchange
        self.fold = links.fold and not strict
        self.inbox: "queue.SimpleQueue[Tuple[str, int, int, Optional[str], float]]" = queue.SimpleQueue()
        self.arrived: Dict[int, float] = {}  # when the last piece of a peer was there
        self.lost: Set[int] = set()
        self._missing: Dict[Tuple[str, int], Set[int]] = {}
        self._began = time.monotonic()
        self._patience: Dict[int, float] = {}

    def expect(self, direction: str, peer: int, pieces: int) -> None:
        """Something will come from, or go to, a peer."""
        self._missing[direction, peer] = set(range(pieces))

    def wait(self, peer: int, piece: int) -> None:
        """Until that piece of the peer is there, or the peer is lost."""
        self._until(lambda: piece not in self._missing["recv", peer])

    def finish(self) -> None:
        """Until everything has been sent and received."""
        self._until(lambda: not any(self._missing.values()))
        if self.links.watch.said_waiting:
            self.links.watch.wait_in(0)

    def _until(self, done: Callable[[], bool]) -> None:
        while not done():
            try:
                self._note(*self.inbox.get(timeout=POLL_S))
            except queue.Empty:
                self._look_around()

    def _note(self, direction: str, peer: int, piece: int, error: Optional[str], when: float) -> None:
        if peer in self.lost:
            return
        if error is not None:
            self._lose(peer, "closed the connection: its process ended or was cut off", dead=True)
            return
        self._missing[direction, peer].discard(piece)
        if direction == "recv" and not self._missing[direction, peer]:
            self.arrived[peer] = when

    def _look_around(self) -> None:
        """While nothing arrives: has somebody else failed, and is it time to give up?"""
        for event in self.links.watch.news():
            self.learn(event)
        if self.links.watch.gone and not self.links.fold:
            me = self.links.watch.rank
            raise PeerError(f"the store of the process group is gone; without a launcher rank 0 keeps it, so rank 0 "
                            f"ended (exchange {self.exchange}, noticed by rank {me})", (me, 0))
        now, timeout = time.monotonic(), self.links.timeout
        if now - self._began < timeout / 2:
            return
        if not self.links.watch.said_waiting:
            self.links.watch.wait_in(self.exchange)
        late = sorted({peer for (_, peer), left in self._missing.items() if left})
        for peer in late:  # whoever waits in an earlier exchange is held up by somebody else: its time starts again
            if 0 < self.links.watch.waits_in(peer) < self.exchange:
                self._patience[peer] = now + timeout
        end = self._began + timeout
        for peer in late:
            if now > min(self._patience.get(peer, end), self._began + 3 * timeout):
                self._lose(peer, f"did not answer within {now - self._began:.1f} s")

    def learn(self, event: Dict[str, Any]) -> None:
        """Takes in what another rank reported."""
        if event["kind"] == "failure":
            raise PeerError(event["text"], (event["edge"][0], event["edge"][1]))
        a, b = event["edge"]
        if event["kind"] == "fold" and self.links.watch.rank in (a, b):
            peer = b if a == self.links.watch.rank else a
            self.links.closed.add(peer)
            if self.fold and event["exchange"] <= self.exchange:
                self._drop(peer)

    def _lose(self, peer: int, why: str, dead: bool = False) -> None:
        me = self.links.watch.rank
        text = f"edge {me}–{peer}: rank {peer} {why} (exchange {self.exchange}, noticed by rank {me})"
        if not self.fold:
            for event in self.links.watch.news():  # somebody else may have seen the reason before
                self.learn(event)
            self.links.watch.report({"kind": "failure", "edge": [me, peer], "text": text})
            for event in self.links.watch.news():
                self.learn(event)
            raise PeerError(text, (me, peer))
        self.links.closed.add(peer)
        log.warning("%s; its weight goes to rank %d itself", text, me)
        self.links.watch.report({"kind": "fold", "edge": [me, peer], "exchange": self.exchange, "dead": dead})
        self._drop(peer)

    def _drop(self, peer: int) -> None:
        self.lost.add(peer)
        for (_, p), left in self._missing.items():
            if p == peer:
                left.clear()
