"""What the running plan's messages took, as a file for `batopo replan --timings`."""

from __future__ import annotations

import json
import os
from statistics import median
from typing import Any, Dict, List, Union

import torch.distributed as dist

from .gossip import Gossip
from .measure_cost import LEAST_MS

FORMAT = "batopo.timings/v1"


def save_timings(gossip: Gossip, path: Union[str, "os.PathLike[str]"], last: int = 20) -> None:
    """All ranks call it; rank 0 writes the median of the last rounds of the running plan, message by message."""
    everybody: List[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(everybody, _mine(gossip, last))
    if dist.get_rank() != 0:
        return
    node = [facts["node"] for facts in everybody]
    arcs = [{"from": node[peer], "to": facts["node"], "ms": ms}
            for facts in everybody for peer, ms in facts["peers"].items()]
    text = {"format": FORMAT, "plan": gossip.plan.hash, "nodes": gossip.plan.nodes,
            "message_mb": everybody[0]["message_mb"], "rounds": everybody[0]["rounds"],
            "arcs": sorted(arcs, key=lambda a: (a["from"], a["to"]))}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(text, file, indent=1)
        file.write("\n")


def _mine(gossip: Gossip, last: int) -> Dict[str, Any]:
    """One rank's part: of every peer the median time until its message was here. The engine counts 0 for one that was
    here when first looked for, and replan wants times above 0."""
    rounds = gossip._rounds
    taken = [t for t in rounds.timings if t.round >= rounds.base][-last:]
    peers: Dict[int, List[float]] = {}
    for timing in taken:
        for peer, ms in timing.peers.items():
            peers.setdefault(peer, []).append(ms)
    return {"node": rounds._node_of_rank[rounds._rank], "message_mb": gossip.sent_bytes / 1e6, "rounds": len(taken),
            "peers": {peer: max(median(values), LEAST_MS) for peer, values in peers.items()}}
