"""Two sites behind a slow link, with every way to train there: python3 -m net.clocks times|steps (in python/).

Two sites of four nodes with 20 Mbit/s between them. `times` (root) measures iterations of a model with as many
parameters as the GPT of examples/pytorch, whose gradient takes 200 ms, beside what Go predicts (experiments/links),
and says how long the loss of DDP takes with the steps that experiments/language measured. --between, --ms and
--bucket-mb take several values, which are measured one after the other.
`steps` trains that GPT without a slow link, with three seeds, and says how many steps each way takes to the loss at
which DistributedDataParallel ends. With --times, what `times` wrote, also how long that is on the slow link.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import subprocess
import tempfile
import time
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any, Callable, Dict, List, Optional

import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils.clip_grad import clip_grad_norm_

import batopo

from . import ddp
from .relay import Wire
from .shaped import Network, Shaped, why_not
from .still import Watch
from .world import Here, run

SITES = ((0, 1, 2, 3), (4, 5, 6, 7))
COMPUTE_S, FORWARD, LAYERS = 0.2, 1 / 3, 16  # of the model in `times`; Go takes the forward pass for a third too
LEAST_STEPS = 4  # of a period
LOOK = 8  # steps from one evaluation to the next
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Way:
    """One way to train; plan is one of those that Go made."""

    plan: str = ""
    wire: Optional[str] = None  # "fp16": torch's own hook, or batopo's where there is a plan
    parts: int = 1  # batches whose gradients make one step
    alone: bool = False  # one site without the other
    length: float = 1.0  # of its training, to reach the loss of DDP; rates fall to a tenth over it
    row: str = ""  # what experiments/language calls it

    @property
    def every(self) -> int:
        """Steps from one average between sites to the next; 0: every step."""
        return int(self.plan.split("-")[1]) if self.clocks and not self.alone else 0

    @property
    def clocks(self) -> bool:
        """Whether gradients are averaged inside sites alone."""
        return self.plan.startswith("clocks")

    @property
    def name(self) -> str:
        """Under which Go predicts it."""
        if self.alone or self.clocks:
            return "alone" if self.alone else self.plan
        wire = f"-{self.wire}" if self.wire else ""
        return self.plan or f"ddp{wire}" + (f"-{self.parts}-batches" if self.parts > 1 else "")


WAYS: Dict[str, Way] = {
    "DDP": Way(), "DDP, fp16": Way(wire="fp16"), "batopo.ddp": Way("hook"),
    "batopo.ddp, fp16": Way("hook-fp16", "fp16"), "DDP, 4 batches a step": Way(parts=4, length=0.6),
    "one site alone": Way("clocks-64", alone=True, length=1.6, row="half the nodes alone"),
    "local SGD, H 16": Way("clocks-16", length=1.4, row="groups of 4, H 16"),
    "local SGD, H 16, 8 bits": Way("clocks-16-int8", length=1.4),
    "local SGD, H 16, 16 late": Way("clocks-16-late-16", length=1.6),
    "local SGD, H 64": Way("clocks-64", length=1.6, row="groups of 4, H 64"),
    "local SGD, H 64, 64 late": Way("clocks-64-late-64", length=1.8, row="groups of 4, H 64, late 64"),
    "H 6, 8 bits": Way("clocks-6-int8", row="groups of 4, H 6, 8 bits"),
    "H 4 in pieces, 2 bits": Way("clocks-4-int2", row="groups of 4, H 4 in pieces, 2 bits"),
    "H 4 in pieces, 1 bit": Way("clocks-4-int1", row="groups of 4, H 4 in pieces, 1 bit"),
    "H 4 in pieces, 1 bit, 1 late": Way("clocks-4-late-1", row="groups of 4, H 4 in pieces, 1 bit, late 1"),
}

TIMED = ("DDP, fp16", "one site alone", "local SGD, H 64", "H 6, 8 bits", "H 4 in pieces, 2 bits",
         "H 4 in pieces, 1 bit", "H 4 in pieces, 1 bit, 1 late")  # unless others are asked for
TRAINED = ("DDP", "DDP, fp16", "batopo.ddp, fp16", "DDP, 4 batches a step", "one site alone", "local SGD, H 16",
           "local SGD, H 16, 8 bits")


def network(inside: float, between: float, ms: float) -> Network:
    """Two sites of four nodes, ms away from each other."""
    return Network("two-sites", (inside,) * 8, SITES, (between, between), wire=Wire(ms / 2))


def predictions(net: Network, megabytes: float, bucket_mb: float, folder: Path) -> Dict[str, float]:
    """Milliseconds of an iteration of every way, as Go predicts them; its plans are in the folder afterwards."""
    cluster, said = folder / "cluster.yaml", folder / "predictions.txt"
    cluster.write_text(ddp.describe(net, megabytes, ddp.PER_MESSAGE_MS, COMPUTE_S))
    subprocess.run(["go", "run", "./experiments/links", "-clocks", "-cluster", cluster, "-plans", folder, "-o", said,
                    "-bucket-mb", str(bucket_mb)], check=True, cwd=ROOT)
    found: Dict[str, float] = json.loads(said.read_text())
    return found


def measured_steps() -> Dict[str, List[float]]:
    """Steps of DDP = 1, with the ends of the interval, of what experiments/language ran with three seeds."""
    file = json.loads((ROOT / "internal/ground/steps/steps.json").read_text())
    return {row["name"]: [row[key] for key in ("relative_steps", "low", "high")]
            for row in file["rows"] + file["few_bits"] if row["low"] is not None}


class Job:
    """A model and its optimizer, trained in one way."""

    def __init__(self, way: Way, model: torch.nn.Module, optimizer: Callable[[Any], torch.optim.Optimizer],
                 plans: Path, bucket_mb: float = 25.0) -> None:
        first = min(1 << 20, int(bucket_mb * 1e6))
        setattr(dist, "_DEFAULT_FIRST_BUCKET_BYTES", first)  # otherwise small buckets begin with a large one
        self.way, self.model = way, DistributedDataParallel(model, bucket_cap_mb=bucket_mb * 1e6 / (1 << 20))
        self.optimizer = optimizer(self.model.parameters())
        self.gossip: Any = None
        self.close: Callable[[], None] = lambda: None
        register: Any = self.model.register_comm_hook
        if way.clocks:  # alone: the first average would come after the end
            self.gossip = batopo.attach(self.optimizer, plans / f"{way.plan}.json", model=self.model,
                                        every=1 << 20 if way.alone else None)
            self.close = self.gossip.detach
        elif way.plan:
            self.close = batopo.ddp(self.model, plans / f"{way.plan}.json", wire=way.wire).close
        elif way.wire:
            register(None, default_hooks.fp16_compress_hook)

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


def times(rank: int, plans: Path, names: List[str], elements: int, bucket_mb: float,
          rounds: int) -> Dict[str, List[float]]:
    """Milliseconds of an iteration, all ways in turn: the mean of a period, or of four iterations."""
    del rank
    jobs = {name: Job(WAYS[name], ddp.Net(elements, FORWARD * COMPUTE_S, (1 - FORWARD) * COMPUTE_S, LAYERS),
                      lambda p: torch.optim.SGD(p, lr=0.0), plans, bucket_mb) for name in names}
    out: Dict[str, List[float]] = {name: [] for name in jobs}
    x = torch.ones(1)
    for _ in range(rounds + 1):
        for name, job in jobs.items():
            steps = max(job.way.every, LEAST_STEPS)

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


def curves(rank: int, plans: Path, names: List[str], seed: int, args: argparse.Namespace) -> List[Dict[str, Any]]:
    """Losses after every few steps, of each way."""
    gpt, out = example(), []
    held_out = gpt.written(128, 33, 10_000_019)
    text = gpt.written(4096, 33, seed)[rank::8]
    for name in names:
        way = WAYS[name]
        steps = round(args.steps * way.length)
        torch.manual_seed(seed)
        job = Job(way, gpt.GPT(args.width), lambda p: torch.optim.AdamW(
            p, lr=args.rate, betas=(0.9, 0.95), weight_decay=0.1), plans)
        scheduler = torch.optim.lr_scheduler.LambdaLR(job.optimizer, lambda step: gpt.rate(step, steps))
        picks = torch.Generator().manual_seed(1000 * seed + rank)
        curve = []
        for step in range(1, steps + 1):
            job.step(lambda: job.model(text[torch.randint(len(text), (args.batch,), generator=picks)]))
            scheduler.step()
            if step % LOOK == 0 or step == steps:
                with job.mean(), torch.no_grad():
                    curve.append((step, job.model.module(held_out).item() if rank == 0 else math.nan))
        job.close()
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
    parser.add_argument("--inside", type=float, default=200.0, help="Mbit/s of a node")
    parser.add_argument("--between", type=float, nargs="+", default=[20.0], help="Mbit/s of a site")
    parser.add_argument("--ms", type=float, nargs="+", default=[0.0], help="from site to site, one way")
    parser.add_argument("--bucket-mb", type=float, nargs="+", default=[25.0])
    parser.add_argument("--mb", type=float, help="of the model, where it is not the GPT's size")
    parser.add_argument("--way", action="append", choices=sorted(WAYS), help="only these; DDP comes first")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=192)
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--times", type=Path, help="what times has written with -o")
    parser.add_argument("-o", "--out", type=Path)
    args = parser.parse_args()
    elements = round(args.mb * 250_000) if args.mb else sum(p.numel() for p in example().GPT(args.width).parameters())
    chosen = args.way or (TIMED if args.what == "times" else TRAINED)
    names = ["DDP"] + [name for name in chosen if name != "DDP"]
    load, result = os.getloadavg(), []
    if args.what == "times":
        reason = why_not()
        if reason is not None:
            parser.exit(1, f"no network of namespaces: {reason}\n")
        for between, ms, bucket_mb in product(args.between, args.ms, args.bucket_mb):
            result += measure(args.inside, between, ms, bucket_mb, names, elements, args.rounds)
    else:
        with tempfile.TemporaryDirectory() as folder:
            predictions(network(args.inside, args.between[0], args.ms[0]), 4e-6 * elements, 25.0, Path(folder))
            for seed in range(1, args.seeds + 1):
                result += run(Here(8), curves, Path(folder), names, seed, args, timeout=7200)[0]
        show_steps(result, json.loads(args.times.read_text())["result"] if args.times else [])
    print(f"load {load[0]:.1f} before, {os.getloadavg()[0]:.1f} after")
    if args.out:
        args.out.write_text(json.dumps({"load": [load, os.getloadavg()], "result": result}) + "\n")


def measure(inside: float, between: float, ms: float, bucket_mb: float, names: List[str], elements: int,
            rounds: int) -> List[Dict[str, Any]]:
    """A table for one network."""
    net = network(inside, between, ms)
    with tempfile.TemporaryDirectory() as folder:
        said = predictions(net, 4e-6 * elements, bucket_mb, Path(folder))
        with Watch(), Shaped(net) as shaped:
            taken = run(shaped, times, Path(folder), names, elements, bucket_mb, rounds, timeout=3600)[0]
    print(f"{between:g} Mbit/s and {ms:g} ms between sites, {4e-6 * elements:.2f} MB in buckets of {bucket_mb:g} MB")
    result = [{"way": name, "between": between, "delay_ms": ms, "bucket_mb": bucket_mb,
               "predicted": said[WAYS[name].name], "ms": taken[name]} for name in names]
    show_times(result)
    return result


def show_times(result: List[Dict[str, Any]]) -> None:
    """A line for each way."""
    steps, base = measured_steps(), median(result[0]["ms"])
    for one in result:
        said, was, row = one["predicted"], median(one["ms"]), WAYS[one["way"]].row
        many = steps.get(row, [1.0] * 3 if not row else [math.nan] * 3)
        gains = [base / was / each for each in (many[0], many[2], many[1])]
        print(f"{one['way']:28} {said:7.0f} predicted {was:7.0f} measured {was / said - 1:+6.1%}  {many[0]:5.2f} x the "
              f"steps, {gains[0]:5.2f} ({gains[1]:.2f} to {gains[2]:.2f}) times as fast   "
              + " ".join(f"{ms:.0f}" for ms in one["ms"]), flush=True)


def show_steps(runs: List[Dict[str, Any]], times_of: List[Dict[str, Any]]) -> None:
    """How many steps each way takes to the loss with which DDP of the same seed ends, and how long that is."""
    measured = {one["way"]: median(one["ms"]) for one in times_of}
    ends = {one["seed"]: one["curve"][-1] for one in runs if one["way"] == "DDP"}
    for name in dict.fromkeys(one["way"] for one in runs):
        mine = [one for one in runs if one["way"] == name]
        took = [reached(one["curve"], ends[one["seed"]][1]) for one in mine]
        known = [steps / ends[one["seed"]][0] for one, steps in zip(mine, took) if steps is not None]
        above = [one["curve"][-1][1] - ends[one["seed"]][1] for one in mine]
        text = f"not reached with {len(mine) - len(known)} of {len(mine)} seeds; ends at most {max(above):.5f} above it"
        if len(known) == len(mine):
            error = 4.303 * stdev(known) / math.sqrt(3) if len(known) == 3 else math.nan  # 95 %, Student
            text = f"{mean(known):.2f} ± {error:.2f} times the steps of DDP"
            if name in measured:
                ms = measured[name]
                text += f", {ms:.0f} ms each: {measured['DDP'] / ms / mean(known):.2f} times as fast"
        print(f"{name:26} {text}   " + " ".join(f"{one['curve'][-1][1]:.4f}" for one in mine), flush=True)


if __name__ == "__main__":
    main()
