"""Two sites behind a slow link, with every way to train there: python3 -m net.clocks times|steps (root, in python/).

Two sites of four nodes, 100 Mbit/s inside and 20 between. `times` measures iterations of a model of 3.2 MB whose
gradient takes 200 ms, beside what is predicted. `steps` trains the GPT of examples/pytorch without a slow link, with
three seeds, and says how many steps each way takes to the loss at which DistributedDataParallel ends. With --times,
what `times` wrote, also how long that is on the slow link.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import tempfile
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any, Callable, Dict, List, Optional

import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils.clip_grad import clip_grad_norm_

import batopo
from batopo.plan import Collective, Plan, plan_hash

from . import ddp
from .shaped import PAYLOAD, Network, Shaped, why_not
from .still import Watch
from .world import Here, run

SITES = ((0, 1, 2, 3), (4, 5, 6, 7))
INSIDE, BETWEEN = 100.0, 20.0  # Mbit/s
NETWORK = Network("two-sites", (INSIDE,) * 8, SITES, (BETWEEN, BETWEEN))
MB, COMPUTE_S = 3.2, 0.2  # of the model in `times`
LOOK = 8  # steps from one evaluation to the next
ROOT = Path(__file__).parents[2]


def two_clocks(every: int, delay: int, wire: Optional[str]) -> Plan:
    """Gradients inside sites in every step, parameters or changes between them."""
    plan = Plan(8, kind="collective", collective=Collective("ring", (0, 1)), groups=SITES, inside_gradients=True,
                every=every, delay=delay, wire=wire or "", average="changes" if wire == "int8" else "parameters")
    return replace(plan, hash=plan_hash(plan))


@dataclass(frozen=True)
class Way:
    """One way to train. plan: for attach; hook: what DistributedDataParallel does itself."""

    hook: str = ""  # "fp16": torch's own; "batopo": batopo.ddp
    wire: Optional[str] = None
    every: int = 0
    delay: int = 0
    parts: int = 1  # batches whose gradients make one step
    alone: bool = False  # one site without the other
    length: float = 1.0  # of its training, to reach the loss of DDP; rates fall to a tenth over it

    def predicted(self, megabytes: float, compute_ms: float, hook_ms: float) -> float:
        """Milliseconds of an iteration: the link that is busiest, one transfer behind the other."""
        inside, between = (megabytes * 8e3 / (mbit * PAYLOAD) for mbit in (INSIDE, BETWEEN))
        if self.every or self.alone:  # a ring of four; then shards between sites, and inside again
            own = compute_ms + 1.5 * inside
            outer = between * (257 / 1024 if self.wire == "int8" else 1.0) + 0.75 * inside
            return own if self.alone else own + max(0.0, outer - self.delay * own) / self.every
        share = 0.5 if self.hook == "fp16" or self.wire else 1.0
        if self.hook == "batopo":
            return self.parts * compute_ms + hook_ms * share
        return self.parts * compute_ms + 1.75 * between * share  # a ring of eight crosses the link once each way


WAYS: Dict[str, Way] = {
    "DDP": Way(), "DDP, fp16": Way("fp16"), "batopo.ddp": Way("batopo"), "batopo.ddp, fp16": Way("batopo", "fp16"),
    "DDP, 4 batches a step": Way(parts=4), "one site alone": Way(alone=True),
    "two clocks, H 16": Way(every=16), "two clocks, H 16, 8 bits": Way(every=16, wire="int8"),
    "two clocks, H 16, 16 late": Way(every=16, delay=16), "two clocks, H 64": Way(every=64),
    "two clocks, H 64, 64 late": Way(every=64, delay=64),
}
TRAINED: Dict[str, Way] = {
    "DDP": Way(), "DDP, fp16": Way("fp16"), "batopo.ddp, fp16": Way("batopo", "fp16"),
    "DDP, 4 batches a step": Way(parts=4, length=0.6), "two clocks, H 16": Way(every=16, length=1.4),
    "two clocks, H 16, 8 bits": Way(every=16, wire="int8", length=1.4),
    "two clocks, H 64": Way(every=64, length=1.6), "one site alone": Way(alone=True, length=1.6),
}


class Job:
    """A model and its optimizer, trained in one way."""

    def __init__(self, way: Way, model: torch.nn.Module, optimizer: Callable[[Any], torch.optim.Optimizer],
                 plan: str) -> None:
        self.way, self.model = way, DistributedDataParallel(model)
        self.optimizer = optimizer(self.model.parameters())
        self.gossip: Any = None
        register: Any = self.model.register_comm_hook
        if way.hook == "fp16":
            register(None, default_hooks.fp16_compress_hook)
        elif way.hook == "batopo":
            batopo.ddp(self.model, plan, wire=way.wire)
        elif way.every or way.alone:  # alone: the first average would come after the end
            self.gossip = batopo.attach(self.optimizer, two_clocks(way.every or 1 << 20, way.delay, way.wire),
                                        model=self.model)

    def step(self, loss: Callable[[], torch.Tensor]) -> None:
        """One step of the optimizer."""
        self.optimizer.zero_grad()
        for part in range(self.way.parts):
            alone: Any = self.model.no_sync
            with nullcontext() if part == self.way.parts - 1 else alone():
                (loss() / self.way.parts).backward()
        clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def mean(self) -> Any:
        """Inside, the model is what is evaluated."""
        return nullcontext() if self.gossip is None or self.way.alone else self.gossip.averaged()


def timed(job: Callable[[], None]) -> float:
    """Seconds until the slowest rank is done."""
    dist.barrier()
    begin = time.perf_counter()
    job()
    spent = torch.tensor([time.perf_counter() - begin])
    dist.all_reduce(spent, op=dist.ReduceOp.MAX)
    return spent.item()


def times(rank: int, plan: str, rounds: int) -> Dict[str, List[float]]:
    """Milliseconds of an iteration, all ways in turn: the mean of a period, or of four iterations."""
    del rank
    elements = int(MB * 1e6 / 4)
    jobs = {name: Job(way, ddp.Net(elements, COMPUTE_S), lambda p: torch.optim.SGD(p, lr=0.0), plan)
            for name, way in WAYS.items()}
    out: Dict[str, List[float]] = {name: [] for name in jobs}
    x = torch.ones(1)
    for k in range(rounds + 1):
        for name, job in jobs.items():
            steps = job.way.every or 4

            def period() -> None:
                for _ in range(steps):
                    job.step(lambda: job.model(x).sum())
            out[name].append(timed(period) / steps * 1e3)
    return {name: values[1:] for name, values in out.items()}  # the first makes connections


def example() -> Any:
    """examples/pytorch/gpt.py."""
    spec = importlib.util.spec_from_file_location("gpt", ROOT / "examples/pytorch/gpt.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def curves(rank: int, plan: str, names: List[str], seeds: List[int], args: argparse.Namespace) -> List[Dict[str, Any]]:
    """Losses after every few steps, of each way and seed."""
    gpt, out = example(), []
    held_out = gpt.written(256, 33, 10_000_019)
    for seed in seeds:
        text = gpt.written(4096, 33, seed)[rank::8]
        for name in names:
            way = TRAINED[name]
            steps = round(args.steps * way.length)
            torch.manual_seed(seed)
            job = Job(way, gpt.GPT(args.width), lambda p: torch.optim.AdamW(
                p, lr=args.rate, betas=(0.9, 0.95), weight_decay=0.1), plan)
            scheduler = torch.optim.lr_scheduler.LambdaLR(job.optimizer, lambda step: gpt.rate(step, steps))
            picks = torch.Generator().manual_seed(1000 * seed + rank)
            curve = []
            for step in range(1, steps + 1):
                job.step(lambda: job.model(text[torch.randint(len(text), (args.batch,), generator=picks)]))
                scheduler.step()
                if step % LOOK == 0 or step == steps:
                    with job.mean(), torch.no_grad():
                        curve.append((step, job.model.module(held_out).item() if rank == 0 else math.nan))
            out.append({"way": name, "seed": seed, "curve": curve})
            if rank == 0:
                print(f"seed {seed}, {name}: {steps} steps, loss {curve[-1][1]:.4f}", flush=True)
    return out


def reached(curve: List[Any], loss: float) -> Optional[float]:
    """Steps until a curve is at a loss and stays there; between two looks it is taken for straight."""
    late = [k for k, (_, value) in enumerate(curve) if value > loss]
    k = late[-1] + 1 if late else 0
    if k == len(curve) or k == 0:
        return float(curve[0][0]) if k == 0 else None
    (a, high), (b, low) = curve[k - 1], curve[k]
    return a + (b - a) * (high - loss) / (high - low)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.clocks", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("times", "steps"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default="go run ./cmd/batopo", help="how to call batopo in the repository")
    parser.add_argument("--way", action="append", choices=sorted(TRAINED), help="train only these; DDP comes first")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=96)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--times", type=Path, help="what times has written with -o")
    parser.add_argument("-o", "--out", type=Path)
    args = parser.parse_args()
    reason = why_not()
    if reason is not None:
        parser.exit(1, f"no network of namespaces: {reason}\n")
    load = os.getloadavg()
    size = MB if args.what == "times" else sum(p.numel() for p in example().GPT(args.width).parameters()) * 4e-6
    with tempfile.TemporaryDirectory() as folder, Watch():
        plan = ddp.plan_for(NETWORK, size, ddp.PER_MESSAGE_MS, Path(folder), args.program.split())
        result: Any
        if args.what == "times":
            with Shaped(NETWORK) as shaped:
                result = run(shaped, times, plan, args.rounds, timeout=3600)[0]
            show_times(result, batopo.read_plan(plan).round_ms[0])
        else:
            names = ["DDP"] + [name for name in args.way or TRAINED if name != "DDP"]
            result = run(Here(8), curves, plan, names, list(range(1, args.seeds + 1)), args, timeout=7200)[0]
            show_steps(result, json.loads(args.times.read_text())["result"] if args.times else {})
    print(f"load {load[0]:.1f} before, {os.getloadavg()[0]:.1f} after")
    if args.out:
        args.out.write_text(json.dumps({"load": [load, os.getloadavg()], "result": result}) + "\n")


def show_times(result: Dict[str, List[float]], hook_ms: float) -> None:
    """A line for each way."""
    for name, values in result.items():
        said, was = WAYS[name].predicted(MB, COMPUTE_S * 1e3, hook_ms), median(values)
        print(f"{name:28} {said:7.0f} predicted {was:7.0f} measured {was / said - 1:+6.1%}   "
              + " ".join(f"{ms:.0f}" for ms in values), flush=True)


def show_steps(runs: List[Dict[str, Any]], measured: Dict[str, List[float]]) -> None:
    """How many steps each way takes to the loss with which DDP of the same seed ends, and how long that is."""
    ends = {one["seed"]: one["curve"][-1] for one in runs if one["way"] == "DDP"}
    for name in dict.fromkeys(one["way"] for one in runs):
        mine = [one for one in runs if one["way"] == name]
        took = [reached(one["curve"], ends[one["seed"]][1]) for one in mine]
        known = [steps / ends[one["seed"]][0] for one, steps in zip(mine, took) if steps is not None]
        text = f"not reached with {len(mine) - len(known)} of {len(mine)} seeds"
        if len(known) == len(mine):
            error = 4.303 * stdev(known) / math.sqrt(3) if len(known) == 3 else math.nan  # 95 %, Student
            text = f"{mean(known):.2f} ± {error:.2f} times the steps of DDP"
            if name in measured:
                ms, base = median(measured[name]), median(measured["DDP"])
                text += f", {ms:.0f} ms each: {base / ms / mean(known):.2f} times as fast"
        print(f"{name:26} {text}   " + " ".join(f"{one['curve'][-1][1]:.4f}" for one in mine), flush=True)


if __name__ == "__main__":
    main()
