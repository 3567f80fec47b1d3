"""Processes of one torch.distributed world, one in every node of a shaped network."""

from __future__ import annotations

import multiprocessing
import os
import time
import traceback
from typing import Any, Callable, List, Optional, Union

import torch
import torch.distributed as dist

from .shaped import Network, Shaped

PORT = 29577


class RankFailed(Exception):
    """What a rank raised, with its traceback."""


class Here:
    """No network at all: processes of this machine, for what does not depend on links."""

    def __init__(self, nodes: int) -> None:
        self.network = Network("here", (0.0,) * nodes)

    @staticmethod
    def address(node: int) -> str:
        del node
        return "127.0.0.1"

    def enter(self, node: int) -> None:
        """Stays where it is."""


def run(shaped: Union[Shaped, Here], function: Callable[..., Any], *args: Any, timeout: float = 300.0,
        during: Optional[Callable[[], None]] = None) -> List[Any]:
    """function(rank, *args) in every node at once, over gloo; results in the order of ranks.

    during runs beside them in the calling process, for instance to change rates.
    """
    context = multiprocessing.get_context("fork")
    pipes, processes = [], []
    for rank in range(shaped.network.nodes):
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(shaped, rank, there, function, args), daemon=True)
        process.start()
        there.close()
        pipes.append(here)
        processes.append(process)
    try:
        if during is not None:
            during()
        deadline = time.monotonic() + timeout
        results = [_result(rank, pipe, deadline) for rank, pipe in enumerate(pipes)]
    finally:
        for process in processes:
            process.kill()
            process.join()
    return results


def _result(rank: int, pipe: Any, deadline: float) -> Any:
    if not pipe.poll(max(0.0, deadline - time.monotonic())):
        raise TimeoutError(f"rank {rank} gave no result in time")
    try:
        good, value = pipe.recv()
    except EOFError:
        raise RankFailed(f"rank {rank} ended without a result") from None
    if not good:
        raise RankFailed(f"rank {rank}: {value}")
    return value


def _serve(shaped: Union[Shaped, Here], rank: int, pipe: Any, function: Callable[..., Any], args: Any) -> None:
    try:
        torch.set_num_threads(1)
        shaped.enter(rank)
        port = "lo" if isinstance(shaped, Here) else "eth0"
        os.environ.update(MASTER_ADDR=shaped.address(0), MASTER_PORT=str(PORT), GLOO_SOCKET_IFNAME=port,
                          RANK=str(rank), WORLD_SIZE=str(shaped.network.nodes), LOCAL_RANK="0",
                          SLURMD_NODENAME=f"n{rank}")
        dist.init_process_group("gloo")
        pipe.send((True, function(rank, *args)))
        dist.barrier()  # rank 0 keeps the store
    except BaseException:
        pipe.send((False, traceback.format_exc()))
