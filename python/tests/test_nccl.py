"""The NCCL links without NCCL: groups of transfers go over gloo, and events are made of what a test says.
device_check.py runs the real ones."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Callable, List

import torch
import torch.distributed as dist

import batopo
from batopo.blocks import Row, parameter_slot
from batopo.engine import Engine, Timing
from batopo.links import Nccl
from batopo.stages import Program
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
    """Every group is over on all ranks before the next begins, as a stream would have it; so whatever is not in one
    group with its counterpart hangs here as it would over NCCL."""
    def batch(ops: List[Any]) -> List[Any]:
        for work in [op.op(op.tensor, op.peer, group=op.group) for op in ops]:
            work.wait()
        return []
    kept = dist.batch_isend_irecv, torch.cuda.Event
    dist.batch_isend_irecv, torch.cuda.Event = batch, Event  # type: ignore
    try:
        out: List[Any] = []
        group = dist.new_group(timeout=timedelta(seconds=PATIENCE_S))
        watch = Watch(dist.distributed_c10d._get_default_store(), f"test-nccl/{number}", rank,
                      dist.get_world_size())
        links = Nccl(group, watch, timeout=0.3)
        for plan in plans:
            x = torch.arange(11.0, dtype=torch.float64) * (rank + 1)
            engine, program = Engine(links, torch.device("cpu")), Program(plan, rank, list(range(N)))
            for k in range(3):
                engine.average(Row([parameter_slot("x", x)]), program, k, Timing(k))
            out.append(x)
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


def test_slots_are_groups_and_a_stuck_one_is_named(world: Callable[[int], Any]) -> None:
    kinds = all_kinds(N)
    got = world(N).run(in_groups, [plan for _, plan in kinds], 1)
    for k, (name, plan) in enumerate(kinds):
        x = torch.stack([torch.arange(11.0, dtype=torch.float64) * (r + 1) for r in range(N)])
        for t in range(3):
            x = apply_round(plan, t, x)
        assert torch.allclose(torch.stack([g[k] for g in got]), x, rtol=1e-12), name
    for *_, text in got:
        assert "one of the edges" in text and "no answer within 0.3 s" in text
