"""What a backward pass looks at while gradients are averaged, and how its errors reach the caller.

torch makes a RuntimeError of whatever a hook or its future raises. So a hook keeps its error and gives its bucket back,
and the error itself is raised when the backward pass is over.
"""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence

import torch

from .blocks import finite, parameter_slot
from .errors import SetupError
from .subjects import digest

_ADVICE = ("Look at this rank's data, loss and learning rate. Where a GradScaler leaves such steps out, say so: "
           "attach(optimizer, plan, scaler, …) or batopo.ddp(…, on_nan='ignore')")
ON_NAN = ("raise", "ignore")


class Backward:
    """The backward passes of one model."""

    def __init__(self, links: Any, look: bool) -> None:
        """look: gradients with a NaN or an infinity are an error."""
        self.error: Optional[Exception] = None
        self.first: Optional[Callable[[], None]] = None  # called before the first bucket, once
        self._links, self._look = links, look
        self._passes, self._open = 0, False
        self._sums: List[torch.Tensor] = []  # of what was sent over NCCL, which the host does not wait for

    def enter(self) -> None:
        """Before each bucket: the first of a pass begins it."""
        if self._open:
            return
        self._open = True
        _queue(lambda: _queue(self._end))  # behind the callback of DistributedDataParallel
        if self.error is None:
            self._links.at = f"the gradients of backward pass {self._passes}"
            self.attempt(self._begin)

    def _begin(self) -> None:
        if self._links.batched:
            self._links.confirm()
            sums, self._sums = self._sums, []
            if sums and not finite(torch.stack(sums)):
                raise self._refusal(self._passes - 1, "were sent to all ranks; the step that followed is spoiled")
        if self.first is not None:
            first, self.first = self.first, None
            first()

    def attempt(self, job: Callable[[], Any]) -> Any:
        """What a job returns; its error is kept for the end of the pass."""
        try:
            return job()
        except Exception as error:
            self.error = error
            return None

    def _end(self) -> None:
        self._open, self._passes = False, self._passes + 1
        if self.error is not None:
            raise self.error

    def look(self, gradients: torch.Tensor) -> None:
        """Raises on all ranks where gradients that are about to be sent cannot be averaged."""
        if not self._look:
            return
        if self._links.batched:
            self._sums.append(gradients.sum(dtype=torch.float32))
        elif not finite(gradients):
            raise self._refusal(self._passes, "were not sent")

    def _refusal(self, number: int, fate: str) -> Exception:
        failure: Exception = self._links.fail(
            f"rank {self._links.watch.rank}: gradients have a NaN or an infinity in backward pass {number}; they "
            f"{fate}. {_ADVICE}")
        return failure


def replica(party: int, tensors: Sequence[torch.Tensor]) -> List[Any]:
    """What ranks of one party have to have alike: copies of one model."""
    return [party, digest([parameter_slot("", tensor) for tensor in tensors])]


def check_on_nan(on_nan: str) -> None:
    """Raises where the word is unknown."""
    if on_nan not in ON_NAN:
        raise SetupError(f"on_nan is {on_nan!r}; it must be one of {ON_NAN}")


def done(tensor: torch.Tensor) -> Any:
    """A future that has come already."""
    future: Any = torch.futures.Future(devices=[tensor.device] if tensor.device.type == "cuda" else None)
    future.set_result(tensor)
    return future


def _queue(callback: Callable[[], None]) -> None:
    """Calls back at the end of the backward pass in which this is called; there an exception stays what it is."""
    engine: Any = torch.autograd.Variable._execution_engine
    engine.queue_callback(callback)
