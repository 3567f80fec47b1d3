"""Calls gossip before and after every step of an optimizer, whatever else has wrapped that step."""

from __future__ import annotations

import functools
import types
from typing import Any, Callable, Optional

import torch


HOOKED = "_batopo_hooked"


def _nothing(stepped: bool = True) -> None:
    """In place of what a run did."""


class StepHooks:
    """Works on the optimizer's own `step`, which torch 1.13 and 2.x have alike. A gradient scaler leaves a step out
    where it finds infinities; with the scaler known, a step counts on every rank whether it was left out or not."""

    def __init__(self, optimizer: torch.optim.Optimizer, scaler: Optional[Any], before: Callable[[], None],
                 after: Callable[[bool], None]) -> None:
        self._optimizer, self._before, self._after = optimizer, before, after
        self._stepped = False
        self._by_scaler = self._off = False
        self._wrap_step()
        if scaler is not None:
            self._wrap_scaler(scaler)

    def _wrap_step(self) -> None:
        original = self._optimizer.step

        @functools.wraps(original)
        def step(_: Any, *args: Any, **kwargs: Any) -> Any:
            self._stepped = True
            if self._by_scaler or self._off:
                return original(*args, **kwargs)
            self._before()
            result = original(*args, **kwargs)
            self._after(True)
            return result
        # A bound method, because learning-rate schedulers take it apart.
        setattr(self._optimizer, "step", types.MethodType(step, self._optimizer))
        setattr(self._optimizer, HOOKED, True)

    def _wrap_scaler(self, scaler: Any) -> None:
        original = scaler.step

        @functools.wraps(original)
        def step(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            if optimizer is not self._optimizer or self._off:
                return original(optimizer, *args, **kwargs)
            self._stepped, self._by_scaler = False, True
            try:
                self._before()
                result = original(optimizer, *args, **kwargs)
            finally:
                self._by_scaler = False
            self._after(self._stepped)
            return result
        scaler.step = step

    def remove(self) -> None:
        """From here on steps are the optimizer's own. What else has wrapped them meanwhile stays, and with it this;
        it keeps nothing of the run alive."""
        self._off = True
        self._before, self._after = _nothing, _nothing
        setattr(self._optimizer, HOOKED, False)
