"""Ranks compare what they are about to do before they do it. Everybody writes its facts to the store, rank 0 compares
them and writes one verdict, and all ranks raise the same error or none."""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import timedelta
from typing import Any, Dict, List, Optional

from torch.distributed.distributed_c10d import PrefixStore

from .errors import HandshakeError
from .placement import place, place_servers, strangers
from .watch import linger

Facts = Dict[str, Any]
# What must be equal, in the order in which differences are named.
COMPARED = {
    "plan": "plan hash", "every": "steps per round (every)", "options": "options", "device": "kind of device",
    "count": "number of tensors", "shapes": "shapes or types of tensors",
    "round": "round", "at": "round of the switch",
}


def shake_hands(store: Any, prefix: str, rank: int, world: int, facts: Facts, timeout: float) -> Facts:
    """Returns the verdict, the same on all ranks; facts["error"] is what went wrong on this rank already."""
    board = PrefixStore(prefix, store)
    begin = time.monotonic()
    try:
        board.set(f"detail/{rank}", json.dumps(facts.pop("detail", [])))
        board.set(f"facts/{rank}", json.dumps(facts))
        board.add(f"here/{rank}", 1)
        if rank == 0:
            board.set("verdict", json.dumps(_judge(board, world, timeout)))
        board.wait(["verdict"], timedelta(seconds=timeout))
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


def _absent(board: Any, world: int, timeout: float) -> Optional[str]:
    missing = _missing(board, world)
    return f"{_ranks(missing)} did not come to the handshake within {timeout:g} s" if missing else None


def _missing(board: Any, world: int) -> List[int]:
    return [rank for rank in range(world) if not board.add(f"here/{rank}", 0)]


def _judge(board: Any, world: int, timeout: float) -> Facts:
    try:
        # The others wait a little longer, so that they read this verdict.
        board.wait([f"facts/{rank}" for rank in range(world)], timedelta(seconds=0.9 * timeout))
    except RuntimeError:
        return {"error": _absent(board, world, timeout)}
    everybody: List[Facts] = [json.loads(board.get(f"facts/{rank}")) for rank in range(world)]
    error = _difference(board, everybody)
    verdict: Facts = {"error": error}
    if error is None and "world" in everybody[0]:
        levels = everybody[0]["nodes"] < everybody[0]["world"]
        verdict["node_of_rank"], verdict["error"] = (place_servers if levels else place)(everybody)
        verdict["warning"] = strangers(everybody)
    verdict["unequal"] = [k for k, facts in enumerate(everybody) if facts.get("start") != everybody[0].get("start")]
    verdict["rounds"] = [facts.get("now", 0) for facts in everybody]
    return verdict


def _difference(board: Any, everybody: List[Facts]) -> Optional[str]:
    """The first thing that is not as it should be, with the ranks that differ from most others."""
    for rank, facts in enumerate(everybody):
        if facts.get("error"):
            return f"rank {rank}: {facts['error']}"
    for key, words in COMPARED.items():
        values = [json.dumps(facts.get(key)) for facts in everybody]
        counts = Counter(values)
        if len(counts) == 1:
            continue
        usual = max(counts, key=lambda value: (counts[value], value == values[0]))
        odd = [rank for rank, value in enumerate(values) if value != usual]
        if key == "shapes":
            return _shapes(board, odd[0], values.index(usual))
        return (f"{_ranks(odd)}: {words} is {json.loads(values[odd[0]])}; "
                f"the other {counts[usual]} have {json.loads(usual)}")
    facts = everybody[0]
    servers = facts.get("servers") and facts.get("world", 0) % facts.get("nodes", 1) == 0
    if "world" in facts and facts["nodes"] != facts["world"] and not servers:
        nodes, world = facts["nodes"], facts["world"]
        return (f"the plan is for {nodes} nodes, but {world} ranks run (rank 0 to {world - 1}); start {nodes} ranks, "
                f"or make a plan for {world} nodes")
    return None


def _shapes(board: Any, odd: int, usual: int) -> str:
    theirs, ours = (json.loads(board.get(f"detail/{rank}")) for rank in (odd, usual))
    for a, b in zip(theirs, ours):
        if a != b:
            return f"rank {odd}: tensor {a}; on rank {usual} it is {b}"
    return f"rank {odd}: other tensors than on rank {usual}"


def _ranks(ranks: List[int]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))
