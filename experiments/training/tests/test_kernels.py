"""Triton kernels, run by a stand-in on the CPU, against plain operations."""

from dataclasses import replace

import pytest
import torch

from training import conv_kernel, selfcheck, step_kernel
from training.conv import IMPLEMENTATIONS, Geometry
from training.layout import Block
from training.network import Architecture, Shape
from training.optimizer import Optimizer
from training.settings import Entry

from . import fake_triton

BASE = Entry("base", nodes=5)
KINDS = [[BASE, replace(BASE, lr=0.1)], [BASE, replace(BASE, order="cta")],
         [replace(BASE, momentum="quasi-global")],
         [BASE, replace(BASE, momentum="quasi-global", order="cta"), replace(BASE, momentum="quasi-global")]]


class Blocks:
    """As much of Parameters as the optimizer uses."""

    def __init__(self, models: int, dtype: torch.dtype) -> None:
        self.vectors = Block(models, 300, dtype, torch.device("cpu"))
        self.blocks = [self.vectors]


@pytest.fixture
def triton(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (step_kernel, conv_kernel):
        monkeypatch.setattr(module, "tl", fake_triton)
        monkeypatch.setattr(module, "triton", fake_triton)
    monkeypatch.setattr(step_kernel, "KERNEL", fake_triton.jit(step_kernel.step_tile))
    monkeypatch.setattr(conv_kernel, "CONV", fake_triton.jit(conv_kernel.conv_tile))
    monkeypatch.setattr(conv_kernel, "WEIGHT", fake_triton.jit(conv_kernel.weight_tile))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("cells", KINDS, ids=lambda cells: " ".join(f"{c.momentum}-{c.order}" for c in cells))
def test_fused_step_equals_plain_operations(cells: list[Entry], dtype: torch.dtype, triton: None) -> None:
    results = []
    for fused in (False, True):
        gen = torch.Generator().manual_seed(5)
        parameters = Blocks(5 * len(cells), dtype)
        optimizer = Optimizer(cells, parameters, 2, fused)  # type: ignore[arg-type]
        block = parameters.vectors
        block.master.copy_(torch.randn(block.master.shape, generator=gen))
        optimizer.load_epoch(torch.rand(2, len(cells), 5, 5, generator=gen),
                             0.01 + torch.rand(2, len(cells), generator=gen))
        for t in (0, 1):
            block.grad.copy_(torch.randn(block.grad.shape, generator=gen))
            optimizer.step(torch.tensor([t]), mix=True)
        results.append((block.master, block.compute, optimizer.momentum[0]))
    for plain, fused_result in zip(*results):
        torch.testing.assert_close(fused_result, plain, rtol=1e-4, atol=1e-4 if plain.dtype == torch.float32 else 0.04)


def test_without_triton_it_says_so() -> None:
    optimizer = Optimizer([BASE], Blocks(5, torch.float32), 1, fused=True)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="needs Triton"):
        optimizer.step(torch.tensor([0]), mix=True)


@pytest.mark.parametrize("cin,cout,kernel,stride,side", [
    (16, 32, 3, 1, 5), (32, 16, 3, 2, 6), (16, 16, 3, 2, 5), (16, 32, 1, 2, 4), (128, 16, 3, 1, 1), (16, 256, 1, 1, 3)])
def test_convolution_kernels_equal_matrix_products(cin: int, cout: int, kernel: int, stride: int, side: int,
                                                   triton: None) -> None:
    models, batch, gen = 2, 3, torch.Generator().manual_seed(1)
    g = Geometry(models, kernel, stride, kernel // 2)
    block = torch.randn(models, cout * kernel * kernel * cin + 8, generator=gen).to(torch.bfloat16)
    x = torch.randn(batch, side, side, models * cin, generator=gen).to(torch.bfloat16)
    dy = torch.randn(batch, g.out(side), g.out(side), models * cout, generator=gen).to(torch.bfloat16)
    results = []
    for how, dtype in (("bmm", torch.float32), ("triton", torch.bfloat16)):
        weight = block.to(dtype)[:, 8:].view(models, cout, kernel, kernel, cin)
        grad = torch.zeros_like(block, dtype=dtype)[:, 8:].view(weight.shape)
        xs = x.to(dtype).permute(0, 3, 1, 2).requires_grad_()
        anchor = torch.zeros((), requires_grad=True)
        y = IMPLEMENTATIONS[how].apply(xs, anchor, weight, grad, g)
        dx, _ = torch.autograd.grad(y, [xs, anchor], dy.to(dtype).permute(0, 3, 1, 2), allow_unused=True)
        results.append((y.detach().float(), dx.float(), grad.float()))
    for name, want, got in zip(("y", "dx", "dw"), *results):  # equal up to rounding of the result
        torch.testing.assert_close(got, want, rtol=0.008, atol=1e-3, msg=lambda m: f"{name}: {m}")


def test_checks_pass_good_kernels_and_catch_bad_ones(triton: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "MODELS", 2)
    cpu = torch.device("cpu")
    conv = Architecture(Shape("resnet8", 16, "imagenet", "batch", 4)).convs["1.0.a"]
    assert selfcheck.step_problem(cpu, torch.bfloat16, nodes=3) == ""
    assert selfcheck.convolution_problem(conv, "triton", 2, cpu, torch.bfloat16) == ""
    monkeypatch.setattr(fake_triton, "sum", lambda values, axis: 1.001 * values.sum(axis=axis))
    monkeypatch.setattr(fake_triton, "dot", lambda a, b, acc: acc + 1.05 * (a @ b))
    assert "off by" in selfcheck.step_problem(cpu, torch.float32, nodes=3)
    assert "off by" in selfcheck.convolution_problem(conv, "triton", 2, cpu, torch.bfloat16)
    monkeypatch.delattr(fake_triton, "dot")
    assert "AttributeError" in selfcheck.convolution_problem(conv, "triton", 2, cpu, torch.bfloat16)
