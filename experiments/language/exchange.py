"""What groups exchange every H steps, with models x_1 … x_R as rows of x.

  plain averaging     x ← W x, with the matrix of the round
  outer optimizer     θ is what a model started from after the last exchange: d = θ − (W x), u ← μu + d,
                      θ ← θ − η(d + μu), x ← θ; u is never exchanged
  8, 4, 2, 1 bits     a group sends round(x − θ + e) and keeps in e what rounding took off: rounding.py
    two stages        the owner of a shard sends the average of what arrived, rounded again, with an error of its own
    one stage         every group sends to all and takes the average of what arrived
  16 bits             the same with bfloat16 and without errors that are kept. In a graph x + Σ w (round(y) − round(x)),
                      so that the mean of all models stays
  pieces              the row of numbers is cut into H parts, which differ by one block of 256 at most; after step t
                      part (t − 1) mod H is exchanged. Parts of equal size send the same bytes in every step, whatever
                      the tensors of a model are, and blocks keep their scale
  delay τ             the result of an exchange at step k is used at step k + τ: x ← x + (result − x at step k)
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from training.processes import process

from .rounding import largest, rounded
from .settings import ALIGN, Entry
from .trainer import Trainer

PLANS = Path(__file__).parent.parent / "training" / "plans"


def cuts(width: int, count: int) -> list[slice]:
    """The parts of a row of that many numbers: each has as many blocks of ALIGN as the others, or one more."""
    blocks = -(-width // ALIGN)
    ends = [min(ALIGN * (blocks * k // count), width) for k in range(count + 1)]
    return [slice(a, b) for a, b in zip(ends, ends[1:])]


class Exchange:
    """The exchanges of one run after its synchronous start."""

    def __init__(self, e: Entry, trainer: Trainer) -> None:
        self.e, self.trainer = e, trainer
        self.period = process(e.process, e.replicas, folder=PLANS)
        x = trainer.x
        self.matrices = torch.from_numpy(self.period).to(x.device, x.dtype)
        self.outer = e.outer_lr != 1 or e.outer_momentum != 0
        self.start = x.clone() if self.outer or e.bits < 32 and e.process == "exact" else None  # θ
        self.velocity = torch.zeros_like(x) if self.outer else None
        self.error = torch.zeros_like(x) if e.bits < 16 else None
        self.back = torch.zeros_like(x[:1]) if e.bits < 16 and e.stages == 2 else None
        self.parts = cuts(trainer.layout.used, e.every if e.pieces else 1)
        self.late: list[tuple[int, slice, torch.Tensor]] = []  # when to add what, and where
        self.rounds = 0

    @torch.no_grad()
    def after(self, step: int) -> None:
        """To be called after step 1, 2, … of those that are not synchronous."""
        while self.late and self.late[0][0] == step:
            self._use_late()
        if not self.e.pieces and step % self.e.every_at(step):
            return
        part = self.parts[(step - 1) % len(self.parts)]
        x, w = self.trainer.x[:, part], self.matrices[self.rounds % len(self.matrices)]
        self.rounds += 1
        result = self._result(x, w, part)
        if self.e.delay:
            self.late.append((step + self.e.delay, part, result - x))
        else:
            x.copy_(result)
            self.trainer.refresh(part)
        if self.e.state:
            self.trainer.m.copy_(self._mixed(self.trainer.m, w))
        if self.e.state == "mv":
            self.trainer.v.copy_(self._mixed(self.trainer.v, w))

    @torch.no_grad()
    def finish(self) -> None:
        """The results that are still on their way are awaited."""
        while self.late:
            self._use_late()

    def _use_late(self) -> None:
        _, part, change = self.late.pop(0)
        self.trainer.x[:, part].add_(change)
        self.trainer.refresh(part)

    def _mixed(self, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return x.mean(0, keepdim=True).expand_as(x) if self.e.process == "exact" else w @ x

    def _result(self, x: torch.Tensor, w: torch.Tensor, part: slice) -> torch.Tensor:
        """Of the models' numbers x, which lie in that part of the rows."""
        start = None if self.start is None else self.start[:, part]
        if self.e.bits == 32:
            mixed = self._mixed(x, w)
        elif self.e.bits == 16:
            mixed = _in_halves(x, w, start)
        else:
            assert start is not None
            mixed = start + self._change(x - start, part)
        if start is None:
            return mixed
        if self.velocity is None:
            start.copy_(mixed)
            return mixed
        velocity = self.velocity[:, part]
        d = start - mixed
        velocity.mul_(self.e.outer_momentum).add_(d)
        start.sub_(d.add_(velocity, alpha=self.e.outer_momentum), alpha=self.e.outer_lr)
        return start

    def _change(self, own: torch.Tensor, part: slice) -> torch.Tensor:
        """The average of the models' own changes as all of them get it, in few bits."""
        assert self.error is not None
        error = self.error[:, part]
        wanted = own + self.e.keep * error
        sent = largest(wanted, self.e.top) if self.e.top else rounded(wanted, self.e.bits)
        error.copy_(wanted - sent)
        average = sent.mean(0, keepdim=True)
        if self.back is None:
            return average
        back = self.back[:, part]
        average += self.e.keep * back
        arrived = rounded(average, self.e.bits)
        back.copy_(average - arrived)
        return arrived

    def messages(self) -> float:
        """Models sent over a cut that halves the groups, in the busier direction, by the rounds so far.

        An all-reduce needs one message each way, as does the average of gradients in a synchronous step. Where all
        send to all, those of half the groups cross.
        """
        half = self.e.replicas // 2
        if self.e.replicas == 1 or self.e.process == "exact":
            crossing = half if self.e.stages == 1 and self.e.bits < 16 else 1
            each = np.full(len(self.period), float(crossing if self.e.replicas > 1 else 0))
        else:
            links = self.period != 0
            each = np.maximum(links[:, half:, :half].sum((1, 2)), links[:, :half, half:].sum((1, 2)))
        parts = (1 + len(self.e.state)) / len(self.parts)
        return float(sum(each[k % len(each)] for k in range(self.rounds))) * parts


def _in_halves(x: torch.Tensor, w: torch.Tensor, start: torch.Tensor | None) -> torch.Tensor:
    if start is None:
        sent = x.bfloat16().to(x.dtype)
        return x + (w @ sent - sent)
    average = (x - start).bfloat16().to(x.dtype).mean(0, keepdim=True)
    return start + average.bfloat16().to(x.dtype)
