"""Timed exchanges between ranks. Rank 0 says what to do next, everybody does it, rank 0 hears the times."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist

from .errors import SetupError
from .measure_cost import Point

Arc = Tuple[int, int]  # sender, receiver


@dataclass(frozen=True)
class Task:
    """One measurement that all ranks take part in."""

    kind: str  # exchange, messages, calls, compute or end
    arcs: Tuple[Arc, ...] = ()
    size: int = 0  # bytes per arc
    repeats: int = 1
    points: Tuple[Point, ...] = ()  # of messages and calls, one after the other


class Prober:
    """One rank's part. control carries words over gloo, data what is timed."""

    def __init__(self, control: Any, data: Any, device: torch.device,
                 step: Optional[Callable[[], float]] = None) -> None:
        self.rank, self.world = dist.get_rank(), dist.get_world_size()
        self.control, self.data, self.device, self.step = control, data, device, step
        self._buffers: Dict[Tuple[str, int], torch.Tensor] = {}
        self._barrier_s = math.inf  # the shortest so far

    def follow(self) -> None:
        """Ranks other than 0: do what is said until the end."""
        while True:
            said: List[Any] = [None]
            dist.broadcast_object_list(said, 0, group=self.control)
            if said[0].kind == "end":
                return
            self._do(said[0])

    def lead(self, task: Task) -> List[Any]:
        """Rank 0: everybody does it; what each rank found, in the order of ranks."""
        dist.broadcast_object_list([task], 0, group=self.control)
        return [] if task.kind == "end" else self._do(task)

    def _do(self, task: Task) -> List[Any]:
        work = {"exchange": self._exchange, "messages": self._messages, "calls": self._calls,
                "compute": self._compute}[task.kind]
        found = [work(task) for _ in range(task.repeats)]
        everybody: Optional[List[Any]] = [None] * self.world if self.rank == 0 else None
        dist.gather_object(found, everybody, 0, group=self.control)
        return everybody or []

    def _buffer(self, use: str, peer: int, size: int) -> torch.Tensor:
        key = (use, peer)
        if key not in self._buffers or self._buffers[key].numel() < size:
            self._buffers[key] = torch.zeros(size, dtype=torch.uint8, device=self.device)
        return self._buffers[key][:size]

    def _meet(self) -> float:
        """When everybody begins. Nobody sends before all are in the second barrier, so a rank that was held up inside
        it counts from when the barrier usually ends: exchanges may seem longer than they were, never shorter."""
        dist.barrier(group=self.control)
        before = time.perf_counter()
        dist.barrier(group=self.control)
        after = time.perf_counter()
        self._barrier_s = min(self._barrier_s, after - before)
        return before + self._barrier_s

    def _exchange(self, task: Task) -> Dict[int, float]:
        """Seconds until all bytes of each sender were here."""
        sources = [i for i, j in task.arcs if j == self.rank]
        targets = [j for i, j in task.arcs if i == self.rank]
        into = {i: self._buffer("in", i, task.size) for i in sources}
        out = self._buffer("out", 0, task.size)
        begin = self._meet()
        if self.device.type == "cuda":
            return self._together(into, out, targets, begin)
        arrived: Dict[int, float] = {}
        failed: List[RuntimeError] = []
        works = [(i, dist.irecv(into[i], i, group=self.data)) for i in sources]
        sends = [dist.isend(out, j, group=self.data) for j in targets]

        def wait(peer: int, work: Any) -> None:
            try:
                work.wait()
                arrived[peer] = time.perf_counter() - begin
            except RuntimeError as error:
                failed.append(error)
        threads = [threading.Thread(target=wait, args=pair) for pair in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failed:
            raise failed[0]
        for send in sends:
            send.wait()
        return arrived

    def _together(self, into: Dict[int, torch.Tensor], out: torch.Tensor, targets: Sequence[int],
                  begin: float) -> Dict[int, float]:
        """NCCL: one group of transfers, which ends as one."""
        ops = [dist.P2POp(dist.irecv, buffer, i, group=self.data) for i, buffer in into.items()]
        ops += [dist.P2POp(dist.isend, out, j, group=self.data) for j in targets]
        if ops:
            for work in dist.batch_isend_irecv(ops):
                work.wait()
        torch.cuda.synchronize(self.device)
        spent = time.perf_counter() - begin
        return {i: spent for i in into}

    def _messages(self, task: Task) -> Dict[int, List[float]]:
        """Seconds one way, half of all messages of a point there and back, for the first of each pair."""
        self._meet()
        pair = next((arc for arc in task.arcs if self.rank in arc), None)
        if pair is None:
            return {}
        first, peer, times = self.rank == pair[0], sum(pair) - self.rank, []
        for count, size in task.points:
            buffers = [self._buffer(f"message {k}", peer, size) for k in range(count)]
            begin = time.perf_counter()
            for call in (dist.isend, dist.irecv) if first else (dist.irecv, dist.isend):
                ops = [dist.P2POp(call, buffer, peer, self.data, k) for k, buffer in enumerate(buffers)]
                for work in dist.batch_isend_irecv(ops):
                    work.wait()
            if self.device.type == "cuda":
                torch.cuda.synchronize(self.device)
            times.append((time.perf_counter() - begin) / 2)
        return {peer: times} if first else {}

    def _calls(self, task: Task) -> List[float]:
        """Seconds of each average of all ranks."""
        self._meet()
        times = []
        for _, size in task.points:
            buffer = self._buffer("call", 0, size)
            begin = time.perf_counter()
            dist.all_reduce(buffer, group=self.data)
            if self.device.type == "cuda":
                torch.cuda.synchronize(self.device)
            times.append(time.perf_counter() - begin)
        return times

    def _compute(self, task: Task) -> float:
        """Seconds of one step of the model, while everybody computes."""
        self._meet()
        try:
            return self.step() if self.step is not None else 0.0
        except Exception as error:
            raise SetupError(f"the model cannot compute a gradient: {type(error).__name__}: {error}") from error
