"""A wire with delay, jitter and loss, for kernels without netem: a process that hands frames from device to device.

Frames keep their order. Each is sent on delay ± jitter after it came, or never, with the probability loss. Rates are
not its business: what tc does before it is.
"""

from __future__ import annotations

import array
import fcntl
import random
import selectors
import socket
import struct
import time
from collections import deque
from dataclasses import dataclass
from typing import Deque, Dict, NoReturn, Tuple

_ALL_FRAMES = 3  # ETH_P_ALL
_LONGEST = 1 << 16
_SIOCETHTOOL, _NO_CHECKSUMS = 0x8946, 0x17
_SOL_PACKET, _IGNORE_OUTGOING = 263, 23


@dataclass(frozen=True)
class Wire:
    """Of one direction; ms, and a share of the frames."""

    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    loss: float = 0.0


def relay(pairs: Tuple[Tuple[str, str], ...], wire: Wire, seed: int = 1) -> NoReturn:
    """Hands frames from either device of each pair to the other, for ever, in the namespace of the caller."""
    draw = random.Random(seed)
    sockets = {name: _open(name) for pair in pairs for name in pair}
    other = {a: sockets[b] for pair in pairs for a, b in (pair, pair[::-1])}
    waiting: Dict[str, Deque[Tuple[float, bytes]]] = {name: deque() for name in sockets}
    with selectors.SelectSelector() as selector:  # epoll wakes only at whole milliseconds
        for name, sock in sockets.items():
            selector.register(sock, selectors.EVENT_READ, name)
        while True:
            first = min((queue[0][0] for queue in waiting.values() if queue), default=None)
            for key, _ in selector.select(None if first is None else max(0.0, first - time.monotonic())):
                _take_in(sockets[key.data], waiting[key.data], wire, draw)
            now = time.monotonic()
            for name, queue in waiting.items():
                while queue and queue[0][0] <= now:
                    other[name].send(queue.popleft()[1])


def _take_in(sock: socket.socket, queue: Deque[Tuple[float, bytes]], wire: Wire, draw: random.Random) -> None:
    while True:
        try:
            frame = sock.recv(_LONGEST)
        except BlockingIOError:
            return
        if draw.random() >= wire.loss:
            due = time.monotonic() + (wire.delay_ms + draw.uniform(-wire.jitter_ms, wire.jitter_ms)) / 1e3
            queue.append((max(due, queue[-1][0] if queue else 0.0), frame))


def _open(device: str) -> socket.socket:
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_FRAMES))
    sock.setsockopt(_SOL_PACKET, _IGNORE_OUTGOING, 1)  # what it sends itself is not to come back
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 20)
    sock.bind((device, 0))
    sock.setblocking(False)
    return sock


def whole_checksums(device: str) -> None:
    """Frames leave a device complete: between virtual ones the kernel leaves checksums out, and a relay would too."""
    data = array.array("B", struct.pack("II", _NO_CHECKSUMS, 0))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        fcntl.ioctl(sock, _SIOCETHTOOL, struct.pack("16sP", device.encode(), data.buffer_info()[0]))
