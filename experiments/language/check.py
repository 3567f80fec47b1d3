"""Checks the way of computing on the machine at hand before its numbers are trusted: a minute on a GPU."""

from __future__ import annotations

import dataclasses

import torch

from . import net
from .settings import Entry
from .simulate import Bench, Run
from .trainer import Trainer, shape_of

GRADIENT = 0.1  # of its length: bfloat16 against float32
LOSS = 0.1  # of the way that the loss went in the steps of a check
EQUAL = 0.01  # of the way that parameters went: float32 sums in another order

Fields = dict[str, object]
KINDS: dict[str, Fields] = {
    "synchronous": {"group": 8},
    "exact": {},
    "exact H 2": {"every": 2},
    "one-peer": {"process": "one-peer-exponential"},
    "ring": {"process": "ring"},
    "plan": {"process": "training-8-12.json"},
    "outer": {"every": 2, "outer_lr": 0.7, "outer_momentum": 0.9, "synchronous": 4},
    "late": {"every": 2, "delay": 2},
    "8 bits": {"every": 2, "bits": 8},
    "16 bits": {"every": 2, "bits": 16},
    "1 bit in pieces": {"every": 4, "pieces": True, "bits": 1},
    "2 bits, one stage": {"every": 2, "bits": 2, "stages": 1},
    "largest in pieces": {"every": 2, "pieces": True, "bits": 2, "stages": 1, "top": 128, "keep": 0.95},
    "moments": {"state": "mv"},
    "domains": {"data": "domains"},
}


def check(bench: Bench, size: str = "small", sequences: int = 16, context: int = 256) -> list[str]:
    """What is wrong with this way of computing; empty when nothing is."""
    # At ten times this rate a step of AdamW from the start is so long that rounding decides where it ends.
    base = Entry("check", size=size, sequences=sequences, context=context, steps=8, warmup=2, lr=1e-4)
    plain_options = dataclasses.replace(bench.options, dtype="float32", compiled=False, graphs=False)
    plain, wrong = Bench(bench.text, plain_options, bench.say), list[str]()
    for group in (8, 1):
        e = dataclasses.replace(base, group=group)
        mine, want = (_first_moment(b, e) for b in (bench, plain))
        off = float((mine - want).norm() / want.norm())
        wrong += _judge(bench, f"gradient of {e.replicas} models", off, GRADIENT)
    begun = _start(plain, base)
    for name, fields in KINDS.items():
        e = dataclasses.replace(base, **fields)  # type: ignore[arg-type]
        mine_loss, want_loss = (Run(e, b).run(8)["loss"] for b in (bench, plain))
        off = abs(mine_loss - want_loss) / abs(begun - want_loss)
        wrong += _judge(bench, f"loss of {name}, from {begun:.4f} to {mine_loss:.4f}", off, LOSS)
    sgd = dataclasses.replace(base, optimizer="sgd", lr=0.1, clip=1e9)
    ends = []
    for group in (8, 1):
        e = dataclasses.replace(sgd, group=group)
        Run(e, plain).run(8)
        ends.append(plain.trainers[shape_of(e)].x[:1].clone())
    start = plain.trainers[shape_of(sgd)].layout.initial(sgd.seed).to(ends[0].device)
    off = float((ends[1] - ends[0]).norm() / (ends[0] - start).norm())
    wrong += _judge(bench, "SGD: all-reduce of parameters against synchronous", off, EQUAL)
    if bench.options.device == "cuda":
        bench.say(f"memory {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB")
    used = next(iter(bench.trainers.values()))
    if used.options != bench.options:
        bench.say(f"asked for {bench.options}, but computes with {used.options}")
    return wrong


def _judge(bench: Bench, what: str, off: float, limit: float) -> list[str]:
    bench.say(f"  {what}: off by {off:.2g}, limit {limit}")
    return [] if off <= limit else [f"{what}: off by {off:.2g}; the limit is {limit}"]


def _first_moment(bench: Bench, e: Entry) -> torch.Tensor:
    """A tenth of the clipped gradients of the first step."""
    trainer = _loaded(bench, e)
    trainer.step()
    return trainer.m.clone()


def _start(bench: Bench, e: Entry) -> float:
    """The loss before the first step."""
    trainer = _loaded(bench, e)
    each = [net.measured(trainer.layout, trainer.x[:1], w) for w in bench.windows(e.context, 8).values()]
    return sum(each) / len(each)


def _loaded(bench: Bench, e: Entry) -> Trainer:
    trainer = bench.trainer(e)
    trainer.plan(bench.text.places(e), e.rates())
    first = trainer.layout.initial(e.seed)
    trainer.load([first, torch.zeros_like(first), torch.zeros_like(first)], 0)
    return trainer
