"""Processes end with their own exit status, whatever their threads still wait for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import List

import pytest

from plans import ROOT
from worlds import PATIENCE_S, free_port

RANKS = 3
SCRIPT = """
import os, signal, sys
from dataclasses import replace
import torch
import torch.distributed as dist
import batopo
from plans import make, ring, sealed

dist.init_process_group("gloo")
rank, deed, overlap = dist.get_rank(), sys.argv[1], sys.argv[2] == "overlap"
plan = sealed(replace(make(3, ring(3)), order="cta" if overlap else "atc", overlap=overlap))
parameter = torch.nn.Parameter(torch.zeros(1_000_000))
parameter.grad = torch.zeros(1_000_000)
optimizer = torch.optim.SGD([parameter], lr=0.1)
batopo.attach(optimizer, plan, timeout=1200.0)
for step in range(6):
    if rank == 2 and step == 3 and deed == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if rank == 2 and step == 3 and deed == "raise":
        raise ValueError("a mistake of the training loop")
    optimizer.step()
"""


@pytest.mark.deep
@pytest.mark.parametrize("deed, kind, last, others", [
    ("die", "plain", -9, 1), ("die", "overlap", -9, 1), ("raise", "overlap", 1, 1), ("none", "overlap", 0, 0)])
def test_a_process_ends_with_its_own_status(tmp_path: Path, deed: str, kind: str, last: int, others: int) -> None:
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'python/tests'}", "OMP_NUM_THREADS": "1",
           "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "WORLD_SIZE": str(RANKS)}
    running: List["subprocess.Popen[str]"] = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, deed, kind], cwd=tmp_path, env={**env, "RANK": str(rank)},
                         text=True, stderr=subprocess.PIPE) for rank in range(RANKS)]
    said = [process.communicate(timeout=PATIENCE_S)[1] for process in running]
    assert [process.returncode for process in running] == [others] * (RANKS - 1) + [last], said
    assert not any("terminate called" in text for text in said)
    if deed == "die":  # rank 0, which keeps the store, stays until rank 1 has read it there
        assert all("rank 2 closed the connection" in text for text in said[:2]), said
