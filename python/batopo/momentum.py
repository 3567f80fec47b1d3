"""What happens to momentum when parameters are averaged.

  local          nothing; each rank has its own
  mixed          it is averaged with the parameters, which doubles the message: v ← Wv after the step (atc), or before
                 it (cta, and atc that overlaps), while parameters get (W − I)x after it
  quasi-global   SGD with momentum β only. Before a step its buffer holds u; the step moves x by −η(βu + g). Then
                 u ← βu + (1 − β)(x_old − x_new)/η, where x_new includes the round that follows the step, if one
                 does: with a round after every H steps the other steps use their own movement.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import torch

from .errors import SetupError
from .blocks import Slot, Snapshot
from .plan_file import Plan
from .stability import check_stable

KINDS = ("local", "quasi-global", "mixed")
_BUFFERS = ("momentum_buffer", "exp_avg")


class Momentum:
    """Momentum of one optimizer, of the kind that attach was asked for."""

    def __init__(self, kind: str, optimizer: torch.optim.Optimizer) -> None:
        if kind not in KINDS:
            raise SetupError(f"momentum is {kind!r}; it must be one of {KINDS}")
        self.kind, self.optimizer = kind, optimizer
        self._before: Dict[torch.Tensor, torch.Tensor] = {}
        if kind == "quasi-global":
            _check_quasi_global(optimizer)

    @property
    def needs_changes(self) -> bool:
        """Whether after_step wants to know what the round changed."""
        return self.kind == "quasi-global"

    def bytes(self) -> int:
        """What is kept between steps."""
        return sum(t.numel() * t.element_size() for t in self._before.values())

    def check(self, plan: Plan) -> None:
        """Raises where the plan cannot be run with this kind."""
        if self.kind == "quasi-global":
            check_stable(plan, self.optimizer)

    def slots(self) -> List[Slot]:
        """The momentum buffers, where they are mixed."""
        if self.kind != "mixed":
            return []
        key = _buffer_name(self.optimizer)
        return [_slot(self.optimizer, key, p, f"{key} of {k}") for k, p in enumerate(parameters(self.optimizer))]

    def before_step(self) -> None:
        """Remembers the momentum buffers u before the step, for the quasi-global kind."""
        if self.kind != "quasi-global":
            return
        for p in parameters(self.optimizer):
            buffer = self.optimizer.state[p].get("momentum_buffer")
            if buffer is not None and p in self._before:
                self._before[p].copy_(buffer)
            elif buffer is not None:
                self._before[p] = buffer.clone()

    @torch.no_grad()
    def after_step(self, stepped: bool, changes: Optional[Snapshot]) -> None:
        """changes holds x_new minus what the step alone gave; None: no round followed the step."""
        if self.kind != "quasi-global" or not stepped:
            return
        moved = {slot.like: change for slot, change in changes.items()} if changes is not None else {}
        for group in self.optimizer.param_groups:
            beta, rate = group["momentum"], group["lr"]
            for p in group["params"]:
                buffer = self.optimizer.state[p].get("momentum_buffer")
                if buffer is None:  # no gradient yet
                    continue
                if p in moved and rate > 0:
                    buffer.sub_(moved[p].to(buffer.dtype), alpha=1 / rate)
                buffer.mul_(1 - beta)
                if p in self._before:
                    buffer.add_(self._before[p], alpha=beta)


def parameters(optimizer: torch.optim.Optimizer) -> List[torch.Tensor]:
    """All parameters in the optimizer's order."""
    return [p for group in optimizer.param_groups for p in group["params"]]


def _check_quasi_global(optimizer: torch.optim.Optimizer) -> None:
    groups: List[Dict[str, Any]] = optimizer.param_groups
    if not isinstance(optimizer, torch.optim.SGD) or any(not g["momentum"] > 0 for g in groups):
        raise SetupError("momentum 'quasi-global' is defined for torch.optim.SGD with momentum above 0; this is "
                         f"{type(optimizer).__name__}. Use 'local' or 'mixed'")
    if any(g.get("nesterov") or g.get("maximize") for g in groups):
        raise SetupError("momentum 'quasi-global' is not defined with nesterov or maximize")


def _buffer_name(optimizer: torch.optim.Optimizer) -> str:
    if any(g.get("momentum", 0) > 0 for g in optimizer.param_groups):
        return _BUFFERS[0]
    if any("betas" in g for g in optimizer.param_groups):
        return _BUFFERS[1]
    raise SetupError(f"momentum 'mixed' needs an optimizer that keeps momentum_buffer or exp_avg; "
                     f"{type(optimizer).__name__} with these settings does not")


def _slot(optimizer: torch.optim.Optimizer, key: str, p: torch.Tensor, name: str) -> Slot:
    def create(value: torch.Tensor) -> None:
        if key == "momentum_buffer":  # other optimizers expect all of their state or none
            optimizer.state[p][key] = value.clone()
    return Slot(name, p, lambda: optimizer.state[p].get(key) if p in optimizer.state else None, create, early=True)
