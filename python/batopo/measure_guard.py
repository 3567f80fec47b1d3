"""Ends measuring on every rank, with one line that names the rank to blame, when one fails, dies or stands still.

Ranks beat in the store of the job. Rank 0 listens to all, the others to rank 0 and to what is written on the board.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from datetime import timedelta
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import PrefixStore, TCPStore

from .watch import Watch

_BEAT_S = 0.5
_PATIENCE_S = 10.0  # for a reason, after something has gone wrong
_PROBE_TAG = 1 << 20


def open_store(rank: int, world: int, timeout: float) -> Tuple[Any, Any]:
    """Two connections to the store of the job, one for the guard alone: a connection serves one who waits."""
    host, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
    keeps = rank == 0 and not _launched()
    end = time.monotonic() + timeout
    while not keeps and not _answers(host, port):
        if time.monotonic() > end:
            say(rank, f"rank 0 is missing: no store answers at {host}:{port} within {timeout:g} s")
        time.sleep(_BEAT_S)
    prefix = f"batopo.measure/{os.environ.get('TORCHELASTIC_RESTART_COUNT', 0)}"
    try:
        both = [TCPStore(host, port, world, master, timedelta(seconds=timeout), wait_for_workers=False)
                for master in (keeps, False)]
    except (RuntimeError, OSError) as error:
        say(rank, f"the store at {host}:{port}, of rank 0 or the launcher, cannot be used: {_line(error)}")
    return PrefixStore(prefix, both[0]), PrefixStore(prefix, both[1])


def _launched() -> bool:
    """Whether a launcher keeps the store; else rank 0 does."""
    return os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"


def _answers(host: str, port: int) -> bool:
    """Whether anything listens there; torch's store would print errors of its own while nothing does."""
    try:
        socket.create_connection((host, port), timeout=_BEAT_S).close()
        return True
    except OSError:
        return False


def say(rank: int, text: str) -> NoReturn:
    """One line, and the end of this process, whatever its other threads wait for."""
    sys.stderr.write(f"batopo.measure on rank {rank}: {text}\n")
    sys.stderr.flush()
    os._exit(1)


class Guard(threading.Thread):
    """The watch of one rank. Only its thread uses its store, which may not answer; the main thread asks it."""

    def __init__(self, store: Any, rank: int, world: int, timeout: float) -> None:
        super().__init__(daemon=True)
        self.watch, self.rank, self.world, self.timeout = Watch(store, "board", rank, world), rank, world, timeout
        self._beaten = time.monotonic()
        self._heard = {r: (0, self._beaten) for r in (range(1, world) if rank == 0 else (0,))}
        self._complete, self._over = threading.Event(), threading.Event()
        self._problem: Optional[Dict[str, Any]] = None
        self._asked_to_end = float("inf")

    def everybody(self, problem: Optional[str]) -> None:
        """Returns when all ranks are there, or tells them all what this one finds wrong."""
        signal.signal(signal.SIGTERM, self._terminate)  # launchers send it to survivors: they say why they end
        self.start()
        self._complete.wait()
        if problem is not None:
            self.fail(f"rank {self.rank}: {problem}")

    def stop(self) -> None:
        """The work is done: others may end now."""
        self._over.set()
        self.join()

    def fail(self, text: str, ranks: Sequence[int] = ()) -> NoReturn:
        """Tells all ranks, whose processes end with this text, as does this one."""
        self._problem = {"kind": "failure", "text": text, "ranks": list(ranks)}
        self.join(_PATIENCE_S)
        say(self.rank, text)

    def blame(self, error: RuntimeError) -> NoReturn:
        """After a failed exchange: looks whose connection is closed. The default group has no traffic, so a closed
        connection there means a process that ended."""
        end = time.monotonic() + _PATIENCE_S
        while time.monotonic() < end:
            closed = [r for r in range(self.world) if r != self.rank and _closed(r)]
            if closed:
                self.fail(f"{_ranks(closed)} gone: the process ended or was cut off", closed)
            time.sleep(_BEAT_S)
        if time.monotonic() - self._beaten > self.timeout / 2:  # the thread waits for the store
            self._without_store()
        say(self.rank, f"an exchange failed though all ranks live; does one take longer than --timeout "
            f"({self.timeout:g} s)? {_line(error)}")

    def run(self) -> None:
        while not self._over.wait(_BEAT_S):
            try:
                self._beat()
            except RuntimeError:
                self.watch.gone = True
            if self.watch.gone:
                self._without_store()

    def _without_store(self) -> NoReturn:
        keeper = "the launcher" if _launched() else "rank 0"
        if time.monotonic() - self._beaten > self.timeout / 2:
            say(self.rank, f"{keeper} is stopped: no sign of life for {self.timeout:g} s")
        say(self.rank, f"{keeper} is gone: the process ended or was cut off, and the store with it")

    def _beat(self) -> None:
        store = self.watch.store
        store.add(f"beat/{self.rank}", 1)
        for r, (count, _) in self._heard.items():
            fresh = store.add(f"beat/{r}", 0)
            if fresh != count:
                self._heard[r] = fresh, time.monotonic()
        self._beaten = time.monotonic()
        if self.rank == 0 and not self._complete.is_set() and all(count for count, _ in self._heard.values()):
            self.watch.report({"kind": "complete"})
        self.watch.look()
        if self.watch.failure is None:
            problem = self._problem or self._silent()
            if problem is not None:
                self.watch.report(problem)
        if any(event["kind"] == "complete" for event in self.watch.news()):
            self._complete.set()
        if self.watch.failure is not None:
            self._end(self.watch.failure)
        if time.monotonic() - self._asked_to_end > _PATIENCE_S / 2:
            say(self.rank, "ended by SIGTERM")

    def _silent(self) -> Optional[Dict[str, Any]]:
        """Ranks that have not beaten for as long as is allowed."""
        limit = self._beaten - self.timeout
        missing = [r for r, (count, heard) in self._heard.items() if heard < limit and count == 0]
        stopped = [r for r, (count, heard) in self._heard.items() if heard < limit and count > 0]
        said = [f"{_ranks(missing)} missing: nothing came within {self.timeout:g} s"] if missing else []
        said += [f"{_ranks(stopped)} stopped: no sign of life for {self.timeout:g} s"] if stopped else []
        return {"kind": "failure", "text": "; ".join(said), "ranks": missing + stopped} if said else None

    def _end(self, failure: Dict[str, Any]) -> NoReturn:
        """Rank 0 waits until the others know, since its store ends with it."""
        store = self.watch.store
        store.add("know", 1)
        end = time.monotonic() + _PATIENCE_S / 2
        while self.rank == 0 and store.add("know", 0) < self.world - len(failure["ranks"]) and time.monotonic() < end:
            time.sleep(_BEAT_S / 10)
        say(self.rank, failure["text"])

    def _terminate(self, *_: Any) -> None:
        self._asked_to_end = time.monotonic()


def _closed(rank: int) -> bool:
    if not dist.is_initialized():
        return False
    try:
        dist.isend(torch.zeros(1), rank, tag=_PROBE_TAG)
        return False
    except RuntimeError:
        return True


def _ranks(ranks: List[int]) -> str:
    """The ranks with the verb that follows: "rank 1 is", "ranks 1, 2 are"."""
    return f"rank {ranks[0]} is" if len(ranks) == 1 else f"ranks {', '.join(map(str, ranks))} are"


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())
