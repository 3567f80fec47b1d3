"""The command check: what a machine must get right before its time is spent on runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import torch

from .data import synthetic
from .evaluate import Evaluator
from .network import Architecture, Shape
from .selfcheck import convolution_problem, step_problem
from .settings import Entry
from .simulate import Options, Simulation, banks_of

LOSS_TOLERANCE = 0.05  # a few epochs of a small net in bfloat16 against float32


def check(options: Options, say: Callable[[str], None], width: int) -> bool:
    """Says what agrees and what not; the small nets have that many channels in their first stage."""
    device, dtype = torch.device(options.device), getattr(torch, options.dtype)
    problems = {"fused step": step_problem(device, dtype, nodes=16) if options.step == "fused" else "not used"}
    arch = Architecture(Shape("resnet18", 64, "imagenet", "batch", 10))
    for name in ("0.0.a", "1.0.a", "1.0.b"):
        if dtype == torch.bfloat16:
            problems[f"kernel of layer {name}"] = convolution_problem(arch.convs[name], "triton", 32, device, dtype)
    plain = Options(options.device, "float32", graphs=False, conv="grouped", step="plain")
    want = _losses(plain, width)
    for name, how in {"these options": options, "without graphs": dataclasses.replace(options, graphs=False)}.items():
        try:
            off = abs(_losses(how, width) / want - 1).max()
            problems[name] = "" if off <= LOSS_TOLERANCE else f"the training loss is off by {off:.2g}"
        except Exception as error:  # say what does not work, and go on
            problems[name] = f"{type(error).__name__}: {error}"
    for name, problem in problems.items():
        say(f"{name:28} {problem or 'ok'}")
    return not any(p for p in problems.values() if p != "not used")


def _losses(options: Options, width: int) -> torch.Tensor:
    base = Entry("a", dataset="synthetic", net="resnet8", width=width, nodes=8, batch=16, epochs=2, lr=0.01)
    cells = [base, dataclasses.replace(base, name="b", order="cta", momentum="quasi-global", process="exact", every=2),
             dataclasses.replace(base, name="c", bits=16),
             dataclasses.replace(base, name="d", bits=16, process="exact", every=2)]
    losses = []
    for norm in ("batch", "group"):
        same = [dataclasses.replace(c, norm=norm) for c in cells]
        sim = Simulation(same, banks_of(synthetic(train=256, test=40), options), options)
        evaluator = Evaluator(sim)
        for epoch in (0, 1):
            losses.append(torch.from_numpy(sim.run_epoch(epoch)).float())
            evaluator.averaged()
            evaluator.local()
    return torch.cat(losses)
