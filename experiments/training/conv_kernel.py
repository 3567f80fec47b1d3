"""Convolutions of all stacked models as Triton kernels that gather patches while they multiply.

The matrix products of conv.py first write every patch to memory, nine times the activations for a 3×3 kernel. These
kernels read activations [B, H, W, models, C] in place. A tile of conv_tile is BR positions × BO output channels of one
model; TRANSPOSED makes it the gradient with respect to the input: then "x" is dy and positions are those of the input.
Channels must be multiples of the tiles, so the first layer (three channels) is left to conv.py.
"""

from __future__ import annotations

from typing import Any

import torch

try:
    import triton
    import triton.language as tl
except ImportError:  # not there on machines without a GPU; tests put a stand-in in its place
    triton = tl = None


def conv_tile(x_ptr, w_ptr, y_ptr, models, rows, h, w, ho, wo, stride, padding, w_model, w_out, w_tap, w_in,
              KERNEL: tl.constexpr, C: tl.constexpr, OUT: tl.constexpr, BR: tl.constexpr, BO: tl.constexpr,
              BK: tl.constexpr, TRANSPOSED: tl.constexpr):
    """y [rows, models, OUT] of x [B, h, w, models, C]; rows = B·ho·wo; w_… are the strides of the weights."""
    r = tl.program_id(0) * BR + tl.arange(0, BR)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    model = tl.program_id(2).to(tl.int64)
    k = tl.arange(0, BK)
    b = r // (ho * wo)
    oy = (r // wo) % ho
    ox = r % wo
    acc = tl.zeros((BR, BO), dtype=tl.float32)
    for step in range(0, KERNEL * KERNEL * (C // BK)):
        tap = step // (C // BK)
        c = (step % (C // BK)) * BK + k
        if TRANSPOSED:
            ty = oy + padding - tap // KERNEL
            tx = ox + padding - tap % KERNEL
            inside = (ty >= 0) & (tx >= 0) & (ty % stride == 0) & (tx % stride == 0)
            iy = ty // stride
            ix = tx // stride
            inside = inside & (iy < h) & (ix < w) & (r < rows)
        else:
            iy = oy * stride + tap // KERNEL - padding
            ix = ox * stride + tap % KERNEL - padding
            inside = (iy >= 0) & (ix >= 0) & (iy < h) & (ix < w) & (r < rows)
        at = (((b * h + iy) * w + ix).to(tl.int64) * models + model) * C
        xs = tl.load(x_ptr + at[:, None] + c[None, :], mask=inside[:, None], other=0.0)
        ws = tl.load(w_ptr + model * w_model + o[None, :] * w_out + tap * w_tap + c[:, None] * w_in)
        acc = tl.dot(xs, ws, acc)
    out = (r.to(tl.int64) * models + model) * OUT
    tl.store(y_ptr + out[:, None] + o[None, :], acc.to(tl.bfloat16), mask=(r < rows)[:, None])


def weight_tile(x_ptr, dy_ptr, dw_ptr, models, rows, h, w, ho, wo, stride, padding, w_model, w_out, w_tap,
                KERNEL: tl.constexpr, C: tl.constexpr, OUT: tl.constexpr, BR: tl.constexpr, BO: tl.constexpr,
                BK: tl.constexpr):
    """The gradient of the weights: sums dy [rows, models, OUT] times patches of x over all positions."""
    tap = tl.program_id(0) // (C // BK)
    c = (tl.program_id(0) % (C // BK)) * BK + tl.arange(0, BK)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    model = tl.program_id(2).to(tl.int64)
    acc = tl.zeros((BO, BK), dtype=tl.float32)
    for start in range(0, rows, BR):
        r = start + tl.arange(0, BR)
        b = r // (ho * wo)
        iy = (r // wo) % ho * stride + tap // KERNEL - padding
        ix = r % wo * stride + tap % KERNEL - padding
        inside = (iy >= 0) & (ix >= 0) & (iy < h) & (ix < w) & (r < rows)
        at = (((b * h + iy) * w + ix).to(tl.int64) * models + model) * C
        xs = tl.load(x_ptr + at[:, None] + c[None, :], mask=inside[:, None], other=0.0)
        from_out = (r.to(tl.int64) * models + model) * OUT
        ds = tl.load(dy_ptr + from_out[:, None] + o[None, :], mask=(r < rows)[:, None], other=0.0)
        acc = tl.dot(tl.trans(ds), xs, acc)
    out = model * w_model + o[:, None] * w_out + tap * w_tap + c[None, :]
    tl.store(dw_ptr + out, acc.to(tl.bfloat16))


CONV: Any = triton.jit(conv_tile) if triton else None
WEIGHT: Any = triton.jit(weight_tile) if triton else None


def supported(out: int, kernel: int, cin: int, side: int, dtype: torch.dtype) -> bool:
    """Whether the kernels can compute this layer and have a chance: 1×1 kernels are plain matrix products."""
    possible = triton is not None and dtype == torch.bfloat16 and out % 64 == 0 and cin % 64 == 0
    return possible and kernel > 1 and side > 1


def _block(size: int, most: int) -> int:
    """The largest power of two that divides the size, at most so large."""
    return min(most, size & -size)


def conv(x: torch.Tensor, weight: torch.Tensor, side: tuple[int, int], stride: int, padding: int,
         transposed: bool) -> torch.Tensor:
    """[B, models·OUT, *side] in channels-last memory, as x is; weight [models, OUT, kh, kw, C], of any strides.

    transposed: x is the gradient of a convolution's output and the weight has its first and last dimension swapped.
    """
    models, out, kernel, _, c = weight.shape
    b, _, h, w = x.shape
    x = x.contiguous(memory_format=torch.channels_last)
    rows = b * side[0] * side[1]
    y = x.new_empty(b, *side, models * out)
    br, bo, bk = max(16, min(128, triton.next_power_of_2(rows))), _block(out, 128), _block(c, 64)
    grid = (triton.cdiv(rows, br), out // bo, models)
    CONV[grid](x, weight, y, models, rows, h, w, *side, stride, padding, weight.stride(0), weight.stride(1),
               weight.stride(3), weight.stride(4), KERNEL=kernel, C=c, OUT=out, BR=br, BO=bo, BK=bk,
               TRANSPOSED=transposed, num_warps=8 if br * bo >= 128 * 128 else 4, num_stages=3)
    return y.permute(0, 3, 1, 2)


def weight_gradient(x: torch.Tensor, dy: torch.Tensor, grad: torch.Tensor, stride: int, padding: int) -> None:
    """Writes the gradient into grad [models, OUT, kh, kw, C]."""
    models, out, kernel, _, c = grad.shape
    b, _, h, w = x.shape
    _, _, ho, wo = dy.shape
    rows = b * ho * wo
    x = x.contiguous(memory_format=torch.channels_last)
    dy = dy.contiguous(memory_format=torch.channels_last)
    bo, bk = _block(out, 128), _block(c, 64)
    br = max(16, min(64, triton.next_power_of_2(rows)))
    grid = (kernel * kernel * (c // bk), out // bo, models)
    WEIGHT[grid](x, dy, grad, models, rows, h, w, ho, wo, stride, padding, grad.stride(0), grad.stride(1),
                 grad.stride(3), KERNEL=kernel, C=c, OUT=out, BR=br, BO=bo, BK=bk, num_warps=4, num_stages=3)
