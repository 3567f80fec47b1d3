"""Queues for the convergence model as a fractional design; write_queues.py writes them.

The full product of processes, steps between mixings, orders, momenta, norms, rates, skews, sizes and seeds has far over
a thousand cells. Each queue crosses two or three of these around one base setting (ImageNet stem, crops, 16 nodes,
batch norm, lr 0.05, momentum 0.9 at every node, adapt then combine) and holds the rest, so that every main effect and
the products that features.py names can be distinguished when all queues are put together; experiments/training/log.md
has the table.
"""

from __future__ import annotations

from itertools import product
from typing import Any

Fields = dict[str, Any]
BASE: Fields = {"dataset": "cifar10", "nodes": 16, "batch": 32, "lr": 0.05, "beta": 0.9, "weight_decay": 0.0001,
                "stem": "imagenet", "statistics": "augmented"}
SHARES: dict[str, Fields] = {"iid": {}, "skew 1.0": {"skew": 1.0}, "skew 0.1": {"skew": 0.1}}
LOCAL: Fields = {}
QUASI: Fields = {"momentum": "quasi-global"}
# Its mean moves like momentum 0.99 at a tenth of the rate: what quasi-global momentum must be more than.
SLOW: Fields = {"beta": 0.99, "lr": 0.005}
LAZY: Fields = {"lazy": 0.5}
FINALISTS: dict[str, Fields] = {
    "exact": {"process": "exact"}, "exact lazy 1/2": {"process": "exact", **LAZY},
    "training-24": {"process": "../plans/training-16-24.json"},
    "hypercube": {"process": "one-peer-hypercube"}, "hypercube lazy 1/2": {"process": "one-peer-hypercube", **LAZY},
    "exponential": {"process": "exponential"}}
TRAINING = {8: "../plans/training-8-12.json", 32: "../plans/training-32-48.json"}


def steps_and_momenta() -> tuple[Fields, list[Fields]]:
    """H = 1 … 16 by momentum, i.i.d. and skewed; momentum 0.99 as a control; CTA at H = 1."""
    three = {k: FINALISTS[k] for k in ("exact", "hypercube", "training-24")}
    entries: list[Fields] = []

    def add(words: str, *parts: Fields) -> None:
        entries.append({"name": words, **{k: v for part in parts for k, v in part.items()}})

    shares = {k: SHARES[k] for k in ("iid", "skew 0.1")}
    for seed, every, (share, held), (name, process) in product(
            (1, 2, 3), (1, 8, 2, 4, 16), shares.items(), three.items()):
        if seed == 3 and every not in (1, 8):
            continue
        for kind, momentum in {"local": LOCAL, "quasi-global": QUASI, "0.99": SLOW}.items():
            if kind == "0.99" and (every not in (1, 4) or seed == 3):
                continue
            words = f"{share} {kind} H{every} s{seed} {name}"
            add(words, held, momentum, {"every": every, "seed": seed}, process)
            if every == 1 and kind != "0.99" and seed < 3:
                add(f"{words} cta", held, momentum, {"order": "cta", "seed": seed}, process)
    return {**BASE, "epochs": 16, "target": 0.5}, entries


def peers_and_floors() -> tuple[Fields, list[Fields]]:
    """Exact in two rounds of three or seven peers; one graph with the best weights whose eigenvalues stay above μ."""
    plans = {"three-peer": "three-peer-16", "seven-peer": "seven-peer-16",
             **{f"floor {mu}": f"floor-{mu.replace('-', 'minus-')}-16-24" for mu in ("none", "-0.25", "0.25", "0.5")},
             "floor 0": "training-16-24"}
    entries: list[Fields] = []
    for seed, (share, held), (name, plan) in product((1, 2, 3), SHARES.items(), plans.items()):
        if name == "floor 0" and share != "skew 1.0" or share == "skew 1.0" and seed > 1:
            continue  # has been run, or is asked once
        entries.append({"name": f"{share} s{seed} {name}", **held, "seed": seed, "process": f"../plans/{plan}.json"})
    return {**BASE, "epochs": 16, "target": 0.5}, entries


def cta_with_rests() -> tuple[Fields, list[Fields]]:
    """Combine then adapt after every few steps only, by momentum and skew; the ring is the cheapest static graph."""
    processes = {**{k: FINALISTS[k] for k in ("exact", "training-24", "hypercube")}, "ring": {"process": "ring"}}
    momenta = {"local": LOCAL, "quasi-global": QUASI}
    shares = {k: SHARES[k] for k in ("iid", "skew 0.1")}
    return {**BASE, "order": "cta", "epochs": 16, "target": 0.5}, [
        {"name": f"{share} cta {kind} H{every} s{seed} {name}", **held, **momentum, "every": every, "seed": seed,
         **process}
        for seed, (share, held), (kind, momentum), every, (name, process) in product(
            (1, 2), shares.items(), momenta.items(), (4, 16), processes.items())]


def weak_skew() -> tuple[Fields, list[Fields]]:
    """Dirichlet 1.0, where nothing was run but adapt then combine in every step with local momentum."""
    processes = {k: FINALISTS[k] for k in ("exact", "training-24", "hypercube", "hypercube lazy 1/2")}
    ways: dict[str, Fields] = {
        "": {}, "cta ": {"order": "cta"}, "quasi-global ": QUASI, "H4 ": {"every": 4},
        "H4 cta ": {"every": 4, "order": "cta"}, "H4 quasi-global ": {"every": 4, **QUASI}}
    return {**BASE, "epochs": 16, "target": 0.5}, [
        {"name": f"skew 1.0 {words}s1 {name}", **SHARES["skew 1.0"], **way, "seed": 1, **process}
        for (words, way), (name, process) in product(ways.items(), processes.items())
        if (words, name) != ("", "training-24")]  # has been run, as a floor of 0


def two_levels() -> tuple[Fields, list[Fields]]:
    """Hierarchical averaging, which `plan` recommends for clusters of servers.

    Three seeds of both orders and momenta, one with local steps and at Dirichlet 1.0.
    """
    between = (("hypercube", "one-peer-hypercube", 4), ("hypercube", "one-peer-hypercube", 2),
               ("exponential", "one-peer-exponential", 4), ("ring", "ring", 4))
    processes = {f"{name} {16 // size}x{size}": {"process": f"{process} between groups of {size}"}
                 for name, process, size in between}
    few = {k: v for k, v in processes.items() if k.startswith("hypercube")}
    shares = {k: SHARES[k] for k in ("iid", "skew 0.1")}
    orders: dict[str, Fields] = {"": {}, "cta ": {"order": "cta"}}

    def cells(seeds: tuple[int, ...], held_by: dict[str, Fields], ways: dict[str, Fields],
              which: dict[str, Fields]) -> list[Fields]:
        return [{"name": f"{share} {words}s{seed} {name}", **held, **way, "seed": seed, **process}
                for seed, (share, held), (words, way), (name, process) in product(
                    seeds, held_by.items(), ways.items(), which.items())]

    momentum = {f"quasi-global {words}": {**order, **QUASI} for words, order in orders.items()}
    rests = {f"{words}H4 cta ": {"every": 4, "order": "cta", **way}
             for words, way in (("", LOCAL), ("quasi-global ", QUASI))}
    weak = {"skew 1.0": SHARES["skew 1.0"]}
    return {**BASE, "epochs": 16, "target": 0.5}, [
        *cells((1, 2, 3), shares, orders, processes), *cells((1, 2, 3), shares, momentum, few),
        *cells((1,), shares, rests, few), *cells((1,), weak, orders, processes)]


def rates() -> tuple[Fields, list[Fields]]:
    """Learning rates of the finalists, cosine, group norm without skew; all with a moving average."""
    entries: list[Fields] = []
    shares = {k: SHARES[k] for k in ("iid", "skew 0.1")}
    for seed, lr, (share, held), (name, process) in product(
            (1, 2, 3), (0.05, 0.1, 0.025, 0.2, 0.0125), shares.items(), FINALISTS.items()):
        if seed < 3 or lr in (0.05, 0.1):
            entries.append({"name": f"{share} lr {lr} s{seed} {name}", **held, "lr": lr, "seed": seed, **process})
    for lr, (share, held), (name, process) in product((0.05, 0.1), shares.items(), FINALISTS.items()):
        entries.append({"name": f"{share} cosine from {lr} {name}", **held, "lr": lr, "schedule": "cosine", **process})
    for lr, (name, process) in product((0.0125, 0.05), FINALISTS.items()):
        entries.append({"name": f"iid group lr {lr} {name}", "norm": "group", "lr": lr, **process})
    return {**BASE, "epochs": 16, "target": 0.5, "ema": 0.98}, entries


def sizes() -> tuple[Fields, list[Fields]]:
    """8 and 32 nodes, with all skews and both norms."""
    entries: list[Fields] = []
    for nodes, seed, (share, held) in product((8, 32), (1, 2, 3), SHARES.items()):
        named: dict[str, Fields] = {k: v for k, v in FINALISTS.items() if k != "training-24"}
        for name, process in {**named, "ring": {"process": "ring"}, "training": {"process": TRAINING[nodes]}}.items():
            words = f"n{nodes} {share}"
            common: Fields = {"nodes": nodes, "seed": seed, **held, **process}
            entries.append({"name": f"{words} s{seed} {name}", **common})
            if seed == 1 and share != "skew 1.0":
                entries.append({"name": f"{words} group s{seed} {name}", "norm": "group", **common, "lr": 0.0125})
    return {**BASE, "epochs": 16, "target": 0.5}, entries


def sixteen_bits() -> tuple[Fields, list[Fields]]:
    """Runs of other queues again, with averages in bf16: gossip and all-reduces with local steps, a rate that falls,
    and long runs with a round in every step."""
    queues = (steps_and_momenta(), cta_with_rests(), rates())
    known = {e["name"]: {**defaults, **e} for defaults, entries in queues for e in entries}
    names = [f"iid cta local H{every} s{seed} {name}"
             for every, name in ((16, "hypercube"), (16, "ring"), (4, "exact"), (16, "exact")) for seed in (1, 2)]
    names += ["iid local H1 s1 exact", "iid local H1 s1 hypercube", "iid local H1 s1 training-24",
              "iid local H1 s2 training-24", "iid local H4 s1 exact", "iid cosine from 0.05 exact",
              "iid cosine from 0.05 training-24", "iid cosine from 0.05 hypercube"]
    long: Fields = {**BASE, "order": "cta", "statistics": "nodes", "epochs": 60, "target": 0.8, "stop": True}
    pairs = ((1, "ring"), (1, "one-peer-hypercube"), (2, "one-peer-hypercube"), (3, "one-peer-hypercube"),
             (1, "one-peer-exponential"), (1, "training-24"))
    rounds = [{"name": f"table II s{seed} {name}", **long, "seed": seed,
               "process": FINALISTS.get(name, {"process": name})["process"]} for seed, name in pairs]
    return {"bits": 16}, [{**e, "name": f"{e['name']}, 16 bits"} for e in [*(known[n] for n in names), *rounds]]
