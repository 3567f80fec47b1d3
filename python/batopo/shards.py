"""Models that the ranks of a group hold together, each a shard of every parameter (FSDP2's fully_shard).

This is the one place that knows DTensor. All else sees plain tensors, those that local gives, and every rank averages
them with its twins: the ranks of other groups that hold the same shards.
"""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

import torch

from .clocks import phases
from .errors import SetupError
from .plan_file import Plan


def local(tensor: torch.Tensor) -> torch.Tensor:
    """What this rank holds of a parameter, in the same memory."""
    sharded: Any = tensor
    return sharded.to_local().detach() if is_sharded(tensor) else tensor


def is_sharded(tensor: torch.Tensor) -> bool:
    """Whether it is a DTensor, which torch 1.13 does not have."""
    return type(tensor).__name__ == "DTensor"


def holders(parameters: Sequence[torch.Tensor]) -> List[int]:
    """The ranks that hold one model together, in the order of its mesh; none: this rank has a whole one."""
    if not any(map(is_sharded, parameters)):
        return []
    found: List[int] = []
    for k, p in enumerate(parameters):
        if not is_sharded(p):
            raise SetupError(f"parameter {k} is whole on every rank while others are sharded, and nobody averages its "
                             "gradients: give all parameters to fully_shard, and none to its ignored_params")
        sharded: Any = p
        ranks = sharded.device_mesh.mesh.flatten().tolist()
        if any(placement.is_partial() for placement in sharded.placements) or ranks != (found or ranks):
            raise SetupError(f"parameter {k} is a partial sum, or sharded over other ranks than parameter 0: use one "
                             "mesh for the whole model, over the ranks of a group")
        found = ranks
    return found


def check_sharded(plan: Plan, model: Optional[torch.nn.Module], momentum: str, buffers: str) -> None:
    """Raises where a sharded model cannot be averaged so."""
    if not plan.inside_gradients or any(phase.every == 0 for phase in phases(plan)):
        raise SetupError("the model is sharded, so each group averages its own gradients in every step: take a plan of "
                         "local SGD between groups, inside: {groups, gradients: true}, without synchronous phases")
    if model is None or momentum != "local" or buffers != "local":
        raise SetupError("a sharded model needs attach(optimizer, plan, model=model) with momentum='local' and "
                         "buffers='local': only shards of parameters are averaged")


def reshard(model: Optional[torch.nn.Module]) -> None:
    """Shards have changed: copies of whole parameters that FSDP may keep after a forward pass are no longer valid."""
    for module in model.modules() if model is not None else ():
        again: Any = getattr(module, "reshard", None)
        if again is not None:
            again()
