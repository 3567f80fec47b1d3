"""What is learned in net.headline: images of clothes, or the next character of a text. Both ask for one of some
classes, so that they differ in data, model and target alone."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path
from typing import Callable, Dict, NamedTuple, Tuple

import torch

Rows = Tuple[torch.Tensor, torch.Tensor]  # what is given, and the class that belongs to it
FASHION = Path("/usr/share/datasets/fashion-mnist")  # Debian's dataset-fashion-mnist
CONTEXT, LETTERS, TEST = 16, 1_000_000, 20_000


class Task(NamedTuple):
    """rows(rank, ranks): a rank's own data, and the test's."""

    rows: Callable[[int, int], Tuple[Rows, Rows]]
    model: Callable[[], torch.nn.Module]
    target: float  # share of the test that is right
    batch: int
    rate: float


def images(name: str, count: int) -> Rows:
    """The first of a file, as rows of 784 numbers around 0."""
    with gzip.open(FASHION / f"{name}-images-idx3-ubyte.gz") as file:
        pixels = torch.frombuffer(bytearray(file.read(16 + count * 784)[16:]), dtype=torch.uint8)
    with gzip.open(FASHION / f"{name}-labels-idx1-ubyte.gz") as file:
        labels = torch.frombuffer(bytearray(file.read(8 + count)[8:]), dtype=torch.uint8)
    return (pixels.view(count, 784).float() / 255 - 0.29) / 0.35, labels.long()


def _clothes(rank: int, ranks: int) -> Tuple[Rows, Rows]:
    x, y = images("train", 16000)
    return (x[rank::ranks], y[rank::ranks]), images("t10k", 2000)


def _perceptron() -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(784, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))


def letters(count: int) -> torch.Tensor:
    """The King James Bible, from Debian's bible-kjv and bible-kjv-text, as numbers of characters."""
    printed = subprocess.run(["bible", "-f", "gen1:1-rev22:21"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             check=True).stdout.decode()
    text = "\n".join(line.partition(" ")[2] for line in printed.splitlines())[:count]
    number = {c: k for k, c in enumerate(sorted(set(text)))}
    return torch.tensor([number[c] for c in text])


def _characters(rank: int, ranks: int) -> Tuple[Rows, Rows]:
    """Every rank has a stretch of the text of its own; the test is what follows the last one."""
    text = letters(LETTERS)
    size = (LETTERS - TEST) // ranks
    mine = text[rank * size:(rank + 1) * size].unfold(0, CONTEXT + 1, 1)
    test = text[-TEST:].unfold(0, CONTEXT + 1, 1)[::5]
    return (mine[:, :CONTEXT], mine[:, CONTEXT]), (test[:, :CONTEXT], test[:, CONTEXT])


def _character_model() -> torch.nn.Module:
    symbols = 64  # the text has 62
    return torch.nn.Sequential(torch.nn.Embedding(symbols, 16), torch.nn.Flatten(),
                               torch.nn.Linear(16 * CONTEXT, 128), torch.nn.ReLU(), torch.nn.Linear(128, symbols))


TASKS: Dict[str, Task] = {
    "clothes": Task(_clothes, _perceptron, target=0.80, batch=32, rate=0.05),
    "characters": Task(_characters, _character_model, target=0.43, batch=32, rate=0.1),
}
