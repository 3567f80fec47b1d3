"""Everything that was run on one kind of hardware, in the order of its time to the target."""

from __future__ import annotations

from . import tables
from .claims import noise, over_common_seeds
from .hardware import HARDWARE, Hardware
from .table2 import BASELINES, Topology


def priced(run: Topology, hardware: Hardware) -> list[tuple[str, float, float | None]]:
    """Label and seconds of an epoch, by the paper's formula and overlapped: none where a round follows the step.

    Nobody gossips on the complete graph: an all-reduce gives the same, of models, or of gradients where nothing else
    is done between two averages.
    """
    label, behind = run.label, run.entry["order"] == "cta"
    if run.entry["process"] != "exact":
        plain = hardware.epoch_seconds(run.period)
        return [(label, plain, hardware.overlapped_seconds(run.period) if behind else None)]
    every = run.entry["every"]
    plain = hardware.all_reduce_seconds(every)
    gradients = [("exact by ring all-reduce", plain, hardware.beside_backward_seconds())]
    models = label.replace("exact", "exact by ring all-reduce of models")
    return (gradients if label == "exact" else []) + [
        (models, plain, hardware.beside_gradient_seconds(every) if behind else None)]


def race(all_runs: list[Topology], scenario: str, local: bool) -> str:
    """Time to the target of everything with the scenario's number of nodes, by the paper's formula and overlapped.

    Beside the quotient of means over all seeds stands that over the seeds which both have, with its interval.
    """
    hardware = HARDWARE[scenario]
    same = [t for t in all_runs if t.period.shape[1] == hardware.nodes]
    scatter = noise(same, local)
    best = min((t for t in same if t.label in BASELINES),
               key=lambda t: hardware.epoch_seconds(t.period) * t.epochs(local), default=None)
    unit = hardware.epoch_seconds(best.period) if best else float("nan")

    def share(run: Topology, plain: float) -> list[str]:
        if not best:
            return ["–", "–"]
        paired = None if run is best else over_common_seeds(best, run, plain / unit, scatter, local)
        return [run.times(plain / (unit * best.epochs(local)), local, 2), str(paired) if paired else "–"]

    entries = [(plain * run.epochs(local), [
        label, str(len(run.crossings(local))), run.times(1, local, 1), run.times(plain, local), *share(run, plain),
        "–" if overlapped is None else run.times(overlapped, local)])
        for run in same for label, plain, overlapped in priced(run, hardware)]
    head = ["process", "seeds", "epochs", "s, paper's formula", "of the best baseline", "with common seeds",
            "s, overlapped"]
    return tables.markdown([head] + [cells for _, cells in sorted(entries, key=lambda e: e[0])])
