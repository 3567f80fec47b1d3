"""DistributedDataParallel and batopo.ddp on shaped networks: python3 -m net.ddp [NETWORK …] (root, in python/).

Eight nodes train a model of 2 MB whose gradient takes a twentieth of a second, in turn with DistributedDataParallel,
with its hook for half precision, with batopo.ddp, and with batopo.ddp in half precision. The plan is what `batopo
topology all-reduce` writes for the network. Prints the median time of an iteration, over all rounds of one run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Callable, Dict, List

import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel

import batopo

from .shaped import PAYLOAD, Network, Shaped, why_not
from .still import Watch
from .world import run

ELEMENTS, LAYERS, COMPUTE_S = 500_000, 4, 0.05
PER_MESSAGE_MS = 0.3  # where eight processes take turns on two processors
NETWORKS = {
    "nodes-3to1": Network("nodes-3to1", (60.0,) * 4 + (20.0,) * 4),
    "two-racks": Network("two-racks", (40.0,) * 8, ((0, 1, 2, 3), (4, 5, 6, 7)), (80.0, 80.0)),
    "two-servers": Network("two-servers", (200.0,) * 8, ((0, 1, 2, 3), (4, 5, 6, 7)), (40.0, 40.0)),
    "one-slow": Network("one-slow", (60.0,) * 7 + (20.0,)),
}


class Net(torch.nn.Module):
    """Layers of equal size whose gradients take no processor time. backward: seconds of the backward pass, in which
    gradients become known at an even pace."""

    def __init__(self, elements: int = ELEMENTS, forward: float = COMPUTE_S, backward: float = 0.0,
                 layers: int = LAYERS) -> None:
        super().__init__()
        self.seconds, self.each = forward, backward / layers
        size = elements // layers
        self.weights = torch.nn.ParameterList([torch.nn.Parameter(torch.ones(size)) for _ in range(layers)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        time.sleep(self.seconds)
        for weight in self.weights:
            x = x * weight.mean()
            if self.each:
                x.register_hook(self._computes)
        return x

    def _computes(self, gradient: torch.Tensor) -> None:
        del gradient
        time.sleep(self.each)


def describe(net: Network, message_mb: float, per_message_ms: float, compute_s: float = COMPUTE_S) -> str:
    """The network as a cluster description."""
    def rate(mbit: float) -> str:
        return f"{mbit * PAYLOAD:.4f}Mb/s"
    delay = f"latency_ms: {net.wire.delay_ms:g}"  # of a group's way to the middle
    lines = ["format: batopo.cluster/v2", "backend: gloo", "tree:", "  groups:"]
    groups = net.groups or tuple((i,) for i in range(net.nodes))
    for g, group in enumerate(groups):
        uplink = f", uplink: {{gb_s: {rate(net.uplink[g])}, {delay}}}" if net.uplink else ""
        lines.append(f"    - {{name: g{g}, nodes: {len(group)}, link: {rate(net.link[group[0]])}{uplink}}}")
    return "\n".join([*lines, f"per_message_ms: {per_message_ms}",
                      f"model: {{message_mb: {message_mb}, compute_ms: {compute_s * 1e3:g}}}", ""])


def wrapped(kind: str, plans: Dict[str, str], chunks: int) -> DistributedDataParallel:
    """A model of its own for one way."""
    model = DistributedDataParallel(Net())
    register: Any = model.register_comm_hook
    if kind == "DDP, fp16":
        register(None, default_hooks.fp16_compress_hook)
    elif kind == "batopo.ddp":
        batopo.ddp(model, plans["fp32"], chunks=chunks)
    elif kind == "batopo.ddp, fp16":
        batopo.ddp(model, plans["fp16"], wire="fp16", chunks=chunks)
    return model


KINDS = ("DDP", "DDP, fp16", "batopo.ddp", "batopo.ddp, fp16")


def measure(rank: int, plans: Dict[str, str], rounds: int, chunks: int) -> Dict[str, List[float]]:
    """Milliseconds until the slowest rank is done, all ways in turn; the first rounds are left out."""
    jobs: Dict[str, Callable[[], None]] = {}
    for kind in KINDS:
        model = wrapped(kind, plans, chunks)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
        jobs[kind] = _step(model, optimizer)
    times: Dict[str, List[float]] = {kind: [] for kind in KINDS}
    for _ in range(rounds + 2):
        for kind, job in jobs.items():
            dist.barrier()
            begin = time.perf_counter()
            job()
            spent = torch.tensor([time.perf_counter() - begin])
            dist.all_reduce(spent, op=dist.ReduceOp.MAX)
            times[kind].append(spent.item() * 1e3)
    return {kind: values[2:] for kind, values in times.items()}


def _step(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> Callable[[], None]:
    x = torch.ones(1)

    def step() -> None:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
    return step


def plan_for(net: Network, message_mb: float, per_message_ms: float, folder: Path, program: List[str]) -> str:
    """The quickest collective that the program knows for this network."""
    cluster, plan = folder / f"{net.name}-{message_mb:g}.yaml", folder / f"{net.name}-{message_mb:g}.json"
    cluster.write_text(describe(net, message_mb, per_message_ms))
    subprocess.run([*program, "topology", "all-reduce", "--cluster", str(cluster), "-o", str(plan)], check=True,
                   stdout=subprocess.DEVNULL, cwd=Path(__file__).parents[2])
    return str(plan)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.ddp", description=__doc__)
    parser.add_argument("network", nargs="*", help=", ".join(NETWORKS))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--chunks", type=int, default=0, help="instead of the plan's number")
    parser.add_argument("--per-message", type=float, default=PER_MESSAGE_MS, help="ms that a message costs its sender")
    parser.add_argument("--program", default="go run ./cmd/batopo", help="what runs batopo")
    args = parser.parse_args()
    reason = why_not()
    if reason is not None:
        parser.exit(1, f"no network of namespaces: {reason}\n")
    for name in args.network or ["nodes-3to1"]:
        net = NETWORKS[name]
        with tempfile.TemporaryDirectory() as folder:
            plans = {kind: plan_for(net, size, args.per_message, Path(folder), args.program.split())
                     for kind, size in (("fp32", ELEMENTS * 4e-6), ("fp16", ELEMENTS * 2e-6))}
            said = batopo.read_plan(plans["fp32"])
            with Watch(), Shaped(net) as shaped:
                times = run(shaped, measure, plans, args.rounds, args.chunks, timeout=3600)[0]
        assert said.collective is not None
        print(f"{name}: {len(said.collective.steps)} steps, {args.chunks or said.collective.chunks} chunks, predicted "
              f"{said.round_ms[0]:.0f} ms; load {os.getloadavg()[0]:.1f}; median ms of an iteration")
        base = median(times["DDP"])
        for kind, values in times.items():
            print(f"  {kind:18} {median(values):8.0f}  {base / median(values):5.2f}x   "
                  + " ".join(f"{ms:.0f}" for ms in values), flush=True)


if __name__ == "__main__":
    main()
