"""Links that survive the loss of a peer (on_loss="fold"): both ends close the edge, and everything else goes on.

gloo closes every connection when one wait times out. So a thread waits without one, and is left behind
where its peer does not come.
"""

from __future__ import annotations

import atexit
import logging
import queue
import threading
import time
import weakref
from datetime import timedelta
from typing import Any, Dict, List, Optional, Set, Tuple

import torch

from .errors import PeerError
from .links import Gloo
from .watch import Watch

log = logging.getLogger("batopo")
_POLL_S = 0.25
_FOREVER = timedelta(days=365)
_PATIENCE_S = 10.0  # with threads that were woken up at exit


class Folding(Gloo):
    """Each wait may end by giving its peer up."""

    fold = True

    def __init__(self, group: Any, watch: Watch, timeout: float) -> None:
        super().__init__(group, watch, timeout)
        self._since: Dict[int, int] = {}  # from which tag on an edge is closed
        self._helper: Optional[_Helper] = None
        self._left: List[Any] = []  # transfers that nobody waits for any more; gloo may still use their buffers
        self._patience: Dict[int, float] = {}

    def _post(self, call: Any, peer: int, buffer: torch.Tensor, tag: int) -> Any:
        try:
            return super()._begin(call, peer, buffer, tag), tag, buffer
        except RuntimeError as error:
            return str(error), tag, buffer

    def wait(self, peer: int, work: Any, strict: bool) -> bool:
        transfer, tag, buffer = work
        if strict:
            if isinstance(transfer, str):
                raise self._reason(peer, 0.0)
            return super().wait(peer, transfer, strict)
        if isinstance(transfer, str):
            return self._lose(peer, tag, "closed the connection: its process ended or was cut off", dead=True)
        if peer in self.closed:
            self._left.append(work)
            return False
        if self._helper is None:
            self._helper = _Helper(self)
        box, begin = self._helper.wait(transfer), time.monotonic()
        while True:
            try:
                error = box.get(timeout=_POLL_S)
                break
            except queue.Empty:
                if self._given_up(peer, tag, begin):
                    self._left.append(work)
                    self._helper = None
                    return False
        if self.watch.said_waiting:
            self.watch.wait_in(0)
        if error is not None:
            return self._lose(peer, tag, "closed the connection: its process ended or was cut off", dead=True)
        return True

    def close(self) -> None:
        super().close()
        if self._helper is not None:
            self._helper.stop()
            self._helper = None

    def dropped(self, tag: int) -> Set[int]:
        """Peers whose messages of this tag do not count, whether or not they are here: somebody closed the edge."""
        for event in self.watch.news():
            self._learn(event)
        return {peer for peer, first in self._since.items() if first <= tag}

    def _given_up(self, peer: int, tag: int, begin: float) -> bool:
        """While nothing arrives: has somebody else closed the edge, and is it time to give up?"""
        if peer in self.dropped(tag):
            return True
        watch, now = self.watch, time.monotonic()
        if now - begin < self.timeout / 2:
            return False
        if not watch.said_waiting:
            watch.wait_in(tag + 1)
        if 0 < watch.waits_in(peer) < tag + 1:  # held up by somebody else: its time starts again
            self._patience[peer] = now + self.timeout
        if now <= min(max(self._patience.get(peer, 0.0), begin + self.timeout), begin + 3 * self.timeout):
            return False
        self._lose(peer, tag, f"did not answer within {now - begin:.1f} s")
        return True

    def _learn(self, event: Dict[str, Any]) -> None:
        if event["kind"] == "failure":
            raise PeerError(event["text"], (event["edge"][0], event["edge"][1]))
        if event["kind"] == "fold" and self.watch.rank in event["edge"]:
            a, b = event["edge"]
            self._close(b if a == self.watch.rank else a, event["tag"])

    def _close(self, peer: int, tag: int) -> None:
        self.closed.add(peer)
        self._since[peer] = min(tag, self._since.get(peer, tag))

    def _lose(self, peer: int, tag: int, why: str, dead: bool = False) -> bool:
        if peer not in self.closed:
            me = self.watch.rank
            log.warning("edge %d–%d: rank %d %s; its weight goes to rank %d itself", me, peer, peer, why, me)
            self.watch.report({"kind": "fold", "edge": [me, peer], "tag": tag, "dead": dead})
            self._close(peer, tag)
        return False


class _Helper(threading.Thread):
    """Waits for one transfer after the other, and answers into a box for each."""

    def __init__(self, links: Gloo) -> None:
        super().__init__(name="batopo-wait", daemon=True)
        self._links = links
        self._jobs: "queue.SimpleQueue[Tuple[Any, Any]]" = queue.SimpleQueue()
        self._asked = self._answered = 0
        _helpers.add(self)
        self.start()

    def wait(self, transfer: Any) -> Any:
        box: "queue.SimpleQueue[Optional[str]]" = queue.SimpleQueue()
        self._asked += 1
        self._jobs.put((transfer, box))
        return box

    def run(self) -> None:
        while True:
            transfer, box = self._jobs.get()
            if transfer is None:
                return
            error = None
            try:
                transfer.wait(_FOREVER)
            except RuntimeError as problem:
                error = str(problem)
            self._answered += 1
            box.put(error)

    def stop(self) -> None:
        """Ends the waiting thread."""
        self._jobs.put((None, None))

    def end(self) -> None:
        """A thread inside a wait of torch when Python ends would end the process with "terminate called without an
        active exception" instead of its own exit status."""
        patience = time.monotonic() + _PATIENCE_S
        if self._asked != self._answered:
            self._links.break_off()
        while self._asked != self._answered and time.monotonic() < patience:
            time.sleep(0.001)


_helpers: "weakref.WeakSet[_Helper]" = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for helper in list(_helpers):
        helper.end()
