"""Ranks compare what they are about to do before they do it. Everybody writes its facts to the store, rank 0 compares
them and writes one verdict, and all ranks raise the same error or none. A store does not say that a process died. So
where the default group is of gloo, ranks also send each other a token: its connections break at once."""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import timedelta
from typing import Any, Dict, List, Optional

import torch
import torch.distributed as dist
from torch.distributed.distributed_c10d import PrefixStore

from .errors import HandshakeError
from .placement import place, place_servers, strangers
from .watch import linger

Facts = Dict[str, Any]
# What must be equal, in the order in which differences are named.
COMPARED = {
    "plan": "plan hash", "every": "steps per round (every)", "options": "options", "device": "kind of device",
    "shards": "number of ranks that hold one model together", "count": "number of tensors",
    "shapes": "shapes or types of tensors", "round": "round", "steps": "number of steps taken",
    "at": "round of the switch", "some": "whether checkpoints are there",
}
_TAG = (1 << 30) + 7  # of tokens in the default group
_PATIENCE_S = 2.0  # with rank 0, which has broken off and writes why


def shake_hands(store: Any, prefix: str, rank: int, world: int, facts: Facts, timeout: float) -> Facts:
    """Returns the verdict, the same on all ranks; facts["error"] is what went wrong on this rank already."""
    board = PrefixStore(prefix, store)
    begin = time.monotonic()
    try:
        board.set(f"detail/{rank}", json.dumps(facts.pop("detail", [])))
        board.set(f"facts/{rank}", json.dumps(facts))
        board.add(f"here/{rank}", 1)
        if rank == 0:
            # The others wait a little longer, so that they read this verdict.
            board.set("verdict", json.dumps(_judge(board, world, 0.9 * timeout)))
            board.add("judged", 1)
            _tell(board, world)
        else:
            _ask(board, timeout)
        board.wait(["verdict"], timedelta(seconds=max(0.1, begin + timeout - time.monotonic())))
        verdict: Facts = json.loads(board.get("verdict"))
    except RuntimeError as error:
        if time.monotonic() - begin < timeout:
            raise HandshakeError("the store of the process group is gone; without a launcher rank 0 keeps it, so "
                                 "rank 0 ended before the handshake did") from error
        verdict = {"error": _absent(board, world, timeout) or f"rank 0 did not answer within {timeout:g} s"}
    if verdict["error"] is not None:
        linger(board, rank, world - len(_missing(board, world)) if rank == 0 else 0, timeout)
        raise HandshakeError(verdict["error"])
    return verdict


def _connected() -> bool:
    """Whether ranks can send each other something that lies in a host's memory."""
    config = getattr(dist, "get_backend_config", lambda: "")()  # torch 2.x
    return "gloo" in f"{dist.get_backend()} {config}"


def _ask(board: Any, timeout: float) -> None:
    """Tells rank 0 that this one is here, and waits until it answers, or breaks off."""
    if not _connected() or board.add("judged", 0):
        return
    try:
        question, answer = torch.zeros(1), torch.zeros(1)
        sent = dist.isend(question, 0, tag=_TAG)
        dist.irecv(answer, 0, tag=_TAG).wait(timedelta(seconds=timeout))
        sent.wait()
    except RuntimeError:
        end = time.monotonic() + _PATIENCE_S
        while not board.add("judged", 0):
            if time.monotonic() > end:
                raise HandshakeError("rank 0 ended before the handshake did") from None
            time.sleep(0.02)


def _tell(board: Any, world: int) -> None:
    """Answers all who are here."""
    if not _connected():
        return
    for transfer in [_posted(dist.isend, rank) for rank in sorted(set(range(1, world)) - set(_missing(board, world)))]:
        _broke(transfer, 1.0)


def _posted(call: Any, rank: int) -> Any:
    """A transfer on its way, with its buffer; None: the connection is broken."""
    token = torch.zeros(1)
    try:
        return call(token, rank, tag=_TAG), token
    except RuntimeError:
        return None


def _broke(transfer: Any, seconds: float) -> bool:
    """Waits for a transfer; whether its connection broke, and it was not only late."""
    begin = time.monotonic()
    try:
        if transfer is not None:
            transfer[0].wait(timedelta(seconds=seconds))
        return transfer is None
    except RuntimeError:
        return time.monotonic() - begin < seconds


def _absent(board: Any, world: int, timeout: float) -> Optional[str]:
    missing = _missing(board, world)
    return f"{_ranks(missing)} did not come to the handshake within {timeout:g} s" if missing else None


def _missing(board: Any, world: int) -> List[int]:
    return [rank for rank in range(world) if not board.add(f"here/{rank}", 0)]


def _gather(board: Any, world: int, patience: float) -> Optional[str]:
    """Waits for all ranks; says who did not come."""
    end = time.monotonic() + patience
    if _connected():
        for rank, token in [(rank, _posted(dist.irecv, rank)) for rank in range(1, world)]:
            left = end - time.monotonic()
            if left > 0 and _broke(token, left):  # who is late breaks all connections
                return f"rank {rank} ended before the handshake did"
    else:
        try:
            board.wait([f"here/{rank}" for rank in range(world)], timedelta(seconds=patience))
        except RuntimeError:
            pass
    return _absent(board, world, patience / 0.9)


def _judge(board: Any, world: int, patience: float) -> Facts:
    error = _gather(board, world, patience)
    if error is not None:
        return {"error": error}
    everybody: List[Facts] = [json.loads(board.get(f"facts/{rank}")) for rank in range(world)]
    error = _difference(board, everybody)
    verdict: Facts = {"error": error}
    if error is None and "world" in everybody[0]:
        levels = everybody[0]["nodes"] < everybody[0]["world"]
        verdict["node_of_rank"], verdict["error"] = (place_servers if levels else place)(everybody)
        verdict["warning"] = strangers(everybody)
        if verdict["error"] is None and everybody[0].get("shards"):
            verdict["error"] = _apart(everybody, verdict["node_of_rank"])
    first = {part: everybody[ranks[0]].get("start") for part, ranks in _parts(everybody).items()}
    verdict["unequal"] = [k for k, facts in enumerate(everybody) if facts.get("start") != first[facts.get("part", 0)]]
    verdict["rounds"] = [facts.get("now", 0) for facts in everybody]
    verdict["common"] = sorted(set.intersection(*(set(facts.get("kept", [])) for facts in everybody)))
    return verdict


def _difference(board: Any, everybody: List[Facts]) -> Optional[str]:
    """The first thing that is not as it should be, with the ranks that differ from most others."""
    for rank, facts in enumerate(everybody):
        if facts.get("error"):
            return f"rank {rank}: {facts['error']}"
    for key, words in COMPARED.items():
        for ranks in _parts(everybody).values() if key == "shapes" else [list(range(len(everybody)))]:
            values = {rank: json.dumps(everybody[rank].get(key)) for rank in ranks}
            counts = Counter(values.values())
            if len(counts) == 1:
                continue
            usual = max(counts, key=lambda value: (counts[value], value == values[ranks[0]]))
            odd = [rank for rank in ranks if values[rank] != usual]
            if key == "shapes":
                return _shapes(board, odd[0], next(rank for rank in ranks if values[rank] == usual))
            return (f"{_ranks(odd)}: {words} is {json.loads(values[odd[0]])}; "
                    f"the other {counts[usual]} have {json.loads(usual)}")
    for rank, facts in enumerate(everybody):  # ranks whose models are copies of one
        if "replica" not in facts:
            continue
        group = [k for k, other in enumerate(everybody) if other["replica"][0] == facts["replica"][0]]
        unlike = [k for k in group if everybody[k]["replica"] != facts["replica"]]
        odd = min(unlike, [k for k in group if k not in unlike], key=len) if unlike else []
        if odd:
            return (f"{_ranks(odd)}: parameters are not those of {_ranks([k for k in group if k not in odd])} when "
                    "gradients are averaged first: was a checkpoint of another step loaded?")
    facts = everybody[0]
    servers = facts.get("servers") and facts.get("world", 0) % facts.get("nodes", 1) == 0
    if "world" in facts and facts["nodes"] != facts["world"] and not servers:
        nodes, world = facts["nodes"], facts["world"]
        return (f"the plan is for {nodes} nodes, but {world} ranks run (rank 0 to {world - 1}); start {nodes} ranks, "
                f"or make a plan for {world} nodes")
    return None


def _parts(everybody: List[Facts]) -> Dict[int, List[int]]:
    """The ranks that hold the same part of a model; whole ones are all part 0."""
    parts: Dict[int, List[int]] = {}
    for rank, facts in enumerate(everybody):
        parts.setdefault(facts.get("part", 0), []).append(rank)
    return parts


def _apart(everybody: List[Facts], nodes: List[int]) -> Optional[str]:
    """Why models that ranks hold together do not fit the plan's groups."""
    groups = [[nodes.index(node) for node in group] for group in everybody[0]["groups"]]
    for group in groups:
        for rank, twin in zip(group, groups[0]):
            held, part, other = everybody[rank]["holders"], everybody[rank]["part"], everybody[twin]["part"]
            if sorted(held) != sorted(group):
                return (f"rank {rank}: its model is sharded over {_ranks(held)}, and its group in the plan is "
                        f"{_ranks(group)}: give fully_shard the mesh of one group, for gradients are averaged over all "
                        "of a mesh in every step")
            if part != other:
                return (f"rank {rank} holds shard {part} of its model, and rank {twin}, its twin in the plan, shard "
                        f"{other}: let meshes list ranks in the order of the plan's groups")
    return None


def _shapes(board: Any, odd: int, usual: int) -> str:
    theirs, ours = (json.loads(board.get(f"detail/{rank}")) for rank in (odd, usual))
    for a, b in zip(theirs, ours):
        if a != b:
            return f"rank {odd}: tensor {a}; on rank {usual} it is {b}"
    return f"rank {odd}: other tensors than on rank {usual}"


def _ranks(ranks: List[int]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))
