"""A second, plain implementation to compare with: n separate torch modules and loops over nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Basic(nn.Module):
    def __init__(self, cin: int, cout: int, stride: int, norm: str) -> None:
        super().__init__()
        self.a, self.na = nn.Conv2d(cin, cout, 3, stride, 1, bias=False), normaliser(norm, cout)
        self.b, self.nb = nn.Conv2d(cout, cout, 3, 1, 1, bias=False), normaliser(norm, cout)
        self.skip = None
        if stride > 1 or cin != cout:
            self.skip, self.nskip = nn.Conv2d(cin, cout, 1, stride, bias=False), normaliser(norm, cout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.nb(self.b(F.relu(self.na(self.a(x)))))
        return F.relu(y + (x if self.skip is None else self.nskip(self.skip(x))))


class ResNet8(nn.Module):
    """Three stages of one basic block."""

    def __init__(self, width: int, stem: str, norm: str, classes: int) -> None:
        super().__init__()
        self.pool = stem == "imagenet"
        self.stem = nn.Conv2d(3, width, 7, 2, 3, bias=False) if self.pool else nn.Conv2d(3, width, 3, 1, 1, bias=False)
        self.nstem = normaliser(norm, width)
        self.stages = nn.ModuleList(
            [Basic(width, width, 1, norm), Basic(width, 2 * width, 2, norm), Basic(2 * width, 4 * width, 2, norm)])
        self.head = nn.Conv2d(4 * width, classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.nstem(self.stem(x)))
        if self.pool:
            x = F.max_pool2d(x, 3, 2, 1)
        for stage in self.stages:
            x = stage(x)
        return self.head(F.adaptive_avg_pool2d(x, 1)).flatten(1)


def normaliser(norm: str, channels: int) -> nn.Module:
    return nn.BatchNorm2d(channels) if norm == "batch" else nn.GroupNorm(min(32, max(1, channels // 8)), channels)


def named(model: ResNet8) -> dict[str, torch.Tensor]:
    """Parameters under the stacked network's names; convolutions still [out, in, kh, kw]."""
    out: dict[str, Any] = {
        "stem": model.stem.weight, "stem.scale": model.nstem.weight, "stem.shift": model.nstem.bias,
        "head": model.head.weight, "head.bias": model.head.bias}
    for k, stage in enumerate(model.stages):
        for part in ("a", "b", "skip"):
            if getattr(stage, part) is not None:
                out[f"{k}.0.{part}"] = getattr(stage, part).weight
                norm = getattr(stage, f"n{part}")
                out[f"{k}.0.{part}.scale"], out[f"{k}.0.{part}.shift"] = norm.weight, norm.bias
    return out


def flat_slots(arch: Any) -> list:
    return [(s, 0) for s in arch.layout.matrices] + [(s, 1) for s in arch.layout.vectors]


@torch.no_grad()
def copy_out(stack: Any, node: int, model: ResNet8) -> None:
    """Puts the parameters of one stacked model into a module."""
    target = named(model)
    for slot, which in flat_slots(stack.arch):
        value = slot.of(stack.parameters.blocks[which].master)[node]
        target[slot.name].copy_(value.permute(0, 3, 1, 2) if value.dim() == 4 else value)


def as_module_order(value: torch.Tensor) -> torch.Tensor:
    return value.permute(0, 3, 1, 2) if value.dim() == 4 else value


class PlainNodes:
    """n modules trained one after the other, mixed by explicit sums over neighbours."""

    def __init__(self, models: list[ResNet8], lr: float, beta: float, decay: float, order: str, momentum: str,
                 decay_vectors: bool = True, averages: str = "fp32") -> None:
        self.models, self.beta, self.decay, self.order, self.kind = models, beta, decay, order, momentum
        self.lr, self.decay_vectors = lr, decay_vectors
        self.averages = averages  # fp32, or bf16: parameters or changes (since theta) that are rounded on the way
        self.theta = [p.detach().clone() for p in models[0].parameters()]
        self.memory = [[torch.zeros_like(p) for p in m.parameters()] for m in models]

    def step(self, batches: list, w: np.ndarray, lr: float) -> list[float]:
        """One iteration: batches[i] is (images, labels) of node i."""
        n, losses, gradients = len(self.models), [], []
        for model, (x, y) in zip(self.models, batches):
            loss = F.cross_entropy(model(x), y)
            gradients.append(torch.autograd.grad(loss, list(model.parameters())))
            losses.append(float(loss))
        with torch.no_grad():
            old = [[p.clone() for p in m.parameters()] for m in self.models]
            moves = []
            for i in range(n):
                row = []
                for x, g, m in zip(old[i], gradients[i], self.memory[i]):
                    decay = self.decay if x.dim() > 1 or self.decay_vectors else 0.0
                    row.append(self.beta * m + g + decay * x)
                moves.append(row)
            for i, model in enumerate(self.models):
                for k, p in enumerate(model.parameters()):
                    if self.order == "atc":
                        new = self._mixed([old[j][k] - lr * moves[j][k] for j in range(n)], w, i, k)
                    else:
                        new = self._mixed([old[j][k] for j in range(n)], w, i, k) - lr * moves[i][k]
                    p.copy_(new)
                    if self.kind == "local":
                        self.memory[i][k] = moves[i][k]
                    else:
                        u = self.memory[i][k]
                        self.memory[i][k] = self.beta * u + (1 - self.beta) * (old[i][k] - p) / lr
        return losses

    def _mixed(self, rows: list, w: np.ndarray, i: int, k: int) -> torch.Tensor:
        """Node i's parameter k after the mixing of all nodes' ones."""
        n = len(rows)
        if self.averages == "parameters in bf16":
            return rows[i] + sum(float(w[i, j]) * (eight_bits(rows[j]) - eight_bits(rows[i])) for j in range(n))
        if self.averages == "changes in bf16" and w[0, 0] < 1:
            new = self.theta[k] + eight_bits(sum(eight_bits(row - self.theta[k]) for row in rows) / n)
            if i == n - 1:
                self.theta[k] = new
            return new
        return sum(float(w[i, j]) * rows[j] for j in range(n))


def eight_bits(x: torch.Tensor) -> torch.Tensor:
    """bfloat16 by its definition: the closest numbers of 8 significant bits, the even one of two; first to float32."""
    fraction, exponent = torch.frexp(x.float().double())
    return torch.ldexp(torch.round(fraction * 256), exponent - 8)
