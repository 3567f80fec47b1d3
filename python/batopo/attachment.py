"""attach: one line between the optimizer and the training loop."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import partial
from typing import Any, Dict, List, Optional, Union

import torch
import torch.distributed as dist

from . import fewbits
from .averaging import Averager
from .blocks import Row, Slot, flat, parted
from .checks import check
from .checks_clocks import warnings_of
from .clocks import check_options, weight
from .connect import Agreement, backend_for, connect, connecting
from .engine import Engine
from .data_parallel import WIRES
from .errors import AdviceWarning, SetupError
from .given import PlanLike, load, seat
from .gossip import Gossip
from .gradients import check_wrapped, hook_gradients
from .hooks import HOOKED, StepHooks
from .momentum import Momentum, parameters
from .placement import where_am_i
from .plan_file import FEW_BITS, Plan, plan_hash
from .rounds import Rounds
from .shards import check_sharded, holders, reshard
from .sizes import compare_memory, compare_sizes
from .stages import seat_in_group
from .subjects import buffer_slots, check_model, describe, digest, parameter_slots
from .worker import Worker


def attach(optimizer: torch.optim.Optimizer, plan: PlanLike, scaler: Optional[Any] = None, *,
           model: Optional[torch.nn.Module] = None, momentum: str = "local", buffers: str = "local",
           wire: Optional[str] = None, timeout: float = 300.0, on_loss: str = "raise",
           node: Union[int, str, None] = None, explicit: bool = False, backend: Optional[str] = None,
           every: Optional[int] = None, start: str = "broadcast", on_nan: str = "raise") -> Gossip:
    """From here on the optimizer's steps average as the plan says: parameters, their changes or gradients.

    All ranks call it, after torch.distributed.init_process_group. model: a DistributedDataParallel, which plans that
    average gradients need, or the bare model. docs/pytorch.md explains the options.
    """
    agreement = Agreement(timeout)
    facts: Dict[str, Any] = {"world": agreement.world, **where_am_i(), "options": [
        momentum, buffers, wire, timeout, on_loss, explicit, backend, every,
        start, on_nan]}
    made: List[_Local] = []

    def local() -> Dict[str, Any]:
        if getattr(optimizer, HOOKED, False) and not explicit:
            raise SetupError("this optimizer is attached already: its steps would be averaged twice")
        mine = _Local(optimizer, _every(load(plan), every), model, momentum, buffers, wire)
        _check_options(on_loss, on_nan, start, mine.plan, backend or backend_for(mine.device))
        check_options(mine.plan, momentum, buffers, start, explicit)
        made.append(mine)
        return {**describe(mine.slots), **mine.sharing(agreement.rank), "start": digest(mine.final),
                "plan": mine.plan.hash, "every": mine.plan.every, "nodes": mine.plan.nodes,
                "names": list(mine.plan.names), "node": seat(node, mine.plan)}
    verdict = agreement.open("attach", facts, local)
    (mine,) = made
    ranks = mine.averaged_with(verdict, agreement.rank)
    links = connect(agreement, mine.device, backend, timeout, on_loss == "fold")
    if verdict["unequal"] and start == "broadcast":
        _equal_start(mine.final, verdict["unequal"][0], links.group, agreement.rank, ranks)
    engine = Engine(links, mine.device)
    row = mine.row()
    if mine.plan.kind == "gossip":
        row.compensate()
    rounds = Rounds(mine.plan, verdict["node_of_rank"], agreement.rank, row, engine, mine.momentum,
                    Worker(mine.device, timeout), FEW_BITS.get(mine.wire or "", 0), mine.parts(),
                    max(1, len(mine.holders)))
    if links.batched:
        rounds.warm_up()
    rounds.on_nan = on_nan
    norms = model is not None and buffers == "local" and bool(buffer_slots("mix", model))
    gradients = hook_gradients(model, mine.plan, mine.wire, agreement, verdict, links, mine.device, backend,
                               "ignore" if scaler is not None or on_nan == "ignore" else "raise")
    averager = Averager(mine.final, engine, agreement.rank, ranks, mine.share(verdict, agreement.rank),
                        partial(reshard, model if mine.holders else None))
    gossip = Gossip(rounds, averager, agreement.agree, load, norms, gradients)
    if not explicit:
        gossip._unhook = StepHooks(optimizer, scaler, gossip.before_step, gossip.after_step).remove
    compare_sizes(gossip.plan, gossip.sent_bytes)
    compare_memory(gossip.memory(), mine.device)
    if agreement.rank == 0:
        for advice in warnings_of(mine.plan):
            warnings.warn(f"the plan says: {advice}", AdviceWarning, stacklevel=2)
    return gossip


class _Local:
    """The parts of attach that need no other rank."""

    def __init__(self, optimizer: torch.optim.Optimizer, plan: Plan, model: Optional[torch.nn.Module],
                 momentum: str, buffers: str, wire: Optional[str]) -> None:
        self.plan, self.holders = plan, holders(parameters(optimizer))
        if self.holders:
            check_sharded(plan, model, momentum, buffers)
        else:
            check_wrapped(plan, model)
        if model is not None and plan.average != "gradients":
            check_model(model)
        self.wire = wire or plan.wire or None
        if self.wire in FEW_BITS and plan.average == "changes":
            fewbits.check(plan, self.wire)
        elif self.wire not in WIRES:
            raise SetupError(f"wire is {self.wire!r}; it must be None (what the plan says), 'fp32', 'bf16' or 'fp16', "
                             f"or one of {', '.join(map(repr, FEW_BITS))} where the plan has average changes")
        weights, running = parameter_slots(optimizer, model), buffer_slots(buffers, model)
        self.momentum = Momentum(momentum, optimizer)
        self.momentum.check(self.plan)
        self.slots = weights + (running if buffers == "mix" else []) + self.momentum.slots()
        self.final = weights + running
        self.device = weights[0].like.device

    def row(self) -> Row:
        """What rounds average, with the type that travels."""
        return Row(self.slots, WIRES.get(self.wire))

    def parts(self) -> List[Row]:
        """The pieces that rounds average in turn."""
        pieces = parted(self.slots, self.plan.pieces)
        if not all(pieces):
            raise SetupError(f"the model is too small for {self.plan.pieces} pieces of {fewbits.BLOCK} numbers or more")
        return [Row(slots, WIRES.get(self.wire)) for slots in pieces]

    def share(self, verdict: Dict[str, Any], rank: int) -> float:
        """The weight of this rank in the mean of all."""
        weights, node = self.plan.batch_weights, verdict["node_of_rank"][rank]
        if self.holders:
            return weight(self.plan, node)
        return weights[node] if weights else 1 / self.plan.nodes

    def sharing(self, rank: int) -> Dict[str, Any]:
        """What ranks compare where they hold models together."""
        part = self.holders.index(rank) if rank in self.holders else 0
        return {"holders": self.holders, "shards": len(self.holders), "part": part, "groups": self.plan.groups}

    def averaged_with(self, verdict: Dict[str, Any], rank: int) -> List[int]:
        """The ranks over which the mean is: all, or those with the same shards."""
        nodes: List[int] = verdict["node_of_rank"]
        if not self.holders:
            return list(range(len(nodes)))
        _, member = seat_in_group(self.plan, nodes[rank])
        return [nodes.index(group[member]) for group in self.plan.groups]


def _every(plan: Plan, every: Optional[int]) -> Plan:
    """The plan with another number of steps between rounds."""
    if every is None or every == plan.every:
        return plan
    changed = replace(plan, every=every)
    check(changed)
    return replace(changed, hash=plan_hash(changed))


def _equal_start(slots: List[Slot], other: int, group: Any, rank: int, ranks: List[int]) -> None:
    """Everybody gets what rank 0 has, as with DistributedDataParallel; of a shard what the first that has it has."""
    if rank == 0:
        warnings.warn(f"parameters differ at the start (those of rank {other} first): all ranks now have those of "
                      "rank 0. attach(…, start='keep') lets every rank begin with its own", stacklevel=3)
    for tensor in (slot.read() for slot in slots):
        if tensor is None or tensor.numel() == 0:
            continue
        with connecting():
            if len(ranks) == dist.get_world_size():
                dist.broadcast(flat(tensor), 0, group=group)
            elif rank != ranks[0]:
                dist.recv(flat(tensor), ranks[0], group=group)
            else:
                for twin in ranks[1:]:
                    dist.send(flat(tensor), twin, group=group)


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
