"""python3 -m training.write_queues FOLDER writes the queues that are designed by rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from . import designs, table2_designs
from .designs import Fields

QUEUES: dict[str, Callable[[], tuple[Fields, list[Fields]]]] = {
    "steps-and-momenta": designs.steps_and_momenta, "sizes": designs.sizes, "rates": designs.rates,
    "peers-and-floors": designs.peers_and_floors, "cta-with-rests": designs.cta_with_rests,
    "weak-skew": designs.weak_skew, "two-levels": designs.two_levels,
    "wires-16bits": designs.sixteen_bits, "two-levels-3x3": table2_designs.two_levels,
    "table2-cifar10-own-target": partial(table2_designs.own_target, "cifar10"),
    "table2-cifar100-own-target": partial(table2_designs.own_target, "cifar100"),
    "table2-cifar10-seeds": partial(table2_designs.seeds, "cifar10"),
    "table2-cifar100-seeds": partial(table2_designs.seeds, "cifar100"),
    "table2-cifar10-five-seeds": partial(table2_designs.five_seeds, "cifar10"),
    "table2-cifar100-five-seeds": partial(table2_designs.five_seeds, "cifar100"),
    "table2-cifar10-rows": partial(table2_designs.rows, "cifar10"),
    "table2-cifar100-rows": partial(table2_designs.rows, "cifar100"),
    "table2-cifar10-our-search": partial(table2_designs.our_search, "cifar10"),
    "table2-cifar100-our-search": partial(table2_designs.our_search, "cifar100"),
    "table2-cifar10-atc": partial(table2_designs.atc, "cifar10"),
    "table2-cifar100-atc": partial(table2_designs.atc, "cifar100"),
    "table2-cifar10-few-edges": table2_designs.few_edges,
    "table2-cifar10-rests": table2_designs.rests, "table2-cifar100-rests": table2_designs.rests_cifar100,
    "table2-cifar10-rates": table2_designs.rates, "table2-cifar10-hundred-epochs": table2_designs.hundred_epochs,
    "power-search-cifar10": partial(table2_designs.power_search, "cifar10"),
    "power-search-cifar100": partial(table2_designs.power_search, "cifar100"),
    "power-seeds-cifar10": table2_designs.power_seeds,
    "power-skew-cifar10": partial(table2_designs.power_skew, "cifar10"),
    "power-skew-cifar100": partial(table2_designs.power_skew, "cifar100"),
    "power-skew-cifar10-batch-norm": partial(table2_designs.power_skew, "cifar10", "batch")}


def text(defaults: Fields, entries: list[Fields]) -> str:
    """A queue file, one entry per line."""
    body = ",\n".join("  " + json.dumps(e) for e in entries)
    return f'{{\n "defaults": {json.dumps(defaults)},\n "entries": [\n{body}\n ]\n}}\n'


if __name__ == "__main__":
    for queue, design in QUEUES.items():
        (Path(sys.argv[1]) / f"{queue}.json").write_text(text(*design()))
