"""Runs one entry: the synchronous start, the steps between exchanges, and the loss of the averaged model."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import torch

from . import net
from .exchange import Exchange
from .settings import SIZES, Entry
from .text import Text
from .trainer import Options, Shape, Trainer, shape_of

PEAK = 989e12  # dense bfloat16 of an H100 or H200, operations a second
LOST = 6.0  # a loss above this is worse than knowing nothing (ln 128 = 4.85)
State = list[torch.Tensor]


def step_seconds(e: Entry) -> float:
    """Of a step on an H200: a quarter of the peak; measured with the small size are 0.23 to 0.27 of it."""
    return net.Layout(SIZES[e.size], e.context).flops(e.nodes * e.sequences * e.context) / PEAK / 0.25


@dataclass
class Clock:
    """Measured time of a shape."""

    ready: float = 0.0  # seconds until its first step
    steps: int = 0
    seconds: float = 0.0


@dataclass
class Bench:
    """What runs share: the text, recorded steps, states of synchronous runs, measured times."""

    text: Text
    options: Options
    say: Callable[[str], None] = print
    wanted: dict[Entry, set[int]] = field(default_factory=dict)  # synchronous run → states that others start from
    trainers: dict[Shape, Trainer] = field(default_factory=dict)
    starts: dict[tuple[Entry, int], State] = field(default_factory=dict)
    clocks: dict[Shape, Clock] = field(default_factory=dict)
    held: dict[tuple[int, int], dict[str, torch.Tensor]] = field(default_factory=dict)

    def trainer(self, e: Entry) -> Trainer:
        """The models of that shape. Where compiling or recording fails, it is said, and done without."""
        shape = shape_of(e)
        if shape in self.trainers:
            return self.trainers[shape]
        if any(s.size != shape.size for s in self.trainers):
            self.trainers.clear()  # their memory is for the new size
        begun, options = time.monotonic(), self.options
        plain = replace(options, compiled=False)
        ways = list(dict.fromkeys((options, plain, replace(plain, graphs=False))))
        for way in ways:
            try:
                self.trainers[shape] = Trainer(shape, self.text, way)
                break
            except Exception:
                self.say(f"{shape}: {way} failed:\n{traceback.format_exc()[-1500:]}")
                if way == ways[-1]:
                    raise
        self.clocks[shape] = Clock(ready=time.monotonic() - begun)
        return self.trainers[shape]

    def windows(self, context: int, part: int) -> dict[str, torch.Tensor]:
        if (context, part) not in self.held:
            self.held[context, part] = {d: self.text.windows(d, context, part) for d in self.text.domains}
        return self.held[context, part]

    def start(self, e: Entry) -> tuple[int, State | None]:
        """The latest kept state of the synchronous run that e begins with."""
        dense = e.dense()
        steps = [s for (of, s) in self.starts if of == dense and s <= (e.synchronous if e.replicas > 1 else e.steps)]
        return (max(steps), self.starts[dense, max(steps)]) if steps else (0, None)

    def estimate(self, e: Entry) -> float:
        """Seconds that a run will take: measured for its shapes so far, or operations at a quarter of the peak."""
        total, begun = 3.0, self.start(e)[0]
        switch = e.synchronous if e.replicas > 1 else e.steps
        for phase, steps in ((e.dense(), switch - begun), (e, e.steps - switch)):
            if steps <= 0:
                continue
            clock = self.clocks.get(shape_of(phase))
            each = step_seconds(e)
            if clock is None:
                total += 45 if self.options.compiled else 5
            elif clock.steps >= 100:
                each = clock.seconds / clock.steps
            total += steps * each
        return total


class Run:
    """One entry on a bench."""

    def __init__(self, e: Entry, bench: Bench) -> None:
        self.e, self.bench, self.step = e, bench, 0
        self.way: dict[str, dict[str, float]] = {}  # step → what was measured then
        self.checks = {e.steps * k // 4 for k in (1, 2, 3)}
        self.diverged, self.seconds, self.flops = False, 0.0, 0.0
        self.device_time = bench.options.device == "cuda"

    def run(self, part: int = 1) -> dict[str, Any]:
        """Trains to the end, and measures with every part-th window of the held-out text."""
        e, bench, begun = self.e, self.bench, time.monotonic()
        switch = e.synchronous if e.replicas > 1 else e.steps
        first, state = bench.start(e)
        self.step, exchange = first, None
        trainer = bench.trainer(e.dense() if first < switch else e)
        if state is None:
            row = trainer.layout.initial(e.seed)
            state = [row, torch.zeros_like(row), torch.zeros_like(row)]
        if first < switch:
            state = self._dense(trainer, state, switch)
        if switch < e.steps and not self.diverged:
            trainer = bench.trainer(e)
            self._load(trainer, state)
            exchange = Exchange(e, trainer)
            self._advance(trainer, e.steps, exchange)
            exchange.finish()
        losses = self._losses(trainer, part)
        trained = {"steps": self.step - first, "seconds": self.seconds,
                   "peak_share": self.flops / self.seconds / PEAK if self.seconds else 0.0}
        return {
            "loss": sum(losses.values()) / len(losses), "losses": losses, "diverged": self.diverged, "way": self.way,
            "traffic": 0.0 if e.idle else (switch + (exchange.messages() if exchange else 0.0)) / e.steps,
            "rounds": exchange.rounds if exchange else 0, "parameters": trainer.layout.parameters,
            "trained": trained, "seconds": time.monotonic() - begun, "computed": asdict(trainer.options),
        }

    def _load(self, trainer: Trainer, state: State) -> None:
        trainer.plan(self.bench.text.places(self.e), self.e.rates())
        trainer.load(state, self.step)

    def _dense(self, trainer: Trainer, state: State, switch: int) -> State:
        """The synchronous steps; states that other runs start from are kept."""
        self._load(trainer, state)
        dense = self.e.dense()
        wanted = self.bench.wanted.get(dense, set())
        for stop in sorted({s for s in wanted if self.step < s < switch} | {switch}):
            self._advance(trainer, stop, None)
            if self.diverged:
                break
            if stop in wanted:
                self.bench.starts[dense, stop] = trainer.state()
        return trainer.state()

    def _advance(self, trainer: Trainer, stop: int, exchange: Exchange | None) -> None:
        """Steps until that many are done, with measurements on the way."""
        offset = self.step
        for end in sorted({c for c in self.checks if self.step < c < stop} | {stop}):
            before, first = self._now(), self.step
            while self.step < end:
                trainer.step()
                self.step += 1
                if exchange:
                    exchange.after(self.step - offset)
            spent, done = self._now() - before, end - first
            clock = self.bench.clocks[trainer.shape]
            clock.seconds, clock.steps = clock.seconds + spent, clock.steps + done
            self.seconds += spent
            self.flops += done * trainer.layout.flops(trainer.shape.models * trainer.shape.texts * self.e.context)
            self._measure(trainer, done)
            if self.diverged:
                return

    def _now(self) -> float:
        if self.device_time:
            torch.cuda.synchronize()
        return time.monotonic()

    def _measure(self, trainer: Trainer, steps: int) -> None:
        """On the way: an eighth of the held-out text."""
        each = self._losses(trainer, 8)
        loss = sum(each.values()) / len(each)
        mean = trainer.x.mean(0, keepdim=True)
        apart = float((trainer.x - mean).square().sum(1).mean().sqrt() / mean.norm())
        self.way[str(self.step)] = {"loss": loss, "training": trainer.loss(steps), "apart": apart}
        self.diverged = not (math.isfinite(loss) and loss < LOST and math.isfinite(apart))

    def _losses(self, trainer: Trainer, part: int) -> dict[str, float]:
        """Of the averaged model, by domain."""
        row = trainer.x.mean(0, keepdim=True)
        row = row if trainer.copy is None else row.to(trainer.copy.dtype)
        windows = self.bench.windows(self.e.context, part)
        return {d: net.measured(trainer.layout, row, w) for d, w in windows.items()}
