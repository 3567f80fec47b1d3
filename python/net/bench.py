"""What an exchange costs a process: python3 -m net.bench [--mbit 200] [--sizes 10 50] (root, in python/).

batopo.bench over links of a given rate. With --memory 100, which needs no root, it prints the peak memory of a rank
instead, for a model of 100 MB: DistributedDataParallel on four ranks, and in two groups of two with averages of changes
between them in all wires, of the whole model and in four pieces.
"""

from __future__ import annotations

import argparse
from typing import List, Tuple

import torch
from torch.nn.parallel import DistributedDataParallel

from batopo import attach
from batopo.bench import HEAD, line, measure, peak_bytes
from batopo.plan_file import FEW_BITS, Collective, Plan

from .ddp import Net
from .shaped import Network, Shaped, why_not
from .still import Watch
from .world import Here, run

EVERY = 4
Case = Tuple[str, str, int]  # name, wire, pieces


def cases() -> List[Case]:
    """The first is DistributedDataParallel alone."""
    return [("DDP", "", 0)] + [(f"{wire or 'fp32'} changes" + f" in {pieces} pieces" * (pieces > 1), wire, pieces)
                               for wire in ("", *FEW_BITS) for pieces in (1, EVERY)]


def peak(rank: int, megabytes: float, case: Case) -> float:
    """MB that a process has at most in two periods, besides those that it had before."""
    del rank
    name, wire, pieces = case
    peak_bytes()
    before = peak_bytes()
    model = DistributedDataParallel(Net(int(megabytes * 250_000), forward=0.0))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if pieces:
        attach(optimizer, Plan(4, kind="collective", collective=Collective("ring", (0, 1)), groups=((0, 1), (2, 3)),
                               every=EVERY, inside_gradients=True, average="changes", wire=wire, pieces=pieces,
                               hash=name), model=model)
    for _ in range(2 * EVERY):
        optimizer.zero_grad()
        model(torch.ones(1)).sum().backward()
        optimizer.step()
    return (peak_bytes() - before) / 1e6


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mbit", type=float, default=200.0)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--sizes", type=float, nargs="+", default=[10.0, 50.0], help="in MB")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--memory", type=float, metavar="MB", help="of a model")
    args = parser.parse_args()
    if args.memory:
        for case in cases():
            most = run(Here(4), peak, args.memory, case, timeout=3600)
            print(f"{case[0]:26} {max(most):7.0f} MB, {max(most) / args.memory:5.1f} models", flush=True)
        return
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
