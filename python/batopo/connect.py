"""How ranks agree before anything is exchanged, and the process group that is batopo's own."""

from __future__ import annotations

import contextlib
import warnings
from datetime import timedelta
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

import torch
import torch.distributed as dist

from .backward import replica
from .errors import BatopoError, HandshakeError, SetupError
from .fold import Folding
from .handshake import shake_hands
from .links import Gloo, Nccl, destroy_left
from .watch import Watch

_opened = 0


class Agreement:
    """Handshakes of one user of the engine, each with its own place in the store."""

    def __init__(self, timeout: float) -> None:
        if not dist.is_initialized():
            raise SetupError("call torch.distributed.init_process_group first, on every rank")
        global _opened
        _opened += 1
        self.store, self.prefix = dist.distributed_c10d._get_default_store(), f"batopo/{_opened}"
        self.rank, self.world, self.timeout = dist.get_rank(), dist.get_world_size(), timeout
        self._count = 0

    def agree(self, what: str, facts: Dict[str, Any]) -> Dict[str, Any]:
        """Returns the verdict, or raises on all ranks."""
        self._count += 1
        place = f"{self.prefix}/{what}/{self._count}"
        return shake_hands(self.store, place, self.rank, self.world, facts, self.timeout)

    def together(self, what: str, job: Callable[[], None], facts: Optional[Dict[str, Any]] = None) -> None:
        """Does a job on every rank and waits for the others'; what went wrong on one is raised on all."""
        problem: Optional[Exception] = None
        try:
            job()
        except Exception as error:
            problem = error
        try:
            self.agree(what, {**(facts or {}), "error": problem and f"{type(problem).__name__}: {problem}"})
        except BatopoError:
            if problem is not None:
                raise problem from None
            raise

    def compare_replicas(self, party: int, tensors: Sequence[torch.Tensor]) -> None:
        """Raises on all ranks where those of one party do not hold the same model."""
        self.agree("replica", {"replica": replica(party, tensors)})

    def open(self, what: str, facts: Dict[str, Any], local: Callable[[], Dict[str, Any]]) -> Dict[str, Any]:
        """The first handshake: local gives the rest of the facts, or raises what is wrong on this rank."""
        problem: Optional[BatopoError] = None
        try:
            if not self.timeout > 0:
                raise SetupError(f"timeout is {self.timeout}; it must be above 0 seconds")
            facts.update(local())
        except BatopoError as error:
            problem, facts["error"] = error, str(error)
        try:
            verdict = self.agree(what, facts)
        except BatopoError:
            if problem is not None:
                raise problem from None
            raise
        if self.rank == 0 and verdict["warning"]:
            warnings.warn(verdict["warning"], stacklevel=4)
        destroy_left()
        return verdict


def backend_for(device: torch.device) -> str:
    """nccl where the device and the default group use it, otherwise gloo."""
    return "nccl" if device.type == "cuda" and "nccl" in str(dist.get_backend()) else "gloo"


@contextlib.contextmanager
def connecting() -> Iterator[None]:
    """What torch says about ranks that do not meet becomes an error of this package."""
    try:
        yield
    except RuntimeError as error:
        raise HandshakeError("not all ranks connected after the handshake: one of them ended, or did not answer: "
                             f"{str(error).splitlines()[0]}") from error


def new_group(ranks: Optional[List[int]], backend: str, timeout: float) -> Any:
    """A process group of some ranks, or of all; all ranks make it."""
    with connecting():
        return dist.new_group(ranks, timedelta(seconds=timeout), backend)


def connect(agreement: Agreement, device: torch.device, backend: Optional[str], timeout: float,
            fold: bool = False) -> Any:
    """A process group of its own, in which all ranks have met."""
    backend = backend or backend_for(device)
    group = new_group(None, backend, timeout)
    with connecting():
        dist.all_reduce(torch.zeros(1, device=device if backend == "nccl" else "cpu"), group=group)
    watch = Watch(agreement.store, f"{agreement.prefix}/watch", agreement.rank, agreement.world)
    return (Nccl if backend == "nccl" else Folding if fold else Gloo)(group, watch, timeout)
