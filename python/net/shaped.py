"""Nodes as network namespaces, joined by bridges and veth pairs whose rates tc sets.

Every link is full duplex with its own rate each way: a token bucket (tbf) sends at that rate, counted in Ethernet
frames. Nodes hang on the bridge of their group, groups on the middle one. Delay is what the queues make; it cannot be
set here (that needs netem, which many kernels lack).

By default connections keep at most WINDOW bytes in flight, and queues hold all that can be: nothing is lost, as in a
network with flow control. With window=0 windows grow as the kernel likes, queues hold QUEUE_S seconds, and TCP (Reno)
finds its rate by losing packets, as over a WAN.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

MTU = 9000  # jumbo frames: 9014 bytes carry 8948 of a message; Ethernet 14, IP 20, TCP 32 with time stamps
PAYLOAD = 8948 / 9014
WINDOW = 128 * 1024
DEEP_QUEUE = 8 << 20  # bytes: 64 connections with full windows
QUEUE_S = 0.1
LEAST_QUEUE = 64 * 1024
BURST_S = 0.005  # of full speed after a pause; a timer may be late by that much without loss of rate
LEAST_BURST = 10 * 1024
SUBNET = "10.77.0"
_CLONE_NEWNET = 0x40000000


@dataclass(frozen=True)
class Network:
    """What to build; rates in Mbit/s. Uplinks are those of groups of nodes, pairs have a rate of their own."""

    name: str
    link: Tuple[float, ...]  # per node, both ways
    groups: Tuple[Tuple[int, ...], ...] = ()  # each behind one uplink; empty: all on one switch
    uplink: Tuple[float, ...] = ()
    pairs: Dict[Tuple[int, int], float] = field(default_factory=dict)

    @property
    def nodes(self) -> int:
        return len(self.link)


def why_not() -> Optional[str]:
    """Why networks cannot be built here; None where they can."""
    if os.geteuid() != 0:
        return "needs root for network namespaces"
    for tool in ("ip", "tc"):
        if shutil.which(tool) is None:
            return f"needs {tool} of the package iproute2"
    name = f"bt{os.getpid()}-try"
    try:
        _sh(f"ip netns add {name}")
        try:
            _sh(f"ip -n {name} link add name va type veth peer name vb", f"ip -n {name} link add name br0 type bridge",
                f"tc -n {name} qdisc add dev va root tbf rate 1mbit burst 10kb limit 10kb",
                f"tc -n {name} qdisc add dev vb root handle 1: htb default 1")
        finally:
            _sh(f"ip netns del {name}")
    except RuntimeError as error:
        return f"namespaces, veth, bridge, tbf or htb are missing: {error}"
    return None


class Shaped:
    """A network that stands. Use it in a with statement; leaving takes everything down."""

    def __init__(self, network: Network, window: int = WINDOW) -> None:
        self.network, self.window = network, window
        self._prefix = f"bt{os.getpid()}-"
        self._fabric = self._prefix + "fabric"

    def __enter__(self) -> "Shaped":
        try:
            self._build()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Removes the namespaces, and with them all links."""
        for name in [self._fabric] + [self.namespace(i) for i in range(self.network.nodes)]:
            if os.path.exists(f"/var/run/netns/{name}"):
                _sh(f"ip netns del {name}")

    def namespace(self, node: int) -> str:
        return f"{self._prefix}n{node}"

    @staticmethod
    def address(node: int) -> str:
        return f"{SUBNET}.{node + 1}"

    def enter(self, node: int) -> None:
        """Moves the calling process into a node."""
        libc = ctypes.CDLL(None, use_errno=True)
        handle = os.open(f"/var/run/netns/{self.namespace(node)}", os.O_RDONLY)
        try:
            if libc.setns(handle, _CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns: cannot enter the namespace of node", node)
        finally:
            os.close(handle)

    def set_link(self, node: int, mbit: float) -> None:
        """Changes the rate of a node's link, both ways, while it is used."""
        self._shape(self.namespace(node), "eth0", mbit)
        self._shape(self._fabric, f"v{node}", mbit)

    def set_uplink(self, group: int, mbit: float) -> None:
        """Changes the rate of a group's uplink, both ways."""
        self._shape(self._fabric, f"u{group}", mbit)
        self._shape(self._fabric, f"d{group}", mbit)

    def _build(self) -> None:
        net, fabric = self.network, self._fabric
        _sh(f"ip netns add {fabric}", f"ip -n {fabric} link add middle type bridge",
            f"ip -n {fabric} link set middle up")
        home = {i: f"g{g}" for g, group in enumerate(net.groups) for i in group}
        for g, mbit in enumerate(net.uplink):
            _sh(f"ip -n {fabric} link add g{g} type bridge", f"ip -n {fabric} link set g{g} up",
                f"ip -n {fabric} link add u{g} mtu {MTU} type veth peer name d{g} mtu {MTU}",
                f"ip -n {fabric} link set u{g} master g{g} up", f"ip -n {fabric} link set d{g} master middle up")
            self.set_uplink(g, mbit)
        for i, mbit in enumerate(net.link):
            self._node(i, home.get(i, "middle"))
            if not any(i in pair for pair in net.pairs):
                self.set_link(i, mbit)
        for i in sorted({i for pair in net.pairs for i in pair}):
            self._shape(fabric, f"v{i}", net.link[i])
            self._shape_pairs(i)

    def _node(self, i: int, bridge: str) -> None:
        ns = self.namespace(i)
        _sh(f"ip netns add {ns}", f"ip -n {ns} link set lo up",
            f"ip link add eth0 mtu {MTU} netns {ns} type veth peer name v{i} mtu {MTU} netns {self._fabric}",
            f"ip -n {self._fabric} link set v{i} master {bridge} up",
            f"ip -n {ns} addr add {self.address(i)}/24 dev eth0", f"ip -n {ns} link set eth0 up",
            f"ip netns exec {ns} sysctl -qw net.ipv4.tcp_congestion_control=reno")
        if self.window:
            # Nothing is lost, so nothing is to be sent twice because a full queue made an answer late.
            _sh(f"ip -n {ns} route change {SUBNET}.0/24 dev eth0 src {self.address(i)} rto_min 5s",
                f"ip netns exec {ns} sysctl -qw net.ipv4.tcp_early_retrans=0")
            done = subprocess.run(["ip", "netns", "exec", ns, "sysctl", "-qw",
                                   f"net.ipv4.tcp_wmem=4096 {self.window} {self.window}"], check=False)
            if done.returncode != 0:
                raise RuntimeError("cannot set tcp_wmem in a namespace")

    def _shape(self, ns: str, device: str, mbit: float) -> None:
        _sh(f"tc -n {ns} qdisc replace dev {device} root tbf rate {mbit}mbit {_burst(mbit)} limit {self._queue(mbit)}")

    def _queue(self, mbit: float) -> int:
        return DEEP_QUEUE if self.window else max(LEAST_QUEUE, int(mbit * 125000 * QUEUE_S))

    def _shape_pairs(self, i: int) -> None:
        """What node i sends: its line at the line's rate, and within it slow partners at theirs."""
        ns, line = self.namespace(i), self.network.link[i]
        _sh(f"tc -n {ns} qdisc add dev eth0 root handle 1: htb default 10 r2q 1",
            f"tc -n {ns} class add dev eth0 parent 1: classid 1:1 htb rate {line}mbit {_burst(line)}",
            f"tc -n {ns} class add dev eth0 parent 1:1 classid 1:10 htb rate {line}mbit {_burst(line)}",
            f"tc -n {ns} qdisc add dev eth0 parent 1:10 bfifo limit {self._queue(line)}")
        for k, (pair, mbit) in enumerate(self.network.pairs.items(), start=11):
            if i in pair:
                other = pair[0] + pair[1] - i
                _sh(f"tc -n {ns} class add dev eth0 parent 1:1 classid 1:{k} htb rate {mbit}mbit ceil {mbit}mbit "
                    f"{_burst(mbit)}", f"tc -n {ns} qdisc add dev eth0 parent 1:{k} bfifo limit {self._queue(mbit)}",
                    f"tc -n {ns} filter add dev eth0 parent 1: protocol ip prio 1 u32 match ip dst "
                    f"{self.address(other)}/32 flowid 1:{k}")


def _burst(mbit: float) -> str:
    return f"burst {max(LEAST_BURST, int(mbit * 125000 * BURST_S))}"


def _sh(*commands: str) -> None:
    for command in commands:
        done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{command}: {done.stderr.strip() or done.stdout.strip()}")


def networks() -> List[Network]:
    """The four that everything is held against: fast links of 30 Mbit/s unless said otherwise."""
    return [
        Network("nodes-3to1", (30.0,) * 4 + (10.0,) * 4),
        Network("two-racks", (20.0,) * 8, ((0, 1, 2, 3), (4, 5, 6, 7)), (40.0, 40.0)),
        Network("slow-pair", (20.0,) * 8, pairs={(2, 3): 5.0}),
        Network("two-servers", (100.0,) * 8, ((0, 1, 2, 3), (4, 5, 6, 7)), (20.0, 20.0)),
    ]
