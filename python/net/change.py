"""A run that follows its network: python3 -m net.change BATOPO PLAN (root, in python/).

Eight nodes average in rounds; after BEFORE of them one node's link falls to a quarter. Every LOOK rounds rank 0 asks
`batopo replan` with a description of the network at that time, and all switch when it says so. Prints every round.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List

import torch
import torch.distributed as dist

import batopo

from .shaped import PAYLOAD, Network, Shaped
from .world import run

BEFORE, AFTER, LOOK = 10, 30, 5
SLOW_NODE, LINK, SLOW_LINK = 3, 20.0, 5.0
ELEMENTS = 100_000


def follow(rank: int, shaped: Shaped, program: str, plan: str, folder: str) -> List[Dict[str, Any]]:
    """What one rank does; the rounds are the same on all."""
    parameter = torch.nn.Parameter(torch.full((ELEMENTS,), float(rank)))
    gossip = batopo.attach(torch.optim.SGD([parameter], lr=0.1), plan, explicit=True)
    running = plan
    seen: List[Dict[str, Any]] = []
    for k in range(BEFORE + AFTER):
        if k == BEFORE and rank == 0:
            shaped.set_link(SLOW_NODE, SLOW_LINK)
        dist.barrier()
        gossip.mix()
        slowest = torch.tensor([gossip.timings()[-1].ms])
        dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
        seen.append({"round": k, "ms": slowest.item(), "plan": gossip.plan.hash[:8]})
        if k % LOOK == LOOK - 1:
            now, following = f"{folder}/now", f"{folder}/next-{k}.json"
            answer: List[Any] = [None]
            if rank == 0:
                Path(now).write_text(describe(k >= BEFORE), encoding="utf-8")
                answer = [_ask(program, running, now, following)]
            dist.broadcast_object_list(answer, 0)
            seen[-1]["answer"] = answer[0]
            if answer[0]["keep"] is False:
                gossip.switch(following)
                running = following
    return seen


def describe(changed: bool) -> str:
    """The network before or after its change."""
    links = [SLOW_LINK if changed and node == SLOW_NODE else LINK for node in range(8)]
    rates = ", ".join(f"{link * PAYLOAD / 8000:.6g}" for link in links)
    return (f"format: batopo.cluster/v2\nnodes: 8\nbandwidth: [{rates}]\n"
            f"model: {{message_mb: {4 * ELEMENTS / 1e6:g}, compute_ms: 0}}\n")


def _ask(program: str, plan: str, now: str, following: str) -> Dict[str, Any]:
    done = subprocess.run([program, "replan", plan, "--cluster", now, "-o", following, "--json", "--changes", "0.5"],
                          capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    return {key: said.get(key) for key in ("keep", "why", "now", "new", "dropped", "added")}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.change", description=__doc__)
    parser.add_argument("batopo", type=Path, help="the program")
    parser.add_argument("plan", type=Path)
    parser.add_argument("-o", "--out", type=Path)
    args = parser.parse_args()
    load = os.getloadavg()
    with tempfile.TemporaryDirectory() as folder, Shaped(Network("equal", (LINK,) * 8)) as shaped:
        seen = run(shaped, follow, shaped, str(args.batopo.resolve()), str(args.plan.resolve()), folder,
                   timeout=600)[0]
    for line in seen:
        print(f"round {line['round']:3}  {line['ms']:7.0f} ms  {line['plan']}  {line.get('answer', '')}")
    if args.out:
        args.out.write_text(json.dumps({"load": [load, os.getloadavg()], "rounds": seen}, indent=1) + "\n")


if __name__ == "__main__":
    main()
