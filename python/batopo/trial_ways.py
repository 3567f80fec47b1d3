"""The ways to train that a trial compares: each is set up before a block of iterations and taken down after it."""

from __future__ import annotations

import contextlib
import gc
import json
import warnings
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel

from .attachment import attach
from .clocks import averages_gradients
from .data_parallel import ddp
from .plan_file import Plan, plan_hash

ALONE, DDP, HALF = "no exchange", "DDP", "DDP in half precision"
LONGEST_UNIT = 64  # iterations after which a plan's rounds repeat; longer periods are measured round by round


@dataclass(frozen=True)
class Given:
    """A plan to try, its name, and the text of its file, which is empty where there is none."""

    name: str
    plan: Plan
    source: str = ""

    @property
    def content(self) -> Dict[str, Any]:
        """What the file says; empty where it has no question and no claims, so that nobody else could judge it."""
        said: Dict[str, Any] = json.loads(self.source) if self.source else {}
        return said if said.get("question") and said.get("claims") else {}


@dataclass
class Way:
    """kind: what trial.json calls it. plan: with it; hash: of the plan as it was given, with all its phases."""

    name: str
    kind: str
    plan: Optional[Plan] = None
    hash: Optional[str] = None
    error: str = ""
    notes: List[str] = field(default_factory=list)
    count: int = 0  # units of a block; 0: not known yet
    blocks: List[List[float]] = field(default_factory=list)  # ms of an iteration on the slowest rank
    own: List[List[float]] = field(default_factory=list)  # of every block, the median of each rank

    @property
    def unit(self) -> int:
        """Iterations that are timed together, so that each time has the same share of rounds."""
        if self.plan is None:
            return 1
        whole = self.plan.every * self.plan.period
        return whole if whole <= LONGEST_UNIT else self.plan.every

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
        if self.kind == "alone":
            return model, lambda: None
        hook = self.kind == "ddp-hook"
        if self.plan is not None and not hook and not averages_gradients(self.plan):
            gossip = attach(optimizer, self.plan, timeout=timeout)
            groups.append(gossip._rounds.engine.links.group)
            return model, gossip.detach
        groups.append(dist.new_group(timeout=timedelta(seconds=timeout)))
        buckets: Dict[str, Any] = {}
        if self.plan is not None and self.plan.bucket_mb:
            buckets["bucket_cap_mb"] = self.plan.bucket_mb
        wrapped = DistributedDataParallel(model, process_group=groups[0], **buckets)
        if self.kind == "ddp-half":
            register: Any = wrapped.register_comm_hook
            register(groups[0], default_hooks.fp16_compress_hook)
        elif hook and self.plan is not None:
            groups.append(ddp(wrapped, self.plan, timeout=timeout)._links.group)
        elif self.plan is not None:
            gossip = attach(optimizer, self.plan, model=wrapped, timeout=timeout)
            groups.append(gossip._rounds.engine.links.group)
            return wrapped, gossip.detach
        return wrapped, lambda: None


def ways(plans: Sequence[Given]) -> List[Way]:
    """All that is tried. An all-reduce in every step is one of gradients."""
    out = [Way(ALONE, "alone"), Way(DDP, "ddp"), Way(HALF, "ddp-half")]
    for given in plans:
        plan = given.plan
        steady = replace(plan, phases=())  # the last phase is the one that lasts
        steady = replace(steady, hash=plan_hash(steady)) if plan.phases else plan
        hook = plan.kind == "collective" and plan.every == 1 and plan.average == "parameters" and not plan.overlap
        name = "".join(c for c in f"DDP with the all-reduce of {given.name}" if c.isprintable())[:120]
        name = name if hook else name[len("DDP with the all-reduce of "):]
        while name in [way.name for way in out]:
            name += "'"
        out.append(Way(name, "ddp-hook" if hook else "plan", steady, plan.hash))
    return out
