"""Command line: python3 -m training {data, run, profile, table}, from the folder experiments."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from . import (appendix, claims, curves, data, facts, law, pictures, power, race,
               results, rounding, stability, table2, tables, transfer)
from .check import check
from .hardware import HARDWARE
from .profiling import profile, random_images
from .runner import Job, read_queue, run
from .selfcheck import step_problem
from .settings import CHOICES, Entry
from .simulate import Options

CACHE = Path.home() / "cifar-cache"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    put = commands.add_parser("data", help="unpack the given parts of a data set into the cache")
    put.add_argument("dataset", choices=sorted(data.PARTS))
    put.add_argument("files", nargs="*", type=Path, help="NAME.med.xz or NAME.bin")
    put.add_argument("--cache", type=Path, default=CACHE)

    go = commands.add_parser("run", help="work through a queue")
    go.add_argument("queue", type=Path)
    go.add_argument("--out", type=Path, default=Path("out"), help="folder of results.jsonl")
    go.add_argument("--minutes", type=float, default=9.0)
    go.add_argument("--together", type=int, default=4, help="runs of 16 nodes trained as one network")
    go.add_argument("--checkpoint", type=Path, help="keep a group that runs out of time here, and go on from it")
    go.add_argument("--done", type=results.existing, nargs="*", default=[],
                    help="results of earlier calls: skip what is finished")
    go.add_argument("--local-every", type=int, default=10, help="epochs between full measurements of all nodes")
    go.add_argument("--cache", type=Path, default=CACHE)
    computing(go)

    look = commands.add_parser("profile", help="milliseconds per layer and per iteration")
    look.add_argument("--together", type=int, nargs="+", default=[1, 2, 4, 8])
    look.add_argument("--stem", default="imagenet", choices=CHOICES["stem"])
    look.add_argument("--net", default="resnet18", choices=CHOICES["net"])
    look.add_argument("--width", type=int, default=64)
    look.add_argument("--nodes", type=int, default=16)
    look.add_argument("--batch", type=int, default=32)
    look.add_argument("--images", type=int, default=50000)
    look.add_argument("--seconds", type=float, default=60, help="start no new measurement after this")
    computing(look)

    test = commands.add_parser("check", help="compare kernels and graphs with plain operations on this machine")
    test.add_argument("--width", type=int, default=64, help="channels of the small nets; the kernels need 64")
    computing(test)

    show = commands.add_parser("table", help="print result files")
    show.add_argument("files", nargs="+", type=Path)
    show.add_argument("--where", nargs="+", default=[], metavar="FIELD=VALUE", help="only runs with these settings")
    show.add_argument("--show", nargs="+", help="Markdown, a row per run: settings and values to show, of the values "
                      + tables.VALUES)
    show.add_argument("--value", help="Markdown, this one value in rows and columns of settings")
    show.add_argument("--rows", nargs="+", default=["run"], help="with --value; run is the process with its laziness")
    show.add_argument("--column", default="seed", help="with --value")
    show.add_argument("--target", type=float, help="of crossings; else each run's own")

    paper = commands.add_parser("table2", help="the paper's Table II beside these runs, as Markdown")
    paper.add_argument("files", nargs="+", type=Path)
    paper.add_argument("--where", nargs="+", default=[], metavar="FIELD=VALUE", help="only runs with these settings")
    paper.add_argument("--dataset", choices=sorted(table2.DATASETS), default="cifar10")
    paper.add_argument("--target", type=float, help="accuracy to reach; else each run's own")

    able = commands.add_parser("power", help="which of the paper's speed-ups these runs can test; verdicts")
    able.add_argument("files", nargs="+", type=Path)

    tell = commands.add_parser("facts", help="what the report on the paper's sentences reads, from the results here")
    tell.add_argument("--out", type=Path, required=True)

    more = commands.add_parser("appendix", help="experiments/training/runs.md, from the results here")
    more.add_argument("--out", type=Path, required=True)

    draw = commands.add_parser("curves", help="a page with the curves of every run, as SVG")
    draw.add_argument("files", nargs="+", type=Path)
    draw.add_argument("--where", nargs="+", default=[], metavar="FIELD=VALUE", help="only runs with these settings")
    draw.add_argument("--between", nargs=2, type=float, default=(0.0, 1.0), help="least and largest accuracy shown")
    draw.add_argument("--out", type=Path, required=True)

    picture = commands.add_parser("pictures", help="those of docs/research/training.md, from the results here")
    picture.add_argument("--out", type=Path, required=True, help="folder")

    fit = commands.add_parser("law", help="fit the convergence model: relative epochs from what is known before a run")
    fit.add_argument("files", nargs="+", type=Path)
    fit.add_argument("--where", nargs="+", default=[], metavar="FIELD=VALUE", help="only runs with these settings")
    fit.add_argument("--net", nargs="+", default=["resnet18"], choices=CHOICES["net"])
    fit.add_argument("--out", type=Path, help="write the convergence model here, as JSON")
    fit.add_argument("--unseen", nargs="+", default=[], metavar="FIELD=VALUE",
                     help="fit without these runs, as nodes=32, and say how well they are predicted")
    fit.add_argument("--left-out", type=Path, metavar="FILE",
                     help="write here what is predicted of every run when its process is left out of the fit, as JSON")

    wire = commands.add_parser("rounding", help="runs with averages in 16 bits beside the same in 32")
    wire.add_argument("files", nargs="+", type=Path)

    grow = commands.add_parser("stability", help="growth of differences under quasi-global momentum, by process and H")
    grow.add_argument("processes", nargs="+", help="names, or plan files; with @A lazy by A")
    grow.add_argument("--nodes", type=int, default=16, help="of named processes")
    grow.add_argument("--beta", type=float, default=stability.BETA)
    grow.add_argument("--order", default="atc", choices=CHOICES["order"])

    args = parser.parse_args(arguments)
    if args.command == "stability":
        print(stability.table(stability.periods(args.processes, args.nodes), args.beta, args.order))
        return 0
    if args.command == "data":
        missing = data.put(args.files, args.dataset, args.cache)
        print(f"{args.cache / args.dataset}: " + (f"still missing {', '.join(missing)}" if missing else "complete"))
        return 0
    if args.command == "table":
        print(show_lines(args))
        return 0
    if args.command == "table2":
        print(paper_lines(args))
        return 0
    if args.command == "power":
        try:
            print(power.report(results.read(args.files)))
        except ValueError as wrong:
            parser.error(str(wrong))
        return 0
    if args.command == "facts":
        facts.write(args.out)
        return 0
    if args.command == "appendix":
        appendix.write(args.out)
        return 0
    if args.command == "curves":
        lines = tables.chosen(results.read(args.files), args.where)
        args.out.write_text(curves.page(lines, *args.between))
        print(f"{args.out}: {len(lines)} runs")
        return 0
    if args.command == "rounding":
        print(rounding.table(tables.chosen(results.read(args.files), [])))
        return 0
    if args.command == "pictures":
        pictures.write(args.out)
        return 0
    if args.command == "law":
        queues = table2.FOLDER / "queues"
        lines = law.within(tables.chosen(results.read(args.files), args.where), queues, tuple(args.net))
        if args.unseen:
            print(transfer.table(lines, args.unseen, queues))
            return 0
        found = {"sixteen_bits": rounding.measured(lines)}
        lines = [line for line in lines if not law.control(line["entry"])]
        found = {**law.document(lines, queues), **found}
        if args.out:
            law.write(args.out, found)
        if args.left_out:
            law.write(args.left_out, law.runs(lines, queues))
        print(law.table(found))
        return 0
    if args.command == "check":
        return 0 if check(options(args), say, args.width) else 1
    if args.command == "profile":
        cell = Entry("profile", net=args.net, width=args.width, stem=args.stem, nodes=args.nodes, batch=args.batch)
        profile(cell, args.together, options(args), args.seconds, say, random_images(args.images))
        return 0
    job = Job(args.queue, args.out, args.cache, args.minutes, args.together, options(args), args.checkpoint,
              args.local_every, tuple(args.done))
    return 0 if run(job, say) else 1


def show_lines(args: argparse.Namespace) -> str:
    lines = tables.chosen(results.read(args.files), args.where)
    if args.show:
        return tables.listing(lines, args.show, args.target)
    if args.value:
        return tables.pivot(lines, args.rows, args.column, args.value, args.target)
    return tables.table(lines)


def paper_lines(args: argparse.Namespace) -> str:
    """All parts of the comparison, each under a heading."""
    lines = tables.chosen(results.read(args.files), [*args.where, f"dataset={args.dataset}"])
    runs = table2.topologies(lines, args.target)
    aims = [args.target] if args.target else sorted({line["entry"]["target"] for line in lines}, reverse=True)
    parts = [f"### Epochs to {' or '.join(f'{a:.0%}' for a in aims)}, and their time",
             table2.side_by_side(runs, args.dataset)]
    for local in (True, False):
        which = "local models" if local else "averaged model"
        parts += [f"### Claimed speed-ups, {which}", claims.noise_of(runs, local),
                  claims.speedups(runs, args.dataset, local)]
        parts += [f"### {name}, {which}\n\n{race.race(runs, name, local)}" for name in HARDWARE]
    return "\n\n".join(parts)


def say(line: str) -> None:
    print(line, flush=True)


def computing(parser: argparse.ArgumentParser) -> None:
    """Flags that change how it is computed, not what."""
    cuda = torch.cuda.is_available()
    parser.add_argument("--device", default="cuda" if cuda else "cpu")
    parser.add_argument("--dtype", default="bfloat16" if cuda else "float32", choices=("bfloat16", "float32"))
    parser.add_argument("--conv", default="auto" if cuda else "bmm", choices=("auto", "bmm", "grouped"),
                        help="auto: the fastest for every layer, timed at the start")
    parser.add_argument("--no-graphs", action="store_true")
    parser.add_argument("--step", default="auto", choices=("auto", "fused", "plain"),
                        help="auto: the fused step where it passes a check")
    parser.add_argument("--nchw", action="store_true", help="not channels-last; needs --conv grouped")


def options(args: argparse.Namespace) -> Options:
    if args.device == "cuda":  # products of bfloat16 are summed in float32 to the end, also where they are split
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    step = args.step
    if step == "auto":
        sizes = {c.nodes for c in read_queue(args.queue)} if args.command == "run" else {16}
        problem = "no GPU" if args.device == "cpu" else next(filter(None, (
            step_problem(torch.device(args.device), getattr(torch, args.dtype), n) for n in sorted(sizes))), "")
        step = "plain" if problem else "fused"
        say(f"step: {step}{', ' * bool(problem)}{problem}")
    graphs = args.device == "cuda" and not args.no_graphs
    return Options(args.device, args.dtype, graphs, args.conv, not args.nchw, step)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
