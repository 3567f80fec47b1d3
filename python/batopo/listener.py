"""Threads that wait for peers, and how they end before Python does.

A thread that is inside a wait of torch when Python ends cannot come back into it, and C++ then ends the process with
"terminate called without an active exception" instead of the program's own exit status. So whatever still waits at
exit, for a peer that hangs or has raised an error itself, is broken off while Python is whole.
"""

from __future__ import annotations

import atexit
import queue
import threading
import time
import weakref
from datetime import timedelta
from typing import Any, Callable, Optional, Tuple

import torch
import torch.distributed as dist

Tell = Callable[[Optional[str]], None]
_FOREVER = timedelta(days=365)  # gloo closes every connection when one wait ends by its own timeout
_AT_ONCE = timedelta(milliseconds=1)
_PATIENCE_S = 10.0  # with threads that were woken up


class Listener(threading.Thread):
    """Waits for one peer's transfers in the order in which they were posted."""

    def __init__(self, group: Any, peer: int, unused_tag: int) -> None:
        super().__init__(name=f"batopo-peer-{peer}", daemon=True)
        self._group, self._peer, self._unused_tag = group, peer, unused_tag
        self._jobs: "queue.SimpleQueue[Tuple[Any, Tell]]" = queue.SimpleQueue()
        self._posted = self._ended = 0
        _listeners.add(self)
        self.start()

    def post(self, work: Any, tell: Tell) -> None:
        """tell is called with None when the work is done, or with what went wrong."""
        self._posted += 1
        self._jobs.put((work, tell))

    @property
    def busy(self) -> bool:
        """Whether it waits for a peer."""
        return self._posted != self._ended

    def run(self) -> None:
        while True:
            work, tell = self._jobs.get()
            error = None
            try:
                work.wait(_FOREVER)
            except RuntimeError as problem:
                error = str(problem)
            tell(error)
            self._ended += 1

    def break_off(self) -> None:
        """Waits a moment for what nobody sends: gloo then fails whatever the group waits for."""
        try:
            dist.irecv(torch.empty(1), self._peer, group=self._group, tag=self._unused_tag).wait(_AT_ONCE)
        except RuntimeError:
            pass


_listeners: "weakref.WeakSet[Listener]" = weakref.WeakSet()


@atexit.register
def _break_off_all() -> None:
    patience = time.monotonic() + _PATIENCE_S
    for listener in list(_listeners):
        if listener.busy:
            listener.break_off()
        while listener.busy and time.monotonic() < patience:
            time.sleep(0.001)
