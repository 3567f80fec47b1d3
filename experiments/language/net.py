"""GPTs on bytes, several models as one network.

Pre-norm blocks of causal attention and a perceptron of four times the width with GELU; no biases, no dropout. Streams
are [models, texts · length, width]; every linear layer is one batched matrix product over the models. Bytes enter as
rows of ones and zeros, so that the embedding is a linear layer too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from .settings import ALIGN, Size
from .text import CHARACTERS

FLASH = hasattr(F, "scaled_dot_product_attention")


@dataclass(frozen=True)
class Slot:
    """A parameter's place in the row of numbers of a model."""

    name: str
    shape: tuple[int, ...]
    first: int

    @property
    def numbers(self) -> int:
        return math.prod(self.shape)


class Layout:
    """The parameters of a GPT in one row: matrices first, then the scales of norms."""

    def __init__(self, size: Size, context: int) -> None:
        d = size.width
        if d % size.heads:
            raise ValueError(f"width {d} is not a multiple of {size.heads} heads")
        self.size, self.context, self.slots, self.used = size, context, list[Slot](), 0
        self._add("bytes", CHARACTERS, d)
        self._add("places", context, d)
        for k in range(size.layers):
            self._add(f"{k}.qkv", 3 * d, d)
            self._add(f"{k}.join", d, d)
            self._add(f"{k}.up", 4 * d, d)
            self._add(f"{k}.down", d, 4 * d)
        self._add("head", CHARACTERS, d)
        self.matrices = self.used
        for k in range(size.layers):
            self._add(f"{k}.before", d)
            self._add(f"{k}.between", d)
        self._add("last", d)
        self.parameters = self.used
        self.width = -(-self.used // ALIGN) * ALIGN

    def _add(self, name: str, *shape: int) -> None:
        slot = Slot(name, shape, self.used)
        self.slots.append(slot)
        self.used += slot.numbers

    def views(self, rows: torch.Tensor) -> dict[str, torch.Tensor]:
        """The parameters [models, …] inside rows [models, width]."""
        return {s.name: rows[:, s.first:s.first + s.numbers].view(len(rows), *s.shape) for s in self.slots}

    def initial(self, seed: int) -> torch.Tensor:
        """As GPT-2: deviation 0.02, smaller at the ends of the residual branches; scales of norms 1."""
        gen, row = torch.Generator().manual_seed(seed), torch.zeros(1, self.width)
        for name, value in self.views(row).items():
            if value.dim() == 2:
                value.fill_(1.0)
                continue
            branch_end = name.endswith((".join", ".down"))
            deviation = 0.02 / math.sqrt(2 * self.size.layers) if branch_end else 0.02
            value.copy_(torch.randn(value.shape, generator=gen) * deviation)
        return row

    def flops(self, tokens: int) -> float:
        """Of forward and backward pass: matrices but those of the embedding, and attention to earlier bytes only."""
        used = sum(s.numbers for s in self.slots if s.name not in ("bytes", "places"))
        attention = 6 * self.size.layers * self.size.width * self.context
        return float(tokens) * (6 * used + attention)


def linear(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """x [models, rows, in] times weight [models, out, in]."""
    return torch.bmm(x, weight.transpose(1, 2))


def norm(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    return F.layer_norm(x, (x.shape[-1],)) * scale[:, None]


def attention(qkv: torch.Tensor, length: int, heads: int) -> torch.Tensor:
    """Causal attention within each text: [models, texts · length, 3 · width] → [models, texts · length, width]."""
    models, rows, wide = qkv.shape
    q, k, v = qkv.view(models * rows // length, length, 3, heads, wide // (3 * heads)).permute(2, 0, 3, 1, 4).unbind(0)
    if FLASH:
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # type: ignore[attr-defined]
    else:
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        later = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(1)
        y = scores.masked_fill(later, float("-inf")).softmax(-1) @ v
    return y.transpose(1, 2).reshape(models, rows, wide // 3)


def embed(ids: torch.Tensor, table: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """ids [models, texts, length] → stream [models, texts · length, width]."""
    models, texts, length = ids.shape
    ones = (ids.reshape(models, texts * length, 1) == torch.arange(CHARACTERS, device=ids.device)).to(table.dtype)
    stream = torch.bmm(ones, table).view(models, texts, length, -1) + places[:, None, :length]
    return stream.view(models, texts * length, -1)


def block(x: torch.Tensor, before: torch.Tensor, qkv: torch.Tensor, join: torch.Tensor, between: torch.Tensor,
          up: torch.Tensor, down: torch.Tensor, length: int, heads: int) -> torch.Tensor:
    x = x + linear(attention(linear(norm(x, before), qkv), length, heads), join)
    return x + linear(F.gelu(linear(norm(x, between), up)), down)


def losses(x: torch.Tensor, last: torch.Tensor, head: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Cross-entropy [models] of the next bytes targets [models, texts, length]."""
    logits = linear(norm(x, last), head)
    full = logits.float() if logits.dtype == torch.bfloat16 else logits
    each = F.cross_entropy(full.flatten(0, 1), targets.flatten(), reduction="none")
    return each.view(len(x), -1).mean(1)


@dataclass(frozen=True)
class Parts:
    """The functions of the network, plain or compiled."""

    embed: Callable[..., torch.Tensor] = embed
    block: Callable[..., torch.Tensor] = block
    losses: Callable[..., torch.Tensor] = losses


def loss(size: Size, p: dict[str, torch.Tensor], windows: torch.Tensor, parts: Parts = Parts()) -> torch.Tensor:
    """Mean cross-entropy [models] of windows [models, texts, length + 1] under parameters p."""
    ids, targets = windows[..., :-1], windows[..., 1:]
    x = parts.embed(ids, p["bytes"], p["places"])
    for k in range(size.layers):
        x = parts.block(x, p[f"{k}.before"], p[f"{k}.qkv"], p[f"{k}.join"], p[f"{k}.between"], p[f"{k}.up"],
                        p[f"{k}.down"], ids.shape[2], size.heads)
    return parts.losses(x, p["last"], p["head"], targets)


@torch.no_grad()
def measured(layout: Layout, row: torch.Tensor, windows: torch.Tensor, texts: int = 512) -> float:
    """Mean cross-entropy of one model, row [1, width], over windows [count, length + 1]."""
    p = layout.views(row)
    sums = [loss(layout.size, p, some[None]) * len(some) for some in windows.split(texts)]
    return float(torch.stack(sums).sum()) / len(windows)
