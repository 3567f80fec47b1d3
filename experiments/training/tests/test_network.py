"""The stacked network against separate modules, and the two convolutions against each other."""

import pytest
import torch
import torch.nn.functional as F

from training.conv import IMPLEMENTATIONS, Geometry, patches
from training.network import Architecture, Shape, Stack

from .reference import ResNet8, as_module_order, copy_out, flat_slots, named

CPU = torch.device("cpu")


@pytest.mark.parametrize("conv", ["bmm", "grouped"])
@pytest.mark.parametrize("norm", ["batch", "group"])
@pytest.mark.parametrize("stem", ["imagenet", "3x3"])
def test_stack_equals_separate_modules(stem: str, norm: str, conv: str) -> None:
    models, batch, classes = 3, 5, 6
    stack = Stack(Architecture(Shape("resnet8", 8, stem, norm, classes)), models, CPU, torch.float64, conv)
    separate = [ResNet8(8, stem, norm, classes).double() for _ in range(models)]
    for i in range(models):
        stack.arch.initialise(stack.parameters, slice(i, i + 1), seed=i)
        copy_out(stack, i, separate[i])
    x, labels = torch.randn(models, batch, 3, 32, 32, dtype=torch.float64), torch.randint(classes, (batch, models))
    stacked = x.permute(1, 3, 4, 0, 2).reshape(batch, 32, 32, -1).permute(0, 3, 1, 2)
    losses = stack.loss(stacked, labels)
    for i, module in enumerate(separate):
        loss = F.cross_entropy(module(x[i]), labels[:, i])
        loss.backward()
        torch.testing.assert_close(losses[i], loss.detach(), rtol=1e-10, atol=1e-12)
        want = named(module)
        for slot, which in flat_slots(stack.arch):
            got = as_module_order(slot.of(stack.parameters.blocks[which].grad)[i])
            expected = want[slot.name].grad
            torch.testing.assert_close(got, expected, rtol=1e-8, atol=1e-12, msg=lambda m: f"{slot.name}: {m}")
    if norm == "batch":  # running statistics feed the test of local models
        stack.mode = "test"
        got = stack.logits(stacked)
        for i, module in enumerate(separate):
            torch.testing.assert_close(got[:, i], module.eval()(x[i]).detach(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("cin,cout,kernel,stride,side", [
    (3, 8, 7, 2, 32), (3, 8, 3, 1, 8), (8, 16, 3, 2, 8), (8, 16, 1, 2, 8), (8, 8, 3, 1, 4), (16, 32, 3, 2, 2),
    (8, 8, 3, 1, 1), (8, 4, 1, 1, 1)])
@pytest.mark.parametrize("how", ["bmm", "grouped"])
def test_convolution_equals_one_per_model(how: str, cin: int, cout: int, kernel: int, stride: int, side: int) -> None:
    models, batch = 3, 2
    g = Geometry(models, kernel, stride, kernel // 2)
    block = torch.randn(models, cout * kernel * kernel * cin + 8)  # rows longer than the weight, as in a block
    weight = block[:, 8:].view(models, cout, kernel, kernel, cin)
    grad = torch.zeros_like(block)[:, 8:].view(weight.shape)
    x = torch.randn(batch, side, side, models * cin).permute(0, 3, 1, 2).requires_grad_()
    anchor = torch.zeros((), requires_grad=True)
    y = IMPLEMENTATIONS[how].apply(x, anchor, weight, grad, g)
    dy = torch.randn_like(y)
    dx, _ = torch.autograd.grad(y, [x, anchor], dy, allow_unused=True)
    for i in range(models):
        w = weight[i].permute(0, 3, 1, 2).contiguous().requires_grad_()
        xi = x.detach()[:, i * cin:(i + 1) * cin].clone().requires_grad_()
        yi = F.conv2d(xi, w, stride=stride, padding=kernel // 2)
        part = slice(i * cout, (i + 1) * cout)
        torch.testing.assert_close(y[:, part], yi, rtol=1e-4, atol=1e-4)
        dxi, dwi = torch.autograd.grad(yi, [xi, w], dy[:, part].contiguous())
        torch.testing.assert_close(dx[:, i * cin:(i + 1) * cin], dxi, rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(grad[i].permute(0, 3, 1, 2), dwi, rtol=1e-4, atol=1e-3)


def test_bfloat16_patches_are_copied_in_words() -> None:
    g = Geometry(2, 3, 1, 1)
    x = torch.randn(2, 4, 4, 16).permute(0, 3, 1, 2)
    rounded = x.to(torch.bfloat16)
    torch.testing.assert_close(patches(rounded, g).float(), patches(rounded.float(), g), rtol=0, atol=0)


def test_collected_statistics_are_the_mean_over_batches() -> None:
    stack = Stack(Architecture(Shape("resnet8", 8, "3x3", "batch", 4)), 1, CPU, torch.float32)
    stack.arch.initialise(stack.parameters, slice(0, 1), seed=0)
    stack.mode = "collect"
    batches = [torch.randn(6, 3, 32, 32).contiguous(memory_format=torch.channels_last) for _ in range(3)]
    stack.reset_statistics()
    for x in batches:
        stack.logits(x)
    w = stack.arch.convs["stem"].slot.of(stack.parameters.matrices.master)[0].permute(0, 3, 1, 2)
    want = torch.stack([F.conv2d(x, w, padding=1).mean((0, 2, 3)) for x in batches]).mean(0)
    torch.testing.assert_close(stack.mean[:8], want, rtol=1e-4, atol=1e-5)
