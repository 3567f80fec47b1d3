"""What ranks tell each other beside the exchanges, over the store of the process group: failures, closed edges, and
who has been waiting for long. The store of a run without launcher lives in rank 0 and ends with it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any, Dict, List

from torch.distributed.distributed_c10d import PrefixStore


class Watch:
    """One rank's view of the board."""

    def __init__(self, store: Any, prefix: str, rank: int) -> None:
        self.store, self.rank = PrefixStore(prefix, store), rank
        self.gone = False  # the store did not answer
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
        fresh = []
        try:
            while self._read < self.store.add("events", 0):
                key = f"event/{self._read}"
                self.store.wait([key], timedelta(seconds=2))
                fresh.append(json.loads(self.store.get(key)))
                self._read += 1
        except RuntimeError:
            self.gone = True
        return fresh

    def wait_in(self, exchange: int) -> None:
        """Says in which exchange this rank has been waiting for long; 0: it is not."""
        try:
            self.store.add(f"waiting/{self.rank}", exchange - self._waiting)
            self._waiting = exchange
        except RuntimeError:
            self.gone = True

    @property
    def said_waiting(self) -> bool:
        """Whether others were told that this rank waits."""
        return self._waiting != 0

    def waits_in(self, rank: int) -> int:
        """In which exchange a rank has been waiting for long; 0: in none."""
        try:
            return int(self.store.add(f"waiting/{rank}", 0))
        except RuntimeError:
            return 0
