"""What the user's model asks of a cluster: the size of its message and the time of a step."""

from __future__ import annotations

import importlib
import time
from dataclasses import dataclass
from typing import Any, Callable, Optional

import torch

from .blocks import gradient_bytes
from .errors import SetupError


@dataclass
class Workload:
    """message_mb is what a round sends; step computes one gradient and says how many seconds it took."""

    message_mb: float
    step: Optional[Callable[[], float]]


def load_workload(name: Optional[str], message_mb: Optional[float], device: torch.device) -> Workload:
    """name is module:function; it returns a model and a function that computes the loss of one batch, or what
    batopo.trial asks for: model, optimizer, and a function from model to loss."""
    if name is None:
        return Workload(message_mb or 0.0, None)
    made = made_by(name)
    if isinstance(made, tuple) and len(made) == 3 and callable(made[2]):
        whole, _, loss_of = made
        made = whole, lambda: loss_of(whole)
    if not (isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], torch.nn.Module) and callable(made[1])):
        raise SetupError(f"{name} must return a torch.nn.Module and a function that computes the loss of one batch")
    model, loss = made
    size = gradient_bytes(model)

    def step() -> float:
        _wait(device)
        begin = time.perf_counter()
        model.zero_grad()
        loss().backward()
        _wait(device)
        return time.perf_counter() - begin
    return Workload(message_mb or size / 1e6, step)


def made_by(name: str) -> Any:
    """What the function that is named module:function returns."""
    module, _, function = name.partition(":")
    if not function:
        raise SetupError(f"the model is {name!r}; it must be module:function")
    try:
        return getattr(importlib.import_module(module), function)()
    except Exception as error:
        raise SetupError(f"the model {name!r} cannot be made: {type(error).__name__}: {error}") from error


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
