"""Messages between ranks: over gloo with tags, over NCCL in groups that have the same order on all ranks."""

from __future__ import annotations

import atexit
import time
import weakref
from datetime import timedelta
from typing import Any, Callable, Dict, Iterable, List, Set, Tuple

import torch
import torch.distributed as dist

from .errors import PeerError
from .stages import Stage, piece
from .watch import Watch, linger

_TAGS = 1 << 30
_STRICT = 1 << 60  # numbers from here on are of averages over all ranks
_GRACE = 0.2  # of the timeout: in which ranks that wait say for whom
_POLL_S = 0.02
_left: List[Any] = []  # process groups that nothing uses any more


def leave(group: Any) -> None:
    """Gives a process group back. It is destroyed when all ranks have met again: until then another rank may still
    read what this one sent."""
    if group is not None:
        _left.append(group)


def destroy_left() -> None:
    """Ends the threads and connections of groups that were left. All ranks have met."""
    while _left:
        try:
            dist.destroy_process_group(_left.pop(0))
        except (RuntimeError, ValueError):
            pass  # the program destroyed it already, alone or with all others


def wake(group: Any, ranks: Iterable[int], me: int) -> None:
    """Waits a moment for what nobody sends: gloo then closes all connections of the group, and who waits in it wakes
    up."""
    for peer in ranks:
        if peer != me:  # one whose connection is closed already fails without closing the others
            nothing = torch.empty(1)
            try:
                dist.irecv(nothing, peer, group=group, tag=_TAGS).wait(timedelta(milliseconds=1))
            except RuntimeError:
                pass


class Links:
    """The connections of one rank; Gloo and NCCL differ in how they post messages."""

    batched = fold = False
    ahead = 0

    def __init__(self, group: Any, watch: Watch, timeout: float) -> None:
        self.group, self.watch, self.timeout = group, watch, timeout
        self.server: Any = None  # the group of this rank's server, where a backend reduces and scatters by itself
        self.closed: Set[int] = set()  # peers that are given up
        self.at = ""  # the exchange that runs, or was the last
        self._next = {False: 0, True: _STRICT}
        _all.add(self)

    def number(self, stages: int, strict: bool = False) -> int:
        """The tag of a block's first stage: all ranks have the same blocks in the same order. Averages over all ranks
        (strict) have numbers of their own: a rank that averages while others have a round must not take theirs."""
        self._next[strict] += stages
        return self._next[strict] - stages

    def flush(self) -> None:
        """Posts what was only noted."""

    def dropped(self, tag: int) -> Set[int]:
        """The peers whose messages are ignored."""
        del tag
        return set()

    def confirm(self) -> None:
        """Raises where the last exchange does not end within the timeout."""

    def ended(self) -> None:
        """Marks the end of an exchange."""

    def fail(self, text: str) -> PeerError:
        """Makes all ranks fail with this reason, and returns the error to raise here."""
        rank = self.watch.rank
        self.watch.report({"kind": "failure", "edge": [rank, rank], "text": text})
        self.break_off()
        linger(self.watch.store, rank, dist.get_world_size(), _GRACE * self.timeout)
        return PeerError(text, (rank, rank))

    def break_off(self) -> None:
        """Wakes up the ranks that wait for this one."""

    def close(self) -> None:
        """Leaves the process group; nothing can be exchanged afterwards."""
        leave(self.group)
        leave(self.server)
        self.group = self.server = None


class Gloo(Links):
    """All connections of one rank. A failure closes them all, which wakes the ranks that wait for this one, and
    so on: in the end every rank reads the same reason from the board."""

    ahead = 1  # blocks whose first stage is on its way before the one that is waited for; more get in each other's way

    def receive(self, peer: int, buffer: torch.Tensor, tag: int) -> Any:
        """Starts to receive; the buffer is full after wait."""
        return self._post(dist.irecv, peer, buffer, tag)

    def send(self, peer: int, buffer: torch.Tensor, tag: int) -> Any:
        """Starts to send; the buffer may change after wait."""
        return self._post(dist.isend, peer, buffer, tag)

    def _post(self, call: Any, peer: int, buffer: torch.Tensor, tag: int) -> Any:
        try:
            return self._begin(call, peer, buffer, tag)
        except RuntimeError:
            raise self._reason(peer, waited=0.0) from None

    def _begin(self, call: Any, peer: int, buffer: torch.Tensor, tag: int) -> Any:
        half = _TAGS // 2
        return call(buffer, peer, group=self.group, tag=tag % half + (half if tag >= _STRICT else 0))

    def wait(self, peer: int, work: Any, strict: bool) -> bool:
        """Until a transfer is done; False: the peer is lost, and that is accepted."""
        del strict
        begin = time.monotonic()
        try:
            work.wait(timedelta(seconds=(1 - _GRACE) * self.timeout))
            return True
        except RuntimeError:
            raise self._reason(peer, time.monotonic() - begin) from None

    def _reason(self, peer: int, waited: float) -> PeerError:
        """Why a transfer failed. The first rank to know writes it on the board, and all raise that."""
        watch, me = self.watch, self.watch.rank
        late = waited >= (1 - _GRACE) * self.timeout
        watch.look()
        if not late and waited > self.timeout / 2:
            self._listen()
        if watch.failure is None and not watch.gone:
            if late or watch.waiting:
                watch.report({"kind": "waiting", "edge": [me, peer], "at": self.at})
                self.break_off()
                peer, text = self._follow(peer)
            else:
                text = self._ended(peer)
            if watch.failure is None:
                watch.report({"kind": "failure", "edge": [me, peer],
                              "text": f"edge {me}–{peer}: {text} (noticed by rank {me})"})
                watch.look()
        self.break_off()
        if watch.failure is not None:
            blamed = watch.failure["edge"]
            linger(watch.store, me, dist.get_world_size() - (blamed[0] != blamed[1]), _GRACE * self.timeout)
            return PeerError(watch.failure["text"], (blamed[0], blamed[1]))
        return PeerError("the store of the process group is gone; without a launcher rank 0 keeps it, so rank 0 "
                         f"ended (noticed by rank {me})", (me, 0))

    def _listen(self) -> None:
        """A peer that gave up waiting closes its connections before it can say so: it is not the one that ended."""
        watch, end = self.watch, time.monotonic() + _GRACE * self.timeout
        while not (watch.failure or watch.waiting or watch.gone) and time.monotonic() < end:
            time.sleep(_POLL_S)
            watch.look()

    def _ended(self, peer: int) -> str:
        """What is known about a rank whose connection is closed."""
        last = self.watch.end_of(peer)
        if last:
            return (f"rank {peer} ended after {last}, and rank {self.watch.rank} waits for it in {self.at}: did it "
                    "take fewer steps?")
        return f"rank {peer} closed the connection: its process ended or was cut off"

    def _follow(self, peer: int) -> Tuple[int, str]:
        """From one who waits to whom it waits for, until there is one who waits for nobody: that one is stuck. Where
        there is none, ranks wait for each other: they are not in the same exchange."""
        watch, end = self.watch, time.monotonic() + _GRACE * self.timeout
        while True:
            watch.look()
            at, seen = peer, {watch.rank}
            while at in watch.waiting and at not in seen:
                seen.add(at)
                at = watch.waiting[at]
            everybody = at in seen and len(watch.waiting) == dist.get_world_size()
            if watch.failure is not None or everybody or time.monotonic() > end:
                return self._astray() if at in seen else (
                    at, f"rank {at} did not answer within {self.timeout:.1f} s")
            time.sleep(_POLL_S)

    def _astray(self) -> Tuple[int, str]:
        """Who is where, those who are few first."""
        groups: Dict[str, List[int]] = {}
        for rank, place in sorted(self.watch.places.items()):
            groups.setdefault(place, []).append(rank)
        parts = sorted(groups.items(), key=lambda item: len(item[1]))
        words = ", ".join(f"rank{'s' * (len(ranks) > 1)} {', '.join(map(str, ranks))} in {place}"
                          for place, ranks in parts)
        others = [rank for _, ranks in parts for rank in ranks if rank != self.watch.rank]
        return others[0], (f"ranks wait for each other, {words}: all have to take the same number of steps, and to "
                           "average after the same ones")

    def break_off(self) -> None:
        """Wakes up the ranks that wait for this one."""
        wake(self.group, range(dist.get_world_size()), self.watch.rank)


class Nccl(Links):
    """Every slot of the pipeline is one group of sends and receives, in one order on all ranks, and none is ahead. The
    host does not wait for transfers; the next exchange looks whether the last one came to an end."""

    batched = True

    def __init__(self, group: Any, watch: Watch, timeout: float) -> None:
        super().__init__(group, watch, timeout)
        self._ops: List[Any] = []
        self._works: List[Any] = []
        self._last: Any = None
        self._peers: List[int] = []

    def receive(self, peer: int, buffer: torch.Tensor, tag: int) -> None:
        """Notes a message to receive; flush posts it."""
        del tag
        self._ops.append(dist.P2POp(dist.irecv, buffer, peer, self.group))

    def send(self, peer: int, buffer: torch.Tensor, tag: int) -> None:
        """Notes a message to send; flush posts it."""
        del tag
        self._ops.append(dist.P2POp(dist.isend, buffer, peer, self.group))

    def flush(self) -> None:
        """Posts the group."""
        if not self._ops:
            return
        self._peers = sorted({op.peer for op in self._ops})
        self._works += dist.batch_isend_irecv(self._ops)
        self._ops = []

    def wait(self, peer: int, work: Any, strict: bool) -> bool:
        """Makes the stream wait for the whole group that this work is a part of."""
        del peer, work, strict
        for part in self._works:
            part.wait()
        self._works = []
        return True

    def inside(self, stage: Stage, value: torch.Tensor) -> Callable[[], None]:
        """Starts NCCL's own collective within the server; what it returns makes the stream wait for it."""
        size, n = value.numel(), dist.get_world_size(self.server)
        shards = [value[slice(*piece(size, m, n))] for m in range(n)]
        mine = value[stage.lo:stage.hi].clone()
        call: Any = dist.reduce_scatter if stage.inside == "reduce" else dist.all_gather
        work = call(*((mine, shards) if stage.inside == "reduce" else (shards, mine)), group=self.server, async_op=True)

        def end() -> None:
            work.wait()
            if stage.inside == "reduce":
                value[stage.lo:stage.hi].copy_(mine)
        return end

    def ended(self) -> None:
        """Marks the place in the stream behind an exchange."""
        self._last = torch.cuda.Event()
        self._last.record()

    def confirm(self) -> None:
        """Raises where the last exchange does not end within the timeout."""
        if self._last is None:
            return
        deadline = time.monotonic() + self.timeout
        while not self._last.query():
            self.watch.look()
            if self.watch.failure is None and time.monotonic() > deadline:
                me = self.watch.rank
                edges = ", ".join(f"{me}–{peer}" for peer in self._peers)
                text = f"one of the edges {edges}: no answer within {self.timeout:.1f} s (noticed by rank {me})"
                self.watch.report({"kind": "failure", "edge": [me, self._peers[0]], "text": text})
                self.watch.look()
            if self.watch.failure is not None:
                edge = self.watch.failure["edge"]
                raise PeerError(self.watch.failure["text"], (edge[0], edge[1]))
            time.sleep(_POLL_S)
        self._last = None


_all: "weakref.WeakSet[Links]" = weakref.WeakSet()


@atexit.register
def _say_end() -> None:
    for links in list(_all):
        if links.group is not None and links.at and links.watch.failure is None and not links.watch.gone:
            links.watch.say_end(links.at)
