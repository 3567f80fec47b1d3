"""What is averaged, and what cannot be: parameters, momentum, buffers of batch norm."""

from __future__ import annotations

import gc
import hashlib
from typing import Any, Dict, List, Optional, Sequence

import torch
from torch.nn.parallel import DistributedDataParallel

from .errors import SetupError
from .blocks import Slot, flat, parameter_slot
from .momentum import parameters
from .shards import is_sharded, local

BUFFERS = ("local", "mix", "average")
_FSDP1 = ("by FSDP1 (FullyShardedDataParallel), which lays parameters flat by rules of its own: use fully_shard over "
          "the ranks of a group")
_WRAPPED = ("the model is wrapped by DistributedDataParallel, which averages all gradients already; give it to attach, "
            "which then does what the plan says: attach(optimizer, plan, model=model)")


def parameter_slots(optimizer: torch.optim.Optimizer, model: Optional[torch.nn.Module] = None) -> List[Slot]:
    """The optimizer's parameters; refuses those that are not whole models of one device."""
    if type(optimizer).__name__ == "ZeroRedundancyOptimizer":
        raise SetupError("ZeroRedundancyOptimizer keeps a part of the state on each rank and needs equal parameters on "
                         "all of them; gossip gives each rank its own. Use the plain optimizer")
    found = parameters(optimizer)
    if not found:
        raise SetupError("the optimizer has no parameters")
    check_parameters([local(p) for p in found])
    refuse_wrapped(found, model)
    return [parameter_slot(f"parameter {k}", p) for k, p in enumerate(found)]


def check_parameters(found: Sequence[torch.Tensor]) -> None:
    """Refuses tensors that are not whole, real and on one device."""
    for k, p in enumerate(found):
        if type(p).__name__ == "FlatParameter" or getattr(p, "_is_flat_param", False):
            raise SetupError(f"parameter {k} is sharded over ranks {_FSDP1}")
        if is_sharded(p):
            raise SetupError(f"parameter {k} is sharded over ranks: give its optimizer to batopo.attach, with a plan "
                             "of local SGD between groups")
        if not p.is_floating_point():
            raise SetupError(f"parameter {k} is of type {p.dtype}; only real floating point can be averaged")
        if p.device != found[0].device:
            raise SetupError(f"parameter {k} is on {p.device}, parameter 0 on {found[0].device}; one rank, one device")


def check_model(model: torch.nn.Module) -> None:
    """Refuses modules that need equal parameters on all ranks."""
    for name, module in model.named_modules():
        kind = type(module).__name__
        if kind == "SyncBatchNorm":
            raise SetupError(f"{name or 'the model'} is SyncBatchNorm, which averages over all ranks in every step; "
                             "use BatchNorm, or a norm without statistics")
        if kind == "FullyShardedDataParallel":
            raise SetupError(f"the model is sharded {_FSDP1}")
        if kind == "DistributedDataParallel" and module is not model:
            raise SetupError(_WRAPPED)


def buffer_slots(kind: str, model: Optional[torch.nn.Module]) -> List[Slot]:
    """Running statistics of batch norm, for mix and average."""
    if kind not in BUFFERS:
        raise SetupError(f"buffers is {kind!r}; it must be one of {BUFFERS}")
    if kind == "local":
        return []
    if model is None:
        raise SetupError(f"buffers={kind!r} needs the model: attach(…, model=model)")
    slots = []
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.modules.batchnorm._NormBase):
            slots += [parameter_slot(f"{name}.{key}", value) for key, value in module.named_buffers(recurse=False)
                      if value.is_floating_point()]
    return slots


def describe(slots: Sequence[Slot]) -> Dict[str, Any]:
    """What the handshake compares."""
    detail = []
    for s in slots:
        dense = s.like.is_contiguous()
        layout = "" if dense else f", strides {s.like.stride()}"
        detail.append(f"{s.name}: {tuple(s.like.shape)} {str(s.like.dtype)[6:]}{layout}")
    digest = hashlib.sha256("\n".join(detail).encode()).hexdigest()
    return {"count": len(slots), "shapes": digest, "detail": detail, "device": slots[0].like.device.type}


def digest(slots: Sequence[Slot]) -> str:
    """The same on ranks whose tensors hold the same bits."""
    kinds = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    sums = [int(flat(t).view(kinds[t.element_size()]).sum(dtype=torch.int64)) for t in (s.read() for s in slots)
            if t is not None]
    return hashlib.sha256(repr(sums).encode()).hexdigest()


def refuse_wrapped(found: Sequence[torch.Tensor], known: Optional[torch.nn.Module]) -> None:
    """Refuses parameters of a DistributedDataParallel that is not known: it averages their gradients already."""
    mine = {id(p) for p in found}
    for thing in gc.get_referrers(DistributedDataParallel):  # among others its instances
        if isinstance(thing, DistributedDataParallel) and thing is not known and any(
                id(p) in mine for p in thing.parameters()):
            raise SetupError(_WRAPPED)
