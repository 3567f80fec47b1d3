"""The ways to train that a trial compares: each is set up before a block of iterations and taken down after it."""

from __future__ import annotations

import contextlib
import gc
import warnings
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Iterator, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel

from .attach import attach
from .clocks import averages_gradients
from .ddp import ddp
from .plan import Plan, plan_hash

ALONE, DDP, HALF = "no exchange", "DDP", "DDP in half precision"
LONGEST_UNIT = 64  # iterations after which a plan's rounds begin anew; longer periods are measured round by round


@dataclass
class Way:
    """plan: with it, and hook where its average replaces DDP's all-reduce. compute_ms: what the plan counts with."""

    name: str
    plan: Optional[Plan] = None
    hook: bool = False
    compute_ms: float = 0.0
    error: str = ""
    notes: List[str] = field(default_factory=list)
    count: int = 0  # units of a block; 0: not known yet
    blocks: List[List[float]] = field(default_factory=list)  # ms of an iteration on the slowest rank

    @property
    def unit(self) -> int:
        """Iterations that are timed together, so that each time has the same share of rounds."""
        if self.plan is None:
            return 1
        whole = self.plan.every * self.plan.period
        return whole if whole <= LONGEST_UNIT else self.plan.every

    def predicted_ms(self) -> Optional[float]:
        """Of an iteration, from what the plan states; None where it states nothing."""
        plan = self.plan
        if plan is None or not plan.round_ms:
            return None
        hidden = self.compute_ms * (plan.delay or (1 if plan.overlap else 0))
        rounds = [max(0.0, ms - hidden) for ms in plan.round_ms]
        return self.compute_ms + sum(rounds) / len(rounds) / plan.every

    @contextlib.contextmanager
    def open(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer, timeout: float) -> Iterator[Any]:
        """Inside, what it yields is called in place of the model. All ranks enter and leave together."""
        groups: List[Any] = []
        called: Any = model
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                called, undo = self._set_up(model, optimizer, timeout, groups)
            self.notes += [text for text in dict.fromkeys(str(w.message) for w in caught) if text not in self.notes]
            yield called
            undo()
        finally:
            called = undo = None
            gc.collect()  # hooks on gradients end with the wrapper
            for group in groups:
                with contextlib.suppress(Exception):
                    dist.destroy_process_group(group)

    def _set_up(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer, timeout: float,
                groups: List[Any]) -> Tuple[Any, Any]:
        if self.name == ALONE:
            return model, lambda: None
        if self.plan is not None and not self.hook and not averages_gradients(self.plan):
            gossip = attach(optimizer, self.plan, timeout=timeout)
            groups.append(gossip._rounds.engine.links.group)
            return model, gossip.detach
        groups.append(dist.new_group(timeout=timedelta(seconds=timeout)))
        wrapped = DistributedDataParallel(model, process_group=groups[0])
        if self.name == HALF:
            register: Any = wrapped.register_comm_hook
            register(groups[0], default_hooks.fp16_compress_hook)
        elif self.hook and self.plan is not None:
            groups.append(ddp(wrapped, self.plan, timeout=timeout)._links.group)
        elif self.plan is not None:
            gossip = attach(optimizer, self.plan, model=wrapped, timeout=timeout)
            groups.append(gossip._rounds.engine.links.group)
            return wrapped, gossip.detach
        return wrapped, lambda: None


def ways(plans: Sequence[Tuple[str, Plan, float]]) -> List[Way]:
    """Of plans with their names and computing times: an exact average after every step is one of gradients."""
    out = [Way(ALONE), Way(DDP), Way(HALF)]
    for name, plan, compute_ms in plans:
        steady = replace(plan, phases=())  # the last phase is the one that lasts
        steady = replace(steady, hash=plan_hash(steady)) if plan.phases else plan
        hook = plan.kind == "collective" and plan.every == 1 and plan.average == "parameters" and not plan.overlap
        out.append(Way(f"DDP with the all-reduce of {name}" if hook else name, steady, hook, compute_ms))
    return out
