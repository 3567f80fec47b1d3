"""What a round costs beside the bytes it moves: python3 -m batopo.bench

A ring of ranks on this machine averages 1, 50 and 400 MB of float32 over gloo, in turn with bare isend/irecv of the
same bytes to the same peers, with the all-reduce that DistributedDataParallel would do, in its buckets of 25 MB, and
with an exact average in equal shards and 64 chunks. Times are those of the slowest rank, the fastest of several rounds;
compare them within one run only. Buffers are what rounds need beside the parameters.
"""

from __future__ import annotations

import argparse
import os
import socket
import time
from typing import Any, Callable, Dict, List

import torch
import torch.distributed as dist
from torch.multiprocessing.spawn import spawn

from .attach import attach
from .blocks import BLOCK_BYTES
from .ddp import all_reduce as average
from .plan import Collective, Edge, Move, Plan, Round


def ring(n: int) -> Plan:
    """Everybody keeps a third and takes a third from both neighbours; of two, half."""
    pairs = sorted({(min(i, (i + 1) % n), max(i, (i + 1) % n)) for i in range(n)})
    weight = 1 / 3 if n > 2 else 1 / 2
    return Plan(n, rounds=(Round(1.0, tuple(Edge(i, j, weight) for i, j in pairs),
                                 (1 - weight * min(n - 1, 2),) * n),), hash="ring")


def shards(n: int) -> Plan:
    """Everybody sums a share for all and hands it back."""
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    steps = (tuple(Move(j, i, i / n, (i + 1) / n, True) for i, j in pairs),
             tuple(Move(i, j, i / n, (i + 1) / n, False) for i, j in pairs))
    return Plan(n, kind="collective", collective=Collective("steps", steps=steps, chunks=64), hash="shards")


def timed(job: Callable[[], Any]) -> float:
    """Milliseconds until the slowest rank is done."""
    dist.barrier()
    begin = time.perf_counter()
    job()
    spent = torch.tensor([time.perf_counter() - begin])
    dist.all_reduce(spent, op=dist.ReduceOp.MAX)
    return spent.item() * 1e3


class Raw:
    """Only the transfers: receives first, then sends, all at once."""

    def __init__(self, value: torch.Tensor, group: Any) -> None:
        n, me = dist.get_world_size(), dist.get_rank()
        self.peers = sorted({(me - 1) % n, (me + 1) % n})
        self.value, self.group = value, group
        self.into = [torch.empty_like(value) for _ in self.peers]

    def run(self) -> None:
        """One round without arithmetic."""
        size = BLOCK_BYTES // 4
        cuts = range(0, self.value.numel(), size)
        works = [dist.irecv(into[a:a + size], peer, group=self.group, tag=a // size)
                 for peer, into in zip(self.peers, self.into) for a in cuts]
        works += [dist.isend(self.value[a:a + size], peer, group=self.group, tag=a // size)
                  for peer in self.peers for a in cuts]
        for work in works:
            work.wait()


def all_reduce(value: torch.Tensor, group: Any) -> None:
    """The mean over all ranks in buckets of 25 MB, all in flight."""
    works = [dist.all_reduce(part, group=group, async_op=True) for part in value.split(BLOCK_BYTES // 4)]
    for work in works:
        work.wait()
    value.div_(dist.get_world_size())


def measure(megabytes: int, repeats: int, group: Any) -> Dict[str, List[float]]:
    """Times of one size, the three ways in turn."""
    p = torch.nn.Parameter(torch.ones(megabytes * 250000))
    gossip = attach(torch.optim.SGD([p], lr=0.1), ring(dist.get_world_size()), explicit=True)
    raw = Raw(p.detach(), group)
    exact = shards(dist.get_world_size())
    times: Dict[str, List[float]] = {"raw": [], "round": [], "all-reduce": [], "shards": []}
    for _ in range(repeats + 1):
        times["raw"].append(timed(raw.run))
        times["round"].append(timed(gossip.mix))
        times["all-reduce"].append(timed(lambda: all_reduce(p.detach(), group)))
        times["shards"].append(timed(lambda: average(p.detach(), exact)))
    return {**{name: values[1:] for name, values in times.items()}, "MB": [gossip.memory()["buffers"] / 1e6]}


def work(rank: int, ranks: int, port: int, sizes: List[int], threads: int) -> None:
    """One rank; rank 0 prints."""
    torch.set_num_threads(threads)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=ranks)
    group = dist.new_group()
    for megabytes in sizes:
        times = measure(megabytes, max(8, min(100, 2000 // megabytes)), group)
        if rank == 0:
            best = {name: min(values) for name, values in times.items()}
            print(f"{megabytes:>5} MB  {best['raw']:>10.1f} {best['round']:>10.1f} {best['all-reduce']:>10.1f} "
                  f"{best['shards']:>10.1f}  {best['round'] / best['raw']:>11.2f} "
                  f"{best['shards'] / best['all-reduce']:>19.2f} {best['MB']:>11.1f}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m batopo.bench", description=__doc__)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1, help="of torch per rank")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 50, 400], help="in MB")
    args = parser.parse_args()
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    print(f"ring of {args.ranks} ranks over gloo, torch {torch.__version__}; ms")
    print("message   isend/irecv      round all-reduce     shards  round / raw  shards / all-reduce  buffers, MB")
    spawn(work, (args.ranks, port, args.sizes, args.threads), nprocs=args.ranks)


if __name__ == "__main__":
    main()
