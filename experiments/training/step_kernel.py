"""Step and mixing of optimizer.py in one pass over memory, as a Triton kernel.

Plain operations read and write the parameters about ten times an iteration, and an iteration of small images costs
little more than that. The kernel takes the tile [nodes, BLOCK] of one cell, reads parameters, momentum and gradients
once, and writes the new parameters, their rounded copy and the momentum once.
"""

from __future__ import annotations

from typing import Any

import torch

try:
    import triton
    import triton.language as tl
except ImportError:  # not there on machines without a GPU; tests put a stand-in in its place
    triton = tl = None

TILE = 1024  # numbers per program: more would not fit into the registers of one warp


def step_tile(x_ptr, copy_ptr, m_ptr, g_ptr, w_ptr, lr_ptr, beta_ptr, decay_ptr, after_ptr, quasi_ptr, size, n,
              NODES: tl.constexpr, BLOCK: tl.constexpr, COPY: tl.constexpr, ROWS: tl.constexpr, QUASI: tl.constexpr):
    """One tile; ROWS: some cell combines then adapts, or QUASI: some cell has quasi-global momentum (implies ROWS)."""
    cell = tl.program_id(1).to(tl.int64)
    cols = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    rows = tl.arange(0, NODES)
    inside = cols < size
    mask = (rows < n)[:, None] & inside[None, :]
    at = (cell * n + rows)[:, None] * size + cols[None, :]
    lr = tl.load(lr_ptr + cell)
    beta = tl.load(beta_ptr + cell)
    after = tl.load(after_ptr + cell)
    x = tl.load(x_ptr + at, mask=mask, other=0.0)
    m = tl.load(m_ptr + at, mask=mask, other=0.0)
    g = tl.load(g_ptr + at, mask=mask, other=0.0).to(tl.float32)
    d = beta * m + g + tl.load(decay_ptr + cell) * x
    y = x - lr * (1.0 - after) * d
    if not QUASI:
        tl.store(m_ptr + at, d, mask=mask)
    for i in range(0, n):
        weights = tl.load(w_ptr + (cell * n + i) * n + rows, mask=rows < n, other=0.0)
        new = tl.sum(weights[:, None] * y, axis=0)
        out = (cell * n + i) * size + cols
        if ROWS:
            mine = (rows == i)[:, None]
            d_i = tl.sum(tl.where(mine, d, 0.0), axis=0)
            new = new - lr * after * d_i
            if QUASI:
                x_i = tl.sum(tl.where(mine, x, 0.0), axis=0)
                m_i = tl.sum(tl.where(mine, m, 0.0), axis=0)
                u_i = beta * m_i + (1.0 - beta) * (x_i - new) / lr
                kept = tl.where(tl.load(quasi_ptr + cell) > 0, u_i, d_i)
                tl.store(m_ptr + out, kept, mask=inside)
        tl.store(x_ptr + out, new, mask=inside)
        if COPY:
            tl.store(copy_ptr + out, new.to(tl.bfloat16), mask=inside)


KERNEL: Any = triton.jit(step_tile) if triton else None


def fused_step(x: torch.Tensor, copy: torch.Tensor, momentum: torch.Tensor, grad: torch.Tensor, w: torch.Tensor,
               lr: torch.Tensor, beta: torch.Tensor, decay: torch.Tensor, after: torch.Tensor,
               quasi: torch.Tensor, some_after: bool, some_quasi: bool) -> None:
    """x, momentum float32, copy, grad [cells·n, size]; w [cells, n, n]; lr … quasi: one float32 per cell.

    some_after, some_quasi: whether any entry of after, of quasi is 1. copy is x itself where layers compute in float32.
    """
    if triton is None:
        raise RuntimeError("the fused step needs Triton, which is not installed")
    cells, n, _ = w.shape
    padded = max(2, triton.next_power_of_2(n))
    block = max(16, TILE // padded)
    grid = (triton.cdiv(x.shape[1], block), cells)
    KERNEL[grid](x, copy, momentum, grad, w, lr, beta, decay, after, quasi, x.shape[1], n, NODES=padded, BLOCK=block,
                 COPY=copy is not x, ROWS=some_after or some_quasi, QUASI=some_quasi, num_warps=1)
