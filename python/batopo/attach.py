"""attach: one line between the optimizer and the training loop."""

from __future__ import annotations

import os
import warnings
from datetime import timedelta
from typing import Any, Dict, Optional, Union

import torch
import torch.distributed as dist

from .averaging import Averager
from .background import Background
from .engine import Engine
from .errors import BatopoError, SetupError
from .gossip import Gossip
from .handshake import shake_hands
from .hooks import HOOKED, StepHooks
from .links import GlooLinks
from .message import Message
from .momentum import Momentum
from .nccl import NcclLinks
from .placement import find_node, where_am_i
from .plan import Plan
from .reader import read_plan
from .rounds import Rounds
from .sizes import compare_sizes
from .subjects import buffer_slots, check_model, describe, parameter_slots
from .watch import Watch

PlanLike = Union[str, "os.PathLike[str]", Plan]
HANDSHAKE_S = 300.0
_attached = 0


def attach(optimizer: torch.optim.Optimizer, plan: PlanLike, scaler: Optional[Any] = None, *,
           model: Optional[torch.nn.Module] = None, momentum: str = "local", buffers: str = "local",
           wire: Optional[str] = None, timeout: float = 300.0, on_loss: str = "raise",
           node: Union[int, str, None] = None, explicit: bool = False, backend: Optional[str] = None) -> Gossip:
    """Averages the optimizer's parameters with neighbours after its steps, as the plan says.

    All ranks call it, after torch.distributed.init_process_group. docs/pytorch.md explains the options.
    """
    if not dist.is_initialized():
        raise SetupError("call torch.distributed.init_process_group first, on every rank")
    global _attached
    _attached += 1
    store = dist.distributed_c10d._get_default_store()
    agreement = Agreement(store, f"batopo/{_attached}")
    facts: Dict[str, Any] = {"world": agreement.world, **where_am_i(), "options": [
        momentum, buffers, wire, timeout, on_loss, explicit, backend]}
    problem: Optional[BatopoError] = None
    try:
        if getattr(optimizer, HOOKED, False) and not explicit:
            raise SetupError("this optimizer is attached already: its steps would be averaged twice")
        parts = _Local(optimizer, plan, model, momentum, buffers, wire)
        _check_options(on_loss, timeout, parts.plan)
        facts.update(describe(parts.slots), plan=parts.plan.hash, every=parts.plan.every, nodes=parts.plan.nodes,
                     names=list(parts.plan.names), node=_seat(node, parts.plan))
    except BatopoError as error:
        problem, facts["error"] = error, str(error)
    try:
        verdict = agreement.agree("attach", facts)
    except BatopoError:
        if problem is not None:
            raise problem from None
        raise
    if agreement.rank == 0 and verdict["warning"]:
        warnings.warn(verdict["warning"], stacklevel=2)
    gossip = _assemble(parts, agreement, verdict, _Options(timeout, on_loss, backend), explicit, scaler)
    compare_sizes(gossip.plan, gossip.sent_bytes)
    return gossip


class Agreement:
    """Handshakes of one Gossip, each with its own place in the store."""

    def __init__(self, store: Any, prefix: str) -> None:
        self.store, self.prefix = store, prefix
        self.rank, self.world = dist.get_rank(), dist.get_world_size()
        self._count = 0

    def agree(self, what: str, facts: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the verdict, or raises on all ranks."""
        self._count += 1
        place = f"{self.prefix}/{what}/{self._count}"
        return shake_hands(self.store, place, self.rank, self.world, facts, HANDSHAKE_S)


class _Options:
    def __init__(self, timeout: float, on_loss: str, backend: Optional[str]) -> None:
        self.timeout, self.on_loss, self.backend = timeout, on_loss, backend


class _Local:
    """What can be made without the other ranks."""

    def __init__(self, optimizer: torch.optim.Optimizer, plan: PlanLike, model: Optional[torch.nn.Module],
                 momentum: str, buffers: str, wire: Optional[str]) -> None:
        self.optimizer, self.plan = optimizer, load(plan)
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


def _seat(node: Union[int, str, None], plan: Plan) -> Optional[int]:
    try:
        return find_node(node, plan.names, plan.nodes)
    except ValueError as error:
        raise SetupError(str(error)) from error


def _check_options(on_loss: str, timeout: float, plan: Plan) -> None:
    if on_loss not in ("raise", "fold"):
        raise SetupError(f"on_loss is {on_loss!r}; it must be 'raise' or 'fold'")
    if on_loss == "fold" and not plan.symmetric:
        raise SetupError("on_loss='fold' needs an undirected gossip plan of one level: only there closing an edge "
                         "keeps W doubly stochastic")
    if not timeout > 0:
        raise SetupError(f"timeout is {timeout}; it must be above 0 seconds")


def _assemble(local: _Local, agreement: Agreement, verdict: Dict[str, Any], options: _Options, explicit: bool,
              scaler: Optional[Any]) -> Gossip:
    backend = options.backend or _backend(local.device)
    if backend == "nccl" and options.on_loss == "fold":
        raise SetupError("on_loss='fold' works over gloo; NCCL ends all connections when one breaks")
    group = dist.new_group(backend=backend, timeout=timedelta(seconds=max(60.0, 4 * options.timeout)))
    watch = Watch(agreement.store, f"{agreement.prefix}/watch", agreement.rank)
    links: Any = (NcclLinks(group, watch, options.timeout) if backend == "nccl"
                  else GlooLinks(group, watch, options.timeout, options.on_loss == "fold"))
    staged = backend == "gloo" and local.device.type == "cuda"
    engine = Engine(Message(local.slots, local.wire), links, staged)
    final = Engine(Message(local.final, exact=True), links, staged, strict=True)
    averager = Averager(local.final, final, agreement.rank, agreement.world)
    rounds = Rounds(local.plan, verdict["node_of_rank"], agreement.rank, engine, local.momentum,
                    Background(local.device))
    dist.all_reduce(torch.zeros(1, device=local.device if backend == "nccl" else "cpu"), group=group)
    rounds.warm_up()
    gossip = Gossip(rounds, averager, agreement.agree, load)
    if not explicit:
        StepHooks(local.optimizer, scaler, gossip.before_step, gossip.after_step)
    return gossip


def _backend(device: torch.device) -> str:
    if device.type == "cuda" and "nccl" in str(dist.get_backend()):
        return "nccl"
    return "gloo"
