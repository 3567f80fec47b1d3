"""What a DistributedDataParallel does with gradients, as a plan says: they are averaged over all ranks, or inside this
rank's group, or left alone. Models stay wrapped whatever the plan is, so that one script serves every kind of plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Sequence

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from .backward import Backward, done
from .blocks import gradient_bytes
from .clocks import averages_gradients, phases
from .connect import Agreement, backend_for, new_group
from .data_parallel import WIRES, AllReduce, Averaging, averaged_by
from .errors import PeerError, SetupError
from .links import leave, wake
from .plan_file import FEW_BITS, Collective, Phase, Plan

_HOOK = "_batopo_gradients"
Future = Any  # of a tensor; torch 1.13 and 2.x declare it differently


class Hook:
    """What a model calls for the rest of its life: torch allows one. Without a plan gradients are averaged as usual."""

    def __init__(self) -> None:
        self.plan: Optional["Gradients"] = None

    def begin(self, bucket: Any) -> Future:
        """Of a bucket of gradients."""
        if self.plan is not None:
            return self.plan.hooked(bucket.buffer(), bucket.is_last())
        tensor = bucket.buffer().div_(dist.get_world_size())
        return dist.all_reduce(tensor, async_op=True).get_future().then(lambda future: future.value()[0])


@dataclass(frozen=True)
class Ways:
    """Who averages gradients: batopo's all-reduce over all ranks or inside this rank's group, or else the backend."""

    all: Optional[AllReduce] = None
    inside: Optional[AllReduce] = None
    group: Any = None  # this rank's process group
    wire: Optional[torch.dtype] = None  # of what the backend sends; None: unchanged


class Gradients:
    """The gradients of one model."""

    def __init__(self, plan: Plan, nodes: Sequence[int], rank: int, links: Any, ways: "Ways", look: bool,
                 compare: Callable[[int], None]) -> None:
        """nodes: of all ranks. look: a NaN is an error. compare: models of ranks that belong to one party."""
        self._plan, self._links, self._ways = plan, links, ways
        node = nodes[rank]
        shares = plan.batch_weights or (1 / plan.nodes,) * plan.nodes
        mine = next((g for g in plan.groups if node in g), (node,))
        self._ranks = sorted(nodes.index(i) for i in mine)
        self._inside = shares[node] / sum(shares[i] for i in mine) if plan.batch_weights else 1 / len(mine)
        self._share = shares[node]
        self.everybody = False
        self._hook = Hook()
        self._backward = Backward(links, look)
        self._party = next((k for k, g in enumerate(plan.groups) if node in g), node)
        self._compare, self._due = compare, True

    def resumed(self) -> None:
        """Models were loaded: those that are to be copies of one are compared before the first gradients."""
        self._due = True

    def follow(self, phase: Phase) -> None:
        """Gradients of the steps that follow belong to a phase."""
        self.everybody = phase.every == 0

    def hooked(self, tensor: torch.Tensor, last: bool) -> Future:
        """Starts what has to be done with a bucket, in place. last: of this backward pass."""
        if not self.everybody and not self._plan.inside_gradients:
            return done(tensor)
        reduce = self._ways.all if self.everybody else self._ways.inside
        backward = self._backward if reduce is None else reduce.backward
        if self._due:
            self._due, party = False, 0 if self.everybody else self._party
            backward.first = lambda: self._compare(party)
        if reduce is not None:
            return reduce.hooked(tensor, last)
        backward.enter()
        started = backward.attempt(lambda: self._begin(tensor)) if backward.error is None else None
        return done(tensor) if started is None else started

    def _begin(self, tensor: torch.Tensor) -> Future:
        group = None if self.everybody else self._ways.group
        try:
            self._backward.look(tensor)
        except PeerError:
            wake(group, range(dist.get_world_size()) if group is None else self._ranks, self._links.watch.rank)
            raise
        tensor.mul_(self._share if self.everybody else self._inside)
        sent = tensor if self._ways.wire is None or tensor.dtype != torch.float32 else tensor.to(self._ways.wire)
        try:
            work = dist.all_reduce(sent, group=group, async_op=True)
        except RuntimeError as error:
            raise self._reason(error) from None
        return work.get_future().then(lambda future: self._value(future, tensor))

    def _value(self, future: Future, tensor: torch.Tensor) -> torch.Tensor:
        try:
            value: torch.Tensor = future.value()[0]
            return value if value.dtype == tensor.dtype else tensor.copy_(value)
        except RuntimeError as error:
            self._backward.error = self._reason(error)
            return tensor

    def _reason(self, error: RuntimeError) -> PeerError:
        """What all ranks raise: what the first of them wrote on the board."""
        watch = self._links.watch
        watch.look()
        if watch.failure is not None:
            return PeerError(watch.failure["text"], (watch.failure["edge"][0], watch.failure["edge"][1]))
        with_whom = "all ranks" if self.everybody else f"the group of ranks {', '.join(map(str, self._ranks))}"
        failure: PeerError = self._links.fail(
            f"rank {watch.rank}: gradients of {with_whom} were not averaged; one of them ended, or did not answer "
            f"within {self._links.timeout:.1f} s: {str(error).splitlines()[0]}")
        return failure

    def register(self, model: DistributedDataParallel) -> None:
        """From here on the model's gradients are treated so."""
        hook: Optional[Hook] = getattr(model, _HOOK, None)
        if hook is None:
            hook = Hook()
            register: Any = model.register_comm_hook
            register(hook, lambda state, bucket: state.begin(bucket))
            setattr(model, _HOOK, hook)
        hook.plan, self._hook = self, hook
        if phases(self._plan)[-1].every > 0:  # buffers are no longer those of rank 0
            setattr(model, "broadcast_buffers", False)

    def remove(self) -> None:
        """Gradients are averaged over all ranks again, as without a plan."""
        self._hook.plan = None
        leave(self._ways.group)
        for reduce in (self._ways.all, self._ways.inside):
            if reduce is not None:
                reduce.close()
        self._ways = Ways()


def check_wrapped(plan: Plan, model: Optional[torch.nn.Module]) -> None:
    """Raises where a plan averages gradients and the model cannot."""
    if averages_gradients(plan) and not isinstance(model, DistributedDataParallel):
        raise SetupError("this plan averages gradients, which is done while they are computed: wrap the model before "
                         "the optimizer is made, model = DistributedDataParallel(model), and give it to attach: "
                         "attach(optimizer, plan, model=model)")


def _among(plan: Plan, members: Sequence[int]) -> Plan:
    """The mean of gradients of some nodes, around a ring. Not all releases of gloo add numbers of 16 bits."""
    shares = [plan.batch_weights[i] for i in members] if plan.batch_weights else []
    return Plan(len(members), kind="collective", collective=Collective("ring", tuple(range(len(members)))),
                average="gradients", batch_weights=tuple(share / sum(shares) for share in shares))


def hook_gradients(model: Optional[torch.nn.Module], plan: Plan, wire: Optional[str], agreement: Agreement,
                   verdict: Dict[str, Any], links: Any, device: torch.device,
                   backend: Optional[str], on_nan: str) -> Optional[Gradients]:
    """Connects the ranks that average gradients, and hooks the model. All ranks call it."""
    if not isinstance(model, DistributedDataParallel):
        return None
    nodes: List[int] = verdict["node_of_rank"]
    ways = Ways(wire=WIRES.get(wire))  # 8 bits are for changes
    kind, averaging = backend or backend_for(device), Averaging("gradients", "fp32" if wire in FEW_BITS else wire,
                                                                on_nan=on_nan)
    size = gradient_bytes(model)

    def reduce(made: Plan, place: List[int]) -> AllReduce:
        found = AllReduce(made, averaging, agreement, {"node_of_rank": place}, device, backend, links.timeout)
        found.total = size
        return found
    if plan.inside_gradients and ways.wire is not None and kind != "nccl":
        mine = next(members for members in plan.groups if nodes[agreement.rank] in members)
        ways = replace(ways, inside=reduce(_among(plan, mine), [mine.index(i) if i in mine else -1 for i in nodes]))
    elif plan.inside_gradients:
        for members in plan.groups:
            ranks = sorted(nodes.index(i) for i in members)
            made = new_group(ranks, kind, links.timeout)
            if agreement.rank in ranks:
                ways = replace(ways, group=made)
    if phases(plan)[0].every == 0:
        if plan.collective is not None:
            ways = replace(ways, all=reduce(plan, nodes))
        elif ways.wire is not None and kind != "nccl":
            ways = replace(ways, all=reduce(_among(plan, range(plan.nodes)), nodes))
    copies = averaged_by(model)
    gradients = Gradients(plan, nodes, agreement.rank, links, ways, on_nan == "raise",
                          lambda party: agreement.compare_replicas(party, copies))
    gradients.follow(phases(plan)[0])
    gradients.register(model)
    return gradients
