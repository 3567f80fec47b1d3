"""What ranks tell each other beside the exchanges, over the store of the process group: failures, closed edges, and
who has been waiting for long. The store of a run without launcher lives in rank 0 and ends with it."""

from __future__ import annotations

import json
import time
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
    """One rank's view of the board. Every rank has entries of its own there, and counts one only when it is written:
    a rank that dies in between leaves nothing that others would wait for."""

    def __init__(self, store: Any, prefix: str, rank: int, ranks: int) -> None:
        self.store, self.rank = PrefixStore(prefix, store), rank
        self.gone = False  # the store did not answer
        self.dead: Set[int] = set()  # ranks whose connections broke
        self.failure: Optional[Dict[str, Any]] = None  # the first that anybody reported
        self.waiting: Dict[int, int] = {}  # who waited in vain, and for whom
        self.places: Dict[int, str] = {}  # in which exchange a rank waited in vain
        self.calls = 0  # of the roll
        self._fresh: List[Dict[str, Any]] = []
        self._said, self._heard, self._read = 0, 0, [0] * ranks
        self._waiting = 0

    def report(self, event: Dict[str, Any]) -> None:
        """Puts an event on the board. Of all failures the first stays the reason."""
        try:
            self.store.set(f"event/{self.rank}/{self._said}", json.dumps(event))
            if event["kind"] == "failure":
                self.store.compare_set("failure", "", json.dumps(event))
            self._said += 1
            self.store.add(f"events/{self.rank}", 1)
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
            there = self.store.add("events", 0)
            for rank in range(len(self._read)) if there > self._heard else ():
                while self._read[rank] < self.store.add(f"events/{rank}", 0):
                    self._learn(json.loads(self.store.get(f"event/{rank}/{self._read[rank]}")))
                    self._read[rank] += 1
            self._heard = there
        except RuntimeError:
            self.gone = True

    def _learn(self, event: Dict[str, Any]) -> None:
        self._fresh.append(event)
        if event.get("dead"):
            self.dead.add(event["edge"][1])
        if event["kind"] == "failure" and self.failure is None:
            self.failure = json.loads(self.store.get("failure"))
        if event["kind"] == "waiting":
            self.waiting[event["edge"][0]] = event["edge"][1]
            self.places[event["edge"][0]] = event["at"]

    def count_in(self, average: int, done: int, party: int) -> None:
        """Writes how far this rank is when it comes to an average; party: the first rank of those it is over."""
        try:
            self.store.set(f"average/{average}/{self.rank}", str(done))
            self.store.add(f"average/{average}/sum/{party}", done)
        except RuntimeError:
            self.gone = True

    def counted(self, average: int, done: int, ranks: List[int], party: int) -> str:
        """After it, which all ranks came to: who was not as far as this one."""
        try:
            if self.gone or self.store.add(f"average/{average}/sum/{party}", 0) == done * len(ranks):
                return ""
            far = {rank: int(self.store.get(f"average/{average}/{rank}")) for rank in ranks}
        except RuntimeError:
            self.gone = True
            return ""
        usual = max(far.values(), key=list(far.values()).count)
        odd = next(rank for rank in ranks if far[rank] != usual)
        return (f"rank {odd} came to average {average - 1} over all ranks after {far[odd]} steps, others after {usual}:"
                " all have to take the same number of steps, and to average after the same ones")

    def say_end(self, text: str) -> None:
        """Says, when this process ends as it should, what it has done last."""
        try:
            self.store.set(f"end/{self.rank}", text)
            self.store.add(f"ended/{self.rank}", 1)
        except RuntimeError:
            self.gone = True

    def end_of(self, rank: int) -> str:
        """What a rank said when it ended; empty where it said nothing."""
        try:
            return str(self.store.get(f"end/{rank}").decode()) if self.store.add(f"ended/{rank}", 0) else ""
        except RuntimeError:
            return ""

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
            board.compare_set("list", "", json.dumps(there))
            board.add("closed", 1)
        else:
            time.sleep(0.01)
    found: List[int] = json.loads(board.get("list"))
    return found
