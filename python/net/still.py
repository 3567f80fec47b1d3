"""When the machine stood still: what a virtual machine's host, or other work, took from measurements.

While a Watch is open, the calling process and its children go before other work (nice), and before them a process per
processor that wakes every millisecond. Where it wakes late hardly anything else ran there either. Periods in which that
happened say nothing about a network, and are measured again. Real-time priority is no way out: it does not bind the
host of a virtual machine, and one rank that spins then keeps everybody else, its peers too, from running.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import time
from typing import Any, List, Tuple

LATE_S, SLEEP_S = 0.01, 0.001  # ordinary scheduling makes it late by a few milliseconds
KEPT = 1 << 16  # gaps per processor
WORK, WATCHER = -15, -20  # nice


class Watch:
    """Running while the with statement is open; forked children can ask it too. Times are of time.perf_counter."""

    def __enter__(self) -> "Watch":
        self._gaps: List[Any] = []
        self._processes = []
        self._before = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, WORK)
        context = multiprocessing.get_context("fork")
        for cpu in sorted(os.sched_getaffinity(0)):
            gaps = context.RawArray(ctypes.c_double, 2 * KEPT + 1)
            process = context.Process(target=_watch, args=(cpu, gaps), daemon=True)
            process.start()
            self._gaps.append(gaps)
            self._processes.append(process)
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
            process.join()
        os.setpriority(os.PRIO_PROCESS, 0, self._before)

    def still(self, begin: float, end: float) -> float:
        """The share of a time in which one processor or more stood still."""
        time.sleep(LATE_S)  # processes that wake now write it down first
        covered, last = 0.0, begin
        for a, b in sorted(gap for gaps in self._gaps for gap in _read(gaps, begin)):
            a, b = max(a, last), min(b, end)
            if a < b:
                covered, last = covered + b - a, b
        return covered / (end - begin)


def _read(gaps: Any, begin: float) -> List[Tuple[float, float]]:
    out, k = [], int(gaps[0]) - 1
    while k >= 0 and gaps[2 + 2 * k] > begin:
        out.append((gaps[1 + 2 * k], gaps[2 + 2 * k]))
        k -= 1
    return out


def _watch(cpu: int, gaps: Any) -> None:
    os.sched_setaffinity(0, {cpu})
    os.setpriority(os.PRIO_PROCESS, 0, WATCHER)
    last = time.perf_counter()
    while True:
        time.sleep(SLEEP_S)
        now = time.perf_counter()
        k = int(gaps[0])
        if now - last > LATE_S and k < KEPT:
            gaps[1 + 2 * k], gaps[2 + 2 * k], gaps[0] = last, now, k + 1
        last = now
