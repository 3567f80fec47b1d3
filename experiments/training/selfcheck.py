"""Checks kernels on the machine at hand before they are trusted: against plain operations, on small problems."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import torch

from .conv import IMPLEMENTATIONS, Geometry
from .layout import Layout, Parameters
from .network import Conv
from .optimizer import Optimizer
from .settings import Entry

STEP_TOLERANCE = 1e-5  # float32 sums of 16 numbers in another order
MODELS = 16  # kernels are compiled again for numbers that are not multiples of 16
CONV_TOLERANCE = 0.02  # bfloat16 results, as a share of their length


def convolution(conv: Conv, how: str, models: int, batch: int, device: torch.device, dtype: torch.dtype,
                first: bool) -> tuple[Callable[[], None], list[torch.Tensor]]:
    """A call of forward and backward on random numbers, and where its results (y, dw, dx) will be after a call."""
    out, kernel, _, cin = conv.slot.shape
    g = Geometry(models, conv.kernel, conv.stride, conv.padding)
    gen = torch.Generator(device).manual_seed(1)

    def random(*shape: int) -> torch.Tensor:
        return torch.randn(shape, device=device, generator=gen).to(dtype)

    weight = random(models, *conv.slot.shape)
    x = random(batch, conv.side, conv.side, models * cin).permute(0, 3, 1, 2).requires_grad_(not first)
    dy = random(batch, g.out(conv.side), g.out(conv.side), models * out).permute(0, 3, 1, 2)
    grad, anchor = torch.zeros_like(weight), torch.zeros((), device=device, requires_grad=True)
    results = [grad]

    def call() -> None:
        y = IMPLEMENTATIONS[how].apply(x, anchor, weight, grad, g)
        dx = torch.autograd.grad(y, [anchor] if first else [x, anchor], dy, allow_unused=True)
        results[1:] = [y.detach()] + [d for d in dx if d is not None]

    return call, results


def convolution_problem(conv: Conv, how: str, batch: int, device: torch.device, dtype: torch.dtype) -> str:
    """What is wrong with an implementation of a layer; empty when it agrees with bmm."""
    results = []
    for each in ("bmm", how):
        call, found = convolution(conv, each, MODELS, batch, device, dtype, first=False)
        try:
            call()
        except Exception as error:  # whatever a compiler throws
            return f"{each}: {type(error).__name__}: {error}"
        results.append(found)
    for name, want, got in zip(("weight gradient", "output", "input gradient"), *results):
        off = float((got.float() - want.float()).norm() / want.float().norm())
        if not off <= CONV_TOLERANCE:
            return f"{how}: the {name} is off by {off:.2g} of its length"
    return ""


def step_problem(device: torch.device, dtype: torch.dtype, nodes: int) -> str:
    """What is wrong with the fused step here; empty when it agrees with the plain one."""
    base = Entry("check", nodes=nodes)
    cells = [base, dataclasses.replace(base, order="cta"),
             dataclasses.replace(base, momentum="quasi-global", order="cta"),
             dataclasses.replace(base, momentum="quasi-global", lr=0.1)]
    for some in (cells[:1], cells[:2], cells):
        results = []
        for fused in (False, True):
            layout, gen = Layout(), torch.Generator().manual_seed(3)
            layout.matrix("a", 1001)
            layout.vector("b", 333)
            parameters = Parameters(layout, nodes * len(some), dtype, device)
            optimizer = Optimizer(some, parameters, 2, fused)
            for block in parameters.blocks:
                block.master.copy_(torch.randn(block.master.shape, generator=gen))
                block.grad.copy_(torch.randn(block.grad.shape, generator=gen))
            optimizer.load_epoch(torch.rand(2, len(some), nodes, nodes, generator=gen) / nodes,
                                 0.1 + torch.rand(2, len(some), generator=gen))
            try:
                for t in (0, 1):
                    optimizer.step(torch.tensor([t], device=device), mix=True)
            except Exception as error:  # whatever a compiler throws
                return f"{type(error).__name__}: {error}"
            results.append([b.master for b in parameters.blocks] + optimizer.momentum
                           + [b.compute.float() for b in parameters.blocks])
        for want, got in zip(*results):
            off = float((got - want).norm() / want.norm())
            if not off <= (STEP_TOLERANCE if dtype == torch.float32 else 1e-3):
                return f"the fused step is off by {off:.2g} of its length"
    return ""
