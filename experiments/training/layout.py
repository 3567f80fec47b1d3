"""Where the parameters of the stacked models live.

All models have the same parameters. Matrices (convolutions, linear layers) and vectors (norms, biases) are two blocks;
a block is one master array [models, size] with a gradient array beside it, so that the optimizer and the mixing work on
two arrays, however many layers there are. Layers see views. Masters are float32 (float64 where the layers compute in
that). In bfloat16 the layers compute with a rounded copy of the matrices, and matrix gradients are of that type, as
under autocast; vectors stay float32.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Slot:
    """One parameter of every model: columns start … start+size of its block."""

    name: str
    shape: tuple[int, ...]
    start: int

    @property
    def size(self) -> int:
        size = 1
        for d in self.shape:
            size *= d
        return size

    def of(self, block: torch.Tensor) -> torch.Tensor:
        """The view [models, *shape] of a block's array."""
        return block[:, self.start:self.start + self.size].view(block.shape[0], *self.shape)


class Layout:
    """Slots of one model, in the order in which layers ask for them."""

    def __init__(self) -> None:
        self.matrices: list[Slot] = []
        self.vectors: list[Slot] = []

    def matrix(self, name: str, *shape: int) -> Slot:
        # Starts are multiples of 8, so that rows of bfloat16 are aligned to 16 bytes as tensor cores want them.
        return _append(self.matrices, name, shape, -(-width(self.matrices) // 8) * 8)

    def vector(self, name: str, size: int) -> Slot:
        return _append(self.vectors, name, (size,), width(self.vectors))


def _append(slots: list[Slot], name: str, shape: tuple[int, ...], start: int) -> Slot:
    slots.append(Slot(name, shape, start))
    return slots[-1]


def width(slots: list[Slot]) -> int:
    """Columns that the slots take up."""
    return slots[-1].start + slots[-1].size if slots else 0


class Block:
    """master [models, size], what layers compute with, and gradients in the layers' type."""

    def __init__(self, models: int, size: int, dtype: torch.dtype, device: torch.device) -> None:
        size = -(-size // 64) * 64  # rows start where wide loads can
        full = torch.promote_types(dtype, torch.float32)
        self.master = torch.zeros(models, size, device=device, dtype=full)
        self.compute = self.master if dtype == full else torch.zeros(models, size, device=device, dtype=dtype)
        self.grad = torch.zeros(models, size, device=device, dtype=dtype)

    def refresh(self) -> None:
        """Rounds the master into what layers compute with."""
        if self.compute is not self.master:
            self.compute.copy_(self.master)


class Parameters:
    """The two blocks of a stack of models."""

    def __init__(self, layout: Layout, models: int, dtype: torch.dtype, device: torch.device) -> None:
        self.layout, self.models = layout, models
        self.matrices = Block(models, width(layout.matrices), dtype, device)
        self.vectors = Block(models, width(layout.vectors), torch.promote_types(dtype, torch.float32), device)

    @property
    def blocks(self) -> list[Block]:
        return [self.matrices, self.vectors]

    def refresh(self) -> None:
        for block in self.blocks:
            block.refresh()
