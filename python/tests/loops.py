"""The same training twice: on ranks with attach, and as a plain loop over n models without any of our code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import torch

import batopo
from batopo.plan_file import Plan
from plans import dense
from worlds import PATIENCE_S


@dataclass(frozen=True)
class Run:
    """One training run."""

    plan: Plan
    momentum: str = "local"
    beta: float = 0.9
    steps: int = 9
    skip: Tuple[Tuple[int, int], ...] = ()  # (rank, step) whose gradient overflows
    adam: bool = False
    foreach: bool = False
    batches: int = 1  # whose gradients are accumulated before a step
    schedule: bool = False
    other: Optional[Plan] = None  # switched to after the round `at`
    at: int = 0


class Model(torch.nn.Module):
    """Small, smooth and the same on all ranks at the start."""

    def __init__(self) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(7)
        self.a = torch.nn.Parameter(torch.randn(5, 6, generator=generator, dtype=torch.float64))
        self.b = torch.nn.Parameter(torch.randn(6, generator=generator, dtype=torch.float64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x @ self.a) @ self.b


class Scaler:
    """Leaves out steps with infinite gradients, as GradScaler does on CUDA."""

    def step(self, optimizer: torch.optim.Optimizer) -> None:
        gradients = [p.grad for group in optimizer.param_groups for p in group["params"]]
        if all(torch.isfinite(g).all() for g in gradients):
            optimizer.step()


def optimizer_of(run: Run, model: torch.nn.Module) -> torch.optim.Optimizer:
    if run.adam:
        return torch.optim.AdamW(model.parameters(), lr=0.01, foreach=run.foreach)
    return torch.optim.SGD(model.parameters(), lr=0.05, momentum=run.beta, weight_decay=1e-3)


def gradients(run: Run, model: torch.nn.Module, rank: int, step: int) -> None:
    generator = torch.Generator().manual_seed(1000 * rank + step)
    model.zero_grad()
    for _ in range(run.batches):
        x = torch.randn(4, 5, generator=generator, dtype=torch.float64)
        (model(x) - rank).pow(2).mean().backward()
    if (rank, step) in run.skip:
        for p in model.parameters():
            assert p.grad is not None
            p.grad.fill_(float("inf"))


def on_ranks(rank: int, run: Run, options: Dict[str, Any]) -> torch.Tensor:
    """With attach; the loop is the user's."""
    model = Model()
    optimizer = optimizer_of(run, model)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.5) if run.schedule else None
    scaler = Scaler() if run.skip else None
    gossip = batopo.attach(optimizer, run.plan, scaler, momentum=run.momentum, timeout=PATIENCE_S, **options)
    for step in range(run.steps):
        gradients(run, model, rank, step)
        if run.other is not None and step == 1:
            assert gossip.switch(run.other, at=run.at) == run.at
        if scaler is not None:
            scaler.step(optimizer)
        else:
            optimizer.step()
        if scheduler is not None:
            scheduler.step()
    gossip.detach()
    return flat(model)


def flat(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([p.detach().reshape(-1) for p in model.parameters()])


def put(model: torch.nn.Module, row: torch.Tensor) -> None:
    at = 0
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(row[at:at + p.numel()].view_as(p))
            at += p.numel()


def in_one_loop(run: Run) -> torch.Tensor:
    """n models side by side; W is applied to the rows of one matrix."""
    n = run.plan.nodes
    models = [Model() for _ in range(n)]
    optimizers = [optimizer_of(run, m) for m in models]
    schedulers = [torch.optim.lr_scheduler.StepLR(o, 4, 0.5) for o in optimizers if run.schedule]
    state = Loop(run, rounds=0, base=0, since=0)
    for step in range(run.steps):
        old = torch.stack([flat(m) for m in models])
        if run.momentum == "mixed" and state.comes_before():
            mix_momentum(state.w(), optimizers, models)
        before = [buffers(o) for o in optimizers]
        ran = []
        for rank, (model, optimizer) in enumerate(zip(models, optimizers)):
            gradients(run, model, rank, step)
            ran.append((rank, step) not in run.skip)
            if ran[-1]:
                optimizer.step()
        new = torch.stack([flat(m) for m in models])
        change = state.change(old, new)
        for rank, model in enumerate(models):
            put(model, new[rank] + change[rank])
            if run.momentum == "quasi-global" and ran[rank]:
                quasi_global(run, optimizers[rank], before[rank], old[rank] - new[rank] - change[rank])
        if run.momentum == "mixed" and state.mixed is not None:
            mix_momentum(state.mixed, optimizers, models)
        for scheduler in schedulers:
            scheduler.step()
    return torch.stack([flat(m) for m in models])


@dataclass
class Loop:
    """When rounds happen, straight from the words of docs/formats.md."""

    run: Run
    rounds: int
    base: int
    since: int
    mixed: Optional[torch.Tensor] = None

    def comes_before(self) -> bool:
        """Whether this step takes in a round that began before it."""
        return self.run.plan.order == "cta" and self.since + 1 == self.run.plan.every

    def w(self) -> torch.Tensor:
        if self.run.other is not None and self.rounds >= self.run.at:
            return dense(self.run.other, self.rounds - self.run.at)
        return dense(self.run.plan, self.rounds)

    def change(self, old: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        """What rounds add in this step; old and new are before and after the optimizers."""
        plan = self.run.other if self.run.other is not None and self.rounds >= self.run.at else self.run.plan
        eye = torch.eye(plan.nodes, dtype=torch.float64)
        out, self.mixed = torch.zeros_like(new), None
        self.since += 1
        due = self.since == plan.every
        if due:
            self.since = 0
        if due:
            self.mixed = self.w() if plan.order == "atc" else None
            out = (self.w() - eye) @ (new if plan.order == "atc" else old)
            self.rounds += 1
        return out


def buffers(optimizer: torch.optim.Optimizer) -> List[torch.Tensor]:
    out = []
    for group in optimizer.param_groups:
        for p in group["params"]:
            state = optimizer.state[p] if p in optimizer.state else {}
            value = state.get("momentum_buffer", state.get("exp_avg"))
            out.append(torch.zeros_like(p) if value is None else value.clone())
    return out


def quasi_global(run: Run, optimizer: torch.optim.Optimizer, before: List[torch.Tensor], moved: torch.Tensor) -> None:
    at, rate = 0, optimizer.param_groups[0]["lr"]
    for p, u in zip(optimizer.param_groups[0]["params"], before):
        d = moved[at:at + p.numel()].view_as(p) / rate
        optimizer.state[p]["momentum_buffer"].copy_(run.beta * u + (1 - run.beta) * d)
        at += p.numel()


def mix_momentum(w: torch.Tensor, optimizers: List[torch.optim.Optimizer], models: List[Model]) -> None:
    """v ← Wv, where there is one."""
    now = [buffers(o) for o in optimizers]
    for k in range(len(now[0])):
        source = torch.stack([now[i][k].reshape(-1) for i in range(len(now))])
        change = w @ source - source
        for i, optimizer in enumerate(optimizers):
            p = list(models[i].parameters())[k]
            state = optimizer.state[p]
            if state:
                state["momentum_buffer" if "momentum_buffer" in state else "exp_avg"].add_(change[i].view_as(p))
