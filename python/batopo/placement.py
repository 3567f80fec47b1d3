"""Which node of the plan a rank is.

A rank may say it (a name or a number). Otherwise names of the plan are compared with where ranks run: `HOST` for a host
with one rank, `HOST:k` or `HOST/k`, also with a word before the number (`HOST/gpu3`), for its local rank k. Hosts match
with or without their domain. Without names, or where none of them is a host, node i is rank i.
"""

from __future__ import annotations

import os
import re
import socket
from typing import Any, Dict, List, Optional, Tuple, Union

_LOCAL = re.compile(r"^(?P<host>.+)[:/](?:[a-z]+)?(?P<local>\d+)$", re.IGNORECASE)


def where_am_i() -> Dict[str, Any]:
    """Host and local rank, as torchrun, Slurm or mpirun tell it."""
    host = os.environ.get("SLURMD_NODENAME") or socket.gethostname()
    for variable in ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK"):
        if os.environ.get(variable, "").isdigit():
            return {"host": host, "local": int(os.environ[variable])}
    return {"host": host, "local": None}


def find_node(node: Union[int, str, None], names: Tuple[str, ...], nodes: int) -> Optional[int]:
    """The number of the node that a rank says it is."""
    if node is None:
        return None
    if isinstance(node, str):
        if node not in names:
            raise ValueError(f"node is {node!r}, which is not among the plan's names")
        return names.index(node)
    if not 0 <= node < nodes:
        raise ValueError(f"node is {node}; the plan has nodes 0 … {nodes - 1}")
    return node


def place(everybody: List[Dict[str, Any]]) -> Tuple[List[int], Optional[str]]:
    """The node of every rank, or why there is no answer."""
    said = [facts.get("node") for facts in everybody]
    names: List[str] = everybody[0].get("names", [])
    if any(node is not None for node in said):
        found: List[Optional[int]] = said
    else:
        found = _by_name(everybody, names)
        if all(node is None for node in found):
            return list(range(len(everybody))), None
    for rank, node in enumerate(found):
        if node is None:
            where = f"{everybody[rank]['host']}, local rank {everybody[rank]['local']}"
            return [], f"rank {rank} ({where}) is no node of the plan, though others are; its names are {names}"
        first = found.index(node)
        if first != rank:
            return [], f"ranks {first} and {rank} are both node {node} of the plan"
    return [node for node in found if node is not None], None


def _by_name(everybody: List[Dict[str, Any]], names: List[str]) -> List[Optional[int]]:
    seats: Dict[Tuple[str, Optional[int]], int] = {}
    for k, name in enumerate(names):
        split = _LOCAL.match(name)
        seats[_short(name), None] = k
        if split:
            seats[_short(split["host"]), int(split["local"])] = k
    hosts = [_short(facts["host"]) for facts in everybody]
    found = []
    for facts, host in zip(everybody, hosts):
        node = seats.get((host, facts["local"]))
        if node is None and hosts.count(host) == 1:
            node = seats.get((host, None))
        found.append(node)
    return found


def _short(host: str) -> str:
    return host.split(".")[0].lower()
