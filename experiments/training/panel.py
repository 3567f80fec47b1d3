"""Axes of a picture; a panel has accuracy over epochs, with its target."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from . import svg
from .settings import Entry

TARGET = Entry.target


@dataclass(frozen=True)
class Axes:
    """Where numbers lie in a picture, with a rule for some of them upwards and a word for some of them across."""

    title: str
    left: float
    top: float
    wide: float
    high: float
    across: tuple[float, float]  # first and last
    upwards: tuple[float, float]  # least and largest
    rows: tuple[float, ...]  # with a rule
    columns: tuple[float, ...]  # with a number

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.left + self.wide * self._share(x), self.top + self.high * self._depth(y)

    def _share(self, x: float) -> float:
        first, last = self.across
        return (x - first) / (last - first)

    def _depth(self, y: float) -> float:
        low, highest = self.upwards
        return (highest - y) / (highest - low)

    def word(self, column: float) -> str:
        return f"{column:g}"

    def frame(self) -> list[str]:
        parts = [svg.text(self.left, self.top - 8, self.title, bold=True)]
        end = self.left + self.wide
        for row in self.rows:
            y = self.place(self.across[0], row)[1]
            parts += [svg.line(self.left, y, end, y), svg.text(self.left - 6, y + 4, f"{row:g}", "end", svg.MUTED, 11)]
        for column in self.columns:
            x = self.place(column, self.upwards[0])[0]
            parts.append(svg.text(x, self.top + self.high + 16, self.word(column), "middle", svg.MUTED, 11))
        return parts

    def curve(self, places: Iterable[tuple[float, float]], colour: str, dashes: str = "") -> str:
        """Through pairs of numbers, as far as they are inside."""
        (first, last), (low, highest) = self.across, self.upwards
        inside = (self.place(x, y) for x, y in places if first <= x <= last and low <= y <= highest)
        return svg.curve(inside, colour, dashes=dashes)


@dataclass(frozen=True)
class LogAxes(Axes):
    """Logarithms across, and upwards too where steep."""

    steep: bool = False

    def _share(self, x: float) -> float:
        first, last = self.across
        return math.log(x / first) / math.log(last / first)

    def _depth(self, y: float) -> float:
        low, highest = self.upwards
        return math.log(highest / y) / math.log(highest / low) if self.steep else super()._depth(y)


@dataclass(frozen=True)
class Panel(Axes):
    """Accuracy over epochs, with the target."""

    target_at: str = "start"  # where the target's name leaves room: start or end
    target: float = TARGET

    def word(self, column: float) -> str:
        return f"{column}" if column != self.columns[0] else f"epoch {column}"

    def frame(self) -> list[str]:
        end, y = self.left + self.wide, self.place(1, self.target)[1]
        x = self.left + 4 if self.target_at == "start" else end - 4
        return [*super().frame(), svg.line(self.left, y, end, y, svg.MUTED, 1, "4 3"),
                svg.text(x, y - 4, f"{self.target:.0%}".replace("%", " %"), self.target_at, svg.MUTED, 11)]


def legend(names: Iterable[tuple[str, str, str]], y: float) -> list[str]:
    """One line of samples of curves: name, colour and dashes."""
    parts, x = [], 16.0
    for name, colour, dashes in names:
        parts += [svg.line(x, y - 4, x + 22, y - 4, colour, 2, dashes), svg.text(x + 28, y, name)]
        x += 28 + 6.6 * len(name) + 22
    return parts
