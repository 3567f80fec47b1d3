"""Finds the program batopo, and runs a command of it until it ends, fails or is stopped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Container, NoReturn, Optional, Sequence

from .errors import BatopoError, ProgramError

STOPPING_S = 3.0  # what the program may take to stop; it stops within one


def find() -> str:
    """The program in this package, as wheels have it; else the one that the environment variable BATOPO names; else
    the one in PATH."""
    inside = Path(__file__).parent / "bin" / "batopo"
    if inside.exists():
        return str(inside)
    named = os.environ.get("BATOPO", "")
    found = shutil.which(named or "batopo")
    if found is None and named:
        raise ProgramError(f"the environment variable BATOPO is {named!r}, which is no program")
    if found is None:
        raise ProgramError("the program batopo is not here: install a wheel that holds it, or build it with make "
                           "install; it is looked for in PATH, or name it in the environment variable BATOPO")
    return found


def run(words: Sequence[str], progress: Optional[bool] = None, ends: Container[int] = (0,)) -> bytes:
    """What the program prints. Its progress goes to stderr: where that is a terminal, or where asked for. Ends are the
    exit codes that come with an answer; any other becomes an exception with the program's own sentence."""
    shown = sys.stderr.isatty() if progress is None else progress
    said = ""
    with tempfile.TemporaryFile() as out, _start(words, out.fileno()) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if said or line.startswith("batopo: "):
                    said += line
                elif shown:
                    print(line.rstrip(), file=sys.stderr, flush=True)
            status = process.wait()
        except BaseException:  # Ctrl-C
            _stop(process)
            raise
        out.seek(0)
        printed = out.read()
    if status in ends and printed:
        return printed
    raise ProgramError(said.strip()[len("batopo: "):] or f"the program ended with {status} and said nothing", status)


def _start(words: Sequence[str], out: int) -> "subprocess.Popen[str]":
    path = find()
    try:
        return subprocess.Popen([path, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                                encoding="utf-8", errors="replace")
    except OSError as error:
        raise ProgramError(f"{path} does not run: {error}") from error


def _stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(STOPPING_S)
    except subprocess.TimeoutExpired:
        process.kill()


def main() -> NoReturn:
    """The command batopo of a wheel."""
    try:
        path = find()
        os.execv(path, [path, *sys.argv[1:]])
    except (BatopoError, OSError) as error:
        sys.exit(f"batopo: {error}")
