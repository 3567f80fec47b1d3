"""batopo.trial on a shaped network: python3 -m net.tried [NETWORK …] (root, in python/).

The networks, the model and its gradient are those of net.ddp; the plans are what `batopo plan` recommends, and the
all-reduce of `batopo topology`.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from typing import List

import torch

import batopo

from .ddp import COMPUTE_S, ELEMENTS, NETWORKS, PER_MESSAGE_MS, Net, describe, plan_for
from .shaped import Shaped, why_not
from .still import Watch
from .world import run


def tried(rank: int, plans: List[str], minutes: float) -> List[str]:
    """What the trial says."""
    del rank
    model = Net()
    x = torch.ones(1)
    return batopo.trial(model, torch.optim.SGD(model.parameters(), lr=0.0), lambda m: m(x).sum(), plans,
                        minutes=minutes, names=["what plan recommends", "topology"],
                        compute_ms=[COMPUTE_S * 1e3] * 2).sentences()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.tried", description=__doc__)
    parser.add_argument("network", nargs="*", help=", ".join(NETWORKS))
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--program", default="go run ./cmd/batopo", help="what runs batopo")
    args = parser.parse_args()
    reason = why_not()
    if reason is not None:
        parser.exit(1, f"no network of namespaces: {reason}\n")
    for name in args.network or ["nodes-3to1"]:
        net, megabytes = NETWORKS[name], ELEMENTS * 4e-6
        with tempfile.TemporaryDirectory() as folder:
            cluster = Path(folder, "cluster.yaml")
            cluster.write_text(describe(net, megabytes, PER_MESSAGE_MS))
            subprocess.run([*args.program.split(), "plan", str(cluster), "-o", folder], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[2])
            exact = plan_for(net, megabytes, PER_MESSAGE_MS, Path(folder), args.program.split())
            with Watch(), Shaped(net) as shaped:
                said = run(shaped, tried, [f"{folder}/plan.json", exact], args.minutes, timeout=3600)[0]
            print("\n".join([f"{name}:", *said]), flush=True)


if __name__ == "__main__":
    main()
