"""A panel of a picture: accuracy over epochs, with its grid and target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from . import svg
from .settings import Entry

TARGET = Entry.target


@dataclass(frozen=True)
class Panel:
    title: str
    left: float
    top: float
    wide: float
    high: float
    epochs: tuple[int, int]  # first and last
    accuracies: tuple[float, float]  # least and largest
    rows: tuple[float, ...]  # accuracies with a rule
    columns: tuple[int, ...]  # epochs with a number
    target_at: str = "start"  # where the target's name leaves room: start or end

    def place(self, epoch: float, accuracy: float) -> tuple[float, float]:
        (first, last), (low, highest) = self.epochs, self.accuracies
        return (self.left + self.wide * (epoch - first) / (last - first),
                self.top + self.high * (highest - accuracy) / (highest - low))

    def frame(self) -> list[str]:
        parts = [svg.text(self.left, self.top - 8, self.title, bold=True)]
        end = self.left + self.wide
        for row in self.rows:
            y = self.place(1, row)[1]
            parts += [svg.line(self.left, y, end, y), svg.text(self.left - 6, y + 4, f"{row:g}", "end", svg.MUTED, 11)]
        for k, epoch in enumerate(self.columns):
            x, words = self.place(epoch, 0)[0], f"{epoch}" if k else f"epoch {epoch}"
            parts.append(svg.text(x, self.top + self.high + 16, words, "middle", svg.MUTED, 11))
        y = self.place(1, TARGET)[1]
        x = self.left + 4 if self.target_at == "start" else end - 4
        return [*parts, svg.line(self.left, y, end, y, svg.MUTED, 1, "4 3"),
                svg.text(x, y - 4, f"{TARGET:.0%}".replace("%", " %"), self.target_at, svg.MUTED, 11)]

    def curve(self, places: Iterable[tuple[float, float]], colour: str, dashes: str = "") -> str:
        """Through pairs of epoch and accuracy, as far as they are inside."""
        (first, last), (low, highest) = self.epochs, self.accuracies
        inside = (self.place(e, a) for e, a in places if first <= e <= last and low <= a <= highest)
        return svg.curve(inside, colour, dashes=dashes)


def legend(names: Iterable[tuple[str, str, str]], y: float) -> list[str]:
    """One line of samples of curves: name, colour and dashes."""
    parts, x = [], 16.0
    for name, colour, dashes in names:
        parts += [svg.line(x, y - 4, x + 22, y - 4, colour, 2, dashes), svg.text(x + 28, y, name)]
        x += 28 + 6.6 * len(name) + 22
    return parts
