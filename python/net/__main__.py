"""Predicted against measured: python3 -m net run FOLDER, as docs/research/links.md says (root, in python/).

FOLDER holds, per network, plans and predictions that `go run ./experiments/links -make` wrote before.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

from .shaped import Shaped, networks, why_not
from .still import Watch
from .trial import Stopwatch, everything, settled
from .world import run


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=6.0, help="per measured time; then no further block begins")
    parser.add_argument("--network", action="append", default=[], help="only these")
    parser.add_argument("--process", action="append", default=[], help="only these")
    parser.add_argument("--add", action="store_true", help="only what was measured while the machine stood still; the "
                        "new periods are added to those that FOLDER has")
    args = parser.parse_args()
    reason = why_not()
    if reason is not None:
        parser.exit(1, f"no network of namespaces: {reason}\n")
    for net in networks():
        if args.network and net.name not in args.network:
            continue
        predictions = json.loads((args.folder / f"{net.name}.json").read_text())
        path = args.folder / f"{net.name}.measured.json"
        had = json.loads(path.read_text()) if args.add else {"runs": [], "measured": {}}
        begin, before = time.time(), os.getloadavg()
        with Watch() as watch, Shaped(net) as shaped:
            measured = run(shaped, everything, args.folder / net.name, Stopwatch(watch, args.seconds), args.process,
                           had["measured"], timeout=3600)[0]
        for name, times in measured.items():
            for key, taken in times.items():
                taken = had["measured"].setdefault(name, {}).get(key, []) + taken
                had["measured"][name][key] = taken
                said, was = predictions[name][key], settled(taken)
                shown = " ".join(f"{ms:.0f}({still:.0%})" for ms, still in taken)
                print(f"{net.name:12} {name:12} {key:14} {said:8.0f} {was:8.0f} {was / said - 1:+.1%}  {shown}",
                      flush=True)
        had["runs"].append({"seconds": round(time.time() - begin), "load": [before, os.getloadavg()]})
        path.write_text(json.dumps(had) + "\n")


if __name__ == "__main__":
    main()
