"""What messages and calls cost besides bytes, from times of small ones. Times are in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median, quantiles
from typing import Sequence, Tuple

import torch

Point = Tuple[int, int]  # how many messages, and the bytes of each

POINTS: Tuple[Point, ...] = ((1, 8), (4, 8), (16, 8), (1, 4096), (4, 4096))
CLEAR = 3.0  # standard errors above 0: below that a cost may be noise
LEAST_MS = 1e-4  # clocks are not finer


@dataclass(frozen=True)
class Cost:
    """The median of what was seen, and its standard error."""

    ms: float = 0.0
    error: float = 0.0

    @classmethod
    def of(cls, values: Sequence[float]) -> "Cost":
        """The error comes from the quartiles: a few times that are far too long do not count."""
        low, _, high = quantiles(values, n=4)
        return cls(median(values), 1.2533 * (high - low) / 1.349 / len(values) ** 0.5)

    def beyond(self, base: "Cost", times: int) -> "Cost":
        """This cost less a number of base costs, with its error."""
        return Cost(self.ms - times * base.ms, (self.error ** 2 + (times * base.error) ** 2) ** 0.5)

    @property
    def believed(self) -> float:
        """The cost where it is clearly above 0, else 0."""
        return self.ms if self.ms > max(CLEAR * self.error, LEAST_MS) else 0.0


def per_message(points: Sequence[Point], times: Sequence[float]) -> float:
    """Fits latency + messages · cost + bytes / rate to times, each with the same relative error; returns the cost."""
    rows = [[1 / t, k / t, k * size / 4096 / t] for (k, size), t in zip(points, times)]
    fit = torch.linalg.lstsq(torch.tensor(rows, dtype=torch.float64), torch.ones(len(rows), 1, dtype=torch.float64))
    return float(fit.solution[1])
