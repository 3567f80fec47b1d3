"""Works through a queue: packs entries of the same shape into groups, trains them, writes results."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from . import results, tables
from .batches import Banks
from .data import load
from .evaluate import Evaluator
from .results import Series
from .settings import READ_ONLY, Entry, entry
from .simulate import Options, Simulation, banks_of

USUAL = 16  # nodes of a run; of smaller ones more, of larger ones fewer fit into a group


@dataclass(frozen=True)
class Job:
    """A queue and how to run it."""

    queue: Path
    out: Path  # results.jsonl is appended here
    cache: Path
    minutes: float
    together: int  # runs of 16 nodes per group at most
    options: Options
    checkpoint: Path | None = None  # where a group that runs out of time is kept
    local_every: int = 10  # epochs between measurements of all local models on all test images
    done: tuple[Path, ...] = ()  # result files of earlier calls: what is finished there is skipped


def read_queue(path: Path) -> list[Entry]:
    """Entries of {"defaults": {…}, "entries": [{…}, …]}."""
    text = json.loads(path.read_text())
    cells = [entry(e, text.get("defaults")) for e in text["entries"]]
    names = [c.name for c in cells]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{path}: the name {name!r} stands {names.count(name)} times")
    for cell in cells:
        if cell.net == READ_ONLY["net"] or cell.momentum == READ_ONLY["momentum"]:
            raise ValueError(f"{path}: {cell.name}: GPTs and AdamW are trained by python3 -m language")
    return cells


def pack(cells: list[Entry], together: int) -> list[list[Entry]]:
    """Groups of the same shape in the order of the queue, each with at most as many models as that many runs of 16."""
    groups: list[list[Entry]] = []
    for cell in cells:
        for group in groups:
            if len(group) < max(1, together * USUAL // cell.nodes) and group[0].shape() == cell.shape():
                group.append(cell)
                break
        else:
            groups.append([cell])
    return groups


def run(job: Job, say: Callable[[str], None] = print) -> bool:
    """Runs what is not finished until the time is over; says whether everything is done."""
    deadline = time.monotonic() + 60 * job.minutes
    file = job.out / "results.jsonl"
    todo = [c for c in read_queue(job.queue) if not results.finished([file, *job.done], c)]
    groups = pack(todo, job.together)
    done, data = True, {}
    while groups and time.monotonic() < deadline:
        group = groups.pop(0)
        name = group[0].dataset
        if name not in data:
            data = {name: banks_of(load(name, job.cache), job.options)}  # one data set at a time
        try:
            done &= run_group(group, data[name], job, deadline, say)
        except torch.cuda.OutOfMemoryError:  # type: ignore[misc]
            if len(group) == 1:
                raise
            say(f"not enough memory for {len(group)} runs together: halves")
            half = len(group) // 2
            groups[:0] = [group[:half], group[half:]]
        if job.options.device == "cuda":
            torch.cuda.empty_cache()
    say(tables.table(tables.chosen(results.read([file]), [])))
    return done and not groups


def run_group(cells: list[Entry], banks: Banks, job: Job, deadline: float,
              say: Callable[[str], None]) -> bool:
    """Trains one group and appends a line per run; false when the time ran out before its end."""
    started = time.monotonic()
    sim = Simulation(cells, banks, job.options, job.queue.parent)
    evaluator = Evaluator(sim)
    all_series = [Series() for _ in cells]
    saved = _checkpoint_path(cells, job)
    if saved and saved.exists():
        all_series = _resume(saved, sim)
    say(f"group of {len(cells)}: {', '.join(c.name for c in cells)}")
    longest, complete = 0.0, True
    for epoch in range(all_series[0].epochs, cells[0].epochs):
        begun = time.monotonic()
        if begun + longest > deadline:  # the next epoch would end too late
            complete = False
            if saved:
                _save(saved, sim, all_series)
            break
        losses = sim.run_epoch(epoch)
        measure(evaluator, all_series, losses, epoch, job.local_every)
        spent = time.monotonic() - begun
        longest = max(longest, spent if epoch else 0.0)
        for s in all_series:
            s.seconds.append(spent)
        say(f"  {epoch + 1:3d} {time.monotonic() - started:6.1f} s  averaged "
            + " ".join(f"{s.averaged[-1]:.3f}" for s in all_series))
        if all(c.stop and s.crossing(c.target) and s.crossing(c.target, local=True)
               for c, s in zip(cells, all_series)):
            break
    origin = results.provenance(job.options)
    origin["together"] = len(cells)
    origin["conv"] = sim.net.conv
    for cell, series in zip(cells, all_series):
        ended = complete or series.epochs == cell.epochs
        results.append(job.out / "results.jsonl", cell, series, ended, origin)
    if saved and saved.exists() and complete:
        saved.unlink()
    return complete


def measure(ev: Evaluator, all_series: list[Series], losses: object, epoch: int, local_every: int) -> None:
    """Adds the measurements after an epoch to the series."""
    cells = ev.sim.cells
    averaged, moving, distances, spread = ev.averaged(), ev.moving_average(), ev.distances(), ev.spread()
    every_node = ev.local() if (epoch + 1) % local_every == 0 or epoch + 1 == cells[0].epochs else None
    for k, (cell, s) in enumerate(zip(cells, all_series)):
        s.train_loss.append(float(losses[k]))  # type: ignore[index]
        s.averaged.append(float(averaged.accuracy[k]))
        s.test_loss.append(float(averaged.loss[k]))
        if cell.ema and moving:
            s.moving_average.append(float(moving.accuracy[k]))
        s.distance.append(distances[k].absolute)
        s.relative_distance.append(distances[k].relative)
        s.local.append(float(spread[k]))
        if every_node is not None:
            e, mine = str(epoch + 1), every_node[k]
            s.local_mean[e], s.local_min[e], s.local_max[e] = float(mine.mean()), float(mine.min()), float(mine.max())


def _checkpoint_path(cells: list[Entry], job: Job) -> Path | None:
    if job.checkpoint is None:
        return None
    key = hashlib.sha256(repr(cells).encode()).hexdigest()[:16]
    job.checkpoint.mkdir(parents=True, exist_ok=True)
    return job.checkpoint / f"{key}.pt"


def _save(path: Path, sim: Simulation, all_series: list[Series]) -> None:
    fresh = path.with_suffix(".new")
    torch.save({"state": sim.state(), "series": [dataclasses.asdict(s) for s in all_series]}, fresh)
    fresh.replace(path)


def _resume(path: Path, sim: Simulation) -> list[Series]:
    careful = not torch.__version__.startswith("1.")  # which refuse numbers, too
    saved = torch.load(path, map_location=sim.device, weights_only=careful)
    for name, tensor in sim.state().items():
        tensor.copy_(saved["state"][name])
    sim.net.parameters.refresh()
    return [Series(**s) for s in saved["series"]]
