"""Tables of result lines: one row per run, or one value in rows and columns of settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .results import Series
from .settings import Entry

Line = dict[str, Any]
VALUES = ("end (mean of the last three epochs), e5 (mean of 4, 5, 6; any epoch), last, best, local, "
          "moving-average, apart (consensus distance), loss, trained (epochs), crossing, local-crossing")


def chosen(lines: list[Line], conditions: list[str]) -> list[Line]:
    """Of every run the last line, or the last complete one, where its settings have the values asked for.

    Conditions are field=value, or field=value,value.
    """
    last: dict[str, Line] = {}
    for line in lines:
        line = {**line, "entry": dataclasses.asdict(Entry(**line["entry"]))}  # defaults filled in
        key = repr(line["entry"])
        if line["complete"] or not last.get(key, {"complete": False})["complete"]:
            last[key] = line
    return meeting(list(last.values()), conditions)


def meeting(lines: list[Line], conditions: list[str]) -> list[Line]:
    """Those whose settings have the values asked for."""
    known = ["run", "complete", *(f.name for f in dataclasses.fields(Entry))]
    for condition in conditions:
        field, _, values = condition.partition("=")
        if not values or field not in known:
            raise ValueError(f"{condition!r} must be field=value with one of the fields {', '.join(known)}")
        lines = [line for line in lines if setting(line, field) in values.split(",")]
    return lines


def setting(line: Line, field: str) -> str:
    """A setting in words; run is its process, with its laziness; complete is True or False."""
    entry = line["entry"]
    if field == "complete":
        return str(line["complete"])
    if field == "run":
        return Path(entry["process"]).stem + (f" lazy {entry['lazy']:g}" if entry["lazy"] != 1 else "")
    if field == "process":
        return Path(entry["process"]).stem
    value = entry[field]
    return f"{value:g}" if isinstance(value, float) else str(value)


def value(line: Line, what: str, target: float | None) -> str:
    """One number of a run: an accuracy of the averaged model unless its name says otherwise."""
    s = Series(**line["series"])
    a = s.averaged
    if what == "trained":
        return str(len(a))
    if what in ("crossing", "local-crossing"):
        found = s.crossing(target or line["entry"]["target"], local=what.startswith("local"))
        return f"{found or '–'}"
    if what == "end" or (what[0] == "e" and what[1:].isdigit()):  # means over three epochs
        e = len(a) - 1 if what == "end" else int(what[1:])
        return f"{sum(a[e - 2:e + 1]) / 3:.3f}" if 2 <= e < len(a) else ""
    known: dict[str, Sequence[float | None]] = {
        "last": a, "best": [max(a)] if a else [], "local": list(s.local_mean.values()),
        "moving-average": s.moving_average, "apart": s.relative_distance, "loss": s.train_loss}
    if what not in known:
        raise ValueError(f"{what!r} must be one of {VALUES}")
    if not known[what]:
        return ""
    value = known[what][-1]
    if value is None:
        return "diverged"
    return f"{value:.2g}" if what == "apart" else f"{value:.3f}"


def pivot(lines: list[Line], rows: list[str], column: str, what: str, target: float | None = None) -> str:
    """A Markdown table of one value; several runs in one place stand side by side, ordered by seed."""
    lines = sorted(lines, key=lambda line: int(line["entry"]["seed"]))
    places: dict[str, dict[str, list[str]]] = {}
    columns: list[str] = []
    for line in lines:
        row, col = ", ".join(setting(line, r) for r in rows), setting(line, column)
        columns += [col] * (col not in columns)
        places.setdefault(row, {}).setdefault(col, []).append(value(line, what, target))
    head = [", ".join(rows)] + [f"{column} {c}" if column != "run" else c for c in sorted(columns, key=_order)]
    body = [[row] + ["; ".join(places[row].get(c, [])) for c in sorted(columns, key=_order)] for row in places]
    return markdown([head] + body)


def listing(lines: list[Line], columns: list[str], target: float | None = None) -> str:
    """A Markdown table with one row per run and a column per setting or value."""
    body = [[setting(line, c) if c == "run" or c in line["entry"] else value(line, c, target) for c in columns]
            for line in lines]
    return markdown([columns] + body)


def markdown(rows: list[list[str]]) -> str:
    out = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(out[:1] + ["|" + "---|" * len(rows[0])] + out[1:])


def _order(word: str) -> tuple[float, str]:
    try:
        return float(word), ""
    except ValueError:
        return float("inf"), word


def table(lines: list[Line]) -> str:
    """One row per line: averaged accuracy at epochs 5, 10, 15 as means over three, the last values, the crossings."""
    rows = [f"{'run':44} {'epochs':>7} {'e5':>6} {'e10':>6} {'e15':>6} {'last':>6} {'local':>6} {'ema':>6} "
            f"{'cross':>5} {'local':>5} {'apart':>8} {'s/ep':>6}"]
    for line in lines:
        s, what = line["series"], ("e5", "e10", "e15", "last", "local", "moving-average")
        epochs = len(s["averaged"])
        seconds = f"{sum(s['seconds']) / epochs:.2f}" if epochs else ""
        rows.append(f"{line['name'][:44]:44} {epochs:>6}{' ' if line['complete'] else '…'} "
                    + " ".join(f"{value(line, w, None):>6}" for w in what)
                    + "".join(f" {value(line, w, None):>5}" for w in ("crossing", "local-crossing"))
                    + f" {value(line, 'apart', None):>8} {seconds:>6}")
    return "\n".join(rows)
