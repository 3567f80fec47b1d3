"""A trial compares ways of training, goes on when one fails, names a rank that dies, and leaves all as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.measure_model import load_workload
from batopo.plan_file import Collective, Plan, plan_hash
from batopo.trial_file import Result, middle
from batopo.trial_ways import ALONE, DDP, HALF, Way
from plans import ROOT, make, ring, sealed
from test_plan import as_json
from worlds import PATIENCE_S, free_port

N = 2
RING = make(N, ring(N))


def build() -> Tuple[torch.nn.Module, torch.optim.Optimizer, Callable[[Any], torch.Tensor]]:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(5, 7), torch.nn.BatchNorm1d(7), torch.nn.Dropout(0.5),
                                torch.nn.Linear(7, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    x = torch.randn(6, 5)

    def loss(m: Any) -> torch.Tensor:
        return m(x).square().mean()
    loss(model).backward()
    optimizer.step()
    return model, optimizer, loss


def everything(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> List[torch.Tensor]:
    state = [v for p in model.parameters() for v in optimizer.state[p].values() if isinstance(v, torch.Tensor)]
    return [t.detach().clone() for t in [*model.parameters(), *model.buffers(), *state, torch.get_rng_state(),
                                         *(p.grad for p in model.parameters() if p.grad is not None)]]


def tried(rank: int, plans: List[Any], fails: bool) -> Tuple[bool, Dict[str, Any], List[str]]:
    model, optimizer, loss = build()
    before = everything(model, optimizer)
    calls = [0]

    def failing(m: Any) -> torch.Tensor:
        calls[0] += isinstance(m, DistributedDataParallel)
        if fails and rank == 1 and isinstance(m, DistributedDataParallel) and calls[0] == 2:
            raise MemoryError("no room")
        return loss(m)
    result = batopo.trial(model, optimizer, failing, plans, minutes=0.01, timeout=40.0)
    same = all(torch.equal(a, b) for a, b in zip(before, everything(model, optimizer)))
    return same, result.as_json(), result.sentences()


def test_every_way_is_measured_and_nothing_is_changed(world: Callable[[int], Any]) -> None:
    wrong = make(3, ring(3))
    got = world(N).run(tried, [RING, wrong], False)
    for same, found, said in got:
        assert same and found["unchanged"] and found["digest"] == got[0][1]["digest"]
        rows = {row["name"]: row for row in found["ways"]}
        assert set(rows) == {ALONE, DDP, HALF, "plan 1", "plan 2"}
        assert "the plan is for 3 nodes, but 2 ranks run" in rows["plan 2"]["error"]
        for name in (ALONE, DDP, HALF, "plan 1"):
            assert len(rows[name]["blocks_ms"]) >= 2 and rows[name]["p10_ms"] <= rows[name]["p90_ms"]
        assert found["ways"] == got[0][1]["ways"] and json.loads(json.dumps(found)) == found
        assert len(found["compute_ms"]) == N and found["gradient_mb"] == pytest.approx(72 * 4e-6)
        assert any("unchanged" in line for line in said) and any("failed:" in line for line in said)


def buckets(rank: int, plan: Plan) -> Tuple[int, bool]:
    """Of what a trial wraps, and whether batopo.ddp warns of a model that has others."""
    del rank
    model, optimizer, _ = build()
    with Way("plan", "plan", plan).open(model, optimizer, 40.0) as wrapped:
        cap = wrapped.bucket_bytes_cap
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        batopo.ddp(DistributedDataParallel(model), plan, timeout=40.0).close()
    return cap, any("bucket_cap_mb=3" in str(w.message) for w in caught)


def test_models_are_wrapped_with_the_buckets_of_the_plan(world: Callable[[int], Any]) -> None:
    plan = sealed(Plan(N, kind="collective", collective=Collective("ring", order=(0, 1)), average="gradients",
                       bucket_mb=3.0))
    assert world(N).run(buckets, plan) == [(3 * 1024 * 1024, True)] * N


def test_a_way_that_fails_on_one_rank_is_left_out_on_all(world: Callable[[int], Any]) -> None:
    for same, found, _ in world(N).run(tried, [RING], True):
        rows = {row["name"]: row for row in found["ways"]}
        assert same and "MemoryError: no room" in rows[DDP]["error"]
        assert "error" not in rows[HALF] and "error" not in rows["plan 1"] and "error" not in rows[ALONE]


def killed(rank: int) -> str:
    model, optimizer, loss = build()

    def dying(m: Any) -> torch.Tensor:
        if rank == 1 and isinstance(m, DistributedDataParallel):
            os._exit(3)
        return loss(m)
    try:
        batopo.trial(model, optimizer, dying, [], minutes=0.05, timeout=4.0)
    except batopo.PeerError as error:
        return str(error)
    return ""


def test_a_rank_that_is_killed_is_named(lone_world: Callable[..., Any]) -> None:
    first, second, third = lone_world(3).outcomes(killed)
    assert second is None
    assert "rank 1 did not answer within 4 s" in first and "rank 1 did not answer" in third


def way(name: str, *blocks: float) -> Way:
    return Way(name, "alone" if name == ALONE else "ddp", blocks=[[ms, ms] for ms in blocks])


def test_the_fastest_is_named_only_beyond_the_noise() -> None:
    def of(*rows: Way) -> Result:
        return Result(list(rows), 2, "gloo", 1.0, True, "0" * 64, 1.0, [])
    clear = of(way(ALONE, 1, 1), way(DDP, 100, 102, 101), way("a", 50, 51, 52))
    assert clear.fastest() is clear.rows[2] and "1.98 times as fast as DDP" in "\n".join(clear.sentences())
    assert of(way(DDP, 100, 140, 101), way("a", 80, 120, 100)).fastest() is None
    assert of(way(DDP, 100), way("a", 50)).fastest() is None  # one block says nothing of noise
    assert middle(way("a", 1, 100, 3)) == 3
    assert "--minutes" not in "\n".join(clear.sentences())
    assert "more than the 0 s of --minutes" in "\n".join(replace(clear, asked=0.1).sentences())


def test_rounds_that_repeat_after_many_steps_are_not_run_longer_than_that(world: Callable[[int], Any]) -> None:
    rare = replace(RING, every=32)
    for _, found, _ in world(N).run(tried, [replace(rare, hash=plan_hash(rare))], False):
        row = next(row for row in found["ways"] if row["name"] == "plan 1")
        assert row["iterations"] == 32 * len(row["blocks_ms"])  # one period each; the time asked for is far shorter


def test_what_a_trial_trains_can_be_measured() -> None:
    workload = load_workload("test_trial:build", None, torch.device("cpu"))
    assert workload.message_mb == pytest.approx(72 * 4e-6) and workload.step is not None and workload.step() > 0


def commands(tmp_path: Path, arguments: List[str], ranks: Dict[str, str]) -> List[Tuple[int, str, str]]:
    """batopo.trial as a user starts it, N processes in folders of their own; ranks: variables that say who is who."""
    env = {**{k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")},
           "PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'python/tests'}", "MASTER_ADDR": "127.0.0.1",
           "MASTER_PORT": str(free_port())}
    running = []
    for rank in range(N):
        folder = tmp_path / str(rank)
        folder.mkdir(exist_ok=True)
        (folder / "mine.py").write_text("from test_trial import build\n")
        command = [sys.executable, "-m", "batopo.trial", *arguments, "--model", "mine:build", "--minutes", "0.01",
                   "--backend", "gloo", "-o", str(tmp_path / "trial.json")]
        who = {key: value.format(rank=rank) for key, value in ranks.items()}
        running.append(subprocess.Popen(command, cwd=folder, env={**env, **who}, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE))
    outputs = [process.communicate(timeout=PATIENCE_S) for process in running]
    return [(process.returncode, *output) for process, output in zip(running, outputs)]


TORCHRUN = {"RANK": "{rank}", "WORLD_SIZE": str(N), "LOCAL_RANK": "{rank}"}
SLURM = {"SLURM_PROCID": "{rank}", "SLURM_NTASKS": str(N), "SLURM_LOCALID": "{rank}", "SLURM_JOB_NODELIST": "n[0-1]"}


@pytest.mark.deep
@pytest.mark.parametrize("ranks", [pytest.param(TORCHRUN, id="torchrun"), pytest.param(SLURM, id="srun")])
def test_the_command_line_reads_plans_on_rank_0_alone(tmp_path: Path, ranks: Dict[str, str]) -> None:
    plan = replace(RING, round_ms=(5.0,))
    source = {**as_json(plan), "question": {"cluster": {}}, "claims": {"round_ms": [5.0], "compute_ms": 2.0}}
    (tmp_path / "0").mkdir()
    (tmp_path / "0" / "ring.json").write_text(json.dumps({**source, "hash": plan_hash(plan)}))
    outputs = commands(tmp_path, ["ring.json"], ranks)
    assert [code for code, _, _ in outputs] == [0] * N, outputs
    found = json.loads((tmp_path / "trial.json").read_text())
    (row,) = [row for row in found["ways"] if row["name"] == "ring"]
    assert found["format"] == "batopo.trial/v1" and "predicted_ms" not in row and row["measured_ms"] > 0
    assert [p["hash"] for p in found["plans"]] == [row["plan"]] and found["ranks"] == N
    assert "written:" in outputs[0][1] and "--trial" in outputs[0][1] and outputs[1][1] == ""


PROGRAM = """import json, pathlib, sys
here = pathlib.Path(__file__).parent
with open(here / "asked", "a") as asked:
    asked.write(" ".join(sys.argv[1:]) + "\\n")
if "--json" in sys.argv:
    kinds = ["collective", "collective", "ddp", "ddp-half", "ddp-hook-half", "ddp-hook", "schedule", "static"]
    print(json.dumps({"candidates": [{"row": k + 1, "name": kind, "kind": kind} for k, kind in enumerate(kinds)]}))
elif "--choose" in sys.argv:
    pathlib.Path(sys.argv[sys.argv.index("-o") + 1], "plan.json").write_text((here / "ring.json").read_text())
else:
    print("the answer with " + sys.argv[-2])
"""


@pytest.mark.deep
def test_of_a_cluster_the_program_makes_plans_and_answers_again(tmp_path: Path) -> None:
    (tmp_path / "ring.json").write_text(json.dumps({**as_json(RING), "hash": plan_hash(RING)}))
    (tmp_path / "program.py").write_text(PROGRAM)
    program = f"{sys.executable} {tmp_path / 'program.py'}"
    outputs = commands(tmp_path, ["cluster.yaml", "--program", program], TORCHRUN)
    assert [code for code, _, _ in outputs] == [0] * N, outputs
    names = [row["name"] for row in json.loads((tmp_path / "trial.json").read_text())["ways"]]
    assert names == [ALONE, DDP, HALF, "row 1: collective", "row 5: ddp-hook-half", "row 7: schedule"]
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [line.split()[:2] for line in asked] == [["plan", "cluster.yaml"]] * 5  # no other all-reduce is asked for
    assert outputs[0][1].strip().endswith(f"the answer with {tmp_path / 'trial.json'}")
    gone = commands(tmp_path, ["cluster.yaml", "--program", "no-such-program"], TORCHRUN)
    assert all(code == 1 and "no-such-program is not installed here" in errors for code, _, errors in gone)
