"""One convolution of every stacked model at once.

Activations are [B, models·C, H, W] in channels-last memory, that is [B, H, W, models, C]. Three implementations:
  grouped  the library's grouped convolution, one group per model
  bmm      patches as rows, then one batched matrix product over the models; strided views, so nothing is reordered
  triton   the kernels of conv_kernel.py, bfloat16 only
Weights are [models, out, kh, kw, in]. The weight gradient is written straight into the gradient block: the functions
take an anchor, a scalar that requires a gradient and never gets one, so that autograd visits the first layer too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F

from . import conv_kernel


@dataclass(frozen=True)
class Geometry:
    """Kernel side, stride and padding; models stacked in the channels."""

    models: int
    kernel: int
    stride: int
    padding: int

    def out(self, side: int) -> int:
        return (side + 2 * self.padding - self.kernel) // self.stride + 1


def patches(x: torch.Tensor, g: Geometry) -> torch.Tensor:
    """Rows for the matrix product: [models, B·Ho·Wo, kh·kw·C] as a view of [B·Ho·Wo, models, kh·kw·C].

    Columns are padded with zeros to a multiple of 8 where they are not (the first layer).
    """
    b, channels, h, w = x.shape
    c = channels // g.models
    x = x.permute(0, 2, 3, 1)
    if g.kernel == 1:
        rows = x[:, ::g.stride, ::g.stride].reshape(-1, g.models, c)
        return rows.transpose(0, 1)
    x = F.pad(x, (0, 0, g.padding, g.padding, g.padding, g.padding)).contiguous()
    dtype, wide = x.dtype, x.element_size() == 2 and c % 4 == 0
    if wide:  # copy four numbers at a time
        x = x.view(torch.int64)
        c //= 4
    ho, wo = g.out(h), g.out(w)
    sb, sh, sw = x.stride(0), x.stride(1), x.stride(2)
    view = x.as_strided(
        (b, ho, wo, g.models, g.kernel, g.kernel, c), (sb, sh * g.stride, sw * g.stride, c, sh, sw, 1)
    )
    size = g.kernel * g.kernel * c
    if size % 8 and not wide:
        rows = x.new_zeros(b * ho * wo, g.models, -(-size // 8) * 8)
        rows[..., :size].view(b, ho, wo, g.models, g.kernel, g.kernel, c).copy_(view)
    else:
        rows = view.reshape(b * ho * wo, g.models, size)
        if wide:
            rows = rows.view(dtype)
    return rows.transpose(0, 1)


def unpatch(rows: torch.Tensor, g: Geometry, shape: torch.Size) -> torch.Tensor:
    """The transpose of patches: adds [models, B·Ho·Wo, kh·kw·C] up into an activation of the given shape."""
    b, channels, h, w = shape
    c, ho, wo, p, s = channels // g.models, g.out(h), g.out(w), g.padding, g.stride
    rows = rows.transpose(0, 1).reshape(b, ho, wo, g.models, g.kernel, g.kernel, c)
    full = torch.promote_types(rows.dtype, torch.float32)
    x = torch.zeros((b, h + 2 * p, w + 2 * p, g.models, c), dtype=full, device=rows.device)
    for i in range(g.kernel):
        for j in range(g.kernel):
            x[:, i:i + s * ho:s, j:j + s * wo:s] += rows[:, :, :, :, i, j]
    return x[:, p:p + h, p:p + w].reshape(b, h, w, channels).to(rows.dtype).permute(0, 3, 1, 2)


def product(a: torch.Tensor, b: torch.Tensor, batch: int, h: int, w: int) -> torch.Tensor:
    """a @ b of [models, rows, ·] as an activation [batch, models·C, h, w], written in its memory order."""
    models, rows, c = a.shape[0], a.shape[1], b.shape[2]
    y = a.new_empty(rows, models, c)
    torch.bmm(a, b, out=y.transpose(0, 1))
    return y.view(batch, h, w, models * c).permute(0, 3, 1, 2)


class StackedConv(torch.autograd.Function):
    """The bmm implementation."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, anchor: torch.Tensor,  # type: ignore[override]
                weight: torch.Tensor, grad: torch.Tensor, g: Geometry) -> torch.Tensor:
        b, _, h, w = x.shape
        weight, grad, g = middle(x, weight, grad, g)
        rows = patches(x, g)
        ctx.save_for_backward(rows, weight)
        ctx.grad, ctx.g, ctx.shape, ctx.needs_x = grad, g, x.shape, x.requires_grad
        return product(rows, flat(weight, rows.shape[2]).transpose(1, 2), b, g.out(h), g.out(w))

    @staticmethod
    def backward(ctx: Any, dy: torch.Tensor) -> Any:  # type: ignore[override]
        rows, weight = ctx.saved_tensors
        g, shape = ctx.g, ctx.shape
        out, size = weight.shape[1], weight[0, 0].numel()
        d_rows = dy.permute(0, 2, 3, 1).reshape(-1, g.models, out).transpose(0, 1)
        if rows.shape[2] == size:
            torch.bmm(d_rows.transpose(1, 2), rows, out=flat(ctx.grad, size))
        else:
            ctx.grad.copy_(torch.bmm(d_rows.transpose(1, 2), rows)[..., :size].reshape(ctx.grad.shape))
        if not ctx.needs_x:
            return None, None, None, None, None
        if g.kernel == 1 and g.stride == 1:
            dx = product(d_rows, flat(weight, size), shape[0], shape[2], shape[3])
        elif g.stride == 1:  # a convolution of dy with the turned kernel
            turned = weight.flip(2, 3).permute(0, 2, 3, 1, 4).reshape(g.models, -1, weight.shape[4])
            back = Geometry(g.models, g.kernel, 1, g.kernel - 1 - g.padding)
            dx = product(patches(dy, back), turned, shape[0], shape[2], shape[3])
        else:
            dx = unpatch(torch.bmm(d_rows, flat(weight, size)), g, shape)
        return dx, None, None, None, None


def middle(x: torch.Tensor, weight: torch.Tensor, grad: torch.Tensor,
           g: Geometry) -> tuple[torch.Tensor, torch.Tensor, Geometry]:
    """On images of one pixel only the middle of a 3×3 kernel meets anything but padding: the 1×1 kernel to use."""
    if x.shape[2] == 1 and x.shape[3] == 1 and g.kernel == 3:
        return weight[:, :, 1:2, 1:2], grad[:, :, 1:2, 1:2], Geometry(g.models, 1, 1, 0)
    return weight, grad, g


def flat(weight: torch.Tensor, columns: int) -> torch.Tensor:
    """[models, out, kh·kw·in] of [models, out, kh, kw, in]: a view where memory allows, padded to the given columns."""
    if weight.shape[2] == 1 and weight.shape[3] == 1:
        return weight[:, :, 0, 0]
    weight = weight.view(*weight.shape[:2], -1)
    if weight.shape[2] < columns:
        weight = F.pad(weight, (0, columns - weight.shape[2]))
    return weight


class GroupedConv(torch.autograd.Function):
    """The library's grouped convolution."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, anchor: torch.Tensor,  # type: ignore[override]
                weight: torch.Tensor, grad: torch.Tensor, g: Geometry) -> torch.Tensor:
        kernel = weight.reshape(-1, *weight.shape[2:]).permute(0, 3, 1, 2)
        ctx.save_for_backward(x, kernel)
        ctx.grad, ctx.g, ctx.needs_x = grad, g, x.requires_grad
        return F.conv2d(x, kernel, stride=g.stride, padding=g.padding, groups=g.models)

    @staticmethod
    def backward(ctx: Any, dy: torch.Tensor) -> Any:  # type: ignore[override]
        x, kernel = ctx.saved_tensors
        g, grad = ctx.g, ctx.grad
        dx, dw, _ = torch.ops.aten.convolution_backward(
            dy, x, kernel, None, [g.stride] * 2, [g.padding] * 2, [1, 1], False, [0, 0], g.models,
            [ctx.needs_x, True, False])
        grad.copy_(dw.permute(0, 2, 3, 1).reshape(grad.shape))
        return dx, None, None, None, None


class KernelConv(torch.autograd.Function):
    """The Triton kernels."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, anchor: torch.Tensor,  # type: ignore[override]
                weight: torch.Tensor, grad: torch.Tensor, g: Geometry) -> torch.Tensor:
        weight, grad, g = middle(x, weight, grad, g)
        ctx.save_for_backward(x, weight)
        ctx.grad, ctx.g, ctx.needs_x = grad, g, x.requires_grad
        side = g.out(x.shape[2]), g.out(x.shape[3])
        return conv_kernel.conv(x, weight, side, g.stride, g.padding, transposed=False)

    @staticmethod
    def backward(ctx: Any, dy: torch.Tensor) -> Any:  # type: ignore[override]
        x, weight = ctx.saved_tensors
        g, dx = ctx.g, None
        conv_kernel.weight_gradient(x, dy, ctx.grad, g.stride, g.padding)
        if ctx.needs_x:
            side = x.shape[2], x.shape[3]
            dx = conv_kernel.conv(dy, weight.transpose(1, 4), side, g.stride, g.padding, transposed=True)
        return dx, None, None, None, None


IMPLEMENTATIONS = {"bmm": StackedConv, "grouped": GroupedConv, "triton": KernelConv}


def candidates(shape: tuple[int, ...], side: int, dtype: torch.dtype) -> list[str]:
    """The implementations worth timing for weights [out, kh, kw, in] on inputs of that side."""
    out, kernel, _, cin = shape
    return ["bmm", "grouped"] + ["triton"] * conv_kernel.supported(out, kernel, cin, side, dtype)
