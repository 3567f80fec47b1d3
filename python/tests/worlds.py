"""n forked processes in one torch.distributed world, which run functions of the tests on demand."""

from __future__ import annotations

import gc
import multiprocessing
import os
import socket
import time
import traceback
from typing import Any, Callable, Dict, List, Optional, Sequence

import torch
import torch.distributed as dist

from batopo.data_parallel import _opened

PATIENCE_S = 1200.0  # until a test counts as hanging; no test asks how fast a machine is


class Failed(Exception):
    """What a rank raised: the class by its name, and the text."""

    def __init__(self, kind: str, text: str, trace: str) -> None:
        super().__init__(kind, text, trace)  # all of them, so that it goes through a pipe
        self.kind, self.text, self.trace = kind, text, trace

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}\n{self.trace}"


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class World:
    """Processes are forked, so nothing is imported again; each waits for functions on a pipe."""

    def __init__(self, n: int, backend: str = "gloo",
                 environment: Callable[[int], Dict[str, str]] = lambda rank: {}) -> None:
        self.n = n
        port = free_port()
        context = multiprocessing.get_context("fork")
        self.pipes, self.processes = [], []
        for rank in range(n):
            here, there = context.Pipe()
            given = (rank, n, port, there, backend, environment(rank))
            process = context.Process(target=_serve, args=given, daemon=True)
            process.start()
            there.close()
            self.pipes.append(here)
            self.processes.append(process)

    def run(self, function: Callable[..., Any], *args: Any, timeout: float = PATIENCE_S) -> List[Any]:
        """function(rank, *args) on every rank; results in the order of ranks. Raises what the first rank raised."""
        results = self.outcomes(function, *args, timeout=timeout)
        for result in results:
            if isinstance(result, Failed):
                raise result
        return results

    def outcomes(self, function: Callable[..., Any], *args: Any, timeout: float = PATIENCE_S) -> List[Any]:
        """Like run, with a Failed, or None where the process is dead, in place of a result."""
        return self.outcomes_of(range(self.n), function, *args, timeout=timeout)

    def outcomes_of(self, ranks: Sequence[int], function: Callable[..., Any], *args: Any,
                    timeout: float = PATIENCE_S) -> List[Any]:
        """All run it; only what these ranks say is waited for."""
        for pipe in self.pipes:
            try:
                pipe.send((function, args))
            except OSError:
                pass
        deadline = time.monotonic() + timeout
        results = [self._receive(rank, deadline) for rank in ranks]
        if len(results) == self.n and all(process.is_alive() for process in self.processes):
            for pipe in self.pipes:  # only now: a rank may still read what another one, which was done, had sent
                pipe.send(None)
        return results

    def _receive(self, rank: int, deadline: float) -> Optional[Any]:
        try:
            if not self.pipes[rank].poll(max(0.0, deadline - time.monotonic())):
                raise TimeoutError(f"rank {rank} gave no result in time")
            return self.pipes[rank].recv()
        except (EOFError, ConnectionResetError):
            return None

    def close(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.join()


def _serve(rank: int, n: int, port: int, pipe: Any, backend: str, environment: Dict[str, str]) -> None:
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), **environment)
    dist.init_process_group(backend, rank=rank, world_size=n)
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            os._exit(0)
        if job is None:
            _tidy()
            continue
        function, args = job
        try:
            pipe.send(function(rank, *args))
        except Exception as error:  # the test decides what it means
            pipe.send(Failed(type(error).__name__, str(error), traceback.format_exc()))
        del job, function, args


def _tidy() -> None:
    """Destroys what a function connected: every process group has threads that wake up a hundred times a second."""
    _opened.clear()
    c10d: Any = dist.distributed_c10d
    for group in list(c10d._world.pg_map if hasattr(c10d, "_world") else c10d._pg_map):  # torch 2.x, 1.13
        if group is not dist.group.WORLD:
            dist.destroy_process_group(group)
    gc.collect()
