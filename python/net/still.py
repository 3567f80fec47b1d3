"""When the machine stood still: what a virtual machine's host, or other work, took from measurements.

While a Watch is open, the calling process and its children run before all other work (SCHED_FIFO), the kernel's network
threads before them, and before those a process per processor that wakes every millisecond. Where it wakes late nothing
else ran there either. Periods in which that happened say nothing about a network, and are measured again.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import time
from typing import Any, List, Tuple

LATE_S, SLEEP_S = 0.003, 0.001
KEPT = 1 << 16  # gaps per processor
WORK, NETWORK, WATCHER = 20, 30, 50  # priorities


class Watch:
    """Running while the with statement is open; forked children can ask it too. Times are of time.perf_counter."""

    def __enter__(self) -> "Watch":
        self._gaps: List[Any] = []
        self._processes = []
        self._before = {pid: (os.sched_getscheduler(pid), os.sched_getparam(pid)) for pid in [0, *_network_threads()]}
        for pid in self._before:
            os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(NETWORK if pid else WORK))
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
        for pid, (policy, priority) in self._before.items():
            os.sched_setscheduler(pid, policy, priority)

    def still(self, begin: float, end: float) -> float:
        """The share of a time in which one processor or more stood still."""
        time.sleep(3 * LATE_S)  # whoever wakes now writes it down first
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
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(WATCHER))
    last = time.perf_counter()
    while True:
        time.sleep(SLEEP_S)
        now = time.perf_counter()
        k = int(gaps[0])
        if now - last > LATE_S and k < KEPT:
            gaps[1 + 2 * k], gaps[2 + 2 * k], gaps[0] = last, now, k + 1
        last = now


def _network_threads() -> List[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and _name(name).startswith("ksoftirqd/")]


def _name(process: str) -> str:
    try:
        with open(f"/proc/{process}/comm", encoding="ascii", errors="replace") as file:
            return file.read()
    except OSError:  # it has ended
        return ""
