"""Measures a cluster and writes its description: torchrun … -m batopo.measure -o cluster.yaml

Small messages tell latency and the cost per message, calls of all-reduce the cost per call. Pairs exchange in rounds of
a tournament, all pairs of a round at the same time, in three orders; then servers, and groups that look as if they
shared an uplink, exchange with the outside all at once; pairs that were slow whenever they met exchange again alone.
With --model module:function, which returns a model and a function that computes the loss of one batch, the size of the
message and the time of a gradient are measured too. Time and bytes are bounded; what did not fit is said in the file.
When a rank dies, stops or does not come, every rank says which, and ends with status 1.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import time
from collections import Counter
from datetime import timedelta
from statistics import median
from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist

from .errors import BatopoError
from .measure_cost import POINTS, Cost, per_message
from .measure_file import Result, cluster_yaml, sentences
from .measure_find import (Found, Observation, both_ways, guess_groups, ports, slow_pairs, suspects,
                           tournament, uplinks)
from .measure_guard import Guard, open_store
from .measure_model import Workload, load_workload
from .measure_probe import Arc, Prober, Task
from .placement import where_am_i

ORDERS = 3  # tournaments, each with the nodes seated differently
REPEATS = 2  # of every round; the faster one counts, since noise only slows
TURNS = 11  # of small messages and calls; the first one connects and does not count
FIRST_BYTES = 1 << 16
LONGEST_PROBE_S, SHORTEST_PROBE_S = 0.5, 0.02
# The share of the time at which each kind of exchange ends.
UNTIL = {"messages": 0.15, "pairs": 0.7, "across": 0.85, "alone": 1.0}


class Conductor:
    """Rank 0: decides what is measured next, within the limits of time and bytes."""

    def __init__(self, prober: Prober, hosts: Sequence[str], seconds: float, megabytes: float) -> None:
        self.prober, self.hosts, self.n = prober, hosts, prober.world
        self.begin, self.seconds, self.bytes_left = time.monotonic(), seconds, megabytes * 1e6
        self.spent_bytes = 0.0
        self.left_out: "Counter[str]" = Counter()
        self.rate_guess: Dict[Arc, float] = {}
        self.small: Dict[Arc, Cost] = {}  # what a message of a few bytes takes
        self.message, self.call = Cost(), Cost()
        rounds = (self.n - 1 + self.n % 2) * ORDERS * REPEATS + 4 * self.n
        self.probe_s = min(LONGEST_PROBE_S, max(SHORTEST_PROBE_S, seconds / rounds / 1.5))

    def spent_s(self) -> float:
        return time.monotonic() - self.begin

    def measure(self) -> Tuple[Found, Dict[Arc, float], Dict[Arc, float]]:
        """Links, latencies in ms, and what every pair got at its best."""
        order = list(range(self.n))
        self._small_messages(tournament(order))
        self._calls()
        first = self._first_look(tournament(order))
        seen: List[Observation] = []
        draw = random.Random(1)
        for _ in range(ORDERS):
            for pairs in tournament(order):
                self._observe("pairs", both_ways(pairs), REPEATS, seen)
            draw.shuffle(order)
        met = {i for o in seen for arc in o.rates for i in arc}
        found = ports(self.n, seen if len(met) == self.n else first + seen)
        self._find_uplinks(found, seen)
        alone: List[Observation] = []
        for pair in suspects(found, seen)[:2 * self.n]:
            self._observe("alone", both_ways([pair]), REPEATS, alone)
        found.slow_pairs = slow_pairs(found, alone)
        best: Dict[Arc, float] = {}
        for o in seen + alone:
            for arc, rate in o.rates.items():
                best[arc] = max(best.get(arc, 0.0), rate)
        latency = {pair: max(0.0, small.ms - self.message.believed) for pair, small in self.small.items()}
        return found, latency, best

    def _find_uplinks(self, found: Found, seen: Sequence[Observation]) -> None:
        """Looks for shared uplinks of servers, then of groups of servers."""
        units: List[Tuple[int, ...]] = [tuple(i for i in range(self.n) if self.hosts[i] == h)
                                        for h in dict.fromkeys(self.hosts)]
        if 1 < len(units) < self.n:
            found.shared += uplinks(found, units, self._across(units))
        if len(units) == 1:
            units = [(i,) for i in range(self.n)]
        groups = guess_groups(found, seen, units)
        if len(groups) > 1 and any(g not in units for g in groups):
            found.shared += uplinks(found, groups, self._across(groups))

    def _across(self, groups: Sequence[Tuple[int, ...]]) -> List[Observation]:
        """Every node of a group exchanges with one of the next, second next, … group, all groups at once."""
        seen: List[Observation] = []
        for shift in range(1, len(groups)):
            arcs = []
            for g, group in enumerate(groups):
                other = groups[(g + shift) % len(groups)]
                arcs += [(group[m % len(group)], other[m % len(other)]) for m in range(max(len(group), len(other)))]
            self._observe("across", tuple(dict.fromkeys(both_ways(arcs))), REPEATS + 1, seen, each=True)
        return seen

    def _small_messages(self, rounds: Sequence[Sequence[Arc]]) -> None:
        """One message between all pairs; several, of two sizes, in the first round and as many more as time allows."""
        costs = []
        for k, pairs in enumerate(rounds):
            points = POINTS if k == 0 or self.spent_s() < UNTIL["messages"] * self.seconds else POINTS[:1]
            heard = self.prober.lead(Task("messages", tuple(pairs), points=points * TURNS))
            for i, j in pairs:
                times = [seconds * 1e3 for seconds in heard[i][0][j]]
                turns = [times[at:at + len(points)] for at in range(len(points), len(times), len(points))]
                self.small[i, j] = Cost.of([turn[0] for turn in turns])
                costs += [per_message(points, turn) for turn in turns if len(points) > 1]
        self.message = Cost.of(costs)

    def _calls(self) -> None:
        """What averaging a few bytes takes beyond the messages of a ring, which the plan's clock adds itself."""
        heard = self.prober.lead(Task("calls", points=((1, 8),) * (2 * TURNS)))
        call = Cost.of([median(rank[0][k] for rank in heard) * 1e3 for k in range(2, 2 * TURNS)])
        ring = [self.small[min(i, j), max(i, j)] for i, j in zip(range(self.n), [*range(1, self.n), 0])]
        self.call = call.beyond(max(ring, key=lambda small: small.ms), 2 * (self.n - 1))

    def _first_look(self, rounds: Sequence[Sequence[Arc]]) -> List[Observation]:
        """A message of some size between all, so that later ones have a good size."""
        seen = []
        for pairs in rounds:
            times = self._times(both_ways(pairs), FIRST_BYTES, 1)[0]
            self.rate_guess.update({arc: FIRST_BYTES / seconds for arc, seconds in times.items()})
            seen.append(Observation("first", {arc: FIRST_BYTES / seconds / 1e9 for arc, seconds in times.items()}))
        return seen

    def _times(self, arcs: Sequence[Arc], size: int, repeats: int) -> List[Dict[Arc, float]]:
        heard = self.prober.lead(Task("exchange", tuple(arcs), size, repeats))
        most = max(sum(i == node for i, _ in arcs) for node in range(self.n)) * size * repeats
        self.spent_bytes += most
        self.bytes_left -= most
        # What a message of eight bytes takes is not the bytes; their own time is added again.
        delay = {(i, j): self.small[min(i, j), max(i, j)].ms / 1e3 for i, j in arcs}
        share = size / (size - POINTS[0][1])
        return [{(i, j): max(heard[j][k][i] - delay[i, j], heard[j][k][i] / 2) * share for i, j in arcs}
                for k in range(repeats)]

    def _observe(self, what: str, arcs: Tuple[Arc, ...], repeats: int, into: List[Observation],
                 each: bool = False) -> None:
        """Adds the faster of several exchanges, or each of them; nothing when time or bytes are spent."""
        rates = [self.rate_guess[arc] for arc in arcs if arc in self.rate_guess]
        # Between what suits the usual and what suits the slowest, which many may be waiting for.
        size = int(max(FIRST_BYTES, self.probe_s * math.sqrt(median(rates) * min(rates))))
        most = max(sum(i == node for i, _ in arcs) for node in range(self.n)) * size * repeats
        late = self.spent_s() > UNTIL[what] * self.seconds
        if late or self.bytes_left < most:
            short = "time" if late else "bytes"
            self.left_out[f"{what}, for want of {short}"] += 1
            return
        times = self._times(arcs, size, repeats)
        if each:
            into += [Observation(what, {a: size / t / 1e9 for a, t in one.items()}) for one in times]
            return
        best = {a: min(one[a] for one in times) for a in arcs}
        into.append(Observation(what, {a: size / t / 1e9 for a, t in best.items()}))
        for a, t in best.items():
            self.rate_guess[a] = size / t

    def compute(self, workload: Workload) -> List[List[float]]:
        """Milliseconds of gradients on every node, all computing at once; the first ones warm up."""
        if workload.step is None:
            return []
        heard = self.prober.lead(Task("compute", repeats=12))
        return [[s * 1e3 for s in samples[2:]] for samples in heard]


def measure(seconds: float = 60.0, megabytes: float = 4000.0, model: Optional[str] = None,
            message_mb: Optional[float] = None, backend: Optional[str] = None,
            timeout: float = 300.0) -> Optional[Result]:
    """All ranks call it, in a process group; rank 0 gets the result."""
    backend = backend or str(dist.get_backend())
    device = torch.device("cuda", torch.cuda.current_device()) if backend == "nccl" else torch.device("cpu")
    workload = load_workload(model, message_mb, device)
    control = dist.new_group(backend="gloo", timeout=timedelta(seconds=timeout))
    # NCCL aborts the process without naming a rank, so gloo and the guard come first.
    data = dist.new_group(backend=backend, timeout=timedelta(seconds=timeout * (10 if backend == "nccl" else 1)))
    prober = Prober(control, data, device, workload.step)
    where = {**where_am_i(), "gpu": torch.cuda.get_device_name(device) if backend == "nccl" else ""}
    everybody: Optional[List[Any]] = [None] * prober.world if prober.rank == 0 else None
    dist.gather_object(where, everybody, 0, group=control)
    if everybody is None:
        prober.follow()
        return None
    conductor = Conductor(prober, [w["host"] for w in everybody], seconds, megabytes)
    compute = conductor.compute(workload)
    found, latency, best = conductor.measure()
    prober.lead(Task("end"))
    return Result(_names(everybody), found, latency, best, conductor.message, conductor.call,
                  workload.message_mb, compute, conductor.spent_s(), conductor.spent_bytes / 1e6,
                  [f"{k} exchange{'s' if k > 1 else ''} of the kind {what}" for what, k in conductor.left_out.items()],
                  load=" ".join(f"{v:.1f}" for v in os.getloadavg()), backend=backend,
                  gpus={w["gpu"] for w in everybody})


def _names(everybody: Sequence[Dict[str, Any]]) -> List[str]:
    """host, or host:local where a host has several ranks; then attach knows who is who."""
    hosts = [w["host"] for w in everybody]
    names: List[str] = []
    for w in everybody:
        place = w["local"] or 0
        while f"{w['host']}:{place}" in names:  # ranks that were started one by one all have the same local rank
            place += 1
        names.append(w["host"] if hosts.count(w["host"]) == 1 else f"{w['host']}:{place}")
    return names


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="torchrun … -m batopo.measure", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", default="cluster.yaml", help="where rank 0 writes the description")
    parser.add_argument("--seconds", type=float, default=60.0, help="for the exchanges, about")
    parser.add_argument("--megabytes", type=float, default=4000.0, help="that a node may send in all")
    parser.add_argument("--model", help="module:function that returns a model and a function for the loss of one batch")
    parser.add_argument("--message-mb", type=float, help="size of a message, where there is no --model or it differs")
    parser.add_argument("--backend", choices=["gloo", "nccl"], help="default: nccl where there are GPUs")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds until a rank that is silent is given up")
    args = parser.parse_args(arguments)
    if not (args.seconds > 0 and args.megabytes > 0 and args.timeout > 0):
        parser.error("--seconds, --megabytes and --timeout must be above 0")
    if any(name not in os.environ for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")):
        parser.error("start it with torchrun: it measures between the processes of torch.distributed")
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if world < 2:
        parser.error("needs at least two ranks")
    store, board = open_store(rank, world, args.timeout)
    guard = Guard(board, rank, world, args.timeout)
    guard.everybody(_cannot_write(args.out) if rank == 0 else None)
    try:
        _run(args, guard, store)
    except (BatopoError, OSError) as error:
        guard.fail(f"rank {rank}: {error}")
    except RuntimeError as error:
        guard.blame(error)


def _cannot_write(path: str) -> Optional[str]:
    """Why a file cannot be written; what is in it stays."""
    new = not os.path.lexists(path)
    try:
        open(path, "a", encoding="utf-8").close()
    except OSError as error:
        return f"cannot write what -o names: {error}"
    if new:
        os.unlink(path)
    return None


def _run(args: argparse.Namespace, guard: Guard, store: Any) -> None:
    """Measures, once all ranks have arrived."""
    backend = args.backend or ("nccl" if torch.cuda.is_available() else "gloo")
    if backend == "nccl":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    dist.init_process_group("gloo", store=store, rank=guard.rank, world_size=guard.world,
                            timeout=timedelta(seconds=args.timeout))
    result = measure(args.seconds, args.megabytes, args.model, args.message_mb, backend, args.timeout)
    if result is not None:
        with open(args.out, "w", encoding="utf-8") as file:
            file.write(cluster_yaml(result))
        print("\n".join(sentences(result)))
        print(f"written: {args.out}", flush=True)
    dist.barrier()
    guard.stop()
    dist.barrier()  # rank 0 may keep the store, and guards look at it until they stop
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
