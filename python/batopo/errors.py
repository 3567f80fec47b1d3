"""What can go wrong, one class per thing that a caller may want to tell apart, or to silence."""

from __future__ import annotations

from typing import Optional, Tuple


class BatopoError(RuntimeError):
    """Everything that this package raises on purpose."""


class PlanError(BatopoError, ValueError):
    """A plan file that cannot be used, with the reason."""


class SetupError(BatopoError, ValueError):
    """Something about the optimizer, the model or an option that gossip cannot work with."""


class HandshakeError(BatopoError):
    """Ranks that do not agree; raised on all of them with the same text."""


class PeerError(BatopoError):
    """A peer that died or did not answer. `edge` holds the two ranks, the one that noticed first."""

    def __init__(self, message: str, edge: Optional[Tuple[int, int]] = None) -> None:
        super().__init__(message)
        self.edge = edge


class ProgramError(BatopoError):
    """What the program batopo said when it had no answer. `status` is its exit code; None: it could not be run."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status


class AdviceWarning(UserWarning):
    """A note that came with the plan, such as which learning rate it needs."""


class SizeWarning(UserWarning):
    """The model sends much more or less than the plan was made for, so the times that it predicts do not hold."""
