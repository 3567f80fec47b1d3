"""Two sites far from each other: python3 -m net.far [--ms 20 50 100] (root, in python/).

Four nodes of 100 Mbit/s, two behind each of two uplinks of 40 Mbit/s, and a relay that delays what goes between them.
Prints what a message of one byte takes there and back, and when two nodes send one to each other at once, with receives
that begin then or were posted before; what batopo.measure says of the delay; and what an all-reduce of 1 MB and an
average in shards take beside what their bytes and delays come to.
"""

from __future__ import annotations

import argparse
import time
from statistics import median
from typing import Any, Dict, List

import torch
import torch.distributed as dist

from batopo import all_reduce
from batopo.bench import shards, timed
from batopo.measure import measure

from .relay import Wire
from .shaped import PAYLOAD, Network, Shaped, why_not
from .still import Watch
from .world import run

LINK, UPLINK, MEGABYTES = 100.0, 40.0, 1.0
PAUSE_S = 0.5  # until a notice that was sent before the barrier is there


def network(ms: float) -> Network:
    """ms: from a node of one site to one of the other, one way; two relays share it."""
    return Network("far", (LINK,) * 4, ((0, 1), (2, 3)), (UPLINK,) * 2, wire=Wire(ms / 2))


def there_and_back(rank: int, turns: int) -> List[float]:
    """Milliseconds of one byte from rank 0 to rank 2 and back."""
    one, out = torch.zeros(1, dtype=torch.uint8), []
    for _ in range(turns):
        begin = time.perf_counter()
        for source, target in ((0, 2), (2, 0)):
            if rank == source:
                dist.send(one, target)
            elif rank == target:
                dist.recv(one, source)
        out.append((time.perf_counter() - begin) * 1e3)
    return out


def at_once(rank: int, early: bool, turns: int) -> List[float]:
    """Milliseconds of one byte from rank 0 to rank 2 and one back at the same time; early: both receive before."""
    one, got, out = torch.zeros(1, dtype=torch.uint8), torch.zeros(1, dtype=torch.uint8), []
    peer = {0: 2, 2: 0}.get(rank)
    for _ in range(turns):
        receive: Any = dist.irecv(got, peer) if early and peer is not None else None
        dist.barrier()
        if early:
            time.sleep(PAUSE_S)
        dist.barrier()
        begin = time.perf_counter()
        if peer is not None:
            receive = receive or dist.irecv(got, peer)
            dist.isend(one, peer).wait()
            receive.wait()
        out.append((time.perf_counter() - begin) * 1e3)
    return out


def everything(rank: int) -> Dict[str, Any]:
    """All that is printed."""
    back = there_and_back(rank, 12)[2:]
    both = {key: median(at_once(rank, early, 12)[2:]) for key, early in (("at once", False), ("early", True))}
    value, plan = torch.ones(int(MEGABYTES * 250_000)), shards(4)
    jobs = {"all-reduce": lambda: dist.all_reduce(value), "shards": lambda: all_reduce(value, plan, chunks=1)}
    times = {name: [timed(job) for _ in range(6)][2:] for name, job in jobs.items()}
    found = measure(seconds=20.0)
    latency = {} if found is None else {f"{i}-{j}": ms for (i, j), ms in found.latency_ms.items()}
    return {**both, "back": median(back), "latency": latency, **{name: min(taken) for name, taken in times.items()}}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.far", description=__doc__)
    parser.add_argument("--ms", type=float, nargs="+", default=[0.0, 20.0, 50.0, 100.0], help="one way")
    args = parser.parse_args()
    reason = why_not()
    if reason is not None:
        parser.exit(1, f"no network of namespaces: {reason}\n")
    print("ms one way   there and back   at once   posted before   measure: across   inside   "
          "all-reduce (bytes and delays)   shards (likewise)")
    bytes_ms = MEGABYTES * 8e3 / PAYLOAD
    for ms in args.ms:
        with Watch(), Shaped(network(ms)) as shaped:
            got = run(shaped, everything, timeout=600)[0]
        across = median(got["latency"][pair] for pair in ("0-2", "0-3", "1-2", "1-3"))
        inside = median(got["latency"][pair] for pair in ("0-1", "2-3"))
        ring = max(1.5 * bytes_ms / UPLINK, 1.5 * bytes_ms / LINK) + 6 * ms
        direct = 2 * bytes_ms / UPLINK + 2 * ms  # both nodes of a site send half a message to the other site, twice
        print(f"{ms:10g} {got['back']:16.1f} {got['at once']:9.1f} {got['early']:15.1f}", end="")
        print(f" {across:17.1f} {inside:8.1f} {got['all-reduce']:12.0f} ({ring:.0f})"
              f" {got['shards']:22.0f} ({direct:.0f})", flush=True)


if __name__ == "__main__":
    main()
