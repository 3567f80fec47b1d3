"""How near measure comes to shaped rates and to iperf3: python3 -m net.accuracy -o accuracy.json (root, in python/)."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from batopo.measure import measure
from batopo.measure_file import Result, cluster_yaml

from .shaped import PAYLOAD, Network, Shaped, networks
from .world import run

RATES = (5.0, 20.0, 100.0)
MBIT = 8000.0  # per GB/s


def _measure(rank: int, seconds: float) -> Optional[Result]:
    return measure(seconds, message_mb=1.0)


def iperf3(shaped: Shaped, pairs: List[Tuple[int, int]], seconds: int = 4) -> float:
    """Mbit/s of all pairs together, both ways at once, per direction: what receivers got."""
    servers = [_start(shaped, j, "-s", "-1") for _, j in pairs]
    time.sleep(0.5)
    clients = [_start(shaped, i, "-c", shaped.address(j), "-t", str(seconds), "-O", "1", "--bidir", "-J")
               for i, j in pairs]
    said = [json.loads(client.communicate(timeout=seconds + 60)[0]) for client in clients]
    for server in servers:
        server.wait(timeout=60)
    there = sum(s["end"]["sum_received"]["bits_per_second"] for s in said)
    back = sum(s["end"]["sum_received_bidir_reverse"]["bits_per_second"] for s in said)
    return min(there, back) / 1e6


def _start(shaped: Shaped, node: int, *args: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(["ip", "netns", "exec", shaped.namespace(node), "iperf3", *args], text=True,
                            stdout=subprocess.PIPE)


def one_rate(mbit: float, seconds: float) -> Dict[str, Any]:
    """Four equal nodes."""
    with Shaped(Network(f"equal-{mbit:g}", (mbit,) * 4)) as shaped:
        result = run(shaped, _measure, seconds)[0]
        other = iperf3(shaped, [(0, 1)])
    links = [gb_s * MBIT for gb_s in result.found.port]
    return {"what": f"link of {mbit:g} Mbit/s", "shaped": mbit, "iperf3": other, "measured": sorted(links),
            "shared": len(result.found.shared)}


def racks(seconds: float, out: Optional[Path]) -> List[Dict[str, Any]]:
    """The four networks: links and uplinks, all members of a group at once."""
    rows = []
    for net in networks():
        with Shaped(net) as shaped:
            result = run(shaped, _measure, seconds)[0]
            other = iperf3(shaped, [(i, i + 4) for i in range(4)]) if net.uplink else None
        if out is not None:
            (out.parent / f"{net.name}.measured.yaml").write_text(cluster_yaml(result))
        for mbit in sorted(set(net.link)):
            links = [g * MBIT for g, said in zip(result.found.port, net.link) if said == mbit]
            rows.append({"what": f"{net.name}: links", "shaped": mbit, "measured": sorted(links), "iperf3": None})
        for s in result.found.shared:
            rows.append({"what": f"{net.name}: uplink of {list(s.nodes)}", "measured": [s.gb_s * MBIT],
                         "shaped": net.uplink[0] if net.uplink else None, "iperf3": other})
        for pair, gb_s in result.found.slow_pairs.items():
            rows.append({"what": f"{net.name}: pair {pair}", "shaped": net.pairs.get(pair), "iperf3": None,
                         "measured": [gb_s * MBIT]})
        rows.append({"what": f"{net.name}: groups found", "groups": [list(s.nodes) for s in result.found.shared],
                     "slow_pairs": [list(p) for p in result.found.slow_pairs], "left_out": result.left_out,
                     "seconds": result.seconds})
    return rows


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.accuracy", description=__doc__)
    parser.add_argument("-o", "--out", type=Path)
    parser.add_argument("--seconds", type=float, default=30.0, help="per network")
    args = parser.parse_args()
    load = os.getloadavg()
    rows = [one_rate(mbit, args.seconds) for mbit in RATES] + racks(args.seconds, args.out)
    for row in rows:
        print(row, flush=True)
    if args.out:
        args.out.write_text(json.dumps({"load": [load, os.getloadavg()], "payload": PAYLOAD, "rows": rows}, indent=1)
                            + "\n")


if __name__ == "__main__":
    main()
