"""Exchanges over NCCL: every phase is one group of sends and receives, in one order on all ranks."""

from __future__ import annotations

import time
from typing import Any, Dict, List, Sequence, Set, Tuple

import torch
import torch.distributed as dist

from .errors import PeerError
from .links import Pieces
from .watch import Watch


class NcclLinks:
    """The host does not wait for transfers; the next exchange looks whether the last one came to an end."""

    fold = False

    def __init__(self, group: Any, watch: Watch, timeout: float) -> None:
        self.group, self.watch, self.timeout = group, watch, timeout
        self.closed: Set[int] = set()
        self.exchange = 0
        self._last: Any = None
        self._peers: List[int] = []

    def launch(self, exchange: int, receives: Pieces, sends: Pieces, strict: bool) -> "NcclFlight":
        """Posts everything of a phase as one group; every phase is strict."""
        del exchange, strict
        self.confirm()
        ops = [dist.P2POp(call, buffer, peer, self.group)
               for call, todo in ((dist.irecv, receives), (dist.isend, sends))
               for peer, buffers in todo for buffer in buffers]
        self._peers = sorted({peer for todo in (receives, sends) for peer, _ in todo})
        return NcclFlight(self, dist.batch_isend_irecv(ops) if ops else [])

    def confirm(self) -> None:
        """Raises where the last exchange does not end within the timeout."""
        if self._last is None:
            return
        deadline = time.monotonic() + self.timeout
        while not self._last.query():
            for event in self.watch.news():
                raise PeerError(event["text"], (event["edge"][0], event["edge"][1]))
            if time.monotonic() > deadline:
                me = self.watch.rank
                edges = ", ".join(f"{me}–{peer}" for peer in self._peers)
                text = f"one of the edges {edges}: no answer within {self.timeout:.1f} s (noticed by rank {me})"
                self.watch.report({"kind": "failure", "edge": [me, self._peers[0]], "text": text})
                raise PeerError(text, (me, self._peers[0]))
            time.sleep(0.0005)
        self._last = None

    def ended(self) -> None:
        """Marks the place in the stream behind the last exchange."""
        self._last = torch.cuda.Event()
        self._last.record()


class NcclFlight:
    """One group; its parts end together, so peers have no times of their own."""

    def __init__(self, links: NcclLinks, works: Sequence[Any]) -> None:
        self._links, self._works = links, list(works)
        self.lost: Set[int] = set()
        self.arrived: Dict[int, float] = {}

    def wait(self, peer: int, piece: int) -> None:
        """Makes the stream wait for the group."""
        del peer, piece
        self.finish()

    def finish(self) -> None:
        """As wait."""
        for work in self._works:
            work.wait()
        if self._works:
            self._links.ended()
        self._works = []

    def learn(self, event: Dict[str, Tuple[int, int]]) -> None:
        """Only gloo folds edges."""
