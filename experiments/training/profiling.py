"""The command profile: how long an iteration takes, by number of runs together and way of computing."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

import numpy as np
import torch

from .conv import IMPLEMENTATIONS
from .data import Images
from .network import Architecture
from .settings import Entry
from .simulate import Options, Simulation, banks_of, shape_of
from .timing import layer_table


def random_images(count: int = 50000, classes: int = 10) -> Images:
    """As many images as CIFAR has; their content does not matter for the time."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 256, size=(count, 32, 32, 3), dtype=np.uint8)
    y = np.arange(count) % classes
    return Images(x, y, x[:1000], y[:1000], classes)


def profile(cell: Entry, together: list[int], options: Options, seconds: float, say: Callable[[str], None],
            images: Images) -> None:
    """Prints a table of layers, then milliseconds per iteration; stops starting new rows when the seconds are over."""
    deadline = time.monotonic() + seconds
    device, dtype = torch.device(options.device), getattr(torch, options.dtype)
    arch = Architecture(shape_of(cell, images.classes))
    models = cell.nodes * together[0]
    say(f"forward + backward, {models} models, batch {cell.batch}, {cell.stem} stem, {options.dtype}, ms")
    times = layer_table(arch, models, cell.batch, device, dtype)
    for name, t in times.items():
        say(f"  {name:10} {str(arch.convs[name].slot.shape):20} side {arch.convs[name].side:3} "
            + "  ".join(f"{how} {ms:7.3f}" for how, ms in t.items()))
    best = {name: min(t, key=lambda how: t[how]) for name, t in times.items()}
    best["head"] = "bmm"
    sums = [f"{how} {sum(t.get(how, t['bmm']) for t in times.values()):.2f}" for how in IMPLEMENTATIONS]
    say(f"  sum: {', '.join(sums)}, best of each {sum(min(t.values()) for t in times.values()):.2f}")
    rows: list[tuple[str, int, Options, object]] = [("best of each", g, options, best) for g in together]
    rows += [("bmm", together[0], options, "bmm"), ("grouped", together[0], options, "grouped"),
             ("group norm", together[0], options, best),
             ("plain step", together[0], dataclasses.replace(options, step="plain"), best),
             ("no graphs", together[0], dataclasses.replace(options, graphs=False), best),
             ("float32", together[0], dataclasses.replace(options, dtype="float32"), "bmm")]
    say(f"{'way':14} {'runs':>4} {'ms/iteration':>13} {'ms per 16 models':>17} {'GiB':>6}")
    for way, count, how, conv in rows:
        if time.monotonic() > deadline:
            say("  out of time")
            return
        norm = "group" if way == "group norm" else cell.norm
        cells = [dataclasses.replace(cell, name=f"{way}{k}", seed=k, norm=norm) for k in range(count)]
        try:
            ms, gib = iteration_milliseconds(cells, images, how, conv)
        except RuntimeError as error:  # one way that does not work here must not hide the others
            say(f"{way:14} {count:4} {error}")
            continue
        say(f"{way:14} {count:4} {ms:13.2f} {ms * 16 / (count * cell.nodes):17.2f} {gib:6.1f}")


def iteration_milliseconds(cells: list[Entry], images: Images, options: Options, conv: object) -> tuple[float, float]:
    """Milliseconds of an iteration, mixing included, and the most memory used."""
    cuda = options.device == "cuda"
    banks = banks_of(images, options)
    if cuda:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    sim = Simulation(cells, banks, options, conv=conv)  # type: ignore[arg-type]
    sim.run_epoch(0)
    if cuda:
        torch.cuda.synchronize()
    begun = time.perf_counter()
    sim.run_epoch(1)
    if cuda:
        torch.cuda.synchronize()
    spent = 1e3 * (time.perf_counter() - begun) / sim.steps
    return spent, torch.cuda.max_memory_allocated() / 2**30 if cuda else 0.0
