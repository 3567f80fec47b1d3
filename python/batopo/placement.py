"""Which node of the plan a rank is.

A rank may say it (a name or a number). Otherwise names of the plan are compared with where ranks run: `HOST` for a host
with one rank, `HOST:k` or `HOST/k`, also with a word before the number (`HOST/gpu3`), for its local rank k. Hosts match
with or without their domain, or by an address of theirs. Without names, or where none of them is a host, node i is
rank i.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from typing import Any, Dict, List, Optional, Tuple, Union

_LOCAL = re.compile(r"^(?P<host>.+)[:/](?:[a-z]+)?(?P<local>\d+)$", re.IGNORECASE)


def where_am_i() -> Dict[str, Any]:
    """Host, its addresses and local rank, as torchrun, Slurm or mpirun tell it."""
    host = os.environ.get("SLURMD_NODENAME") or socket.gethostname()
    where: Dict[str, Any] = {"host": host, "local": None, "addresses": _addresses()}
    for variable in ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK"):
        if os.environ.get(variable, "").isdigit():
            where["local"] = int(os.environ[variable])
            break
    return where


def _addresses() -> List[str]:
    """The address of this host that others see: the one from which it reaches the master."""
    master = os.environ.get("MASTER_ADDR")
    if not master:
        return []
    try:
        family, _, _, _, address = socket.getaddrinfo(master, 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(address)  # sends nothing: it only asks which way messages would take
            own = str(probe.getsockname()[0]).split("%")[0]
    except OSError:
        return []
    return [] if ipaddress.ip_address(own).is_loopback else [own]


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


def place_servers(everybody: List[Dict[str, Any]]) -> Tuple[List[int], Optional[str]]:
    """The node of every rank where a node is a server with several ranks: by their hosts."""
    nodes, names = everybody[0]["nodes"], [_short(name) for name in everybody[0].get("names", [])]
    hosts = [_short(facts["host"]) for facts in everybody]
    order = names if set(hosts) <= set(names) else list(dict.fromkeys(hosts))
    found = [order.index(host) if facts.get("node") is None else facts["node"]
             for facts, host in zip(everybody, hosts)]
    counts = [found.count(node) for node in range(nodes)]
    if sum(counts) != len(found) or len(set(counts)) != 1:
        return [], (f"the plan has {nodes} nodes for {len(found)} ranks, so each is a server of {len(found) // nodes}; "
                    f"but ranks run on {', '.join(hosts)}: start as many on each of {nodes} hosts, or make a plan for "
                    f"{len(found)} nodes")
    return found, None


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
        called = [host, *facts.get("addresses", [])]
        nodes = [seats.get((name, facts["local"])) for name in called]
        if hosts.count(host) == 1:
            nodes += [seats.get((name, None)) for name in called]
        found.append(next((node for node in nodes if node is not None), None))
    return found


def strangers(everybody: List[Dict[str, Any]]) -> Optional[str]:
    """The warning for a plan that names its nodes but none of the hosts it runs on."""
    names: List[str] = everybody[0].get("names", [])
    hosts = sorted({facts["host"] for facts in everybody})
    if not names or len(hosts) == 1 or any(facts.get("node") is not None for facts in everybody):
        return None
    if any(node is not None for node in _by_name(everybody, names)):
        return None
    return (f"the plan calls its nodes {names[0]}, {names[1]}, …, and no host of this job ({hosts[0]}, {hosts[1]}, …) "
            "is called so: node i is rank i. If ranks are not numbered as the plan's nodes are, write hosts into names "
            "of the cluster description, or give attach node=…")


def _short(host: str) -> str:
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return host.split(".")[0].lower()
