"""What ranks tell each other beside the exchanges, over the store of the process group: failures, closed edges, and
who has been waiting for long. The store of a run without launcher lives in rank 0 and ends with it."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import Any, Dict, List, Optional, Set

from torch.distributed.distributed_c10d import PrefixStore

from .errors import PeerError

_LINGER_S = 5.0
_POLL_S = 0.02


def linger(board: Any, rank: int, readers: int, seconds: float) -> None:
    """Says that this rank knows why it ends. Rank 0 may keep the store: it stays until the others know too."""
    try:
        board.add("knows", 1)
        end = time.monotonic() + min(seconds, _LINGER_S)
        while rank == 0 and board.add("knows", 0) < readers and time.monotonic() < end:
            time.sleep(_POLL_S)
    except RuntimeError:
        pass  # rank 0 lost patience


class Watch:
    """One rank's view of the board."""

    def __init__(self, store: Any, prefix: str, rank: int) -> None:
        self.store, self.rank = PrefixStore(prefix, store), rank
        self.gone = False  # the store did not answer
        self.dead: Set[int] = set()  # ranks whose connections broke
        self.failure: Optional[Dict[str, Any]] = None  # the first that anybody reported
        self.waiting: Dict[int, int] = {}  # who waited in vain, and for whom
        self.calls = 0  # of the roll
        self._fresh: List[Dict[str, Any]] = []
        self._read = 0
        self._waiting = 0

    def report(self, event: Dict[str, Any]) -> None:
        """Puts an event on the board; the entry first, then the count, so that readers find it."""
        try:
            place = self.store.add("places", 1) - 1
            self.store.set(f"event/{place}", json.dumps(event))
            self.store.add("events", 1)
        except RuntimeError:
            self.gone = True

    def news(self) -> List[Dict[str, Any]]:
        """Events that this rank has not seen."""
        self.look()
        fresh, self._fresh = self._fresh, []
        return fresh

    def look(self) -> None:
        """Reads the board; what is new waits for news()."""
        try:
            while self._read < self.store.add("events", 0):
                key = f"event/{self._read}"
                self.store.wait([key], timedelta(seconds=2))
                event = json.loads(self.store.get(key))
                self._fresh.append(event)
                self._read += 1
                if event.get("dead"):
                    self.dead.add(event["edge"][1])
                if event["kind"] == "failure" and self.failure is None:
                    self.failure = event
                if event["kind"] == "waiting":
                    self.waiting[event["edge"][0]] = event["edge"][1]
        except RuntimeError:
            self.gone = True

    def wait_in(self, exchange: int) -> None:
        """Says in which exchange this rank has been waiting for long; 0: it is not."""
        try:
            self.store.add(f"waiting/{self.rank}", exchange - self._waiting)
            self._waiting = exchange
        except RuntimeError:
            self.gone = True

    @property
    def said_waiting(self) -> bool:
        """Whether this rank has announced that it waits."""
        return self._waiting != 0

    def waits_in(self, rank: int) -> int:
        """In which exchange a rank has been waiting for long; 0: in none."""
        try:
            return int(self.store.add(f"waiting/{rank}", 0))
        except RuntimeError:
            return 0


def roll_call(watch: Watch, ranks: int, timeout: float) -> List[int]:
    """Who is there for an average. The first rank that sees all living ranks, or times out, writes the list."""
    watch.calls += 1
    try:
        there = _called(watch, PrefixStore(f"roll/{watch.calls}", watch.store), ranks, time.monotonic() + timeout)
    except RuntimeError:  # the store is gone, and rank 0 with it
        watch.gone = True
        return [rank for rank in range(1, ranks) if rank not in watch.dead]
    if watch.rank not in there:
        raise PeerError(f"rank {watch.rank} came to an average after the others had given it up")
    return there


def _called(watch: Watch, board: Any, ranks: int, patience: float) -> List[int]:
    board.add(f"here/{watch.rank}", 1)
    while not board.add("closed", 0):
        watch.look()
        there = [rank for rank in range(ranks) if board.add(f"here/{rank}", 0)]
        if len(there) + len(watch.dead - set(there)) >= ranks or time.monotonic() > patience:
            if board.add("closers", 1) == 1:
                board.set("list", json.dumps(there))
                board.add("closed", 1)
        else:
            time.sleep(0.01)
    found: List[int] = json.loads(board.get("list"))
    return found
