"""What four gloo ranks print when one of them fails, and after how many seconds: python3 tests/failure_table.py (in
python/) prints the table of docs/pytorch.md. Failures are real: processes are killed and stopped, a file is cut."""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch  # noqa: E402

import batopo  # noqa: E402
from plans import chords, make, ring  # noqa: E402
from worlds import PATIENCE_S, World  # noqa: E402

N, BAD, TIMEOUT_S = 4, 2, 5.0
RING, OTHER = make(N, ring(N)), make(N, chords(N))


def attached(rank: int, plan: Any, start: float = 0.0) -> Tuple[torch.nn.Parameter, Any]:
    p = torch.nn.Parameter(torch.full((1000,), start))
    return p, batopo.attach(torch.optim.SGD([p], lr=0.0), plan, explicit=True, timeout=TIMEOUT_S)


def mixes(rank: int, deed: Callable[[torch.nn.Parameter], None], begin: Callable[[], None]) -> None:
    """Four rounds; one rank does its deed before the third."""
    p, gossip = attached(rank, RING)
    for k in range(4):
        if k == 2:
            begin()
            if rank == BAD:
                deed(p)
        gossip.mix()


def killed(rank: int, folder: Path, begin: Callable[[], None]) -> None:
    mixes(rank, lambda p: os.kill(os.getpid(), signal.SIGKILL), begin)


def stopped(rank: int, folder: Path, begin: Callable[[], None]) -> None:
    mixes(rank, lambda p: os.kill(os.getpid(), signal.SIGSTOP), begin)


def spoiled(rank: int, folder: Path, begin: Callable[[], None]) -> None:
    mixes(rank, lambda p: p.data.fill_(float("nan")), begin)


def truncated(rank: int, folder: Path, begin: Callable[[], None]) -> None:
    _, gossip = attached(rank, RING)
    gossip.mix()
    file = folder / f"checkpoint-{rank}.pt"
    torch.save(gossip.state_dict(), file)
    if rank == BAD:
        os.truncate(file, file.stat().st_size // 2)
    begin()
    gossip.load_state_dict(torch.load(file))


def other_plan(rank: int, folder: Path, begin: Callable[[], None]) -> None:
    begin()
    attached(rank, OTHER if rank == BAD else RING)


def other_start(rank: int, folder: Path, begin: Callable[[], None]) -> None:
    begin()
    attached(rank, RING, start=1.0 if rank == BAD else 0.0)[1].mix()


FAILURES: Dict[str, Callable[[int, Path, Callable[[], None]], None]] = {
    "`kill -9`": killed, "`kill -STOP`": stopped, "its checkpoint is cut in half": truncated,
    "NaN in its parameters": spoiled, "it has another plan": other_plan, "it starts with other parameters": other_start,
}


def play(rank: int, name: str, folder: Path) -> None:
    """Lets one rank fail, writes what this rank said and after how many seconds, and ends as a script would."""
    since: List[float] = []

    def say(text: str) -> None:
        (folder / str(rank)).write_text(f"{time.monotonic() - since[0]:.1f} {text}")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            FAILURES[name](rank, folder, lambda: since.append(time.monotonic()))
        except Exception as error:
            say(f"`{type(error).__name__}: {error}`")
            os._exit(1)
    say("; ".join(f"`{w.category.__name__}: {w.message}`" for w in caught) or "nothing, and trains on")


def row(name: str) -> Tuple[List[str], List[float]]:
    """What each rank says, and after how many seconds."""
    world = World(N)
    with tempfile.TemporaryDirectory() as folder:
        try:
            awaited = [r for r in range(N) if r != BAD or FAILURES[name] is not stopped]
            world.outcomes_of(awaited, play, name, Path(folder), timeout=PATIENCE_S)
        finally:
            world.close()
        said, seconds = [], []
        for rank in range(N):
            file = Path(folder) / str(rank)
            after, _, text = (file.read_text() if file.exists() else "0.0 nothing more").partition(" ")
            said.append(re.sub(r"([0-9a-f]{8})[0-9a-f]{56}", r"\1…", re.sub(r"\s+", " ", text)))
            seconds.append(float(after))
    return said, seconds


def table() -> List[str]:
    """The table in Markdown; ranks that say the same share a line."""
    lines = ["| rank 2 | ranks | print | after |", "|---|---|---|--:|"]
    for name in FAILURES:
        said, seconds = row(name)
        for text in dict.fromkeys(said):
            ranks = [r for r in range(N) if said[r] == text]
            who = ", ".join(map(str, ranks)) if len(ranks) < N else "all"
            lines.append(f"| {name} | {who} | {text} | {max(seconds[r] for r in ranks):.1f} s |")
    return lines


if __name__ == "__main__":
    print("\n".join(table()))
