"""What a trial leaves as it was, bit by bit: parameters, buffers, gradients, the optimizer and random numbers."""

from __future__ import annotations

import copy
import hashlib
from typing import Any, Iterator, List, Optional, Tuple

import torch


class Saved:
    """A copy of everything, in the host's memory."""

    def __init__(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self._model, self._optimizer = model, optimizer
        self._tensors = [(t, t.detach().to("cpu", copy=True)) for t in _tensors(model)]
        self._gradients: List[Tuple[torch.Tensor, Optional[torch.Tensor]]] = [
            (p, None if p.grad is None else p.grad.detach().to("cpu", copy=True)) for p in model.parameters()]
        self._state = {p: {key: _copied(value, "cpu") for key, value in kept.items()}
                       for p, kept in optimizer.state.items()}
        self._devices = {(p, key): value.device for p, kept in optimizer.state.items() for key, value in kept.items()
                         if isinstance(value, torch.Tensor)}
        self._options = [{key: copy.deepcopy(value) for key, value in group.items() if key != "params"}
                         for group in optimizer.param_groups]
        self._training = [(module, module.training) for module in model.modules()]
        self._random = torch.get_rng_state()
        self._cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []

    @torch.no_grad()
    def restore(self) -> None:
        """Puts everything back."""
        for tensor, kept in self._tensors:
            tensor.copy_(kept)
        for p, gradient in self._gradients:
            p.grad = None if gradient is None else gradient.to(p.device, copy=True)
        self._optimizer.state.clear()
        for q, values in self._state.items():
            self._optimizer.state[q] = {key: _copied(value, self._devices.get((q, key))) for key, value in
                                        values.items()}
        for group, options in zip(self._optimizer.param_groups, self._options):
            group.update(copy.deepcopy(options))
        for module, training in self._training:
            module.training = training
        torch.set_rng_state(self._random)
        if self._cuda:
            torch.cuda.set_rng_state_all(self._cuda)


def digest(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> str:
    """The same where model and optimizer hold the same bits."""
    known = hashlib.sha256()
    for tensor in _tensors(model):
        known.update(_bytes(tensor))
    for group in optimizer.param_groups:
        known.update(repr([(k, v) for k, v in sorted(group.items()) if k != "params"]).encode())
        for p in group["params"]:
            for key, value in sorted(optimizer.state.get(p, {}).items()):
                known.update(key.encode() + (_bytes(value) if isinstance(value, torch.Tensor)
                                             else repr(value).encode()))
    return known.hexdigest()


def _tensors(model: torch.nn.Module) -> Iterator[torch.Tensor]:
    yield from model.parameters()
    yield from model.buffers()


def _copied(value: Any, device: Any) -> Any:
    return value.detach().to(device, copy=True) if isinstance(value, torch.Tensor) else copy.deepcopy(value)


def _bytes(tensor: torch.Tensor) -> bytes:
    """The shape, type and bits of a tensor, to compare states exactly."""
    flat = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
    return f"{tuple(tensor.shape)} {tensor.dtype}".encode() + flat.numpy().tobytes()
