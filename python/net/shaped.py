"""Nodes as network namespaces, joined by bridges and veth pairs whose rates tc sets.

Every link is full duplex with its own rate each way, counted in Ethernet frames. A port sends one frame of every flow
in turn (htb), so flows share it evenly, and pure acknowledgements go first: behind full queues of data they come in
bunches, and the other direction stands still meanwhile. Nodes hang on the bridge of their group, groups on the middle
one. Delay is what the queues make; between groups a relay adds a given one (netem, which many kernels lack, is not
needed).

Connections keep at most WINDOW bytes in flight, and queues hold all that can be: nothing is lost, as in a network with
flow control. Frames travel one by one (no segmentation offload: 64 KiB at once are 50 ms of a slow link). Every
namespace receives on one processor: where two take turns and one stands still, frames overtake each other, and TCP
takes them for lost.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Tuple

from .relay import Wire, relay, whole_checksums

MTU = 9000  # jumbo frames: 9014 bytes carry 8948 of a message; Ethernet 14, IP 20, TCP 32 with time stamps
PAYLOAD = 8948 / 9014
WINDOW = 128 * 1024
RECEIVE = 4 << 20  # room for whole messages, so that who is late does not stop the sender
QUEUE = 8 << 20  # bytes: 64 connections with full windows
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
    wire: Wire = Wire()  # between a group and the middle; two of them are between two groups

    @property
    def nodes(self) -> int:
        return len(self.link)


@dataclass(frozen=True)
class Flow:
    """Packets between ends ("src", "dst"); a port sends them at no more than a number of Mbit/s."""

    ends: Dict[str, int]
    most: float


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
                f"tc -n {name} qdisc add dev vb root handle 1: htb default 1")
        finally:
            _sh(f"ip netns del {name}")
    except RuntimeError as error:
        return f"namespaces, veth, bridge or htb are missing: {error}"
    return None


class Shaped:
    """A network that stands. Use it in a with statement; leaving takes everything down."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self._prefix = f"bt{os.getpid()}-"
        self._fabric = self._prefix + "fabric"
        self._relay: Optional[Any] = None

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
        if self._relay is not None:
            self._relay.kill()
            self._relay.join()
            self._relay = None
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
        _enter(self.namespace(node))

    def set_link(self, node: int, mbit: float) -> None:
        """Changes the rate of a node's link, both ways, while it is used."""
        for port in self._ports_of_node(node, mbit):
            port.shape("change")

    def _ports_of_node(self, i: int, mbit: float) -> List["_Port"]:
        pairs, others = self.network.pairs, [j for j in range(self.network.nodes) if j != i]
        out = [Flow({"dst": j}, min(mbit, pairs.get((min(i, j), max(i, j)), mbit))) for j in others]
        return [_Port(self.namespace(i), "eth0", mbit, out),
                _Port(self._fabric, f"v{i}", mbit, [Flow({"src": j}, mbit) for j in others])]

    def _build(self) -> None:
        net, fabric = self.network, self._fabric
        _sh(f"ip netns add {fabric}", f"ip -n {fabric} link add middle type bridge",
            f"ip -n {fabric} link set middle up")
        home = {i: f"g{g}" for g, group in enumerate(net.groups) for i in group}
        ports = []
        for g, mbit in enumerate(net.uplink):
            ends = [(f"u{g}", f"d{g}")] if net.wire == Wire() else [(f"u{g}", f"ru{g}"), (f"d{g}", f"rd{g}")]
            _sh(f"ip -n {fabric} link add g{g} type bridge", f"ip -n {fabric} link set g{g} up",
                *(f"ip -n {fabric} link add {a} mtu {MTU} type veth peer name {b} mtu {MTU}" for a, b in ends),
                f"ip -n {fabric} link set u{g} master g{g} up", f"ip -n {fabric} link set d{g} master middle up",
                *(f"ip -n {fabric} link set {b} up" for a, b in ends if b[0] == "r"))
            across = [(i, j) for i in net.groups[g] for j in range(net.nodes) if j not in net.groups[g]]
            ports += [_Port(fabric, f"u{g}", mbit, [Flow({"src": i, "dst": j}, mbit) for i, j in across]),
                      _Port(fabric, f"d{g}", mbit, [Flow({"src": j, "dst": i}, mbit) for i, j in across])]
        for i, mbit in enumerate(net.link):
            self._node(i, home.get(i, "middle"))
            ports += self._ports_of_node(i, mbit)
        for port in ports:
            port.shape("add")
            port.classify()
        if net.wire != Wire():
            fork = multiprocessing.get_context("fork")
            for i in range(net.nodes):
                inside = fork.Process(target=_inside, args=(self.namespace(i), whole_checksums, "eth0"))
                inside.start()
                inside.join()
            wires = tuple((f"ru{g}", f"rd{g}") for g in range(len(net.uplink)))
            self._relay = fork.Process(target=_inside, args=(fabric, relay, wires, net.wire), daemon=True)
            self._relay.start()

    def _node(self, i: int, bridge: str) -> None:
        ns = self.namespace(i)
        _sh(f"ip netns add {ns}", f"ip -n {ns} link set lo up",
            f"ip link add eth0 mtu {MTU} gso_max_segs 1 netns {ns} type veth peer name v{i} mtu {MTU} "
            f"netns {self._fabric}",
            f"ip -n {self._fabric} link set v{i} master {bridge} up",
            f"ip -n {ns} addr add {self.address(i)}/24 dev eth0", f"ip -n {ns} link set eth0 up",
            f"ip netns exec {ns} sysctl -qw net.ipv4.tcp_congestion_control=reno")
        wire = self.network.wire
        if wire.loss == 0:  # nothing is to be sent twice because a full queue made an answer late
            _sh(f"ip -n {ns} route change {SUBNET}.0/24 dev eth0 src {self.address(i)} rto_min 5s",
                f"ip netns exec {ns} sysctl -qw net.ipv4.tcp_early_retrans=0")
        window = WINDOW + int(max(self.network.uplink, default=0.0) * 125 * 4 * wire.delay_ms)  # what fills the wire
        for name, sizes in (("wmem", f"4096 {window} {window}"), ("rmem", f"4096 {RECEIVE} {RECEIVE}")):
            _run(["ip", "netns", "exec", ns, "sysctl", "-qw", f"net.ipv4.tcp_{name}={sizes}"])


@dataclass(frozen=True)
class _Port:
    """What one device sends: flows in turn, each at most at its rate, all together at most at the port's."""

    namespace: str
    device: str
    mbit: float
    flows: List[Flow]

    def shape(self, verb: str) -> None:
        """Adds the classes, or changes their rates. Class 2 acknowledges, 10 and on are the flows."""
        tc, on = f"tc -n {self.namespace}", f"dev {self.device} parent"
        if verb == "add":
            _sh(f"{tc} qdisc add dev {self.device} root handle 1: htb default 2")
        share = self.mbit / (len(self.flows) + 1)
        for number, rate, most, first in [(1, self.mbit, self.mbit, 0), (2, share, self.mbit, 0)] + [
                (k, min(share, flow.most), flow.most, 1) for k, flow in enumerate(self.flows, start=10)]:
            _sh(f"{tc} class {verb} {on} {'1:' if number == 1 else '1:1'} classid 1:{number} htb rate {rate:.4f}mbit "
                f"ceil {most}mbit burst {_burst(rate)} cburst {_burst(most)} prio {first} quantum {MTU + 14}")
            if verb == "add" and number > 1:
                _sh(f"{tc} qdisc add {on} 1:{number} bfifo limit {QUEUE}")

    def classify(self) -> None:
        """Which packets belong to which class. 52 bytes of IP: an acknowledgement and no data."""
        add = f"tc -n {self.namespace} filter add dev {self.device} parent 1: protocol ip prio"
        _sh(f"{add} 1 u32 match u16 52 0xffff at 2 match ip protocol 6 0xff flowid 1:2")
        for k, flow in enumerate(self.flows, start=10):
            ends = "".join(f" match ip {end} {Shaped.address(node)}/32" for end, node in flow.ends.items())
            _sh(f"{add} 2 u32{ends} flowid 1:{k}")
        queues = f"/sys/class/net/{self.device}/queues/rx-0/rps_cpus"
        _run(["ip", "netns", "exec", self.namespace, "sh", "-c", f"echo 1 > {queues}"])


def _enter(namespace: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    handle = os.open(f"/var/run/netns/{namespace}", os.O_RDONLY)
    try:
        if libc.setns(handle, _CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns: cannot enter the namespace", namespace)
    finally:
        os.close(handle)


def _inside(namespace: str, function: Callable[..., Any], *args: Any) -> None:
    _enter(namespace)
    function(*args)


def _burst(mbit: float) -> int:
    return max(LEAST_BURST, int(mbit * 125000 * BURST_S))


def _sh(*commands: str) -> None:
    for command in commands:
        _run(command.split())


def _run(command: List[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")


def networks() -> List[Network]:
    """The four that everything is held against: fast links of 30 Mbit/s unless said otherwise."""
    return [
        Network("nodes-3to1", (30.0,) * 4 + (10.0,) * 4),
        Network("two-racks", (20.0,) * 8, ((0, 1, 2, 3), (4, 5, 6, 7)), (40.0, 40.0)),
        Network("slow-pair", (20.0,) * 8, pairs={(2, 3): 5.0}),
        Network("two-servers", (100.0,) * 8, ((0, 1, 2, 3), (4, 5, 6, 7)), (20.0, 20.0)),
    ]
