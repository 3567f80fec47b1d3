"""python3 -m language check | run | list | queue | table | write: see README.md."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

import torch
from training.results import existing, read

from . import check, pages, queues, rows, runner
from .simulate import Bench
from .text import Text
from .trainer import Options

HERE = Path(__file__).parent


def main(words: list[str] | None = None) -> int:
    cuda = torch.cuda.is_available()
    parser = argparse.ArgumentParser(prog="python3 -m language", description=__doc__)
    parser.add_argument("command", choices=("check", "run", "list", "queue", "table", "write"))
    parser.add_argument("--queue", type=Path, default=HERE / "queue.json")
    parser.add_argument("--text", type=Path, default=HERE.parent / "textpack", help="folder with DOMAIN.train.gz")
    parser.add_argument("--out", type=Path, default=Path("out"), help="results.jsonl is appended here")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--done", type=existing, nargs="*", default=[], help="results of earlier calls")
    parser.add_argument("--only", default="", help="entries whose question begins so")
    parser.add_argument("--device", default="cuda" if cuda else "cpu")
    parser.add_argument("--dtype", default="bfloat16" if cuda else "float32")
    parser.add_argument("--check", action="store_true", help="before the runs; they start only when all is well")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--no-graphs", action="store_true")
    args = parser.parse_args(words)
    on_gpu = args.device == "cuda"
    options = Options(args.device, args.dtype, on_gpu and not args.no_compile, on_gpu and not args.no_graphs)
    if args.command == "queue":
        args.queue.write_text(queues.text())
        return 0
    if args.command == "list":
        done = read(args.done)
        return queues.show([e for e in runner.read_queue(args.queue) if not runner.finished(done, e)])
    if args.command in ("table", "write"):
        study = rows.Study(read(args.done or sorted((HERE / "results").glob("*.jsonl"))), runner.read_queue(args.queue))
        if args.command == "table":
            print(rows.table(study))
        else:
            pages.write(study, HERE.parents[1])
        return 0
    bench = Bench(Text(args.text, torch.device(args.device)), options)
    deadline = time.monotonic() + 60 * args.minutes
    if args.command == "check" or args.check:
        try:
            wrong = check.check(bench) if on_gpu else check.check(bench, "tiny", 2, 32)
        except Exception:  # whatever a compiler or a device throws
            wrong = [traceback.format_exc()[-3000:]]
        print("check: " + ("; ".join(wrong) or "all well"))
        if wrong or args.command == "check":
            return 4 if wrong else 0
    return runner.run(runner.Job(args.queue, args.out, tuple(args.done), args.only), bench, deadline)


if __name__ == "__main__":
    sys.exit(main())
