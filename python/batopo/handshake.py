"""Ranks compare what they are about to do before they do it. Everybody writes its facts to the store, rank 0 compares
them and writes one verdict, and all ranks raise the same error or none."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from typing import Any, Dict, List, Optional

from torch.distributed.distributed_c10d import PrefixStore

from .errors import HandshakeError
from .placement import place, strangers

Facts = Dict[str, Any]
# What must be equal, in the order in which differences are named.
COMPARED = {
    "plan": "plan hash", "every": "steps per round (every)", "options": "options of attach", "device": "kind of device",
    "count": "number of tensors", "shapes": "shapes or types of tensors", "round": "round", "at": "round of the switch",
}


def shake_hands(store: Any, prefix: str, rank: int, world: int, facts: Facts, timeout: float) -> Facts:
    """Returns the verdict, the same on all ranks; facts["error"] is what went wrong on this rank already."""
    board = PrefixStore(prefix, store)
    detail = facts.pop("detail", [])
    board.set(f"detail/{rank}", json.dumps(detail))
    board.set(f"facts/{rank}", json.dumps(facts))
    if rank == 0:
        board.set("verdict", json.dumps(_judge(board, world, timeout)))
    try:
        board.wait(["verdict"], timedelta(seconds=timeout + 5))
        verdict: Facts = json.loads(board.get("verdict"))
    except RuntimeError as error:
        raise HandshakeError(f"rank 0 did not answer the handshake within {timeout + 5:.0f} s") from error
    if verdict["error"] is not None:
        raise HandshakeError(verdict["error"])
    return verdict


def _judge(board: Any, world: int, timeout: float) -> Facts:
    everybody: List[Facts] = []
    missing: List[int] = []
    for rank in range(world):
        try:
            board.wait([f"facts/{rank}"], timedelta(seconds=timeout if not missing else 0.1))
            everybody.append(json.loads(board.get(f"facts/{rank}")))
        except RuntimeError:
            missing.append(rank)
    if missing:
        return {"error": f"{_ranks(missing)} did not come to the handshake within {timeout:.0f} s"}
    error = _difference(board, everybody)
    verdict: Facts = {"error": error}
    if error is None and "world" in everybody[0]:
        verdict["node_of_rank"], verdict["error"] = place(everybody)
        verdict["warning"] = strangers(everybody)
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
    if "world" in facts and facts["nodes"] != facts["world"]:
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
