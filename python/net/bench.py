"""batopo.bench over links of a given rate: python3 -m net.bench [--mbit 200] [--sizes 10 50] (root, in python/)."""

from __future__ import annotations

import argparse

from batopo.bench import HEAD, line, measure

from .shaped import Network, Shaped, why_not
from .still import Watch
from .world import run


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.bench", description=__doc__)
    parser.add_argument("--mbit", type=float, default=200.0)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--sizes", type=float, nargs="+", default=[10.0, 50.0], help="in MB")
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    reason = why_not()
    if reason is not None:
        parser.exit(1, f"no network of namespaces: {reason}\n")
    print(f"ring of {args.ranks} ranks over gloo, {args.mbit:g} Mbit/s each way; ms")
    print(HEAD)
    for megabytes in args.sizes:
        with Watch(), Shaped(Network("equal", (args.mbit,) * args.ranks)) as shaped:
            print(line(megabytes, run(shaped, measure, megabytes, args.repeats, timeout=3600)[0]), flush=True)


if __name__ == "__main__":
    main()
