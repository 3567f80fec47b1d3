"""Residual nets of all stacked models as one network.

resnet18: four stages of two basic blocks, 64 to 512 channels; resnet8: three stages of one block (for tests).
Activations are [B, models·C, H, W]; see conv.py for the memory order. Batch norm over models·C channels is batch norm
per model by itself, group norm likewise with models·groups groups.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from .conv import IMPLEMENTATIONS, Geometry
from .layout import Layout, Parameters, Slot, width

BLOCKS = {"resnet18": (2, 2, 2, 2), "resnet8": (1, 1, 1)}


@dataclass(frozen=True)
class Shape:
    """What all models of a stack have in common."""

    net: str
    width: int
    stem: str
    norm: str
    classes: int


@dataclass(frozen=True)
class Conv:
    """A convolution's place in the layout, its geometry and the side of its input."""

    slot: Slot
    kernel: int
    stride: int
    padding: int
    side: int


@dataclass(frozen=True)
class Norm:
    scale: Slot
    shift: Slot
    start: int  # columns of the running statistics
    channels: int


class Architecture:
    """The layers of one model: what each is called, where its parameters are, how they are connected."""

    def __init__(self, shape: Shape) -> None:
        self.shape, self.layout = shape, Layout()
        self.convs: dict[str, Conv] = {}
        self.norms: dict[str, Norm] = {}
        self.statistics = 0
        side, channels = 32, shape.width
        if shape.stem == "imagenet":
            side = self._conv("stem", 3, channels, 7, 2, side)
            self._norm("stem", channels)
            side = (side - 1) // 2 + 1
        else:
            side = self._conv("stem", 3, channels, 3, 1, side)
            self._norm("stem", channels)
        self.blocks: list[str] = []
        for stage, count in enumerate(BLOCKS[shape.net]):
            for k in range(count):
                name, out = f"{stage}.{k}", shape.width << stage
                stride = 2 if k == 0 and stage > 0 else 1
                if stride > 1 or out != channels:
                    self._conv(f"{name}.skip", channels, out, 1, stride, side)
                    self._norm(f"{name}.skip", out)
                side = self._conv(f"{name}.a", channels, out, 3, stride, side)
                self._norm(f"{name}.a", out)
                side = self._conv(f"{name}.b", out, out, 3, 1, side)
                self._norm(f"{name}.b", out)
                self.blocks.append(name)
                channels = out
        self.head = Conv(self.layout.matrix("head", shape.classes, 1, 1, channels), 1, 1, 0, 1)
        self.bias = self.layout.vector("head.bias", shape.classes)

    def _conv(self, name: str, cin: int, cout: int, kernel: int, stride: int, side: int) -> int:
        slot = self.layout.matrix(name, cout, kernel, kernel, cin)
        self.convs[name] = Conv(slot, kernel, stride, kernel // 2, side)
        return (side - 1) // stride + 1

    def _norm(self, name: str, channels: int) -> None:
        scale = self.layout.vector(f"{name}.scale", channels)
        shift = self.layout.vector(f"{name}.shift", channels)
        self.norms[name] = Norm(scale, shift, self.statistics, channels)
        self.statistics += channels

    def initialise(self, p: Parameters, model: slice, seed: int) -> None:
        """The same start for the given models, as torchvision does it: He by fan-out, norms 1 and 0."""
        gen = torch.Generator().manual_seed(seed)
        for slot in self.layout.matrices:
            out, kh, kw, cin = slot.shape
            if slot.name == "head":
                limit = 1 / math.sqrt(cin)
                w = (torch.rand(slot.shape, generator=gen) * 2 - 1) * limit
            else:
                w = torch.randn(slot.shape, generator=gen) * math.sqrt(2 / (out * kh * kw))
            slot.of(p.matrices.master)[model] = w.to(p.matrices.master.device)
        for slot in self.layout.vectors:
            slot.of(p.vectors.master)[model] = 1.0 if slot.name.endswith(".scale") else 0.0


class Stack:
    """The forward and backward pass of all models; mode says what batch norm does.

    train: batch statistics, running ones follow with momentum 0.1; collect: batch statistics, running ones become the
    mean over the batches seen since reset_statistics; test: running statistics.
    """

    def __init__(self, arch: Architecture, models: int, device: torch.device, dtype: torch.dtype,
                 conv: str | dict[str, str] = "bmm", channels_last: bool = True) -> None:
        self.arch, self.models = arch, models
        self.parameters = Parameters(arch.layout, models, dtype, device)
        self.conv = {n: conv if isinstance(conv, str) else conv[n] for n in (*arch.convs, "head")}
        self.channels_last = channels_last
        if not channels_last and set(self.conv.values()) != {"grouped"}:
            raise ValueError("memory that is not channels-last works with grouped convolutions only")
        self.anchor = torch.zeros((), device=device, requires_grad=True)
        full = self.parameters.vectors.master.dtype
        self.mean = torch.zeros(models * arch.statistics, device=device, dtype=full)
        self.var = torch.ones(models * arch.statistics, device=device, dtype=full)
        self.mode, self.collected = "train", 0

    def reset_statistics(self) -> None:
        self.mean.zero_()
        self.var.fill_(1)
        self.collected = 0

    def loss(self, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Cross-entropy [models] of labels [B, models]; leaves the gradients of each model's own loss in the blocks."""
        vectors = self.parameters.vectors
        leaf = vectors.master.detach().requires_grad_()
        logits = self._forward(x, leaf)
        each = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1), reduction="none")
        each = each.view(labels.shape).mean(dim=0)
        (grad, _) = torch.autograd.grad(each.sum(), [leaf, self.anchor], allow_unused=True)
        vectors.grad.copy_(grad)
        return each.detach()

    @torch.no_grad()
    def logits(self, x: torch.Tensor) -> torch.Tensor:
        """[B, models, classes], by the present mode."""
        self.collected += 1
        return self._forward(x, self.parameters.vectors.master)

    def _forward(self, x: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
        slots = self.arch.layout.vectors
        rest = vectors.shape[1] - width(slots)
        pieces = vectors.split([s.size for s in slots] + [rest], dim=1)
        v = {s.name: piece for s, piece in zip(slots, pieces)}
        if not self.channels_last:
            x = x.contiguous()
        x = F.relu(self._normed("stem", x, v), inplace=True)
        if self.arch.shape.stem == "imagenet":
            x = F.max_pool2d(x, 3, stride=2, padding=1)
        for name in self.arch.blocks:
            skip = self._normed(f"{name}.skip", x, v) if f"{name}.skip" in self.arch.convs else x
            y = F.relu(self._normed(f"{name}.a", x, v), inplace=True)
            x = F.relu(self._normed(f"{name}.b", y, v) + skip, inplace=True)
        x = x.mean(dim=(2, 3), keepdim=True)
        x = self._conv("head", self.arch.head, x)
        return x.reshape(x.shape[0], self.models, -1).to(self.mean.dtype) + v["head.bias"]

    def _conv(self, name: str, conv: Conv, x: torch.Tensor) -> torch.Tensor:
        g = Geometry(self.models, conv.kernel, conv.stride, conv.padding)
        block = self.parameters.matrices
        run = IMPLEMENTATIONS[self.conv[name]]
        return run.apply(x, self.anchor, conv.slot.of(block.compute), conv.slot.of(block.grad), g)

    def _normed(self, name: str, x: torch.Tensor, v: dict[str, torch.Tensor]) -> torch.Tensor:
        x = self._conv(name, self.arch.convs[name], x)
        scale, shift = v[f"{name}.scale"].reshape(-1), v[f"{name}.shift"].reshape(-1)
        norm = self.arch.norms[name]
        if self.arch.shape.norm == "group":
            groups = self.models * min(32, max(1, norm.channels // 8))
            y = F.group_norm(x, groups, scale.to(x.dtype), shift.to(x.dtype))
            return y.contiguous(memory_format=torch.channels_last) if self.channels_last else y
        at, end = norm.start * self.models, (norm.start + norm.channels) * self.models
        follow = {"train": 0.1, "collect": 1 / max(1, self.collected), "test": 0.0}[self.mode]
        return F.batch_norm(x, self.mean[at:end], self.var[at:end], scale, shift, self.mode != "test", follow)
