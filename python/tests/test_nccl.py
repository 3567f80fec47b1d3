"""The NCCL links without NCCL: groups of transfers go over gloo, and events are made of what a test says.
device_check.py runs the real ones."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Callable, List

import torch
import torch.distributed as dist

import batopo
from batopo.engine import Engine, Timing
from batopo.message import Message, parameter_slot
from batopo.nccl import NcclLinks
from batopo.program import Programs
from batopo.watch import Watch
from plans import all_kinds, apply_round
from worlds import PATIENCE_S

N = 4


class Event:
    """Stands for a CUDA event."""

    done = True

    def record(self) -> None:
        pass

    def query(self) -> bool:
        return Event.done


def in_groups(rank: int, plans: List[Any], number: int) -> List[Any]:
    groups: List[List[str]] = []

    def batch(ops: List[Any]) -> List[Any]:
        groups.append([op.op.__name__ for op in ops])
        return [op.op(op.tensor, op.peer, group=op.group) for op in ops]
    kept = dist.batch_isend_irecv, torch.cuda.Event
    dist.batch_isend_irecv, torch.cuda.Event = batch, Event  # type: ignore
    try:
        out: List[Any] = []
        group = dist.new_group(timeout=timedelta(seconds=PATIENCE_S))
        watch = Watch(dist.distributed_c10d._get_default_store(), f"test-nccl/{number}", rank)
        links = NcclLinks(group, watch, timeout=0.3)
        for plan in plans:
            x = torch.arange(11.0, dtype=torch.float64) * (rank + 1)
            engine = Engine(Message([parameter_slot("x", x)]), links, staged=False)
            programs = Programs(plan, rank, list(range(N)), 11)
            for k in range(3):
                engine.message.load()
                engine.run(programs.phases(k), Timing(k))
                engine.message.store()
            out.append(x)
        out.append(all(names == sorted(names) for names in groups))  # irecv before isend
        Event.done = False
        dist.barrier()
        try:
            links.confirm()
        except batopo.PeerError as error:
            out.append(str(error))
        dist.barrier()
        return out
    finally:
        dist.batch_isend_irecv, torch.cuda.Event = kept  # type: ignore
        Event.done = True


def test_phases_are_groups_and_a_stuck_one_is_named(world: Callable[[int], Any]) -> None:
    kinds = all_kinds(N)
    got = world(N).run(in_groups, [plan for _, plan in kinds], 1)
    for k, (name, plan) in enumerate(kinds):
        x = torch.stack([torch.arange(11.0, dtype=torch.float64) * (r + 1) for r in range(N)])
        for t in range(3):
            x = apply_round(plan, t, x)
        assert torch.allclose(torch.stack([g[k] for g in got]), x, rtol=1e-12), name
    for *_, ordered, text in got:
        assert ordered and "one of the edges" in text and "no answer within 0.3 s" in text
