"""DistributedDataParallel with a plan's all-reduce: batopo.ddp(model, plan); and batopo.all_reduce(tensor, plan).

Training does not change: gradients are averaged over all ranks as before, only over other ways. Buckets are cut into
chunks, and while the sums of one chunk travel back, the next chunk is on its way to those who sum it.
"""

from __future__ import annotations

import queue
import warnings
from collections import deque
from dataclasses import astuple, dataclass
from functools import partial
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple, Union

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from .backward import Backward, check_on_nan, done
from .blocks import BLOCK_BYTES, Lane, Row, flat, gradient_bytes, parameter_slot, size_of
from .connect import Agreement, connect, new_group
from .errors import SetupError
from .engine import Engine, Flight, Timing
from .given import PlanLike, load, seat
from .placement import where_am_i
from .plan_file import Plan
from .stages import Program
from .subjects import check_parameters, describe
from .worker import Worker

WIRES: Dict[Optional[str], Optional[torch.dtype]] = {
    None: None, "fp32": None, "fp16": torch.float16, "bf16": torch.bfloat16}
Bucket = Tuple[torch.Tensor, "torch.futures.Future[Any]", bool]  # with whether it is the last of its pass


@dataclass(frozen=True)
class Averaging:
    """How an average is run, beside which transfers make it: what a plan or the caller says."""

    sends: str = "gradients"
    wire: Optional[str] = None
    chunks: int = 0  # 0: the plan's number
    on_nan: str = "raise"

    def check(self, plan: Plan) -> None:
        """Raises where a plan cannot be run so."""
        if plan.kind != "collective":
            raise SetupError("the plan is gossip, which averages parameters with a few peers: give it to batopo.attach,"
                             " or make one of kind collective with batopo topology all-reduce")
        known = ["average", "wire", "bucket_mb", "library"] + ["batch_weights"] * (self.sends == "gradients")
        others = [name for name in plan.clocks if name not in known]
        if others or plan.average == "changes":
            raise SetupError(f"the plan has {', '.join(others or ['average changes'])}, which is more than averages of "
                             "gradients: give it to batopo.attach(optimizer, plan, model=model)")
        if self.wire not in WIRES:
            raise SetupError(f"wire is {self.wire!r}; it must be one of {sorted(map(str, WIRES))}")
        check_on_nan(self.on_nan)
        if self.chunks < 0:
            raise SetupError(f"chunks is {self.chunks}; it must be at least 1")


class AllReduce:
    """One plan's all-reduce over all ranks, for tensors of any size."""

    def __init__(self, plan: Plan, averaging: Averaging, agreement: Agreement, verdict: Dict[str, Any],
                 device: torch.device, backend: Optional[str], timeout: float) -> None:
        self.plan, self.averaging = plan, averaging
        self._links = connect(agreement, device, backend, timeout)
        self._engine, self._worker = Engine(self._links, device), Worker(device, timeout)
        nodes = verdict["node_of_rank"]
        self._wire = WIRES[averaging.wire or plan.wire or None]
        # Half precision ends at 65504: shares are sent, as DDP's own hook for it does.
        self._shares = self._wire == torch.float16
        # Of what a mean over all is made of.
        self._times = plan.batch_weights[nodes[agreement.rank]] * plan.nodes if plan.batch_weights else None
        servers = [[rank for rank, node in enumerate(nodes) if node == i] for i in range(plan.nodes)]
        mine = servers[nodes[agreement.rank]]
        self._ranks = sum(map(len, servers))
        member, inside = mine.index(agreement.rank), mine if len(mine) > 1 else []
        self._program = Program(plan, nodes[agreement.rank], [ranks[member] for ranks in servers],
                                not self._shares, inside, member)
        if inside and self._links.batched:
            groups = [new_group(ranks, "nccl", timeout) for ranks in servers]
            self._links.server = groups[nodes[agreement.rank]]
        self._buckets: "queue.SimpleQueue[Optional[Bucket]]" = queue.SimpleQueue()  # None: no more will come
        self._worker.unblock = partial(self._buckets.put, None)
        self._passing = False  # a backward pass has begun, and its last bucket has not come
        self._cuts_end = True  # all buckets of the pass on the links are cut
        self._follows = False  # the next bucket follows the last one without a gap
        self._blocks: Deque[Tuple[Tuple[Lane, int, int], Callable[[], None]]] = deque()
        self._pending: List[Tuple["torch.futures.Future[Any]", torch.Tensor]] = []
        self._broken: Optional[Exception] = None
        self.backward = Backward(self._links, averaging.on_nan == "raise")
        self._look = averaging.sends == "gradients"
        self._calls = 0
        self.total = 0  # bytes of a whole message; 0: every tensor is one

    def __repr__(self) -> str:
        collective = self.plan.collective
        assert collective is not None
        what = f"{self.plan.nodes} servers" if self._program.inside else f"{self.plan.nodes} ranks"
        return (f"AllReduce({collective.algorithm} over {what}, wire "
                f"{self.averaging.wire or 'unchanged'}, plan {self.plan.hash[:12]})")

    def hooked(self, tensor: torch.Tensor, last: bool) -> "torch.futures.Future[Any]":
        """Starts the average of a bucket. last: no other one of this backward pass follows."""
        self.backward.enter()
        self._broken = self._broken or self.backward.error
        return self.begin(tensor, last)

    def mean(self, tensor: torch.Tensor) -> None:
        """Replaces a tensor by its mean over all ranks."""
        self._links.at, self._calls = f"all_reduce {self._calls}", self._calls + 1
        self.begin(tensor).wait()
        if self._broken is not None:
            raise self._broken

    def begin(self, tensor: torch.Tensor, last: bool = True) -> "torch.futures.Future[Any]":
        """Starts the average of a tensor, in place. After a failure it does nothing; the backward pass raises it."""
        if self._broken is not None:
            self.backward.error = self._broken
            return done(tensor)
        if self._times is not None:
            tensor.mul_(self._times)
        cuda = tensor.device.type == "cuda"
        future: "torch.futures.Future[Any]" = torch.futures.Future(devices=[tensor.device] if cuda else None)
        self._pending.append((future, tensor))
        if self._links.batched:
            self._buckets.put((tensor, future, True))
            self._links.confirm()
            with self._worker.beside():
                self._pump()
                self._links.ended()
            return future
        self._worker.follow()  # gradients are complete when the caller's stream is
        self._buckets.put((tensor, future, last))
        if not self._passing or self._broken is not None:  # a failure meanwhile must reach this future too
            self._worker.start(self._pump)
        self._passing = not last
        return future

    def close(self) -> None:
        """Ends the connections; a model that was given to batopo.ddp cannot be trained after this."""
        self._worker.close()
        self._links.close()
        self._broken = SetupError("close() ended the connections of this average")

    def _pump(self) -> None:
        """Runs a pass."""
        try:
            self._cuts_end = self._broken is not None
            while not self._cuts_end:
                self._cut_next()
                self._engine.run(self._next, Timing(-1))
        except Exception as error:  # raised where a future is read
            self._broken = error
        if self._broken is not None:
            self.backward.error = self._broken
            while self._pending:
                future, tensor = self._pending.pop()
                future.set_result(tensor)

    def _next(self) -> Optional[Flight]:
        """The next chunk. Those of a bucket follow the bucket before without a gap, and links stay busy. For that it
        waits for a bucket that is still being computed, and earlier chunks wait with it: all ranks then take chunks
        through their stages in the same order. Ranks that go on with what they have mix two buckets in different ways,
        and wait for each other for ever. A bucket of few chunks is finished first: it would wait for many others."""
        if not self._blocks and not self._cuts_end and self._follows:
            self._cut_next()
        if not self._blocks:
            return None
        block, landed = self._blocks.popleft()
        lane, lo, hi = block
        return Flight(self._engine, (lane, lo, hi), self._program.stages(0, hi - lo), landed, in_place=True)

    def _cut_next(self) -> None:
        try:
            bucket = self._buckets.get(timeout=self._links.timeout)
        except queue.Empty:
            raise self._links.fail(f"rank {self._links.watch.rank}: the backward pass did not give its next bucket of "
                                   f"gradients within {self._links.timeout:.1f} s") from None
        self._cuts_end = bucket is None or bucket[2]
        if bucket is not None:
            self._cut(*bucket[:2])

    def _cut(self, tensor: torch.Tensor, future: "torch.futures.Future[Any]") -> None:
        if self._look:
            self.backward.look(tensor)
        if self._shares:
            tensor.div_(self._ranks)
        row = Row([parameter_slot("", tensor)], self._wire if tensor.dtype == torch.float32 else None)
        size = tensor.numel() * size_of(tensor.dtype)
        total = self.total or size
        assert self.plan.collective is not None
        count = max(1, round((self.averaging.chunks or self.plan.collective.chunks) * size / total))
        blocks = row.cut((0, row.elements), count, BLOCK_BYTES)
        left = [len(blocks)]
        # Its last chunk is through when the next bucket's chunks are on their way.
        self._follows = len(blocks) >= len(self._program.stages(0, tensor.numel())) - 1

        def landed() -> None:
            left[0] -= 1
            if left[0] == 0:
                self._pending.remove((future, tensor))
                future.set_result(tensor)
        self._blocks.extend((block, landed) for block in blocks)


def ddp(model: torch.nn.Module, plan: PlanLike, *, wire: Optional[str] = None, chunks: int = 0,
        timeout: float = 300.0, node: Union[int, str, None] = None, backend: Optional[str] = None,
        on_nan: str = "raise") -> AllReduce:
    """Makes a DistributedDataParallel average its gradients with the plan's collective.

    All ranks call it, after the model is wrapped and before the first step. docs/pytorch.md explains the options.
    """
    def local() -> List[torch.Tensor]:
        return _gradients_of(model)
    reduce, agreement = _open(plan, Averaging("gradients", wire, chunks, on_nan), local, timeout, node, backend)
    assert isinstance(model, DistributedDataParallel)
    copies = averaged_by(model)
    reduce.backward.first = lambda: agreement.compare_replicas(0, copies)
    warn_of_buckets(model, reduce.plan)
    reduce.total = gradient_bytes(model)
    register: Any = model.register_comm_hook
    register(reduce, lambda state, bucket: state.hooked(bucket.buffer(), bucket.is_last()))
    return reduce


def warn_of_buckets(model: DistributedDataParallel, plan: Plan) -> None:
    """Warns where the plan's time was predicted for other buckets."""
    mb = plan.bucket_mb or 25
    if abs(model.bucket_bytes_cap / (mb * 1024 * 1024) - 1) > 0.01:
        warnings.warn(f"the plan's time was predicted for DistributedDataParallel(model, bucket_cap_mb={mb:g})",
                      stacklevel=3)


_opened: Dict[Any, AllReduce] = {}


def all_reduce(tensor: torch.Tensor, plan: PlanLike, *, wire: Optional[str] = None, chunks: int = 0,
               timeout: float = 300.0, node: Union[int, str, None] = None,
               backend: Optional[str] = None) -> torch.Tensor:
    """Replaces a tensor by its mean over all ranks. All ranks call it; the first call with a plan makes connections."""
    made = plan if isinstance(plan, Plan) else load(plan)
    key = (made.hash, wire, chunks, timeout, node, backend, tensor.device, dist.group.WORLD)
    if key not in _opened:
        _opened[key] = _open(made, Averaging("parameters", wire, chunks), lambda: [tensor], timeout, node,
                             backend)[0]
    _opened[key].mean(flat(tensor))
    return tensor


def _open(plan: PlanLike, averaging: Averaging, local: Callable[[], List[torch.Tensor]], timeout: float,
          node: Union[int, str, None], backend: Optional[str]) -> Tuple[AllReduce, Agreement]:
    """Agrees with all other ranks and connects; whatever is wrong on one is raised on all."""
    agreement = Agreement(timeout)
    facts: Dict[str, Any] = {"world": agreement.world, **where_am_i(),
                             "options": [*astuple(averaging), timeout, backend]}
    tensors: List[torch.Tensor] = []

    def describe_mine() -> Dict[str, Any]:
        made = load(plan)
        averaging.check(made)
        tensors.extend(local())
        slots = [parameter_slot(f"tensor {k}", t) for k, t in enumerate(tensors)]
        check_parameters(tensors)
        return {**describe(slots), "servers": True, "plan": made.hash, "every": made.every, "nodes": made.nodes,
                "names": list(made.names), "node": seat(node, made)}
    verdict = agreement.open("ddp", facts, describe_mine)
    return AllReduce(load(plan), averaging, agreement, verdict, tensors[0].device, backend, timeout), agreement


def averaged_by(model: DistributedDataParallel) -> List[torch.Tensor]:
    """The parameters whose gradients a DistributedDataParallel averages."""
    others = set(getattr(model, "parameters_to_ignore", ()))
    return [p for name, p in model.module.named_parameters() if p.requires_grad and name not in others]


def _gradients_of(model: torch.nn.Module) -> List[torch.Tensor]:
    kind = type(model).__name__
    if "FullyShardedDataParallel" in kind or "FSDP" in kind:
        raise SetupError("the model is sharded by FSDP: it reduces and scatters gradients itself, and no rank has a "
                         "whole one to average. Wrap it in DistributedDataParallel")
    if not isinstance(model, DistributedDataParallel):
        raise SetupError(f"the model is a {kind}; wrap it first: batopo.ddp(DistributedDataParallel(model), plan)")
    return [p.detach() for p in model.parameters() if p.requires_grad]
