"""Whether the model sends what the plan was made for."""

from __future__ import annotations

import warnings

import torch.distributed as dist

from .errors import SizeWarning
from .plan import Plan

_TIMES = {"bf16": 2, "fp16": 2, "int8": 4}  # more than travels: a plan is for messages of 32 bits, whatever its wire
FAR = 1.5  # less than the factor 2 of another type of parameters, of bf16 on the wire or of mixed momentum


def compare_sizes(plan: Plan, sent: int) -> None:
    """Warns on rank 0 where a plan that predicts times is for another size than the bytes that a peer is sent."""
    planned, here = plan.message_mb, sent / 1e6 * _TIMES.get(plan.wire, 1)
    if dist.get_rank() != 0 or not plan.round_ms or planned == 0 or max(planned, here) <= FAR * min(planned, here):
        return
    warnings.warn(
        f"the plan was made for messages of {planned:g} MB, and this job sends {here:.4g} MB to each peer: the times "
        "that the plan predicts do not hold here, and another plan may be faster. Make the plan anew with message_mb: "
        f"{here:.4g} under model in the cluster description, or with --message {here:.4g}MB beside --nodes",
        SizeWarning, stacklevel=3)  # where attach or switch was called
