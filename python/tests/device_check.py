"""What the tests cannot see without a GPU: CUDA over gloo, NCCL, a real GradScaler. Needs one CUDA device.

    python3 python/tests/device_check.py        about two minutes; writes device_check.json into $OUT or here

Several ranks share the one card. NCCL refuses that unless a setting allows it; all known settings are tried.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

import batopo  # noqa: E402
from batopo.plan import Plan  # noqa: E402
from plans import all_kinds, apply_round, make, ring  # noqa: E402
from worlds import World  # noqa: E402

SIZES = [(301, 7), (11,), (2, 3, 5)]
LIMIT_S = float(os.environ.get("DEVICE_CHECK_S", "170"))
BEGAN = time.monotonic()
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
        gossip = batopo.attach(torch.optim.SGD(parameters, lr=0.1), plan, explicit=True, timeout=30)
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


def attempt(name: str, report: Dict[str, Any], job: Callable[[], Any]) -> bool:
    """Runs a part of the check; whatever happens becomes a line of the report."""
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
        if n == 4:
            attempt("gloo, 4 ranks, ring, 50 MB", report, lambda: world.run(speed, 50, 5, timeout=60)[0])
        world.close()


SETTINGS: Dict[str, Callable[[int], Dict[str, str]]] = {
    "NCCL as it is": lambda rank: {},
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
