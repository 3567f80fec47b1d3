"""Steps of all models of a shape: gradients, clipping and AdamW, as one recorded graph where the device has them.

With gradient g of a model, clipped to a norm, learning rate η and step t = 1, 2, …:
  adamw   m ← βm + (1 − β)g, v ← β₂v + (1 − β₂)g², x ← x − η(m̂/(√v̂ + 10⁻⁸) + decay·x),
          with m̂ = m/(1 − βᵗ) and v̂ = v/(1 − β₂ᵗ)
  sgd     m ← βm + g + decay·x, x ← x − ηm
Only matrices decay. x, m and v are float32; the network computes with a copy of x in the type of the options.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from . import net
from .net import Layout
from .settings import LONGEST, SIZES, Entry
from .text import Text


@dataclass(frozen=True)
class Options:
    """How to compute, not what: the results agree up to rounding."""

    device: str = "cpu"
    dtype: str = "float32"  # bfloat16 on a GPU; float64 for tests
    compiled: bool = False  # torch.compile
    graphs: bool = False  # record a step once, replay it


@dataclass(frozen=True)
class Shape:
    """What runs must have in common to use the same recorded step."""

    size: str
    context: int
    models: int
    texts: int  # a model and step
    optimizer: str
    beta: float
    beta2: float
    weight_decay: float
    clip: float


def shape_of(e: Entry) -> Shape:
    return Shape(e.size, e.context, e.replicas, e.group * e.sequences, e.optimizer, e.beta, e.beta2, e.weight_decay,
                 e.clip)


def adamw(x: torch.Tensor, m: torch.Tensor, v: torch.Tensor, copy: torch.Tensor | None, grad: torch.Tensor,
          scale: torch.Tensor, lr: torch.Tensor, count: torch.Tensor, decay: torch.Tensor, beta: float,
          beta2: float) -> None:
    g = grad.to(x.dtype) * scale[:, None]
    m.mul_(beta).add_(g, alpha=1 - beta)
    v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
    root = (v / (1 - beta2 ** count)).sqrt() + 1e-8
    x.sub_(lr * (m / (1 - beta ** count) / root + decay * x))
    if copy is not None:
        copy.copy_(x)


def sgd(x: torch.Tensor, m: torch.Tensor, v: torch.Tensor, copy: torch.Tensor | None, grad: torch.Tensor,
        scale: torch.Tensor, lr: torch.Tensor, count: torch.Tensor, decay: torch.Tensor, beta: float,
        beta2: float) -> None:
    m.mul_(beta).add_(grad.to(x.dtype) * scale[:, None] + decay * x)
    x.sub_(lr * m)
    if copy is not None:
        copy.copy_(x)


STEPS = {"adamw": adamw, "sgd": sgd}


def compiled(function: Any) -> Any:
    """Compiled for each set of sizes that it meets."""
    dynamo = importlib.import_module("torch._dynamo")
    for name in ("recompile_limit", "cache_size_limit"):  # the second is the older name of the first
        if hasattr(dynamo.config, name):
            setattr(dynamo.config, name, 128)
    return torch.compile(function, dynamic=False)  # type: ignore[attr-defined]


class Trainer:
    """The models of one shape: load a state and a plan of batches and rates, then step."""

    def __init__(self, shape: Shape, text: Text, options: Options) -> None:
        self.shape, self.options, self.device = shape, options, torch.device(options.device)
        dtype = getattr(torch, options.dtype)
        master = torch.float64 if dtype == torch.float64 else torch.float32
        self.layout, self.text = Layout(SIZES[shape.size], shape.context), text.train

        def zeros(*size: int, of: torch.dtype = master) -> torch.Tensor:
            return torch.zeros(size, dtype=of, device=self.device)

        self.x, self.m, self.v = (zeros(shape.models, self.layout.width) for _ in range(3))
        self.copy = None if dtype == master else zeros(shape.models, self.layout.width, of=dtype)
        used = self.layout.views(self.x if self.copy is None else self.copy)
        self.leaves = {name: value.data.requires_grad_() for name, value in used.items()}  # same memory, no views
        self.decay = zeros(self.layout.width)
        self.decay[: self.layout.matrices] = shape.weight_decay
        self.places = zeros(LONGEST, shape.models * shape.texts, of=torch.int64)
        self.rates = zeros(LONGEST)
        self.t = zeros(1, of=torch.int64)
        self.total = zeros(shape.models)  # training losses since it was last read
        self.offsets = torch.arange(shape.context + 1, device=self.device)
        if options.device == "cuda" and hasattr(torch.backends.cuda, "enable_cudnn_sdp"):
            torch.backends.cuda.enable_cudnn_sdp(False)  # flash attention is the one that graphs are known to record
        self.parts, self.update = net.Parts(), STEPS[shape.optimizer]
        if options.compiled:
            self.parts = net.Parts(*(compiled(f) for f in (net.embed, net.block, net.losses)))
            if shape.models > 1:  # with one model torch 2.11 compiles an update that does not train
                self.update = compiled(self.update)
        self.graph = self._record() if options.graphs else None

    def plan(self, places: np.ndarray, rates: list[float]) -> None:
        """Where windows begin, [steps, texts of all models], and the learning rates."""
        self.places[: len(places)] = torch.from_numpy(places).to(self.device)
        self.rates[: len(rates)] = torch.tensor(rates, dtype=self.rates.dtype, device=self.device)

    def load(self, state: list[torch.Tensor], step: int) -> None:
        """x, m and v of one model or of all, after that many steps."""
        for mine, given in zip((self.x, self.m, self.v), state):
            mine.copy_(given.to(self.device).expand_as(mine))
        self.t.fill_(step)
        self.total.zero_()
        self.refresh()

    def state(self) -> list[torch.Tensor]:
        return [self.x.clone(), self.m.clone(), self.v.clone()]

    def refresh(self, part: slice = slice(None)) -> None:
        """After a change of those numbers of x from outside."""
        if self.copy is not None:
            self.copy[:, part].copy_(self.x[:, part])

    def step(self) -> None:
        if self.graph:
            self.graph.replay()
        else:
            self._step()

    def loss(self, steps: int) -> float:
        """Mean training loss over the last that many steps, since it was last asked for."""
        mean = float(self.total.mean()) / steps
        self.total.zero_()
        return mean

    def _step(self) -> None:
        s = self.shape
        first = self.places.index_select(0, self.t)[0]
        windows = self.text[first[:, None] + self.offsets].long().view(s.models, s.texts, -1)
        losses = net.loss(self.layout.size, self.leaves, windows, self.parts)
        grads = torch.autograd.grad(losses.sum(), list(self.leaves.values()))
        with torch.no_grad():
            rows = [g.reshape(s.models, -1) for g in grads]
            spare = self.layout.width - self.layout.used
            if spare:
                rows.append(rows[0].new_zeros(s.models, spare))
            grad = torch.cat(rows, dim=1)
            norm = torch.linalg.vector_norm(grad, dim=1, dtype=self.x.dtype)
            scale = (s.clip / (norm + 1e-6)).clamp(max=1.0)
            count, lr = (self.t + 1).to(self.x.dtype), self.rates.index_select(0, self.t)
            self.update(self.x, self.m, self.v, self.copy, grad, scale, lr, count, self.decay, s.beta, s.beta2)
            self.total += losses.detach()
            self.t += 1

    def _record(self) -> Any:
        """A step as a graph; a few plain ones come first, so that nothing is compiled or allocated in it."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._step()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._step()
        return graph
