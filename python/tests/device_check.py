"""What the tests cannot see without a GPU: CUDA over gloo, NCCL, a real GradScaler. Needs one CUDA device.

    python3 python/tests/device_check.py        about five minutes; writes device_check.json into $OUT or here

With words behind it, only the parts are run whose names contain one: `device_check.py all_reduce batopo.ddp servers`.
Several ranks share the one card. NCCL refuses that unless a setting allows it; all known settings are tried.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

import batopo  # noqa: E402
from batopo.plan_file import Collective, OuterStep, Phase, Plan  # noqa: E402
from plans import all_kinds, apply_round, make, ring, sealed  # noqa: E402
from worlds import World  # noqa: E402

SIZES = [(301, 7), (11,), (2, 3, 5)]
LIMIT_S = float(os.environ.get("DEVICE_CHECK_S", "400"))
BEGAN = time.monotonic()
WORDS = sys.argv[1:]  # only parts whose names have one of them
DEVICE = os.environ.get("DEVICE_CHECK_DEVICE", "cuda")


def prepare() -> torch.device:
    if DEVICE == "cuda":
        torch.cuda.set_device(0)
    return torch.device(DEVICE, 0) if DEVICE == "cuda" else torch.device("cpu")


def start(rank: int, dtype: torch.dtype) -> List[torch.Tensor]:
    generator = torch.Generator().manual_seed(rank)
    return [torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype) for shape in SIZES]


def rounds_of(rank: int, plans: List[Plan], rounds: int, dtype: torch.dtype) -> List[torch.Tensor]:
    device, out = prepare(), []
    for plan in plans:
        parameters = [torch.nn.Parameter(t.to(device)) for t in start(rank, dtype)]
        gossip = batopo.attach(torch.optim.SGD(parameters, lr=0.1), plan, explicit=True, timeout=30, start="keep")
        for _ in range(rounds):
            gossip.mix()
        out.append(torch.cat([p.detach().double().reshape(-1).cpu() for p in parameters]))
    return out


def check_kinds(world: World, dtype: torch.dtype, tolerance: float) -> Dict[str, Any]:
    kinds, rounds = all_kinds(world.n), 5
    got = world.run(rounds_of, [plan for _, plan in kinds], rounds, dtype, timeout=60)
    errors = {}
    for k, (name, plan) in enumerate(kinds):
        x = torch.stack([torch.cat([t.double().reshape(-1) for t in start(r, dtype)]) for r in range(world.n)])
        for t in range(rounds):
            x = apply_round(plan, t, x)
        errors[name] = ((torch.stack([row[k] for row in got]) - x).norm() / x.norm()).item()
    return {"ok": max(errors.values()) <= tolerance, "errors": errors}


def train(rank: int, overlap: bool, steps: int) -> List[float]:
    """Least squares with rank-dependent targets, mixed precision and a scaler whose first steps overflow on rank 0."""
    device = prepare()
    n = dist.get_world_size()
    torch.manual_seed(0)
    model = torch.nn.Linear(64, 64).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    enabled = device.type == "cuda"
    make_scaler: Any = getattr(torch, "amp", torch.cuda.amp)
    scaler = (make_scaler.GradScaler("cuda", enabled=enabled) if hasattr(make_scaler, "GradScaler")
              else torch.cuda.amp.GradScaler(enabled=enabled))
    plan = make(n, ring(n), order="cta" if overlap else "atc", overlap=overlap)
    gossip = batopo.attach(optimizer, plan, scaler, timeout=30)
    losses, skipped = [], 0
    x = torch.randn(32, 64, device=device)
    for step in range(steps):
        optimizer.zero_grad()
        with torch.autocast(device.type, dtype=torch.float16 if enabled else torch.bfloat16):
            loss = (model(x) - rank).float().pow(2).mean()
        scale = float("inf") if enabled and rank == 0 and step in (1, 4) else 1.0
        scaler.scale(loss * scale).backward()
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        skipped += scaler.get_scale() < before
        losses.append(loss.item())
    gossip.average()
    total = sum(p.detach().double().sum().item() for p in model.parameters())
    return [losses[0], losses[-1], float(gossip.round), float(skipped), total]


def check_training(world: World, overlap: bool) -> Dict[str, Any]:
    results = world.run(train, overlap, 20, timeout=60)
    rounds, sums = {r[2] for r in results}, [r[4] for r in results]
    ok = rounds == {20.0} and max(sums) - min(sums) <= 1e-6 * max(1.0, abs(sums[0]))
    return {"ok": ok and all(s == s for s in sums), "per rank: first loss, last loss, rounds, skipped, sum": results}


def speed(rank: int, megabytes: int, repeats: int) -> Dict[str, float]:
    device = prepare()
    n = dist.get_world_size()
    p = torch.nn.Parameter(torch.zeros(megabytes * 250000, device=device))
    gossip = batopo.attach(torch.optim.SGD([p], lr=0.1), make(n, ring(n)), explicit=True, timeout=60)
    for _ in range(repeats + 1):
        gossip.mix()
        if device.type == "cuda":
            torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(repeats):
        gossip.mix()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return {"ms": (time.perf_counter() - begin) / repeats * 1e3}


def raw(rank: int) -> float:
    """Whether NCCL works at all between these ranks."""
    device = prepare()
    x = torch.full((1000,), float(rank), device=device)
    dist.all_reduce(x)
    y, n = torch.empty_like(x), dist.get_world_size()
    for work in dist.batch_isend_irecv([dist.P2POp(dist.irecv, y, (rank - 1) % n),
                                        dist.P2POp(dist.isend, x, (rank + 1) % n)]):
        work.wait()
    torch.cuda.synchronize()
    return float(y[0])


COLLECTIVES = ("ring collective", "tree collective", "halving and doubling", "shards in chunks", "path in chunks")


def reduced(rank: int, plans: List[Plan], options: Dict[str, Any]) -> List[torch.Tensor]:
    device = prepare()
    return [batopo.all_reduce(start(rank, torch.float32)[0].to(device), plan, timeout=30, **options).cpu()
            for plan in plans]


def check_reduce(world: World, options: Dict[str, Any], tolerance: float) -> Dict[str, Any]:
    """Every collective gives the mean, with the same bits on all ranks; with node=…, between servers of two ranks."""
    kinds = dict(all_kinds(world.n // 2 if "node" in options else world.n))
    names = [name for name in COLLECTIVES if name in kinds]
    got = world.run(in_servers if "node" in options else reduced, [kinds[name] for name in names],
                    {k: v for k, v in options.items() if k != "node"}, timeout=60)
    mean = torch.stack([start(r, torch.float32)[0] for r in range(world.n)]).double().mean(0)
    errors = {name: ((got[0][k].double() - mean).norm() / mean.norm()).item() for k, name in enumerate(names)}
    same = all(torch.equal(row[k], got[0][k]) for row in got for k in range(len(names)))
    return {"ok": same and max(errors.values()) <= tolerance, "equal bits": same, "errors": errors}


def in_servers(rank: int, plans: List[Plan], options: Dict[str, Any]) -> List[torch.Tensor]:
    return reduced(rank, plans, {**options, "node": rank // 2})


class Deep(torch.nn.Module):
    """Enough work in backward to see whether gradients travel beside it."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(width, width) for _ in range(layers)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


def hooked(rank: int, plan: Any, wire: Any, steps: int, trace: bool) -> List[Any]:
    """DistributedDataParallel, with a plan's hook where there is one; and how much of its transfers backward hides."""
    device = prepare()
    model = torch.nn.parallel.DistributedDataParallel(Deep(1024, 12).to(device), bucket_cap_mb=8)
    if plan is not None:
        batopo.ddp(model, plan, wire=wire, timeout=60)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    rows = 4096 if device.type == "cuda" else 16
    x = torch.randn(rows, 1024, generator=torch.Generator().manual_seed(rank)).to(device)

    def step() -> None:
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
    for _ in range(steps):
        step()
    result = torch.cat([p.detach().reshape(-1) for p in model.parameters()]).cpu()
    return [result, traced(step) if trace and device.type == "cuda" else None]


def traced(step: Callable[[], None]) -> Dict[str, float]:
    """Milliseconds of one step in which transfers ran, others did, and both at once."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        step()
        torch.cuda.synchronize()
    spans: Dict[bool, List[Any]] = {True: [], False: []}
    for event in profile.events():
        if "CUDA" in str(event.device_type):
            name = event.name.lower()
            spans["nccl" in name or "memcpy" in name].append((event.time_range.start, event.time_range.end))
    points = sorted({t for both in spans.values() for span in both for t in span})
    ms = {"transfers": 0.0, "compute": 0.0, "both": 0.0}
    for a, b in zip(points, points[1:]):
        on = [any(first <= a and b <= last for first, last in spans[kind]) for kind in (True, False)]
        ms["transfers"] += (b - a) / 1e3 * on[0]
        ms["compute"] += (b - a) / 1e3 * on[1]
        ms["both"] += (b - a) / 1e3 * (on[0] and on[1])
    return {key: round(value, 2) for key, value in ms.items()}


def check_hook(world: World) -> Dict[str, Any]:
    plan = dict(all_kinds(world.n))["shards in chunks"]
    rows = {kind: world.run(hooked, chosen, wire, 5, kind == "hook", timeout=100)
            for kind, chosen, wire in (("ddp", None, None), ("hook", plan, None), ("bf16", plan, "bf16"))}
    same = all(torch.equal(row[0], rows[kind][0][0]) for kind in rows for row in rows[kind])
    apart = {kind: (rows[kind][0][0] - rows["ddp"][0][0]).abs().max().item() for kind in ("hook", "bf16")}
    return {"ok": same and apart["hook"] <= 1e-5, "equal bits": same, "apart from DDP": apart,
            "ms of one step, rank 0": rows["hook"][0][1]}


def beside_stock(rank: int, plans: List[Plan], steps: int) -> List[Dict[str, Any]]:
    """Gradients of DistributedDataParallel with each plan's hook and without, of many buckets and other data in every
    step: a bucket that leaves before its gradients are there carries those of the step before."""
    device, out = prepare(), []
    rows = (1 + rank) * (2048 if device.type == "cuda" else 8)  # ranks reach their buckets at different times
    for plan in plans:
        stock, ours = (torch.nn.parallel.DistributedDataParallel(Deep(512, 16).to(device), bucket_cap_mb=2)
                       for _ in range(2))
        hook, error, digest = batopo.ddp(ours, plan, timeout=60), 0.0, hashlib.sha256()
        for step in range(steps):
            x = torch.randn(rows, 512, generator=torch.Generator().manual_seed(100 * step + rank)).to(device)
            for model in (stock, ours):
                model.zero_grad()
                model(x).pow(2).mean(1).sum().backward()
            for a, b in zip(stock.parameters(), ours.parameters()):
                error = max(error, ((a.grad - b.grad).norm() / a.grad.norm()).item())
                digest.update(b.grad.cpu().numpy().tobytes())
        sizes = ours._get_ddp_logging_data().get("rebuilt_bucket_sizes", "")  # there is one bucket in the first step
        out.append({"error": error, "bits": digest.hexdigest(), "buckets": len(str(sizes).split(","))})
        hook.close()
    return out


def check_buckets(world: World) -> Dict[str, Any]:
    kinds = dict(all_kinds(world.n))
    names = [name for name in COLLECTIVES if name in kinds]
    got = world.run(beside_stock, [kinds[name] for name in names], 4, timeout=100)
    same = all(row[k]["bits"] == got[0][k]["bits"] for row in got for k in range(len(names)))
    errors = {name: max(row[k]["error"] for row in got) for k, name in enumerate(names)}
    return {"ok": same and max(errors.values()) <= 1e-5 and got[0][0]["buckets"] >= 4, "equal bits": same,
            "buckets": got[0][0]["buckets"], "errors": errors}


def inside_groups(rank: int, plan: Plan) -> List[torch.Tensor]:
    """Gradients that a step of local SGD sees, and this rank's own."""
    device = prepare()
    x = torch.randn(32, 256, generator=torch.Generator().manual_seed(rank)).to(device)
    alone = Deep(256, 6).to(device)
    model = torch.nn.parallel.DistributedDataParallel(Deep(256, 6).to(device), bucket_cap_mb=1)
    gossip = batopo.attach(torch.optim.SGD(model.parameters(), lr=0.1), plan, model=model, timeout=60)
    for each in (model, alone):
        each(x).pow(2).mean(1).sum().backward()
    gossip.detach()
    return [torch.cat([p.grad.float().reshape(-1) for p in each.parameters()]).cpu() for each in (model, alone)]


def check_inside(world: World) -> Dict[str, Any]:
    """Gradients inside groups travel in the plan's 16 bits: alike in a group, numbers of that type, near the mean."""
    out: Dict[str, Any] = {"ok": True}
    groups = ((0, 2), (3, 1))
    for wire, kind, most in (("bf16", torch.bfloat16, 1e-2), ("fp16", torch.float16, 1e-3)):
        plan = sealed(Plan(4, kind="collective", collective=Collective("ring", (1, 0)), groups=groups,
                           inside_gradients=True, every=4, wire=wire))
        got, errors, alike, short = world.run(inside_groups, plan, timeout=60), [], True, True
        for group in groups:
            mean = torch.stack([got[rank][1] for rank in group]).mean(0)
            for rank in group:
                mine = got[rank][0]
                alike = alike and torch.equal(mine, got[group[0]][0])
                short = short and torch.equal(mine, mine.to(kind).float())
                errors.append(((mine - mean).norm() / mean.norm()).item())
        out[wire] = {"alike in groups": alike, "16 bits": short, "errors": errors}
        out["ok"] = out["ok"] and alike and short and 0 < max(errors) <= most
    return out


def billion(rank: int, parameters: int) -> Dict[str, Any]:
    """A large model of bfloat16 in ten steps and an average: what it takes beside parameters and gradients."""
    device = prepare()
    model = torch.nn.ParameterList([torch.nn.Parameter(torch.zeros(1 << 24, dtype=torch.bfloat16, device=device))
                                    for _ in range(parameters >> 24)])
    gossip = batopo.attach(torch.optim.SGD(model.parameters(), lr=0.1), make(2, ring(2)), timeout=100)
    optimizer = gossip._rounds.momentum.optimizer
    for p in model.parameters():
        p.grad = torch.full_like(p, float(rank))
    size = sum(p.numel() * 2 for p in model.parameters())
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    for _ in range(10):
        optimizer.step()
    rounds = torch.cuda.max_memory_allocated() - before
    gossip.average()
    return {"parameters, bytes": size, "stated": gossip.memory(), "steps, bytes": rounds,
            "with average, bytes": torch.cuda.max_memory_allocated() - before}


def check_billion(world: World) -> Dict[str, Any]:
    rows = world.run(billion, 1_000_000_000, timeout=120)
    first = rows[0]
    return {"ok": first["with average, bytes"] <= 1.5 * first["parameters, bytes"], **first}


def modern(rank: int) -> float:
    """torch.compile and fused AdamW under gossip."""
    device = prepare()
    model = Deep(64, 2).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=device.type == "cuda")
    gossip = batopo.attach(optimizer, make(dist.get_world_size(), ring(dist.get_world_size())), timeout=60)
    called = torch.compile(model)
    for _ in range(5):
        optimizer.zero_grad()
        called(torch.randn(8, 64, device=device)).pow(2).mean().backward()
        optimizer.step()
    gossip.average()
    total = sum(p.detach().double().sum().item() for p in model.parameters())
    assert gossip.round == 5 and total == total
    return total


def clocks_plans() -> Dict[str, Plan]:
    """Every new kind of plan for four ranks in two groups."""
    groups = ((0, 1), (2, 3))
    between = {"kind": "collective", "collective": Collective("ring", (1, 0)), "groups": groups,
               "inside_gradients": True}
    phases = (Phase(10, 0, 0), Phase(0, 8, 2))
    fields: Dict[str, Dict[str, Any]] = {
        "local SGD, bf16": {**between, "every": 8, "wire": "bf16"},
        "late, outer, after a start": {**between, "every": 8, "delay": 2, "phases": phases, "average": "changes",
                                       "outer": OuterStep(0.7, 0.9)},
        "8 bits": {**between, "every": 4, "wire": "int8", "average": "changes"},
        "2 bits in 4 pieces": {**between, "every": 4, "wire": "int2", "average": "changes", "pieces": 4},
        "1 bit in pieces, late": {**between, "every": 4, "delay": 1, "wire": "int1", "average": "changes", "pieces": 4},
        "gradients": {"kind": "collective", "collective": Collective("ring", (0, 1, 2, 3)), "average": "gradients"},
    }
    return {name: sealed(Plan(4, **given)) for name, given in fields.items()}


def example(rank: int, plan: Plan, words: List[str]) -> List[float]:
    """examples/pytorch/gpt.py on this rank: losses of the averaged model."""
    prepare()
    spec = importlib.util.spec_from_file_location("gpt", HERE.parents[1] / "examples/pytorch/gpt.py")
    assert spec is not None and spec.loader is not None
    gpt = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gpt)
    losses: List[float] = gpt.train(plan, gpt.options(["plan.json", "--steps", "60", "--evaluate", "20", "--autocast",
                                                       "--timeout", "60", *words]))
    return losses


def check_clocks(world: World) -> Dict[str, Any]:
    """The example learns with every kind of plan, alike on all ranks, and goes on with the same bits. With gradients of
    all ranks it goes on as DDP does: DDP fills its buckets in another order in its first step, and so are sums."""
    out: Dict[str, Any] = {"ok": True}
    for name, plan in clocks_plans().items():
        whole = world.run(example, plan, [], timeout=60)
        with tempfile.TemporaryDirectory() as folder:
            world.run(example, plan, ["--save", folder, "--stop", "37"], timeout=60)
            rest = world.run(example, plan, ["--save", folder, "--resume"], timeout=60)
        alike = all(row == whole[0] for row in whole)
        apart = max(abs(a - b) for row in rest for a, b in zip(row, whole[0][-len(row):]))
        goes_on = apart <= (1e-3 if plan.average == "gradients" else 0.0)
        out[name] = {"losses": whole[0], "alike on all ranks": alike, "apart after a resume": apart}
        out["ok"] = out["ok"] and alike and goes_on and whole[0][-1] < whole[0][0]
    return out


def fully(rank: int, plan: Plan, sharded: bool, steps: int) -> List[torch.Tensor]:
    """What a model gives in averaged(), and its parameters in the end: held together by each group with FSDP2's
    fully_shard, or whole on every rank."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    device = prepare() if dist.get_backend() == "nccl" else torch.device("cpu")
    model: Any = Deep(63, 3).to(device)  # 63 rows: shards differ in size
    if sharded:
        mesh = init_device_mesh(device.type, (2, 2), mesh_dim_names=("between", "inside"))["inside"]
        for module in (*model.layers[1:], model):  # the outermost keeps its own whole after a forward pass
            fully_shard(module, mesh=mesh)
    else:
        model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    gossip, out = batopo.attach(optimizer, plan, model=model, timeout=60), []
    for step in range(steps):
        x = torch.randn(16, 63, generator=torch.Generator().manual_seed(100 * step + rank)).to(device)
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
        if step == steps // 2:
            with torch.no_grad(), gossip.averaged():
                out.append(model(torch.ones(2, 63, device=device)).cpu())
    gossip.average()
    whole = [p.full_tensor() if sharded else p for p in model.parameters()]
    return [*out, torch.cat([p.detach().reshape(-1) for p in whole]).cpu()]


def check_sharded(world: World) -> Dict[str, Any]:
    """Models that groups hold together end where whole models do, also where they are evaluated on the way."""
    plans, errors = clocks_plans(), {}
    changes = Plan(4, kind="collective", collective=Collective("ring", (1, 0)), groups=((0, 1), (2, 3)), every=3,
                   inside_gradients=True, average="changes", outer=OuterStep(0.7, 0.9))
    for name, plan in (("changes", sealed(changes)), ("bf16", plans["local SGD, bf16"])):
        whole, shards = (world.run(fully, plan, sharded, 20, timeout=60) for sharded in (False, True))
        errors[name] = max(((a - b).norm() / b.norm()).item() for mine, theirs in zip(shards, whole)
                           for a, b in zip(mine, theirs))
    return {"ok": errors["changes"] <= 1e-5 and errors["bf16"] <= 1e-2, "errors": errors}


def attempt(name: str, report: Dict[str, Any], job: Callable[[], Any]) -> bool:
    """Runs a part of the check; whatever happens becomes a line of the report."""
    if WORDS and not name.endswith("on one GPU") and not any(word in name for word in WORDS):
        return False
    if time.monotonic() - BEGAN > LIMIT_S:
        report[name] = {"ok": False, "error": "no time left"}
        return False
    begin = time.monotonic()
    try:
        result = job()
        report[name] = result if isinstance(result, dict) else {"ok": True, "result": result}
    except Exception as error:
        report[name] = {"ok": False, "error": str(error)[-1500:], "kind": type(error).__name__}
        if type(error).__name__ != "Failed":
            report[name]["trace"] = traceback.format_exc()[-800:]
    report[name]["seconds"] = round(time.monotonic() - begin, 1)
    ok = bool(report[name].get("ok", True))
    print(("ok    " if ok else "FAILS ") + name, "" if ok else report[name].get("error", report[name]), flush=True)
    return ok


def check_gloo(report: Dict[str, Any]) -> None:
    for n in (2, 4):
        world = World(n)
        attempt(f"gloo, {n} ranks, float32", report, lambda: check_kinds(world, torch.float32, 1e-5))
        attempt(f"gloo, {n} ranks, float64", report, lambda: check_kinds(world, torch.float64, 1e-12))
        attempt(f"gloo, {n} ranks, float16", report, lambda: check_kinds(world, torch.float16, 4e-3))
        attempt(f"gloo, {n} ranks, training with GradScaler", report, lambda: check_training(world, False))
        attempt(f"gloo, {n} ranks, overlapped training", report, lambda: check_training(world, True))
        attempt(f"gloo, {n} ranks, all_reduce", report, lambda: check_reduce(world, {}, 1e-6))
        attempt(f"gloo, {n} ranks, batopo.ddp", report, lambda: check_hook(world))
        attempt(f"gloo, {n} ranks, batopo.ddp, many buckets", report, lambda: check_buckets(world))
        if n == 4:
            attempt("gloo, 4 ranks, 16 bits inside groups", report, lambda: check_inside(world))
            attempt("gloo, 4 ranks, local SGD, phases, late and few bits", report, lambda: check_clocks(world))
            attempt("gloo, 4 ranks, fully_shard on the CPU", report, lambda: check_sharded(world))
            attempt("gloo, 4 ranks, ring, 50 MB", report, lambda: world.run(speed, 50, 5, timeout=60)[0])
        world.close()


SETTINGS: Dict[str, Callable[[int], Dict[str, str]]] = {
    "plain NCCL": lambda rank: {},
    "NCCL_MULTI_RANK_GPU_ENABLE=1": lambda rank: {"NCCL_MULTI_RANK_GPU_ENABLE": "1"},
    "NCCL_HOSTID": lambda rank: {"NCCL_HOSTID": f"host{rank}", "NCCL_SOCKET_IFNAME": "lo", "NCCL_IB_DISABLE": "1"},
    "NCCL_HOSTID, no P2P, no SHM": lambda rank: {
        "NCCL_HOSTID": f"host{rank}", "NCCL_SOCKET_IFNAME": "lo", "NCCL_IB_DISABLE": "1", "NCCL_P2P_DISABLE": "1",
        "NCCL_SHM_DISABLE": "1"},
}


def check_nccl(report: Dict[str, Any]) -> None:
    one = World(1, "nccl")
    attempt("NCCL, 1 rank, a group of its own", report, lambda: one.run(raw_single, timeout=40))
    one.close()
    for name, environment in SETTINGS.items():
        world = World(2, "nccl", environment)
        works = attempt(f"{name}: 2 ranks on one GPU", report, lambda: world.run(raw, timeout=25))
        world.close()
        if not works:
            continue
        for n in (2, 4):
            world = World(n, "nccl", environment)
            attempt(f"{name}: {n} ranks, float32", report, lambda: check_kinds(world, torch.float32, 1e-5))
            attempt(f"{name}: {n} ranks, training", report, lambda: check_training(world, False))
            attempt(f"{name}: {n} ranks, overlapped", report, lambda: check_training(world, True))
            attempt(f"{name}: {n} ranks, all_reduce", report, lambda: check_reduce(world, {}, 1e-6))
            attempt(f"{name}: {n} ranks, all_reduce, bf16", report, lambda: check_reduce(world, {"wire": "bf16"}, 2e-2))
            if n == 4:
                attempt(f"{name}: 2 servers of 2 ranks", report, lambda: check_reduce(world, {"node": 0}, 1e-6))
            attempt(f"{name}: {n} ranks, batopo.ddp", report, lambda: check_hook(world))
            attempt(f"{name}: {n} ranks, batopo.ddp, many buckets", report, lambda: check_buckets(world))
            if n == 4:
                attempt(f"{name}: 16 bits inside groups", report, lambda: check_inside(world))
                attempt(f"{name}: fully_shard", report, lambda: check_sharded(world))
                attempt(f"{name}: local SGD, phases, late and few bits", report, lambda: check_clocks(world))
            if n == 2:
                attempt(f"{name}: torch.compile and fused AdamW", report, lambda: world.run(modern, timeout=120))
                attempt(f"{name}: 10⁹ parameters of bfloat16", report, lambda: check_billion(world))
            attempt(f"{name}: {n} ranks, ring, 50 MB", report, lambda: world.run(speed, 50, 5, timeout=60)[0])
            world.close()
        return


def raw_single(rank: int) -> float:
    device = prepare()
    group = dist.new_group(backend="nccl")
    x = torch.ones(10, device=device)
    dist.all_reduce(x, group=group)
    torch.cuda.synchronize()
    return float(x.sum())


def main() -> int:
    report: Dict[str, Any] = {"torch": torch.__version__, "cuda": torch.version.cuda}
    check_gloo(report)
    if DEVICE == "cuda":
        check_nccl(report)
    Path(os.environ.get("OUT", "."), "device_check.json").write_text(json.dumps(report, indent=1, default=str))
    parts = [v for v in report.values() if isinstance(v, dict)]
    print(f"{sum(bool(v.get('ok', True)) for v in parts)} of {len(parts)} parts ok, torch {torch.__version__}, "
          f"{time.monotonic() - BEGAN:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
