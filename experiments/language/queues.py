"""The queue: which runs, the most decisive first. Rates are looked for once per kind of process, with seed 1."""

from __future__ import annotations

import json
from typing import Any

from .settings import Entry
from .simulate import step_seconds

RATES = (1e-3, 2e-3, 4e-3, 8e-3)
Fields = dict[str, Any]

OUTER: Fields = {"outer_lr": 0.7, "outer_momentum": 0.9}
DILOCO: Fields = {"every": 64, **OUTER}


class Queue:
    """Entries in their order, with names made of what they are."""

    def __init__(self) -> None:
        self.entries: list[Fields] = []

    def rates(self, question: str, what: str, rates: tuple[float, ...], **fields: Any) -> None:
        """Seed 1 at every rate; others say lr_from=question."""
        for lr in rates:
            self.entries.append({"name": f"{what}, rate {lr:g}", "question": question, "lr": lr, **fields})

    def runs(self, question: str, what: str, lr_from: str, seeds: tuple[int, ...] = (1,), **fields: Any) -> None:
        for seed in seeds:
            self.entries.append({"name": f"{what}, seed {seed}", "question": question, "lr": None, "lr_from": lr_from,
                                 "seed": seed, **fields})


def _rates_and_lengths(q: Queue) -> None:
    q.rates("a rates ddp", "ddp", RATES, group=8)
    q.rates("a rates exact", "exact H 1", RATES, every=1)
    q.rates("a rates ddp 750", "ddp 750 steps", RATES, group=8, steps=750)
    for steps, rates in ((350, "a rates ddp 750"), (500, "a rates ddp 750"), (1000, "a rates ddp"),
                         (1250, "a rates ddp")):
        q.runs("a ddp", f"ddp {steps} steps", rates, group=8, steps=steps)
    q.runs("a ddp", "ddp", "a rates ddp", (2, 3), group=8)
    q.runs("a exact", "exact H 1", "a rates exact", (2, 3))


def _two_clocks(q: Queue) -> None:
    q.rates("b rates groups of 4", "groups of 4, H 64", RATES, group=4, every=64)
    q.rates("b rates groups of 2", "groups of 2, H 64", RATES, group=2, every=64)
    for group in (4, 2):
        for every in (16, 256):
            rates = f"b rates groups of {group}"
            q.runs("b two clocks", f"groups of {group}, H {every}", rates, group=group, every=every)


def _switch(q: Queue) -> None:
    q.rates("c rates outer", "after 500 outer H 64", RATES, synchronous=500, **DILOCO)
    q.rates("c rates average", "after 500 average H 64", RATES[:3], synchronous=500, every=64)
    q.rates("c rates groups", "after 500 groups of 4, H 64", RATES[:3], synchronous=500, every=64, group=4)
    q.runs("c outer", "after 500 groups of 4, outer H 64", "c rates groups", synchronous=500, group=4, **DILOCO)
    for first in (100, 250, 750):
        q.runs("c outer", f"after {first} outer H 64", "c rates outer", synchronous=first, **DILOCO)
    for first in (50, 100, 250, 750):
        q.runs("c groups", f"after {first} groups of 4, H 64", "c rates groups", synchronous=first, every=64, group=4)
    rates = "b rates groups of 4"  # at most a twentieth of the traffic
    q.runs("c frugal", "groups of 4, H 24", rates, group=4, every=24)
    q.runs("c frugal", "groups of 4, H 64, moments averaged", rates, group=4, every=64, state="mv")
    q.runs("c frugal", "groups of 4, H 24, outer 1 and 0.5", rates, group=4, every=24, outer_momentum=0.5)
    q.runs("c frugal", "groups of 4, H 24, outer 0.7 and 0.3", rates, group=4, every=24, outer_lr=0.7,
           outer_momentum=0.3)
    for every in (16, 256):
        q.runs("c outer", f"after 500 outer H {every}", "c rates outer", synchronous=500, every=every, **OUTER)


def _seeds(q: Queue) -> None:
    """Seeds 2 and 3 of the runs that the advice uses."""
    both = (2, 3)
    for steps, rates in ((500, "a rates ddp 750"), (750, "a rates ddp 750"), (1000, "a rates ddp"),
                         (1250, "a rates ddp")):
        q.runs("a ddp", f"ddp {steps} steps", rates, both, group=8, steps=steps)
    for group in (4, 2):
        for every in (64, 16, 256):
            rates = f"b rates groups of {group}"
            q.runs("b two clocks", f"groups of {group}, H {every}", rates, both, group=group, every=every)
    q.runs("c outer", "after 500 outer H 64", "c rates outer", both, synchronous=500, **DILOCO)
    q.runs("c groups", "after 500 groups of 4, H 64", "c rates groups", both, synchronous=500, every=64, group=4)
    q.runs("c outer", "after 500 groups of 4, outer H 64", "c rates groups", both, synchronous=500, group=4, **DILOCO)
    q.runs("c average", "after 500 average H 64", "c rates average", both, synchronous=500, every=64)


def _near_the_goal(q: Queue) -> None:
    """Recipes with about a twentieth of the traffic, the end of the curve, and rates that were at an edge."""
    rates = "b rates groups of 4"
    q.runs("b alone", "half the nodes alone", "a rates ddp", (1, 2, 3), nodes=4, group=4, idle=4)
    q.runs("c frugal", "groups of 4, H 24", rates, (2, 3), group=4, every=24)
    q.runs("a ddp", "ddp 2000 steps", "a rates ddp", (1, 2, 3), group=8, steps=2000)
    for every in (8, 4):
        q.runs("b two clocks", f"groups of 4, H {every}", rates, (1, 2, 3), group=4, every=every)
    q.runs("c ending", "groups of 4, H 64, last 480 H 8", rates, group=4, every=64, ending=480, ending_every=8)
    q.runs("c ending", "after 24 groups of 4, H 64, last 224 H 8", rates, synchronous=24, group=4, every=64, ending=224,
           ending_every=8)
    q.runs("c ending", "after 50 groups of 4, H 128, last 200 H 16", rates, synchronous=50, group=4, every=128,
           ending=200, ending_every=16)
    for first in (50, 250, 750):
        q.runs("c groups", f"after {first} groups of 4, H 64", "c rates groups", (2, 3), synchronous=first, every=64,
               group=4)
    q.rates("d rates exact 4", "exact H 4", RATES[:2], every=4)
    q.runs("e 8 bits", "groups of 4, H 24, 8 bits", rates, (1, 2, 3), bits=8, every=24, group=4)


def _for_the_advice(q: Queue) -> None:
    """What decides the table of the advice: the control at its best rate, seeds, and H and delays that people use."""
    three, both = (1, 2, 3), (2, 3)
    rates = {4: "b rates groups of 4", 2: "b rates groups of 2"}
    q.rates("b rates alone", "half the nodes alone", (1e-3, 4e-3), nodes=4, group=4, idle=4)
    q.runs("d exact", "exact H 4", "a rates exact", both, every=4)
    q.rates("d rates exact 16", "exact H 16", RATES[:3], every=16)
    q.runs("d exact", "exact H 16", "d rates exact 16", both, every=16)
    q.runs("d exact", "exact H 2", "a rates exact", three, every=2)
    q.runs("d graphs", "one-peer H 1", "a rates exact", both, process="one-peer-exponential")
    q.runs("b two clocks", "groups of 2, H 4", rates[2], three, group=2, every=4)
    q.runs("b alone", "a quarter of the nodes alone", "a rates ddp", three, nodes=2, group=2, idle=6)
    q.runs("e late", "groups of 4, H 64, late 16", rates[4], three, delay=16, every=64, group=4)
    q.runs("e late", "groups of 4, H 16, late 4", rates[4], three, delay=4, every=16, group=4)
    q.runs("e 8 bits", "groups of 4, H 6, 8 bits", rates[4], three, bits=8, every=6, group=4)
    q.rates("b rates groups of 4, H 8", "groups of 4, H 8", (4e-3,), group=4, every=8)
    q.rates("d rates exact 4", "exact H 4", (8e-3,), every=4)
    q.runs("f nodes", "16 nodes, exact H 1", "a rates exact", three, nodes=16, sequences=8)
    q.runs("f nodes", "16 nodes, exact H 4", "a rates exact", three, nodes=16, sequences=8, every=4)
    q.runs("g two clocks", "domains, groups of 4, H 16", rates[4], three, data="domains", group=4, every=16)
    q.runs("f long", "ddp 3000 steps", "a rates ddp", three, group=8, steps=3000)
    q.runs("f long", "3000 steps, groups of 4, H 16", rates[4], three, group=4, every=16, steps=3000)
    q.runs("d graphs", "plan 8-12 H 1", "a rates exact", both, process="training-8-12.json")
    q.runs("e late", "groups of 4, H 64, late 64", rates[4], both, delay=64, every=64, group=4)


def _sixteen_bits(q: Queue) -> None:
    """What `batopo plan` sends in bf16."""
    graphs = {"one-peer": "one-peer-exponential", "plan 8-12": "training-8-12.json"}
    three = (1, 2, 3)
    q.runs("e 16 bits", "groups of 4, H 16, 16 bits", "b rates groups of 4", three, bits=16, every=16, group=4)
    q.runs("e 16 bits", "groups of 2, H 16, 16 bits", "b rates groups of 2", three, bits=16, every=16, group=2)
    q.runs("e 16 bits", "exact H 4, 16 bits", "a rates exact", three, bits=16, every=4)
    for name, process in graphs.items():
        q.runs("e 16 bits", f"{name} H 1, 16 bits", "a rates exact", three, bits=16, process=process)
    q.runs("e 16 bits", "exact H 1, 16 bits", "a rates exact", three, bits=16)


def _twice_the_batch(q: Queue) -> None:
    """16 nodes with 16 sequences each: two models that differ, as with groups of 4 among 8, at twice the batch."""
    for steps in (1500, 1000, 750):
        q.runs("f batch", f"16 nodes, ddp {steps} steps", "a rates ddp", nodes=16, group=16, steps=steps)
    q.runs("f batch", "16 nodes, groups of 8, H 16", "b rates groups of 4", nodes=16, group=8, every=16)


def _graphs(q: Queue) -> None:
    graphs = {"one-peer": "one-peer-exponential", "ring": "ring", "plan 8-12": "training-8-12.json"}
    for every in (1, 4):
        for name, process in graphs.items():
            q.runs("d graphs", f"{name} H {every}", "a rates exact", process=process, every=every)
        if every == 4:
            q.runs("d graphs", "exact H 4", "a rates exact", every=4)
    q.runs("d outer", "after 500 one-peer outer H 64", "c rates outer", synchronous=500, process=graphs["one-peer"],
           every=64, outer_lr=0.7, outer_momentum=0.5)
    q.runs("d moments", "exact H 1, moments averaged", "a rates exact", every=1, state="mv")
    q.runs("d moments", "exact H 16, moments averaged", "d rates exact 16", every=16, state="mv")


def _late_and_small(q: Queue) -> None:
    outer: Fields = {"synchronous": 500, **DILOCO}
    q.runs("e 8 bits", "after 500 outer H 64, 8 bits", "c rates outer", bits=8, **outer)
    q.runs("e 8 bits", "groups of 4, H 64, 8 bits", "b rates groups of 4", bits=8, every=64, group=4)
    q.runs("e late", "after 500 outer H 64, late 64", "c rates outer", delay=64, **outer)
    q.runs("e late", "after 500 outer H 64, late 16", "c rates outer", delay=16, **outer)
    q.runs("e late", "groups of 4, H 64, late 64", "b rates groups of 4", delay=64, every=64, group=4)
    q.runs("e late", "groups of 4, H 16, late 16", "b rates groups of 4", delay=16, every=16, group=4)


def _domains(q: Queue) -> None:
    q.runs("g ddp", "domains, ddp", "a rates ddp", group=8, data="domains")
    q.runs("g exact", "domains, exact H 1", "a rates exact", data="domains")
    q.runs("g two clocks", "domains, groups of 4, H 64", "b rates groups of 4", data="domains", group=4, every=64)
    q.runs("g outer", "domains, after 500 outer H 64", "c rates outer", data="domains", synchronous=500, **DILOCO)
    q.runs("g one-peer", "domains, one-peer H 1", "a rates exact", data="domains", process="one-peer-exponential")
    q.runs("g two clocks", "domains, groups of 2, H 64", "b rates groups of 2", data="domains", group=2, every=64)


def _other_sizes(q: Queue) -> None:
    q.runs("f long", "3000 steps, groups of 4, H 64", "b rates groups of 4", group=4, every=64, steps=3000)
    q.runs("f long", "3000 steps, after 500 outer H 64", "c rates outer", steps=3000, synchronous=500, **DILOCO)
    medium: Fields = {"size": "medium"}
    first, others = RATES[1:2], (RATES[0], RATES[2])
    q.rates("f rates medium ddp", "medium, ddp", first, group=8, **medium)
    q.runs("f medium", "medium, ddp 1000 steps", "f rates medium ddp", group=8, steps=1000, **medium)
    q.rates("f rates medium groups", "medium, groups of 4, H 64", first, group=4, every=64, **medium)
    q.rates("f rates medium ddp", "medium, ddp", others, group=8, **medium)
    q.rates("f rates medium groups", "medium, groups of 4, H 64", others, group=4, every=64, **medium)
    q.runs("f medium", "medium, ddp 750 steps", "f rates medium ddp", group=8, steps=750, **medium)
    for steps in (750, 1000, 1500):
        q.runs("f medium", f"medium, ddp {steps} steps", "f rates medium ddp", (2, 3), group=8, steps=steps, **medium)
    q.runs("f medium", "medium, groups of 4, H 64", "f rates medium groups", (2, 3), group=4, every=64, **medium)
    q.runs("f medium", "medium, after 500 outer H 64", "f rates medium ddp", synchronous=500, **DILOCO, **medium)
    q.rates("f rates medium exact", "medium, exact H 1", RATES[1:3], **medium)


def _few_bits(q: Queue) -> None:
    """Changes in few bits, in pieces. 32 nodes with 8 sequences each: eight models that are groups of four."""
    three, both, one = (1, 2, 3), (2, 3), (1,)
    groups, pairs, single = "b rates groups of 4", "b rates groups of 2", "a rates exact"

    def pieces(what: str, rates: str, seeds: tuple[int, ...], every: int, bits: int, **fields: Any) -> None:
        words = f"{what}H {every} in pieces" + (f", {_bits(bits)}" if bits < 32 else "")
        q.runs("h main", words, rates, seeds, every=every, bits=bits, pieces=True, **fields)

    pieces("groups of 4, ", groups, three, 4, 1, group=4)
    pieces("groups of 4, ", groups, three, 4, 2, group=4)
    pieces("groups of 2, ", pairs, three, 4, 1, group=2)
    pieces("", single, three, 2, 2)
    pieces("", single, three, 4, 1)
    for every in (8, 16, 2):
        pieces("groups of 4, ", groups, three, every, 1, group=4)
    pieces("groups of 2, ", pairs, one, 4, 2, group=2)
    pieces("", single, one, 4, 2)
    pieces("groups of 4, ", groups, one, 4, 4, group=4)
    pieces("groups of 4, ", groups, one, 4, 32, group=4)
    q.runs("h whole", "groups of 4, H 4, 1 bit", groups, group=4, every=4, bits=1)
    q.runs("h main", "groups of 4, H 4 in pieces, 1 bit, one stage", groups, group=4, every=4, bits=1, pieces=True,
           stages=1)
    for steps in (1500, 1000):
        q.runs("h batch", f"16 nodes, ddp {steps} steps", "a rates ddp", both, nodes=16, group=16, steps=steps)
    many: Fields = {"nodes": 32, "sequences": 8, "group": 4, "pieces": True}
    q.rates("h rates eight groups", "32 nodes, groups of 4, H 4 in pieces, 1 bit", (2e-3, 4e-3), every=4, bits=1,
            **many)
    q.runs("h eight groups", "32 nodes, groups of 4, H 2 in pieces, 2 bits", "h rates eight groups", three, every=2,
           bits=2, **many)


def _bits(bits: int) -> str:
    return "1 bit" if bits == 1 else f"{bits} bits"


def _larger(q: Queue) -> None:
    large: Fields = {"size": "large"}
    main: Fields = {"group": 4, "every": 4, "pieces": True, "bits": 1}
    words = "groups of 4, H 4 in pieces, 1 bit"
    groups = "b rates groups of 4"
    q.runs("h long", f"6000 steps, {words}", groups, steps=6000, **main)
    _rivals(q)
    q.runs("h long", "ddp 6000 steps", "a rates ddp", group=8, steps=6000)
    q.rates("h rates main", words, (4e-3,), **main)
    q.runs("h domains", f"domains, {words}", groups, (1, 2, 3), data="domains", **main)
    q.rates("h rates large", "large, ddp 600 steps", (1e-3,), group=8, steps=600, **large)
    for seed in (1, 2, 3):
        if seed > 1:
            q.runs("h large", "large, ddp 600 steps", "h rates large", (seed,), group=8, steps=600, **large)
        q.runs("h large", "large, ddp 500 steps", "h rates large", (seed,), group=8, steps=500, **large)
        q.runs("h large", f"large, {words}", "h rates large", (seed,), steps=600, **main, **large)
        if seed == 1:
            q.runs("h large", "large, ddp 440 steps", "h rates large", group=8, steps=440, **large)
            q.runs("h large", "large, groups of 4, H 16 in pieces, 1 bit", "h rates large", steps=600,
                   group=4, every=16, pieces=True, bits=1, **large)
    q.runs("h late", f"{words}, late 1", groups, (1, 2, 3), delay=1, **main)


def _rivals(q: Queue, seeds: tuple[int, ...] = (1,)) -> None:
    """At the bytes of H = 4 and 32 in pieces with 1 bit, about: DiLoCo in 4 bits, and SparseLoCo's recipe."""
    groups = "b rates groups of 4"
    diloco: Fields = {"group": 4, "every": 16, "bits": 4, **OUTER}
    sparse: Fields = {"group": 4, "every": 16, "bits": 2, "stages": 1, "top": 128, "keep": 0.95}
    tuned = seeds != (1,)
    if tuned:  # with rates of their own
        q.rates("i rates outer", "groups of 4, outer H 16 in pieces, 4 bits", RATES[:3], pieces=True, **diloco)
        q.rates("i rates sparse", "groups of 4, top 128 of 4096 H 16, 2 bits", RATES[:3], **sparse)
    q.runs("h rivals", "groups of 4, outer H 16 in pieces, 4 bits", "i rates outer" if tuned else groups, seeds,
           pieces=True, **diloco)
    q.runs("h rivals", "groups of 4, top 128 of 4096 H 16, 2 bits", "i rates sparse" if tuned else groups, seeds,
           **sparse)
    q.runs("h rivals", "groups of 4, H 32 in pieces, 1 bit", groups, seeds, group=4, every=32, bits=1, pieces=True)
    q.runs("h rivals", "groups of 4, outer H 16, 4 bits", "i rates outer" if tuned else groups, seeds, **diloco)


def _missing(q: Queue) -> None:
    """What is missing, the most valuable first: seeds of what one seed speaks for, and H and bits beside the best."""
    three, both = (1, 2, 3), (2, 3)
    rates = {4: "b rates groups of 4", 2: "b rates groups of 2", 1: "a rates exact"}

    def pieces(seeds: tuple[int, ...], group: int, every: int, bits: int, **fields: Any) -> None:
        words = (f"groups of {group}, " if group > 1 else "") + f"H {every} in pieces, {_bits(bits)}"
        words += ", one stage" if fields.get("stages") == 1 else ""
        q.runs("i seeds", words, rates[group], seeds, group=group, every=every, bits=bits, pieces=True, **fields)

    q.runs("h main", "groups of 4, H 4 in pieces, 1 bit, one stage", rates[4], both, group=4, every=4, bits=1,
           pieces=True, stages=1)  # half the delays between two groups, and one rounding less
    pieces(three, 4, 4, 2, stages=1)
    _eight_groups(q)
    for group, every, bits in ((1, 4, 2), (2, 4, 2)):
        q.runs("h main", (f"groups of {group}, " if group > 1 else "") + f"H {every} in pieces, {bits} bits",
               rates[group], both, group=group, every=every, bits=bits, pieces=True)
    for group, every, bits in ((2, 2, 2), (4, 8, 2), (4, 2, 2), (1, 2, 1), (1, 2, 4), (2, 2, 1), (4, 16, 2), (2, 8, 2),
                               (1, 8, 2)):
        pieces(three, group, every, bits)
    q.runs("h main", "groups of 4, H 4 in pieces, 4 bits", rates[4], both, group=4, every=4, bits=4, pieces=True)
    q.runs("h main", "groups of 4, H 4 in pieces", rates[4], both, group=4, every=4, pieces=True)
    _rivals(q, both)
    for what, group, every in (("groups of 2, ", 2, 4), ("", 1, 2)):
        q.runs("i domains", f"domains, {what}H {every} in pieces, 2 bits", rates[group], three, data="domains",
               group=group, every=every, pieces=True, bits=2)
    _long(q)


def _eight_groups(q: Queue) -> None:
    """32 nodes. Their intervals are wide because DDP of that batch ran in two lengths only for two seeds."""
    for steps in (750, 1250):
        q.runs("f batch" if steps == 750 else "i batch", f"16 nodes, ddp {steps} steps", "a rates ddp",
               (2, 3) if steps == 750 else (1, 2, 3), nodes=16, group=16, steps=steps)
    many: Fields = {"nodes": 32, "sequences": 8, "group": 4, "pieces": True}
    q.rates("h rates eight groups", "32 nodes, groups of 4, H 4 in pieces, 1 bit", (8e-3,), every=4, bits=1, **many)
    for every, bits in ((1, 2), (2, 4), (2, 1), (4, 2)):
        q.runs("i eight groups", f"32 nodes, groups of 4, H {every} in pieces, {_bits(bits)}", "h rates eight groups",
               (1, 2, 3), every=every, bits=bits, **many)


def _long(q: Queue) -> None:
    """More steps and more parameters: 6000 steps, 85 million in 1500 steps, 300 million."""
    main: Fields = {"group": 4, "every": 4, "pieces": True, "bits": 1}
    words = "groups of 4, H 4 in pieces, 1 bit"
    xl: Fields = {"size": "xl", "sequences": 6}
    q.rates("h rates xl", f"xl, {words}", (6e-4,), steps=400, **main, **xl)
    for steps in (400, 340):
        q.runs("h xl", f"xl, ddp {steps} steps", "h rates xl", group=8, steps=steps, **xl)
    for steps in (4500, 6000):
        q.runs("h long", f"ddp {steps} steps", "a rates ddp", (1, 2, 3) if steps < 6000 else (2, 3), group=8,
               steps=steps)
    q.runs("h long", f"6000 steps, {words}", "b rates groups of 4", (2, 3), steps=6000, **main)
    for seed in (1, 2, 3):
        for steps in (1500, 1250, 1000):
            q.runs("i large", f"large, ddp {steps} steps", "h rates large", (seed,), group=8, steps=steps, size="large")
        q.runs("i large", f"large, 1500 steps, {words}", "h rates large", (seed,), size="large", **main)
        q.runs("i large", "large, 1500 steps, groups of 4, H 4 in pieces, 2 bits", "h rates large", (seed,),
               size="large", **{**main, "bits": 2})


def text() -> str:
    """queue.json."""
    q = Queue()
    for part in (_rates_and_lengths, _two_clocks, _switch, _seeds, _near_the_goal, _for_the_advice,
                 _sixteen_bits, _twice_the_batch, _graphs, _domains, _late_and_small, _other_sizes, _few_bits,
                 _larger, _missing):
        part(q)
    lines = ",\n".join("  " + json.dumps(e) for e in q.entries)
    return '{"defaults": {}, "entries": [\n' + lines + "\n]}\n"


def show(entries: list[Entry]) -> int:
    """Prints the runs with the seconds of each and of all up to it."""
    total = 0.0
    for e in entries:
        seconds = e.steps * step_seconds(e)
        total += seconds
        print(f"{total:7.0f} s  {seconds:5.1f} s  {e.question:24s} {e.name}")
    return 0
