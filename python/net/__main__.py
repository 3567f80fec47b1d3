"""Predicted against measured: python3 -m net run FOLDER, as docs/links.md says (root, in python/).

FOLDER holds, per network, plans and predictions that `go run ./experiments/links -make` wrote before.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from statistics import median

from .shaped import Shaped, networks, why_not
from .trial import everything
from .world import run


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=2.5, help="per measured time")
    parser.add_argument("--network", action="append", default=[], help="only these")
    parser.add_argument("--process", action="append", default=[], help="only these")
    args = parser.parse_args()
    reason = why_not()
    if reason is not None:
        parser.exit(1, f"no network of namespaces: {reason}\n")
    for net in networks():
        if args.network and net.name not in args.network:
            continue
        predictions = json.loads((args.folder / f"{net.name}.json").read_text())
        begin, before = time.time(), os.getloadavg()
        with Shaped(net) as shaped:
            measured = run(shaped, everything, args.folder / net.name, predictions, args.seconds, args.process,
                           timeout=900)[0]
        for name, times in measured.items():
            for key, taken in times.items():
                said, least, usual = predictions[name][key], min(taken), median(taken)
                print(f"{net.name:12} {name:12} {key:14} {said:8.0f} {least:8.0f} {least / said - 1:+.1%} "
                      f"{usual:8.0f} {usual / said - 1:+.1%}", flush=True)
        result = {"seconds": round(time.time() - begin), "load_before": before, "load_after": os.getloadavg(),
                  "measured": measured}
        (args.folder / f"{net.name}.measured.json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
