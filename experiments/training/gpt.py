"""Character-level GPTs of all stacked models as one network.

Pre-norm blocks of causal attention (four heads) and a perceptron of four times the width with GELU; no dropout.
Activations are [models, B·T, width]; every linear layer is one batched matrix product over the models. Token and place
enter as one row of ones and zeros, so that the embedding is a linear layer too. The residual stream is float32.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F

from .layout import Layout, Parameters, Slot, width
from .network import Shape

DEPTH = {"gpt": 6, "gpt-tiny": 2}
HEADS = 4


class StackedLinear(torch.autograd.Function):
    """x [models, rows, in] times weight [models, out, in]; the weight's gradient goes straight into its block."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, anchor: torch.Tensor,  # type: ignore[override]
                weight: torch.Tensor, grad: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, weight)
        ctx.grad, ctx.needs_x = grad, x.requires_grad
        return torch.bmm(x, weight.transpose(1, 2))

    @staticmethod
    def backward(ctx: Any, dy: torch.Tensor) -> Any:  # type: ignore[override]
        x, weight = ctx.saved_tensors
        torch.bmm(dy.transpose(1, 2), x, out=ctx.grad)
        return torch.bmm(dy, weight) if ctx.needs_x else None, None, None, None


class GptArchitecture:
    """The layers of one model; shape.classes is the number of characters, shape.context the longest text."""

    def __init__(self, shape: Shape) -> None:
        self.shape, self.layout, self.convs = shape, Layout(), dict[str, Any]()
        d = shape.width
        if d % HEADS:
            raise ValueError(f"width is {d}; a GPT's must be a multiple of {HEADS}")
        self.embedding = -(-(shape.classes + shape.context) // 8) * 8
        self.linears: dict[str, Slot] = {}
        self._linear("embed", d, self.embedding, bias=False)
        for k in range(DEPTH[shape.net]):
            self._norm(f"{k}.before")
            self._linear(f"{k}.qkv", 3 * d, d)
            self._linear(f"{k}.join", d, d)
            self._norm(f"{k}.between")
            self._linear(f"{k}.up", 4 * d, d)
            self._linear(f"{k}.down", d, 4 * d)
        self._norm("last")
        self._linear("head", shape.classes, d)

    def _linear(self, name: str, out: int, size: int, bias: bool = True) -> None:
        self.linears[name] = self.layout.matrix(name, out, size)
        if bias:
            self.layout.vector(f"{name}.bias", out)

    def _norm(self, name: str) -> None:
        self.layout.vector(f"{name}.scale", self.shape.width)
        self.layout.vector(f"{name}.shift", self.shape.width)

    def initialise(self, p: Parameters, model: slice, seed: int) -> None:
        """As GPT-2: deviation 0.02, smaller at the ends of the residual branches; norms 1 and 0, biases 0."""
        gen = torch.Generator().manual_seed(seed)
        for slot in self.layout.matrices:
            branch_end = slot.name.endswith((".join", ".down"))
            deviation = 0.02 / math.sqrt(2 * DEPTH[self.shape.net]) if branch_end else 0.02
            value = torch.randn(slot.shape, generator=gen) * deviation
            slot.of(p.matrices.master)[model] = value.to(p.matrices.master.device)
        for slot in self.layout.vectors:
            slot.of(p.vectors.master)[model] = 1.0 if slot.name.endswith(".scale") else 0.0


class GptStack:
    """The forward and backward pass of all models, with the surface of network.Stack."""

    def __init__(self, arch: GptArchitecture, models: int, device: torch.device, dtype: torch.dtype) -> None:
        self.arch, self.models = arch, models
        self.parameters = Parameters(arch.layout, models, dtype, device)
        self.anchor = torch.zeros((), device=device, requires_grad=True)
        self.mean = self.var = torch.zeros(0, device=device, dtype=self.parameters.vectors.master.dtype)
        self.mode, self.conv = "train", dict[str, str]()

    def loss(self, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Cross-entropy [models] of the next characters labels [B, T, models]; leaves the gradients in the blocks."""
        vectors = self.parameters.vectors
        leaf = vectors.master.detach().requires_grad_()
        logits = self._forward(x, leaf)
        each = F.cross_entropy(logits.flatten(0, 2), labels.flatten(), reduction="none").view(labels.shape).mean((0, 1))
        (grad, _) = torch.autograd.grad(each.sum(), [leaf, self.anchor], allow_unused=True)
        vectors.grad.copy_(grad)
        return each.detach()

    @torch.no_grad()
    def logits(self, x: torch.Tensor) -> torch.Tensor:
        """[B, T, models, characters]."""
        return self._forward(x, self.parameters.vectors.master)

    def _forward(self, x: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
        slots, (models, batch, length) = self.arch.layout.vectors, x.shape
        rest = vectors.shape[1] - width(slots)
        pieces = vectors.split([s.size for s in slots] + [rest], dim=1)
        v = {s.name: piece[:, None] for s, piece in zip(slots, pieces)}
        shape, full = self.arch.shape, vectors.dtype
        place = torch.arange(length, device=x.device).expand(x.shape) + shape.classes
        columns = torch.arange(self.arch.embedding, device=x.device)
        rows = ((x[..., None] == columns) | (place[..., None] == columns)).reshape(models, batch * length, -1)
        stream = self._linear("embed", rows.to(self.parameters.matrices.compute.dtype), v).to(full)
        for k in range(DEPTH[shape.net]):
            qkv = self._linear(f"{k}.qkv", self._norm(f"{k}.before", stream, v), v)
            stream = stream + self._linear(f"{k}.join", attention(qkv, models * batch, length), v)
            up = F.gelu(self._linear(f"{k}.up", self._norm(f"{k}.between", stream, v), v))
            stream = stream + self._linear(f"{k}.down", up, v)
        out = self._linear("head", self._norm("last", stream, v), v).to(full)
        return out.view(models, batch, length, -1).permute(1, 2, 0, 3)

    def _linear(self, name: str, x: torch.Tensor, v: dict[str, torch.Tensor]) -> torch.Tensor:
        slot, block = self.arch.linears[name], self.parameters.matrices
        y = StackedLinear.apply(x, self.anchor, slot.of(block.compute), slot.of(block.grad))
        return y + v[f"{name}.bias"].to(y.dtype) if f"{name}.bias" in v else y

    def _norm(self, name: str, x: torch.Tensor, v: dict[str, torch.Tensor]) -> torch.Tensor:
        y = F.layer_norm(x, (x.shape[-1],)) * v[f"{name}.scale"] + v[f"{name}.shift"]
        return y.to(self.parameters.matrices.compute.dtype)


def attention(qkv: torch.Tensor, texts: int, length: int) -> torch.Tensor:
    """Causal attention within each text: [models, B·T, 3·width] → [models, B·T, width]."""
    q, k, v = qkv.reshape(texts, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4).unbind(0)
    if hasattr(F, "scaled_dot_product_attention"):
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    else:
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        later = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(1)
        y = scores.masked_fill(later, float("-inf")).softmax(-1) @ v
    return y.transpose(1, 2).reshape(qkv.shape[0], qkv.shape[1], -1)
