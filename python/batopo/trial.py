"""Tries plans on your machines with your model: torchrun … -m batopo.trial CLUSTER.yaml|PLAN.json … --model train:build

build() returns the model, its optimizer and a function loss(m) that computes the loss of one batch with m, which is the
model or what wraps it. Every rank trains a few iterations with DistributedDataParallel, with its hook for half
precision and with every plan, in turn. Of a cluster description the program batopo makes the plans: the best rows of
`batopo plan`, of different kinds, and the all-reduce of `batopo topology all-reduce`; afterwards it answers again with
what was measured (`batopo plan CLUSTER.yaml --trial trial.json`). Rank 0 prints the table and writes trial.json.
Model and optimizer are afterwards what they were. A way that fails is reported, and the others go on.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist

from .errors import BatopoError, SetupError
from .measure_model import made_by
from .reader import parse_plan
from .trial_run import Meeting, try_all
from .trial_ways import Given

Files = List[Tuple[str, str]]  # names and what is in them
ROWS = 3  # of plan's table that are tried
PLANNING_S = 600.0  # that the program may take


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="torchrun … -m batopo.trial", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*", help="a cluster description, or plans; rank 0 reads them")
    parser.add_argument("--model", required=True, help="module:function that returns model, optimizer and loss")
    parser.add_argument("--minutes", type=float, default=2.0, help="in all, about")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds until a rank that is silent is given up")
    parser.add_argument("--backend", choices=["gloo", "nccl"], help="default: nccl where there are GPUs")
    parser.add_argument("--program", default="batopo", help="what makes plans of a cluster description")
    parser.add_argument("-o", "--out", default="trial.json", help="what rank 0 writes")
    args = parser.parse_args(arguments)
    for name, slurm in (("RANK", "SLURM_PROCID"), ("WORLD_SIZE", "SLURM_NTASKS"), ("LOCAL_RANK", "SLURM_LOCALID")):
        if name not in os.environ and slurm in os.environ:
            os.environ[name] = os.environ[slurm]
    if any(name not in os.environ for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")):
        parser.error("start it with torchrun, or with srun and MASTER_ADDR and MASTER_PORT set")
    try:
        _run(args)
    except (BatopoError, OSError, RuntimeError) as error:
        print(f"batopo.trial on rank {os.environ['RANK']}:", *str(error).split(), file=sys.stderr, flush=True)
        os._exit(1)  # threads of torch may still wait for others


def _run(args: argparse.Namespace) -> None:
    backend = args.backend or ("nccl" if torch.cuda.is_available() else "gloo")
    if backend == "nccl":  # Slurm may show every task one GPU only
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())
    dist.init_process_group(backend, timeout=timedelta(seconds=args.timeout))
    given = [Given(name, parse_plan(text.encode(), name), text) for name, text in _files(args)]
    sys.path.insert(0, os.getcwd())
    made = made_by(args.model)
    if not (isinstance(made, tuple) and len(made) == 3 and isinstance(made[0], torch.nn.Module)
            and isinstance(made[1], torch.optim.Optimizer) and callable(made[2])):
        raise SetupError(f"{args.model} must return a torch.nn.Module, its optimizer and a function of the model that "
                         "computes the loss of one batch")
    model, optimizer, loss = made
    result = try_all(model, optimizer, loss, given, args.minutes, args.timeout)
    if dist.get_rank() == 0:
        Path(args.out).write_text(json.dumps(result.as_json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print("\n".join([*result.sentences(), f"written: {args.out}"]), flush=True)
    Meeting(args.timeout).share("end")  # rank 0 may keep the store
    dist.destroy_process_group()
    if int(os.environ["RANK"]) == 0:
        _answer_again(args)


def _answer_again(args: argparse.Namespace) -> None:
    """Prints what to run, planned again with what the trial measured."""
    if _is_cluster(args.file):
        print(run_program(shlex.split(args.program), ["plan", args.file[0], "--trial", args.out, "--quiet"]))
    else:
        print(f"For predictions beside these times, and a new answer: batopo plan CLUSTER.yaml --trial {args.out}")


def _files(args: argparse.Namespace) -> Files:
    """What rank 0 reads or lets the program make, on all ranks; what is wrong there is raised on all."""
    meeting = Meeting(args.timeout + PLANNING_S)
    said: Any = None
    if meeting.rank == 0:
        try:
            said = {"files": _read(args)}
        except (BatopoError, OSError, ValueError) as error:
            said = {"error": str(error)}
    answer: Any = meeting.share(said)[0]
    if "error" in answer:
        raise SetupError(answer["error"])
    return [(name, text) for name, text in answer["files"]]


def _read(args: argparse.Namespace) -> Files:
    if _is_cluster(args.file):
        return plans_for(args.file[0], shlex.split(args.program))
    if any(_is_cluster([name]) for name in args.file):
        raise SetupError("give one cluster description, or plans, not both")
    return [(Path(name).stem if [Path(n).stem for n in args.file].count(Path(name).stem) == 1 else name,
             Path(name).read_text(encoding="utf-8-sig")) for name in args.file]


def _is_cluster(files: Sequence[str]) -> bool:
    return len(files) == 1 and Path(files[0]).suffix.lower() in (".yaml", ".yml")


def plans_for(cluster: str, program: Sequence[str]) -> Files:
    """The best rows of plan, one of each kind, and the all-reduce of topology where none of them is one."""
    answer = json.loads(run_program(program, ["plan", cluster, "--json", "--quiet"]))
    made: Files = []
    kinds: List[str] = []
    for choice in answer["candidates"]:
        kind = choice["kind"].replace("-half", "")
        if len(made) < ROWS and kind not in ("ddp", *kinds):
            kinds.append(kind)
            with tempfile.TemporaryDirectory() as folder:
                run_program(program, ["plan", cluster, "--choose", str(choice["row"]), "-o", folder, "--quiet"])
                made.append((f"row {choice['row']}: {choice['name']}",
                             Path(folder, "plan.json").read_text(encoding="utf-8")))
    if "ddp-hook" not in kinds:
        with tempfile.TemporaryDirectory() as folder:
            exact = f"{folder}/exact.json"
            run_program(program, ["topology", "all-reduce", "--cluster", cluster, "-o", exact])
            made.append(("topology", Path(exact).read_text(encoding="utf-8")))
    return made


def run_program(program: Sequence[str], command: Sequence[str]) -> str:
    """Runs batopo and returns what it prints."""
    try:
        done = subprocess.run([*program, *command], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise SetupError(f"{program[0]} is not installed here; give --program, or plans in place of "
                         "the cluster description") from None
    if done.returncode != 0:
        raise SetupError(f"{' '.join([*program, *command])}: {done.stderr.strip()}")
    return done.stdout


if __name__ == "__main__":
    main()
