"""Messages over plain sockets on a shaped network, without gloo: python3 -m net.plain NETWORK CASE … (root).

Every pair that exchanges has one connection for both directions, as with gloo. A case says who sends to whom. Prints
what m bytes should take (the busiest resource), what they took, and what the kernel counted: segments sent again,
timeouts, packets that queues dropped.
"""

from __future__ import annotations

import argparse
import multiprocessing
import selectors
import socket
import subprocess
import time
from typing import Any, Dict, List, Tuple

from .shaped import PAYLOAD, Network, Shaped, networks
from .still import Watch

Flows = List[Tuple[int, int]]
PORT, REPEATS, PAUSE_S, PATIENCE_S = 29800, 8, 0.05, 300
COUNTERS = ("TcpRetransSegs", "TcpExtTCPTimeouts", "TcpExtTCPRcvQDrop", "TcpExtPruneCalled", "TcpExtTCPOFOQueue",
            "TcpExtTCPToZeroWindowAdv")


def cases(n: int) -> Dict[str, Flows]:
    """Who sends to whom."""
    return {
        "one way": [(0, 1)],
        "both ways": _both([(0, 1)]),
        "pairs": _both([(i, i + n // 2) for i in range(n // 2)]),
        "into one": [(i, 0) for i in range(1, n)],
        "out of one": [(0, i) for i in range(1, n)],
        "star": _both([(0, i) for i in range(1, n)]),
        "ring": _both([(i, (i + 1) % n) for i in range(n)]),
        "exponential": [(i, (i + h) % n) for i in range(n) for h in (1, 2, 4)],
        "complete": [(i, j) for i in range(n) for j in range(n) if i != j],
    }


def _both(pairs: Flows) -> Flows:
    return [flow for i, j in pairs for flow in ((i, j), (j, i))]


def expected_ms(net: Network, flows: Flows, size: int) -> float:
    """The busiest of all lines, uplinks and slow pairs."""
    home = {i: g for g, group in enumerate(net.groups) for i in group}
    load: Dict[Tuple[Any, ...], float] = {}
    for i, j in flows:
        used: List[Tuple[Tuple[Any, ...], float]] = [(("out", i), net.link[i]), (("in", j), net.link[j])]
        if net.groups and home[i] != home[j]:
            used += [(("up", home[i]), net.uplink[home[i]]), (("down", home[j]), net.uplink[home[j]])]
        pair = net.pairs.get((min(i, j), max(i, j)))
        if pair is not None:
            used.append((("pair", i, j), pair))
        for name, mbit in used:
            load[name] = load.get(name, 0.0) + size * 8e-3 / mbit / PAYLOAD
    return max(load.values())


def counters(shaped: Shaped) -> Dict[str, int]:
    """Summed over all nodes."""
    total: Dict[str, int] = {}
    for i in range(shaped.network.nodes):
        text = subprocess.run(["ip", "netns", "exec", shaped.namespace(i), "nstat", "-az", *COUNTERS], text=True,
                              capture_output=True, check=True).stdout
        for line in text.splitlines()[1:]:
            name, value = line.split()[:2]
            total[name] = total.get(name, 0) + int(value)
    return total


def _node(shaped: Shaped, me: int, flows: Flows, size: int, gate: Any, begins: Any, ends: Any) -> None:
    shaped.enter(me)
    peers = sorted({i + j - me for i, j in flows if me in (i, j)})
    server = socket.create_server((shaped.address(me), PORT + me))
    gate.wait()
    sockets: Dict[int, socket.socket] = {}
    for peer in peers:
        if peer < me:
            sockets[peer] = socket.create_connection((shaped.address(peer), PORT + peer))
            sockets[peer].sendall(bytes([me]))
    while len(sockets) < len(peers):
        connection, _ = server.accept()
        sockets[connection.recv(1)[0]] = connection
    for s in sockets.values():
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        s.setblocking(False)
    data, sink = memoryview(bytearray(size)), bytearray(1 << 18)
    for _ in range(REPEATS):
        gate.wait()
        time.sleep(PAUSE_S)
        gate.wait()
        begin = time.perf_counter()
        _exchange(sockets, {j: size for i, j in flows if i == me}, {i: size for i, j in flows if j == me}, data, sink)
        ends[me], begins[me] = time.perf_counter(), begin
        gate.wait()
    gate.wait()


def _exchange(sockets: Dict[int, socket.socket], out: Dict[int, int], into: Dict[int, int], data: memoryview,
              sink: bytearray) -> None:
    size = len(data)
    poll = selectors.DefaultSelector()

    def want(peer: int) -> None:
        mask = (selectors.EVENT_WRITE if out.get(peer) else 0) | (selectors.EVENT_READ if into.get(peer) else 0)
        if mask:
            poll.modify(sockets[peer], mask, peer)
        else:
            poll.unregister(sockets[peer])
    for peer in {*out, *into}:
        poll.register(sockets[peer], selectors.EVENT_READ, peer)
        want(peer)
    while any(out.values()) or any(into.values()):
        for key, mask in poll.select():
            peer = key.data
            if mask & selectors.EVENT_WRITE:
                at = size - out[peer]
                out[peer] -= sockets[peer].send(data[at:])
            if mask & selectors.EVENT_READ:
                into[peer] -= sockets[peer].recv_into(sink, min(len(sink), into[peer]))
            want(peer)
    poll.close()


def measure(shaped: Shaped, flows: Flows, size: int, watch: Watch) -> List[Tuple[float, float]]:
    """Milliseconds until the last node is done, and the share in which the machine stood still; the first is left."""
    context = multiprocessing.get_context("fork")
    n = shaped.network.nodes
    gate, begins, ends = context.Barrier(n + 1), context.Array("d", n), context.Array("d", n)
    nodes = [context.Process(target=_node, args=(shaped, i, flows, size, gate, begins, ends), daemon=True)
             for i in range(n)]
    for node in nodes:
        node.start()
    try:
        gate.wait(PATIENCE_S)
        taken = []
        for _ in range(REPEATS):
            for _ in range(3):
                gate.wait(PATIENCE_S)
            begin, end = (max(times[i] for i in range(n)) for times in (begins, ends))
            taken.append(((end - begin) * 1e3, watch.still(begin, end)))
        gate.wait(PATIENCE_S)
    finally:
        for node in nodes:
            node.kill()
            node.join()
    return taken[1:]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.plain", description=__doc__)
    parser.add_argument("network", choices=[net.name for net in networks()])
    parser.add_argument("case", nargs="*")
    parser.add_argument("--bytes", type=int, default=1_000_000)
    args = parser.parse_args()
    net = next(net for net in networks() if net.name == args.network)
    for name, flows in cases(net.nodes).items():
        if args.case and name not in args.case:
            continue
        with Watch() as watch, Shaped(net) as shaped:
            taken = measure(shaped, flows, args.bytes, watch)
            said, counted = expected_ms(net, flows, args.bytes), counters(shaped)
        ms, still = min(taken, key=lambda t: t[1])
        shown = " ".join(f"{ms:.0f}({still:.0%})" for ms, still in taken)
        odd = ", ".join(f"{key} {value}" for key, value in counted.items() if value)
        print(f"{net.name:11} {name:12} expected {said:6.0f}, took {ms:6.0f} ({ms / said - 1:+.1%}) with the machine "
              f"still for {still:.0%}; all: {shown} {odd}", flush=True)


if __name__ == "__main__":
    main()
