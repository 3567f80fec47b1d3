"""Wall-clock time to an accuracy on shaped networks: python3 -m net.headline CLUSTER PLANS -o result.json (root).

A small network learns clothes (Fashion-MNIST) or the next character of a text (net.tasks) on eight nodes: with
DistributedDataParallel, with parameters averaged every 8 steps, with the one-peer exponential graph, and with the plan
that `batopo plan` recommends for this model. Evaluating the averaged model is not counted. Plans are
PLANS/one-peer.json and PLANS/ours-TASK.json.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Optional

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo import read_plan
from batopo.plan_file import Collective, Plan, plan_hash

from .shaped import Shaped, networks
from .still import Watch
from .tasks import TASKS, Task
from .world import run

MOMENTUM, EVERY, LOCAL_STEPS = 0.9, 8, 8
METHODS = ("ddp", "local", "one-peer", "ours")


def plan_of(method: str, task: str, plans: Path) -> Optional[Plan]:
    """What runs; None is DistributedDataParallel."""
    if method == "ddp":
        return None
    if method == "local":
        nodes = dist.get_world_size()
        local = Plan(nodes, kind="collective", every=LOCAL_STEPS, collective=Collective("ring", tuple(range(nodes))))
        return replace(local, hash=plan_hash(local))
    return read_plan(plans / (f"ours-{task}.json" if method == "ours" else f"{method}.json"))


class Run:
    """One rank of one method."""

    def __init__(self, task: Task, plan: Optional[Plan], seed: int) -> None:
        torch.manual_seed(seed)
        self.batch, self.model = task.batch, task.model()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=task.rate, momentum=MOMENTUM)
        self.called: torch.nn.Module = self.model
        self.gossip: Optional[batopo.Gossip] = None
        if plan is None:
            self.called = DistributedDataParallel(self.model)
        else:
            self.gossip = batopo.attach(self.optimizer, plan)
        self.draw = torch.Generator().manual_seed(1000 * seed + dist.get_rank())

    def step(self, x: torch.Tensor, y: torch.Tensor) -> None:
        chosen = torch.randint(0, len(x), (self.batch,), generator=self.draw)
        loss = torch.nn.functional.cross_entropy(self.called(x[chosen]), y[chosen])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def right(self, x: torch.Tensor, y: torch.Tensor) -> float:
        """The share of right answers of the averaged model."""
        if self.gossip is None:
            return _right(self.model, x, y)
        with self.gossip.averaged():
            return _right(self.model, x, y)


@torch.no_grad()
def _right(model: torch.nn.Module, x: torch.Tensor, y: torch.Tensor) -> float:
    return (model(x).argmax(1) == y).float().mean().item()


def train(rank: int, name: str, methods: List[str], plans: Path, seeds: List[int], seconds: float,
          watch: Watch) -> List[Dict[str, Any]]:
    """Every method and seed until the target or until the time is over; still: the share of the whole run in which the
    machine stood still."""
    task = TASKS[name]
    (x, y), test = task.rows(rank, dist.get_world_size())
    out = []
    for seed in seeds:
        for method in methods:
            job = Run(task, plan_of(method, name, plans), seed)
            start, spent, step, curve = time.perf_counter(), 0.0, 0, []
            while True:
                dist.barrier()
                begin = time.perf_counter()
                for _ in range(EVERY):
                    job.step(x, y)
                took = torch.tensor([time.perf_counter() - begin])
                dist.all_reduce(took, op=dist.ReduceOp.MAX)
                spent, step = spent + took.item(), step + EVERY
                share = torch.tensor([job.right(*test)])
                dist.broadcast(share, 0)
                curve.append([round(spent, 3), round(share.item(), 4)])
                if share >= task.target or spent > seconds:
                    break
            out.append({"method": method, "seed": seed, "steps": step, "seconds": spent,
                        "reached": share.item() >= task.target, "curve": curve,
                        "still": round(watch.still(start, time.perf_counter()), 3)})
    return out


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.headline", description=__doc__)
    parser.add_argument("network", choices=[net.name for net in networks()])
    parser.add_argument("plans", type=Path)
    parser.add_argument("-o", "--out", type=Path)
    parser.add_argument("--task", choices=sorted(TASKS), default="clothes")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60.0, help="the longest run")
    parser.add_argument("--method", action="append", choices=METHODS)
    args = parser.parse_args()
    net = next(net for net in networks() if net.name == args.network)
    load = os.getloadavg()
    with Watch() as watch, Shaped(net) as shaped:
        runs = run(shaped, train, args.task, args.method or list(METHODS), args.plans.resolve(),
                   list(range(1, args.seeds + 1)), args.seconds, watch, timeout=3600)[0]
    for one in runs:
        print(net.name, one["method"], one["seed"], one["steps"], f"{one['seconds']:.1f} s", one["reached"],
              one["curve"][-1][1], f"still {one['still']:.0%}", flush=True)
    if args.out:
        args.out.write_text(json.dumps({"load": [load, os.getloadavg()], "task": args.task,
                                        "target": TASKS[args.task].target, "runs": runs}) + "\n")


if __name__ == "__main__":
    main()
