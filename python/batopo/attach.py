"""attach: one line between the optimizer and the training loop."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from typing import Any, Dict, List, Optional, Union

import torch
import torch.distributed as dist

from .averaging import Averager
from .blocks import Row, Slot, flat
from .checks import check
from .checks_clocks import refuse_clocks
from .connect import Agreement, backend_for, connect
from .engine import Engine
from .errors import SetupError
from .gossip import Gossip
from .hooks import HOOKED, StepHooks
from .momentum import Momentum
from .placement import find_node, where_am_i
from .plan import V2, Plan, plan_hash
from .reader import read_plan
from .rounds import Rounds
from .sizes import compare_sizes
from .subjects import buffer_slots, check_model, describe, digest, parameter_slots
from .worker import Worker

PlanLike = Union[str, "os.PathLike[str]", Plan]


def attach(optimizer: torch.optim.Optimizer, plan: PlanLike, scaler: Optional[Any] = None, *,
           model: Optional[torch.nn.Module] = None, momentum: str = "local", buffers: str = "local",
           wire: Optional[str] = None, timeout: float = 300.0, on_loss: str = "raise",
           node: Union[int, str, None] = None, explicit: bool = False, backend: Optional[str] = None,
           every: Optional[int] = None, start: str = "broadcast", on_nan: str = "raise") -> Gossip:
    """Averages the optimizer's parameters with neighbours after its steps, as the plan says.

    All ranks call it, after torch.distributed.init_process_group. docs/pytorch.md explains the options.
    """
    agreement = Agreement(timeout)
    facts: Dict[str, Any] = {"world": agreement.world, **where_am_i(), "options": [
        momentum, buffers, wire, timeout, on_loss, explicit, backend, every,
        start, on_nan]}
    made: List[_Local] = []

    def local() -> Dict[str, Any]:
        if getattr(optimizer, HOOKED, False) and not explicit:
            raise SetupError("this optimizer is attached already: its steps would be averaged twice")
        refuse_clocks(load(plan), "attach")
        mine = _Local(optimizer, _every(load(plan), every), model, momentum, buffers, wire)
        _check_options(on_loss, on_nan, start, mine.plan, backend or backend_for(mine.device))
        made.append(mine)
        return {**describe(mine.slots), "start": digest(mine.final), "plan": mine.plan.hash, "every": mine.plan.every,
                "nodes": mine.plan.nodes, "names": list(mine.plan.names), "node": seat(node, mine.plan)}
    verdict = agreement.open("attach", facts, local)
    (mine,) = made
    links = connect(agreement, mine.device, backend, timeout, on_loss == "fold")
    if verdict["unequal"] and start == "broadcast":
        _equal_start(mine.final, verdict["unequal"][0], links.group, agreement.rank)
    engine = Engine(links, mine.device)
    row = Row(mine.slots, mine.wire)
    if mine.plan.kind == "gossip":
        row.compensate()
    rounds = Rounds(mine.plan, verdict["node_of_rank"], agreement.rank, row, engine, mine.momentum,
                    Worker(mine.device, timeout))
    if links.batched:
        rounds.warm_up()
    rounds.on_nan = on_nan
    norms = model is not None and buffers == "local" and bool(buffer_slots("mix", model))
    gossip = Gossip(rounds, Averager(mine.final, engine, agreement.rank, agreement.world), agreement.agree, load, norms)
    if not explicit:
        gossip._unhook = StepHooks(optimizer, scaler, gossip.before_step, gossip.after_step).remove
    compare_sizes(gossip.plan, gossip.sent_bytes)
    return gossip


class _Local:
    """What can be made without the other ranks."""

    def __init__(self, optimizer: torch.optim.Optimizer, plan: Plan, model: Optional[torch.nn.Module],
                 momentum: str, buffers: str, wire: Optional[str]) -> None:
        self.plan = plan
        if model is not None:
            check_model(model)
        if wire not in (None, "bf16"):
            raise SetupError(f"wire is {wire!r}; it must be None (the parameters' type) or 'bf16'")
        weights, running = parameter_slots(optimizer), buffer_slots(buffers, model)
        self.momentum = Momentum(momentum, optimizer)
        self.momentum.check(self.plan)
        self.slots = weights + (running if buffers == "mix" else []) + self.momentum.slots()
        self.final = weights + running
        self.device = weights[0].like.device
        self.wire = torch.bfloat16 if wire == "bf16" else None


def load(plan: PlanLike) -> Plan:
    """A plan from its file; an OSError becomes one that names the file too."""
    if isinstance(plan, Plan):
        return plan
    if not isinstance(plan, (str, os.PathLike)):
        raise SetupError(f"the plan is a {type(plan).__name__}; give the name of its file, or what read_plan returned")
    try:
        return read_plan(plan)
    except OSError as error:
        raise SetupError(f"the plan cannot be read: {error}") from error


def seat(node: Union[int, str, None], plan: Plan) -> Optional[int]:
    try:
        return find_node(node, plan.names, plan.nodes)
    except ValueError as error:
        raise SetupError(str(error)) from error


def _every(plan: Plan, every: Optional[int]) -> Plan:
    """The plan with another number of steps between rounds."""
    if every is None or every == plan.every:
        return plan
    changed = replace(plan, every=every, version=V2)
    check(changed)
    return replace(changed, hash=plan_hash(changed))


def _equal_start(slots: List[Slot], other: int, group: Any, rank: int) -> None:
    """Everybody gets what rank 0 has, as with DistributedDataParallel."""
    if rank == 0:
        warnings.warn(f"parameters differ at the start (those of rank {other} first): all ranks now have those of "
                      "rank 0. attach(…, start='keep') lets every rank begin with its own", stacklevel=3)
    for tensor in (slot.read() for slot in slots):
        if tensor is not None:
            dist.broadcast(flat(tensor), 0, group=group)


def _check_options(on_loss: str, on_nan: str, start: str, plan: Plan, backend: str) -> None:
    for name, word, known in (("on_loss", on_loss, ("raise", "fold")), ("on_nan", on_nan, ("raise", "skip", "ignore")),
                              ("start", start, ("broadcast", "keep"))):
        if word not in known:
            raise SetupError(f"{name} is {word!r}; it must be one of {known}")
    if (on_loss == "fold" or on_nan == "skip") and not plan.symmetric:
        raise SetupError("on_loss='fold' and on_nan='skip' need an undirected gossip plan of one level: only there "
                         "closing an edge keeps W doubly stochastic")
    if on_loss == "fold" and backend == "nccl":
        raise SetupError("on_loss='fold' works over gloo; NCCL ends all connections when one breaks")
