"""Times layers and iterations, and picks the faster convolution for every layer."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from .conv import IMPLEMENTATIONS, Geometry
from .network import Architecture, Conv

REPEATS = 20


def milliseconds(call: Callable[[], object], device: torch.device, repeats: int = REPEATS) -> float:
    """Mean time of a call; on a GPU recorded as a graph, so that launching it from Python costs nothing."""
    if device.type != "cuda":
        call()
        begun = time.perf_counter()
        for _ in range(repeats):
            call()
        return 1e3 * (time.perf_counter() - begun) / repeats
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    graph.replay()
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    first.record()
    for _ in range(repeats):
        graph.replay()
    last.record()
    last.synchronize()
    return first.elapsed_time(last) / repeats


def layer_milliseconds(conv: Conv, how: str, models: int, batch: int, device: torch.device, dtype: torch.dtype,
                       first: bool = False) -> float:
    """Forward and backward of one convolution of all models; the first layer needs no gradient of its input."""
    out, kernel, _, cin = conv.slot.shape
    g = Geometry(models, conv.kernel, conv.stride, conv.padding)
    weight = torch.randn(models, *conv.slot.shape, device=device).to(dtype)
    grad = torch.zeros_like(weight)
    x = torch.randn(batch, conv.side, conv.side, models * cin, device=device).to(dtype).permute(0, 3, 1, 2)
    x.requires_grad_(not first)
    anchor = torch.zeros((), device=device, requires_grad=True)
    side = g.out(conv.side)
    dy = torch.randn(batch, side, side, models * out, device=device).to(dtype).permute(0, 3, 1, 2)

    def call() -> None:
        y = IMPLEMENTATIONS[how].apply(x, anchor, weight, grad, g)
        torch.autograd.grad(y, [anchor] if first else [x, anchor], dy, allow_unused=True)

    return milliseconds(call, device)


def layer_table(arch: Architecture, models: int, batch: int, device: torch.device,
                dtype: torch.dtype) -> dict[str, dict[str, float]]:
    """Milliseconds per layer and implementation; layers of the same shape are timed once."""
    times: dict[str, dict[str, float]] = {}
    seen: dict[object, dict[str, float]] = {}
    for name, conv in arch.convs.items():
        key = (conv.slot.shape, conv.stride, conv.side)
        if key not in seen:
            seen[key] = {how: layer_milliseconds(conv, how, models, batch, device, dtype, name == "stem")
                         for how in IMPLEMENTATIONS}
        times[name] = seen[key]
    return times


def fastest(arch: Architecture, models: int, batch: int, device: torch.device, dtype: torch.dtype) -> dict[str, str]:
    """The faster implementation of every layer."""
    times = layer_table(arch, models, batch, device, dtype)
    chosen = {name: min(t, key=lambda how: t[how]) for name, t in times.items()}
    return {**chosen, "head": "bmm"}
