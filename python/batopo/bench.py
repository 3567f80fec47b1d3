"""What a round costs beside the bytes it moves: python3 -m batopo.bench

A ring of ranks on this machine averages 1, 50 and 400 MB of float32 over gloo, in turn with bare isend/irecv of the
same bytes to the same peers, with the all-reduce that DistributedDataParallel would do, in its buckets of 25 MB, and
with an all-reduce in equal shards and 64 chunks. A time is the slowest rank's, in the fastest of several rounds;
compare them within one run only. Peak MB is the memory that the first run of each way added to a process.
`python3 -m net.bench` does the same over links of a given rate. With --packing 100 it says instead what rounding a
change to few bits costs, beside the time that it saves on a link of 100 Mbit/s.
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

from . import fewbits
from .attachment import attach
from .blocks import BLOCK_BYTES
from .data_parallel import all_reduce as average
from .plan_file import FEW_BITS, Collective, Edge, Move, Plan, Round


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


WAYS = ("isend/irecv", "round", "all-reduce", "shards")


def peak_bytes() -> int:
    """The most memory that this process had since the last call, as the kernel counts it."""
    with open("/proc/self/status", encoding="ascii") as file:
        most = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM:"))
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
    return most


def measure(rank: int, megabytes: float, repeats: int) -> Dict[str, List[float]]:
    """Milliseconds of every way, in turn, and of each the MB that its first run added, at the front."""
    del rank
    p, n = torch.nn.Parameter(torch.ones(int(megabytes * 250000))), dist.get_world_size()
    group, exact = dist.new_group(), shards(n)
    gossip = attach(torch.optim.SGD([p], lr=0.1), ring(n), explicit=True)
    average(torch.ones(n), exact)  # connects
    jobs = dict(zip(WAYS, (Raw(p.detach(), group).run, gossip.mix, lambda: all_reduce(p.detach(), group),
                           lambda: average(p.detach(), exact))))
    times: Dict[str, List[float]] = {}
    for name, job in jobs.items():
        peak_bytes()
        before = peak_bytes()
        timed(job)
        times[name] = [(peak_bytes() - before) / 1e6]
    for _ in range(repeats):
        for name, job in jobs.items():
            times[name].append(timed(job))
    return times


HEAD = f"{'MB':>6}" + "".join(f"{name:>12} {'peak MB':>8}" for name in WAYS) + "  round/bare  shards/all-reduce"


def line(megabytes: float, times: Dict[str, List[float]]) -> str:
    """The fastest run of every way and the ratios of those."""
    best = [min(times[name][1:]) for name in WAYS]
    return (f"{megabytes:>6g}" + "".join(f"{ms:>12.1f} {times[name][0]:>8.0f}" for name, ms in zip(WAYS, best))
            + f"  {best[1] / best[0]:>10.2f}  {best[3] / best[2]:>17.2f}")


def packing(mbit_s: float, threads: int, elements: int = 10_000_000) -> None:
    """A node rounds its change, or the sum, and reads what it gets: once each for every number that it sends."""
    torch.set_num_threads(threads)
    print(f"of {elements / 1e6:g} million numbers in float32; ms, of processors divided by {threads} threads\n"
          f"{'wire':>6}{'MB':>9}{'saved':>9}{'rounding':>10}{'share':>8}")
    x = torch.randn(elements, generator=torch.Generator().manual_seed(1))
    for wire, bits in FEW_BITS.items():
        times = []
        for _ in range(3):
            y, error = x.clone(), torch.zeros_like(x)
            begin = time.process_time()  # other programs do not count
            fewbits.decode(fewbits.rounded(y, error, bits), y, bits)
            times.append((time.process_time() - begin) / threads * 1e3)
        sent = fewbits.size(elements, bits)
        saved = (4 * elements - sent) * 8 / mbit_s / 1e3
        print(f"{wire:>6}{sent / 1e6:>9.2f}{saved:>9.0f}{min(times):>10.0f}{min(times) / saved:>8.1%}")


def work(rank: int, ranks: int, port: int, sizes: List[int], threads: int) -> None:
    """Measures on one rank; rank 0 prints the table."""
    torch.set_num_threads(threads)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=ranks)
    for megabytes in sizes:
        times = measure(rank, megabytes, max(8, min(100, 2000 // megabytes)))
        if rank == 0:
            print(line(megabytes, times), flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m batopo.bench", description=__doc__)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1, help="of torch per rank")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 50, 400], help="in MB")
    parser.add_argument("--packing", type=float, metavar="MBIT_S", help="of a link that few bits save time on")
    args = parser.parse_args()
    if args.packing:
        return packing(args.packing, args.threads)
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    print(f"ring of {args.ranks} ranks over gloo, torch {torch.__version__}; ms")
    print(HEAD)
    spawn(work, (args.ranks, port, args.sizes, args.threads), nprocs=args.ranks)
    return None


if __name__ == "__main__":
    main()
