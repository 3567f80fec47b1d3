"""Checkpoints that a run can be resumed from, whenever it was killed: each rank writes its own file beside the old one,
and an old one goes when all ranks have written a newer."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Union

import torch

from .connect import Agreement
from .errors import SetupError
from .shards import is_sharded

Folder = Union[str, "os.PathLike[str]"]
_NAME = re.compile(r"step(\d+)-rank(\d+)of(\d+)\.pt")


def save(folder: Folder, step: int, *, timeout: float = 300.0, **things: Any) -> None:
    """Writes what this rank needs to go on after that many steps; all ranks call it. things: the model, the optimizer,
    what attach returned, … by names of your own. When it returns, all ranks have written."""
    agreement = Agreement(timeout)

    def write() -> None:
        states = {name: thing.state_dict() if hasattr(thing, "state_dict") else thing for name, thing in things.items()}
        os.makedirs(folder, exist_ok=True)
        _write({"step": step, "things": states}, _file(folder, step, agreement))
    agreement.together("save", write, {"steps": step})
    for old in _kept(folder, agreement):
        if old != step:
            with contextlib.suppress(OSError):  # it takes room, and does no harm
                os.unlink(_file(folder, old, agreement))


def load(folder: Folder, *, timeout: float = 300.0, trusted: bool = False, **things: Any) -> int:
    """Goes on from the last step that all ranks have saved, and returns it; 0: no rank has saved anything. All ranks
    call it, after attach. trusted: the files may hold Python objects of any kind, which can run code."""
    agreement = Agreement(timeout)
    mine = _kept(folder, agreement)
    verdict = agreement.agree("checkpoints", {"kept": mine, "some": bool(mine)})
    if not mine:
        _refuse_others(folder, agreement)
        return 0
    if not verdict["common"]:
        raise SetupError(f"no step in {os.fspath(folder)} is there for all ranks: rank {agreement.rank} has "
                         f"{', '.join(map(str, mine))}")
    step: int = verdict["common"][-1]
    found: List[Dict[str, Any]] = []
    agreement.together("load", lambda: found.append(_read(_file(folder, step, agreement), trusted, things)))
    # What attach returned compares models with other ranks, so it comes last.
    for name in sorted(things, key=lambda name: type(things[name]).__name__ == "Gossip"):
        things[name].load_state_dict(found[0][name])
    return step


def export(file: Folder, model: torch.nn.Module, gossip: Any = None, *, timeout: float = 300.0) -> None:
    """Rank 0 writes the mean of all models as a plain state_dict, which needs no batopo; all ranks call it. gossip:
    what attach returned; None where all ranks have the same model, as with batopo.ddp."""
    if any(map(is_sharded, model.parameters())):
        raise SetupError("the model is sharded, and rank 0 has a part of it: let a group write it with "
                         "torch.distributed.checkpoint, inside gossip.averaged()")
    agreement = Agreement(timeout)
    with contextlib.nullcontext() if gossip is None else gossip.averaged():
        def write() -> None:
            if agreement.rank == 0:
                inner = getattr(model, "module", model)
                Path(file).parent.mkdir(parents=True, exist_ok=True)
                _write(inner.state_dict(), Path(file))
        agreement.together("export", write)


def _file(folder: Folder, step: int, agreement: Agreement) -> Path:
    return Path(folder, f"step{step}-rank{agreement.rank}of{agreement.world}.pt")


def _names(folder: Folder) -> List[List[int]]:
    """Step, rank and number of ranks of each file."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    return [[int(digits) for digits in match.groups()] for match in map(_NAME.fullmatch, names) if match]


def _kept(folder: Folder, agreement: Agreement) -> List[int]:
    mine = [agreement.rank, agreement.world]
    return sorted(step for step, *whose in _names(folder) if whose == mine)


def _refuse_others(folder: Folder, agreement: Agreement) -> None:
    others = sorted({world for _, _, world in _names(folder)} - {agreement.world})
    if others:
        raise SetupError(f"{os.fspath(folder)} has checkpoints of {others[0]} ranks, and {agreement.world} run: start "
                         "from what batopo.export wrote, with a plan for as many")


def _write(value: Any, file: Path) -> None:
    """Under another name first, and with the disk's word that it is there: the file is the old one or the new one."""
    beside = file.with_name(f".{file.name}.part")
    with open(beside, "wb") as out:
        torch.save(value, out)
        out.flush()
        os.fsync(out.fileno())
    os.replace(beside, file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(file: Path, trusted: bool, things: Dict[str, Any]) -> Dict[str, Any]:
    careful = not trusted and not torch.__version__.startswith("1.")  # which refuse numbers, too
    try:
        saved = torch.load(file, map_location="cpu", weights_only=careful)
    except Exception as error:
        hint = ". Where it is your own, and holds more than tensors and numbers: trusted=True" if careful else ""
        raise SetupError(f"{file} cannot be read: {str(error).splitlines()[0]}{hint}") from error
    found: Dict[str, Any] = saved["things"]
    missing = [name for name in things if name not in found]
    if missing:
        raise SetupError(f"{file} has no {missing[0]!r}; it has {', '.join(found)}")
    return found
