"""Queues for the paper's Table II at its own targets; write_queues.py writes them."""

from __future__ import annotations

from typing import Any

from .designs import BASE, Fields


def _literal(*rows: str) -> dict[str, str]:
    """Plans of the paper's method as printed."""
    return {f"BA-Topo {row}": f"../plans/literal-{row.replace(' ', '-')}.json" for row in rows}


M2 = {"u-equistatic-m2": "../plans/u-equistatic-16-32.json"}
REST = {"grid": "grid", "exact": "exact", "u-equistatic-m3": "../plans/u-equistatic-16-48.json"}
HYPERCUBE = {"one-peer-hypercube": "one-peer-hypercube"}
UNEQUAL = {"cifar10": "node-level r32", "cifar100": "node-level r48"}  # the budgets of the paper's text
EIGHT = {"ring": "ring", "torus": "torus", "exponential": "exponential", **_literal("intra-server r8")}


def _claimed(dataset: str) -> dict[str, str]:
    """The budgets for 16 nodes that the paper's text names."""
    return _literal("homogeneous r32", UNEQUAL[dataset], "bcube-1to2 r48")


def own_target(dataset: str) -> tuple[Fields, list[Fields]]:
    """The paper's rows at its own targets, 3×3 stem: what it claims with three seeds, 8 nodes, then the rest."""
    claimed = {"exponential": "exponential", **_claimed(dataset)}
    others = {"ring": "ring", **M2, "torus": "torus", **HYPERCUBE}
    return _defaults(dataset), [
        *_rows(dataset, {**claimed, **others}, (1,)), *_rows(dataset, claimed, (2, 3)), *_eight(dataset, EIGHT, (1, 2)),
        *_rows(dataset, REST, (1,)), *_rows(dataset, {"ring": "ring"}, (2, 3)), *_rows(dataset, M2, (2, 3)),
        *_rows(dataset, HYPERCUBE, (2,))]


def seeds(dataset: str) -> tuple[Fields, list[Fields]]:
    """What open claims wait for, a third seed of 8 nodes; and one-peer rounds, all-reduce, our search."""
    ours = {"one-peer-exponential": "one-peer-exponential",
            "our search r24": "../../results/plans/figures-homogeneous-auto-r24.json"}
    return _defaults(dataset), [
        *_eight(dataset, EIGHT, (3,)), *_eight(dataset, {**HYPERCUBE, "exact": "exact"}, (1, 2, 3)),
        *_rows(dataset, {"exact": "exact"}, (2, 3)), *_rows(dataset, HYPERCUBE, (3,)),
        *_rows(dataset, ours, (1, 2)), *_rows(dataset, {"one-peer-exponential": "one-peer-exponential"}, (3,))]


def five_seeds(dataset: str) -> tuple[Fields, list[Fields]]:
    """Seeds 4 and 5 where the claim is below 1.3: 1.22 on CIFAR-10, 1.11 and 1.21 on CIFAR-100, and the baselines."""
    small = {"cifar10": _literal("homogeneous r32"), "cifar100": _literal("homogeneous r32", "bcube-1to2 r48")}[dataset]
    return _defaults(dataset), _rows(dataset, {"exponential": "exponential", "ring": "ring", **small}, (4, 5))


def few_edges() -> tuple[Fields, list[Fields]]:
    """Fresh seeds of the rows with few edges, which seed 1 had ahead of those that the paper's text names."""
    return _defaults("cifar10"), _rows("cifar10", _literal("node-level r16", "bcube-1to2 r24"), (2, 3))


def rests() -> tuple[Fields, list[Fields]]:
    """A round after every few steps only: what saves time where a round cannot be shorter. With the momentum for it.

    And what tells causes apart: that momentum without rests, rests without it, half the rate without either; and the
    baselines with both.
    """
    ring, exact = {"ring": "ring"}, {"exact": "exact"}
    seldom = {**exact, "training-24": "../plans/training-16-24.json"}
    kept: Fields = {"momentum": "quasi-global"}
    return _defaults("cifar10"), [
        *(e for every in (2, 4) for e in _eight("cifar10", ring, (1,), f"H{every} ", every=every)),
        *_eight("cifar10", ring, (1, 2, 3), "quasi-global ", **kept),
        *_eight("cifar10", ring, (1, 2, 3), "H4 quasi-global ", every=4, **kept),
        *_eight("cifar10", ring, (1, 2, 3), "half rate ", lr=0.025),
        *_eight("cifar10", exact, (1, 2, 3), "H8 quasi-global ", every=8, **kept),
        *_rows("cifar10", seldom, (1, 2, 3), "H8 quasi-global ", every=8, **kept),
        *_rows("cifar10", {**ring, "exponential": "exponential"}, (1, 2, 3), "H8 quasi-global ", every=8, **kept),
        *_rows("cifar10", {**exact, **ring, "exponential": "exponential"}, (1, 2, 3), "quasi-global ", **kept),
        *_rows("cifar10", exact, (1,), "H8 ", every=8), *_eight("cifar10", exact, (1,), "H8 ", every=8),
        *_eight("cifar10", exact, (1,), "quasi-global ", **kept)]


def rests_cifar100() -> tuple[Fields, list[Fields]]:
    """The fastest recipe of CIFAR-10 on the other data set, one seed."""
    both: Fields = {"momentum": "quasi-global"}
    return _defaults("cifar100"), [
        *_rows("cifar100", {"exact": "exact", "ring": "ring"}, (1,), "H8 quasi-global ", every=8, **both),
        *_eight("cifar100", {"ring": "ring"}, (1,), "H4 quasi-global ", every=4, **both)]


def rates() -> tuple[Fields, list[Fields]]:
    """Half and twice the rate for two baselines, all-reduce and the fastest recipe: does the rate decide?"""
    usual = {"exact": "exact", "ring": "ring", "exponential": "exponential"}
    recipe: Fields = {"momentum": "quasi-global", "every": 8}
    return _defaults("cifar10"), [
        e for lr in (0.025, 0.1) for e in (
            *_rows("cifar10", usual, (1,), f"lr {lr} ", lr=lr),
            *_rows("cifar10", {"exact": "exact"}, (1,), f"lr {lr} H8 quasi-global ", lr=lr, **recipe))]


def two_levels() -> tuple[Fields, list[Fields]]:
    """All-reduce inside four groups of four and one peer between them, at the paper's target; with the recipe too.

    Not for `table2`: it prices messages between pairs, and these rounds have an all-reduce inside every group.
    """
    process = {"hypercube 4x4": "one-peer-hypercube between groups of 4"}
    return _defaults("cifar10"), [
        *_rows("cifar10", process, (1, 2, 3)),
        *_rows("cifar10", process, (1, 2, 3), "H4 quasi-global ", every=4, momentum="quasi-global")]


def hundred_epochs() -> tuple[Fields, list[Fields]]:
    """The paper's figures show 100 epochs: where do two baselines, its method, all-reduce and the recipe end?"""
    usual = {"ring": "ring", "exponential": "exponential", **_literal("homogeneous r32"), "exact": "exact"}
    recipe = {"exact": "exact", "ring": "ring"}
    return {**_defaults("cifar10"), "stop": False, "epochs": 100}, [
        *_rows("cifar10", usual, (1,), "100 epochs "),
        *_rows("cifar10", recipe, (1,), "100 epochs H8 quasi-global ", momentum="quasi-global", every=8)]


def our_search(dataset: str) -> tuple[Fields, list[Fields]]:
    """Plans of our search for the paper's budgets; more seeds of the torus and of the other reading between servers."""
    sixteen, eight = (
        {f"our search {row}": f"../../results/plans/figures-{row.replace(' r', '-auto-r')}.json" for row in rows}
        for rows in (("homogeneous r16", "homogeneous r32", "homogeneous r54", "node-level r16", "node-level r32",
                      "node-level r48", "bcube-1to2 r24", "bcube-1to2 r48"),
                     ("intra-server r8", "intra-server r12", "intra-server r16")))
    return _defaults(dataset), [
        *_rows(dataset, sixteen, (1,)), *_eight(dataset, eight, (1,)),
        *_rows(dataset, {"torus": "torus", **_literal("bcube-1to2-highest r48")}, (2, 3))]


def rows(dataset: str) -> tuple[Fields, list[Fields]]:
    """The paper's rows that no claim is about, and W ⪰ 0, one seed. (16 edges on equal nodes are a star: no target.)"""
    other = {"cifar10": "node-level r48", "cifar100": "node-level r32"}[dataset]
    sixteen = {**_literal("homogeneous r24", "homogeneous r54", "node-level r16", other, "bcube-1to2 r24",
                          "bcube-1to2-highest r24", "bcube-1to2-highest r48"),
               "training-24": "../plans/training-16-24.json"}
    eight = {"grid": "grid", **_literal("intra-server r12", "intra-server r16")}
    return _defaults(dataset), [
        *_rows(dataset, sixteen, (1,)), *_eight(dataset, eight, (1,))]


def atc(dataset: str) -> tuple[Fields, list[Fields]]:
    """What is claimed, the closest baselines and one-peer rounds again, adapting before combining, one seed."""
    sixteen = {"ring": "ring", "torus": "torus", "exponential": "exponential", **M2, **_claimed(dataset), **HYPERCUBE}
    return {**_defaults(dataset), "order": "atc"}, [
        *_rows(dataset, sixteen, (1,), "atc "), *_eight(dataset, {**EIGHT, **HYPERCUBE}, (1,), "atc "),
        *_rows(dataset, REST, (1,), "atc "),
        *_eight(dataset, {"grid": "grid", "exact": "exact"}, (1,), "atc ")]


def power_search(dataset: str) -> tuple[Fields, list[Fields]]:
    """Where would all-reduce in BA-Topo's rounds pass the claims? Large rates and small batches, ATC, one seed."""
    sixteen = {"ring": "ring", "torus": "torus", "exponential": "exponential", "exact": "exact",
               **_literal(UNEQUAL[dataset], "bcube-1to2-highest r48"), **_bounded("r32")}
    tried = {"cifar10": (0.1, 0.2), "cifar100": (0.1,)}[dataset]
    return {**_power(dataset), "batch": 16}, [
        entry for rate in tried for words in (f"power rate {rate} batch 16 ",)
        for entry in (*_rows(dataset, sixteen, (1,), words, lr=rate),
                      *_rows(dataset, {**EIGHT, "exact": "exact"}, (1,), words + "n8 ", lr=rate, nodes=8))]


def power_seeds() -> tuple[Fields, list[Fields]]:
    """Two more seeds of unequal nodes, the one claim within reach of exact averages in power_search."""
    graphs = {"ring": "ring", "torus": "torus", "exact": "exact", **_literal(UNEQUAL["cifar10"])}
    return _power("cifar10"), _rows("cifar10", graphs, (2, 3), "power rate 0.1 batch 16 ", lr=0.1, batch=16)


def power_skew(dataset: str, norm: str = "group") -> tuple[Fields, list[Fields]]:
    """All four claims with three seeds where graphs differ most: classes that nodes hold in unequal shares.

    The share α of CIFAR-100 varies between nodes as much as ten times this α does with ten classes.
    """
    held: Fields = {"group": {"lr": 0.0125, "skew": 1.0}, "batch": {"lr": 0.05, "skew": 0.3}}[norm]
    alike = {"cifar10": 1.0, "cifar100": 0.1}[dataset]
    sixteen = {"ring": "ring", "torus": "torus", "exponential": "exponential", "exact": "exact",
               **_literal(UNEQUAL[dataset], "bcube-1to2-highest r48"), **_bounded("r32", "r24", "r16")}
    words = f"power skew {norm} "
    return {**_power(dataset), **held, "norm": norm, "skew": held["skew"] * alike, "epochs": 20}, [
        *_rows(dataset, sixteen, (1, 2, 3), words),
        *_rows(dataset, {**EIGHT, "exact": "exact"}, (1, 2, 3), words + "n8 ", nodes=8, epochs=16)]


def _power(dataset: str) -> Fields:
    """60 epochs whatever is reached: the target is chosen afterwards."""
    return {**_defaults(dataset), "stem": "imagenet", "order": "atc", "stop": False, "epochs": 60}


def _bounded(*rows: str) -> dict[str, str]:
    """Plans of the printed method for equal nodes from the bounded warm start."""
    return {f"BA-Topo bounded {r}": f"../../results/plans/figures-homogeneous-bounded-{r}.json" for r in rows}


def _defaults(dataset: str) -> Fields:
    epochs, target = {"cifar10": (40, 0.84), "cifar100": (60, 0.62)}[dataset]
    return {**BASE, "dataset": dataset, "stem": "3x3", "statistics": "nodes", "order": "cta", "stop": True,
            "epochs": epochs, "target": target}


def _rows(dataset: str, processes: dict[str, str], seeds: tuple[int, ...], words: str = "",
          **held: Any) -> list[Fields]:
    return [{"name": f"table II {dataset} {words}s{s} {w}", "process": p, "seed": s, **held}
            for s in seeds for w, p in processes.items()]


def _eight(dataset: str, processes: dict[str, str], seeds: tuple[int, ...], words: str = "",
           **held: Any) -> list[Fields]:
    target = {"cifar10": 0.84, "cifar100": 0.61}[dataset]
    return _rows(dataset, processes, seeds, f"{words}n8 ", nodes=8, target=target, **held)
