"""What groups exchange every H steps, with models x_1 … x_R as rows of x.

  plain averaging     x ← W x, with the matrix of the round
  outer optimizer     θ is what a model started from after the last exchange: d = θ − (W x), u ← μu + d,
                      θ ← θ − η(d + μu), x ← θ; u is never exchanged
  8 bits              a group sends round(x − θ + e) as 8-bit numbers with a scale for 256 of them and keeps the error
                      in e; the average is sent back in the same way, with an error of its own: θ + average
  16 bits             the same with bfloat16 and without errors that are kept. In a graph x + Σ w (round(y) − round(x)),
                      so that the mean of all models stays
  delay τ             the result of an exchange at step k is used at step k + τ: x ← x + (result − x at step k)
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from training.processes import process

from .net import ALIGN
from .settings import Entry
from .trainer import Trainer

PLANS = Path(__file__).parent.parent / "training" / "plans"


def quantised(x: torch.Tensor) -> torch.Tensor:
    """What arrives when rows x [n, width] are sent as 8-bit numbers with one scale for 256 of them."""
    parts = x.reshape(len(x), -1, ALIGN)
    scale = (parts.abs().amax(2, keepdim=True) / 127).clamp(min=1e-30)
    return ((parts / scale).round() * scale).view_as(x)


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
        self.error, self.back = (torch.zeros_like(x), torch.zeros_like(x[:1])) if e.bits == 8 else (None, None)
        self.late: tuple[int, torch.Tensor] | None = None  # when to add what
        self.rounds = 0

    @torch.no_grad()
    def after(self, step: int) -> None:
        """To be called after step 1, 2, … of those that are not synchronous."""
        if self.late and self.late[0] == step:
            self._use_late()
        if step % self.e.every_at(step):
            return
        x, w = self.trainer.x, self.matrices[self.rounds % len(self.matrices)]
        self.rounds += 1
        result = self._result(x, w)
        if self.e.delay:
            self.late = (step + self.e.delay, result - x)
        else:
            x.copy_(result)
            self.trainer.refresh()
        if self.e.state:
            self.trainer.m.copy_(self._mixed(self.trainer.m, w))
        if self.e.state == "mv":
            self.trainer.v.copy_(self._mixed(self.trainer.v, w))

    @torch.no_grad()
    def finish(self) -> None:
        """The result that is still on its way is awaited."""
        if self.late:
            self._use_late()

    def _use_late(self) -> None:
        assert self.late
        self.trainer.x.add_(self.late[1])
        self.late = None
        self.trainer.refresh()

    def _mixed(self, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return x.mean(0, keepdim=True).expand_as(x) if self.e.process == "exact" else w @ x

    def _result(self, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        mixed = {32: self._mixed, 16: self._in_halves, 8: self._in_bytes}[self.e.bits](x, w)
        if self.velocity is not None:
            assert self.start is not None
            d = self.start - mixed
            self.velocity.mul_(self.e.outer_momentum).add_(d)
            self.start.sub_(d.add_(self.velocity, alpha=self.e.outer_momentum), alpha=self.e.outer_lr)
            return self.start
        if self.start is not None:
            self.start.copy_(mixed)
        return mixed

    def _in_halves(self, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        if self.start is None:
            sent = x.bfloat16().to(x.dtype)
            return x + (w @ sent - sent)
        average = (x - self.start).bfloat16().to(x.dtype).mean(0, keepdim=True)
        return self.start + average.bfloat16().to(x.dtype)

    def _in_bytes(self, x: torch.Tensor, _: torch.Tensor) -> torch.Tensor:
        assert self.start is not None and self.error is not None and self.back is not None
        change = x - self.start + self.error
        sent = quantised(change)
        self.error.copy_(change - sent)
        average = sent.mean(0, keepdim=True) + self.back
        arrived = quantised(average)
        self.back.copy_(average - arrived)
        return self.start + arrived

    def messages(self) -> float:
        """Models sent over a cut that halves the groups, in the busier direction, by the rounds so far.

        An all-reduce needs one message each way, as does the average of gradients in a synchronous step.
        """
        half = self.e.replicas // 2
        if self.e.replicas == 1 or self.e.process == "exact":
            each = np.full(len(self.period), float(self.e.replicas > 1))
        else:
            links = self.period != 0
            each = np.maximum(links[:, half:, :half].sum((1, 2)), links[:, :half, half:].sum((1, 2)))
        parts = 1 + len(self.e.state)
        return float(sum(each[k % len(each)] for k in range(self.rounds))) * parts
