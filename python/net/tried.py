"""batopo.trial on shaped networks: python3 -m net.tried [NETWORK …] [--long 10] (root, in python/).

On every network the program makes plans, a trial measures them, `batopo plan --trial` corrects the description, and,
with --long, a trial of that many minutes says which way really is fastest. Prints what the trial picked and how much
slower that is than the fastest of the long one, and predictions before and after the correction beside what the long
one measured. The gradient is a pause, a third of it forward. --keep FOLDER keeps the cluster descriptions and the
files trial.json.
"""

from __future__ import annotations

import argparse
import json
import shlex
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, Dict, List, Tuple

import torch

from batopo.reader import parse_plan
from batopo.trial import plans_for, run_program
from batopo.trial_run import try_all
from batopo.trial_ways import Given

from .ddp import COMPUTE_S, ELEMENTS, NETWORKS, PER_MESSAGE_MS, describe
from .relay import Wire
from .shaped import Network, Shaped, why_not
from .still import Watch
from .trial import Paused
from .world import run


def sites(name: str, ms: float) -> Network:
    """Two sites, that many milliseconds apart one way."""
    return replace(NETWORKS["two-servers"], name=name, wire=Wire(ms / 2))


FIVE = {**NETWORKS, "two-sites": sites("two-sites", 50.0)}
ALL = {**FIVE, "two-sites-20": sites("two-sites-20", 20.0), "two-sites-100": sites("two-sites-100", 100.0)}


def tried(rank: int, plans: List[Tuple[str, str]], minutes: float) -> Tuple[Dict[str, Any], List[str]]:
    """What the trial finds, and says."""
    del rank
    model = Paused(ELEMENTS, COMPUTE_S)
    x = torch.ones(1, requires_grad=True)
    given = [Given(name, parse_plan(text.encode()), text) for name, text in plans]
    result = try_all(model, torch.optim.SGD(model.parameters(), lr=0.0), lambda m: m(x).sum(), given, minutes, 60.0)
    return result.as_json(), result.sentences()


def cluster_of(net: Network) -> str:
    """The description, with the delay of the relays on the uplinks."""
    text = describe(net, ELEMENTS * 4e-6, PER_MESSAGE_MS)
    if net.wire != Wire():
        rate = text[text.index("uplink: ") + len("uplink: "):].split("}")[0]
        text = text.replace(f"uplink: {rate}", f"uplink: {{gb_s: {rate}, latency_ms: {net.wire.delay_ms:g}}}")
    return text


def picked(found: Dict[str, Any]) -> List[Dict[str, Any]]:
    """What was measured and exchanges something, the fastest first."""
    return sorted((way for way in found["ways"] if "error" not in way and way["kind"] != "alone"),
                  key=lambda way: float(way["measured_ms"]))


def one(name: str, folder: Path, args: argparse.Namespace) -> None:
    """All that is printed of one network."""
    net, cluster, out = ALL[name], folder / f"{name}.yaml", folder / f"{name}.json"
    cluster.write_text(cluster_of(net))
    program = shlex.split(args.program)
    plans = plans_for(str(cluster), program)
    with Watch(), Shaped(net) as shaped:
        found, said = run(shaped, tried, plans, args.minutes, timeout=3600)[0]
        out.write_text(json.dumps(found, indent=1) + "\n")
        long, _ = run(shaped, tried, plans, args.long, timeout=3600)[0] if args.long else (found, said)
    print("\n".join([f"{name}:", *said]), flush=True)
    answer = json.loads(run_program(program, ["plan", str(cluster), "--trial", str(out), "--json", "--quiet"]))
    print(answer["measured"]["text"])
    times = {way["name"]: float(way["measured_ms"]) for way in long["ways"] if "error" not in way}
    errors: Dict[str, List[float]] = {"before": [], "after": []}
    for way in answer["measured"]["ways"]:
        line = f"  {way['name']:44} {times[way['name']]:8.1f} ms"
        for key, all_of in errors.items():
            all_of.append(times[way["name"]] / way[f"predicted_{key}_ms"] - 1)
            line += f", predicted {key} {way[f'predicted_{key}_ms']:8.1f} ({all_of[-1]:+.1%})"
        print(line)
    sizes = {key: [abs(error) for error in all_of] for key, all_of in errors.items()}
    print("; ".join(f"errors {key}: median {median(size):.1%}, worst {max(size):.1%}" for key, size in sizes.items()),
          flush=True)
    if args.long:
        (folder / f"{name}-long.json").write_text(json.dumps(long, indent=1) + "\n")
        pick, fastest = picked(found)[0]["name"], picked(long)[0]["name"]
        print(f"{name}: the trial of {args.minutes:g} minutes picks {pick}; of {args.long:g} minutes {fastest} is the "
              f"fastest, the pick takes {times[pick] / times[fastest]:.3f} times as long", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python3 -m net.tried", description=__doc__)
    parser.add_argument("network", nargs="*", help=", ".join(ALL) + "; default: the first five")
    parser.add_argument("--minutes", type=float, default=2.0, help="of the trial")
    parser.add_argument("--long", type=float, default=0.0, help="minutes of the measurement it is compared with")
    parser.add_argument("--program", default="batopo", help="what runs batopo")
    parser.add_argument("--keep", type=Path, help="a folder for cluster descriptions and trials")
    args = parser.parse_args()
    for name in set(args.network) - set(ALL):
        parser.error(f"there is no network {name}; there are {', '.join(ALL)}")
    reason = why_not()
    if reason is not None:
        parser.exit(1, f"no network of namespaces: {reason}\n")
    with tempfile.TemporaryDirectory() as folder:
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
        for name in args.network or FIVE:
            one(name, args.keep or Path(folder), args)


if __name__ == "__main__":
    main()
