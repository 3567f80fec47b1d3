"""Enough of Triton to run our kernels on the CPU, one program after the other, on NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

int64, float32, bfloat16 = np.int64, np.float32, "bfloat16"
constexpr = None
program: tuple[int, ...] = ()


class Tile(np.ndarray):
    """An array with Triton's to()."""

    def to(self, dtype: Any) -> Tile:
        if dtype == bfloat16:
            return tile(torch.from_numpy(np.asarray(self)).to(torch.bfloat16).float().numpy())
        return tile(self.astype(dtype))


class Number(int):
    def to(self, dtype: Any) -> int:
        return int(self)


class Pointer:
    """A place or an array of places in a tensor's memory."""

    def __init__(self, memory: torch.Tensor, at: Any = 0) -> None:
        self.memory, self.at = memory, at

    def __add__(self, offset: Any) -> Pointer:
        return Pointer(self.memory, self.at + offset)


def tile(values: Any) -> Tile:
    return np.asarray(values).view(Tile)


def program_id(axis: int) -> Number:
    return Number(program[axis])


def arange(start: int, end: int) -> Tile:
    return tile(np.arange(start, end))


def zeros(shape: Any, dtype: Any) -> Tile:
    return tile(np.zeros(shape, dtype))


def load(pointer: Pointer, mask: Any = None, other: float = 0.0) -> Any:
    at = np.asarray(pointer.at)
    mask = np.broadcast_to(True if mask is None else np.asarray(mask), at.shape)
    values = pointer.memory[torch.from_numpy(np.where(mask, at, 0))].float().numpy()
    values = np.where(mask, values, np.float32(other)).astype(np.float32)
    return tile(values) if at.ndim else values[()]


def store(pointer: Pointer, values: Any, mask: Any = None) -> None:
    at, values = np.broadcast_arrays(np.asarray(pointer.at), np.asarray(values))
    mask = np.broadcast_to(True if mask is None else np.asarray(mask), at.shape)
    pointer.memory[torch.from_numpy(at[mask])] = torch.from_numpy(values[mask]).to(pointer.memory.dtype)


def sum(values: Any, axis: int) -> Tile:
    return tile(np.asarray(values).sum(axis=axis, dtype=np.float32))


def where(condition: Any, a: Any, b: Any) -> Tile:
    return tile(np.where(condition, a, b))


def dot(a: Any, b: Any, acc: Any = None) -> Tile:
    product = np.asarray(a, np.float32) @ np.asarray(b, np.float32)
    return tile(product if acc is None else acc + product)


def trans(a: Any) -> Tile:
    return tile(np.asarray(a).T)


def cdiv(a: int, b: int) -> int:
    return -(-a // b)


def next_power_of_2(n: int) -> int:
    return 1 << (n - 1).bit_length()


class jit:
    """kernel[grid](…) runs all programs of the grid; tensors become pointers to their memory."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __getitem__(self, grid: tuple[int, ...]) -> Any:
        def launch(*args: Any, num_warps: int = 4, num_stages: int = 2, **constants: Any) -> None:
            global program
            pointers = [Pointer(memory_of(a)) if isinstance(a, torch.Tensor) else a for a in args]
            for program in np.ndindex(*grid):
                self.function(*pointers, **constants)

        return launch


def memory_of(x: torch.Tensor) -> torch.Tensor:
    """The memory from the tensor's first number on, as one row."""
    size = len(x.storage()) - x.storage_offset()
    return x.detach().as_strided((size,), (1,), x.storage_offset())
