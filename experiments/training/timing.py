"""Times layers and iterations, and picks the faster convolution for every layer."""

from __future__ import annotations

import dataclasses
import time
import warnings
from collections.abc import Callable
from functools import lru_cache

import torch

from .conv import candidates
from .network import Architecture, Conv, Shape
from .selfcheck import convolution, convolution_problem

REPEATS, SLOW_REPEATS = 20, 2
SLOW = 10.0  # milliseconds: nothing that would be chosen


def milliseconds(call: Callable[[], object], device: torch.device) -> float:
    """Mean time of a call; on a GPU recorded as a graph, so that launching it from Python costs nothing."""
    if device.type != "cuda":
        call()
        begun = time.perf_counter()
        for _ in range(SLOW_REPEATS):
            call()
        return 1e3 * (time.perf_counter() - begun) / SLOW_REPEATS
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(2):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    once = _replays(graph, 1)
    return _replays(graph, REPEATS if once < SLOW else SLOW_REPEATS)


def _replays(graph: torch.cuda.CUDAGraph, count: int) -> float:
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    first.record()
    for _ in range(count):
        graph.replay()
    last.record()
    last.synchronize()
    return first.elapsed_time(last) / count


def layer_milliseconds(conv: Conv, how: str, models: int, batch: int, device: torch.device, dtype: torch.dtype,
                       first: bool = False) -> float:
    """Forward and backward of one convolution of all models; the first layer needs no gradient of its input."""
    call, _ = convolution(conv, how, models, batch, device, dtype, first)
    return milliseconds(call, device)


def layer_table(arch: Architecture, models: int, batch: int, device: torch.device,
                dtype: torch.dtype) -> dict[str, dict[str, float]]:
    """Milliseconds per layer and implementation; layers of the same shape are timed once, wrong kernels left out."""
    times: dict[str, dict[str, float]] = {}
    seen: dict[object, dict[str, float]] = {}
    for name, conv in arch.convs.items():
        key = (conv.slot.shape, conv.stride, conv.side)
        if key not in seen:
            seen[key] = {}
            for how in candidates(conv.slot.shape, conv.side, dtype):
                problem = convolution_problem(conv, how, batch, device, dtype) if how == "triton" else ""
                if problem:
                    warnings.warn(f"layer {name} does without the kernel: {problem}")
                    continue
                try:
                    seen[key][how] = layer_milliseconds(conv, how, models, batch, device, dtype, name == "stem")
                except RuntimeError as error:  # no algorithm in the library, or not enough memory
                    if how == "bmm":
                        raise
                    warnings.warn(f"layer {name} does without {how}: {error}")
        times[name] = seen[key]
    return times


@lru_cache(maxsize=None)
def _fastest(shape: Shape, models: int, batch: int, device: torch.device, dtype: torch.dtype) -> tuple[str, ...]:
    times = layer_table(Architecture(shape), models, batch, device, dtype)
    return tuple(min(t, key=lambda how: t[how]) for t in times.values())


def fastest(arch: Architecture, models: int, batch: int, device: torch.device, dtype: torch.dtype) -> dict[str, str]:
    """The faster implementation of every layer; timed once per shape."""
    chosen = _fastest(dataclasses.replace(arch.shape, norm="batch"), models, batch, device, dtype)
    return {**dict(zip(arch.convs, chosen)), "head": "bmm"}
