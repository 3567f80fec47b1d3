"""Works through a queue in short slots, and writes a line for every run."""

from __future__ import annotations

import dataclasses
import json
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from training.results import provenance, read, rounded

from .settings import Entry, entry
from .simulate import Bench, Run
from .trainer import Options

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Job:
    """A queue and how to run it."""

    queue: Path
    out: Path  # results.jsonl is appended here
    done: tuple[Path, ...] = ()  # result files of earlier calls: what is finished there is skipped
    only: str = ""  # questions that begin so


def read_queue(path: Path) -> list[Entry]:
    """Entries of {"defaults": {…}, "entries": [{…}, …]}."""
    text = json.loads(path.read_text())
    entries = [entry(e, text.get("defaults")) for e in text["entries"]]
    names = [e.name for e in entries]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{path}: the name {name!r} stands {names.count(name)} times")
    return entries


def finished(lines: list[dict[str, Any]], e: Entry) -> bool:
    """Whether a line has these settings and a result; a rate that was looked up may be any."""
    for line in lines:
        if "error" not in line and line["name"] == e.name:
            mine = entry(line["entry"])
            if dataclasses.replace(mine, lr=e.lr, lr_from=e.lr_from) == e and (e.lr is None or mine.lr == e.lr):
                return True
    return False


def with_rate(e: Entry, lines: list[dict[str, Any]]) -> Entry:
    """The entry with the rate of the lowest loss among the runs that it names."""
    if e.lr is not None:
        return e
    rates = [(line["loss"], line["entry"]["lr"]) for line in lines
             if "error" not in line and line["entry"]["question"] == e.lr_from and not line["diverged"]]
    if not rates:
        raise ValueError(f"{e.name}: no finished run answers {e.lr_from!r}, so its rate is not known")
    return dataclasses.replace(e, lr=min(rates)[1], lr_from="")


def run(job: Job, bench: Bench, deadline: float) -> int:
    """Runs what is not finished and ends before the deadline on the monotonic clock.

    0: all is done; 1: some is left; 3: the device broke.
    """
    say, options = bench.say, bench.options
    file = job.out / "results.jsonl"
    job.out.mkdir(parents=True, exist_ok=True)
    todo = [e for e in read_queue(job.queue) if e.question.startswith(job.only)]
    left, origin = 0, provenance(options, FOLDER)
    postponed = set[str]()  # questions with runs that did not fit into the time
    for e in todo:
        lines = read([*job.done, file])
        if finished(lines, e):
            continue
        if e.lr_from in postponed:
            left += 1
            continue
        try:
            known = with_rate(e, lines)
            _want(bench, todo, lines)
            cost = bench.estimate(known)
            if time.monotonic() + cost > deadline:
                say(f"{e.name}: left for later, about {cost:.0f} s")
                postponed.add(e.question)
                left += 1
                continue
            result = Run(known, bench).run()
        except Exception as error:
            known, result = e, {"error": f"{type(error).__name__}: {error}"[:500]}
            left += 1
            say(f"{e.name}: {traceback.format_exc()[-3000:]}")
            if _broken(options):
                _append(file, known, result, origin)
                return 3
        _append(file, known, result, origin)
        say(_summary(known, result, deadline))
    return int(left > 0)


def _want(bench: Bench, todo: list[Entry], lines: list[dict[str, Any]]) -> None:
    """Which states of synchronous runs others will start from, with the rates known so far."""
    bench.wanted.clear()
    for e in todo:
        if 0 < e.synchronous < e.steps and e.replicas > 1 and not finished(lines, e):
            try:
                bench.wanted.setdefault(with_rate(e, lines).dense(), set()).add(e.synchronous)
            except ValueError:
                continue  # its rate is not known yet
    bench.starts = {(of, s): state for (of, s), state in bench.starts.items() if s in bench.wanted.get(of, ())}


def _broken(options: Options) -> bool:
    """Whether the device answers no more."""
    try:
        if options.device == "cuda":
            torch.cuda.synchronize()
    except Exception:
        return True
    return False


def _append(file: Path, e: Entry, result: dict[str, Any], origin: dict[str, Any]) -> None:
    line = {"name": e.name, "entry": dataclasses.asdict(e), **result, "run": origin}
    with file.open("a") as out:
        out.write(json.dumps(rounded(line), allow_nan=False) + "\n")


def _summary(e: Entry, result: dict[str, Any], deadline: float) -> str:
    left = f"{deadline - time.monotonic():4.0f} s left"
    if "error" in result:
        return f"{left}  {e.name}: {result['error']}"
    trained = result["trained"]
    each = 1e3 * trained["seconds"] / max(trained["steps"], 1)
    way = " ".join(f"{step}:{at['loss']:.3f}" for step, at in result["way"].items())
    lost = " DIVERGED" if result["diverged"] else ""
    return (f"{left}  {e.name}: loss {result['loss']:.4f} lr {e.lr} traffic {result['traffic']:.4f} "
            f"{result['seconds']:.1f} s, {each:.2f} ms a step, {trained['peak_share']:.1%} of the peak  {way}{lost}")
