"""Whether the model sends what the plan was made for, and whether there is memory for it."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Dict

import torch
import torch.distributed as dist

from .errors import SizeWarning
from .fewbits import BLOCK
from .plan_file import FEW_BITS, Plan

# More than travels: a plan is for messages of 32 bits, whatever its wire.
_TIMES = {"bf16": 2.0, "fp16": 2.0, **{wire: 32 / (bits + 32 / BLOCK) for wire, bits in FEW_BITS.items()}}
FAR = 1.5  # less than the factor 2 of another type of parameters, of bf16 on the wire or of mixed momentum


def compare_sizes(plan: Plan, sent: int) -> None:
    """Warns on rank 0 where a plan that predicts times is for another size than the bytes that a peer is sent."""
    planned, here = plan.message_mb, sent / 1e6 * _TIMES.get(plan.wire, 1) * plan.pieces
    if dist.get_rank() != 0 or not plan.round_ms or planned == 0 or max(planned, here) <= FAR * min(planned, here):
        return
    warnings.warn(
        f"the plan was made for messages of {planned:g} MB, and this job sends {here:.4g} MB to each peer: the times "
        "that the plan predicts do not hold here, and another plan may be faster. Make the plan again with message_mb: "
        f"{here:.4g} under model in the cluster description, or with --message {here:.4g}MB beside --nodes",
        SizeWarning, stacklevel=3)  # where attach or switch was called


def free_bytes(device: torch.device) -> int:
    """What this rank may still take: of a GPU what is free, of a host its share of what is available."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            available = next(int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return sys.maxsize  # another system: nothing is said
    return available // max(1, int(os.environ.get("LOCAL_WORLD_SIZE", "1")))


def compare_memory(needs: Dict[str, int], device: torch.device) -> None:
    """Warns where rounds will need more memory than is free, before any of it is taken."""
    needs = {what: size for what, size in needs.items() if size and what != "inside averaged()"}
    total, free = sum(needs.values()), free_bytes(device)
    if total > free:
        parts = ", ".join(f"{what} {size / 1e9:.3g} GB" for what, size in needs.items())
        warnings.warn(
            f"rank {dist.get_rank()}: rounds need {total / 1e9:.3g} GB beside the model and the optimizer ({parts}), "
            f"and {free / 1e9:.3g} GB are free. wire='bf16' halves the buffers; a plan of order atc without overlap "
            "needs no snapshot; momentum='local' keeps nothing", SizeWarning, stacklevel=3)
