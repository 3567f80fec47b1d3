"""What one run is: the entry of a queue file, with defaults and checks."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

IMAGE_SETS = ("cifar10", "cifar100", "synthetic")
READ_ONLY = {"net": "gpt", "momentum": "adam"}  # old results have them; package language trains GPTs now
CHOICES = {
    "net": ("resnet18", "resnet8", READ_ONLY["net"]),
    "stem": ("imagenet", "3x3"),
    "norm": ("batch", "group"),
    "momentum": ("local", "quasi-global", READ_ONLY["momentum"]),
    "order": ("atc", "cta"),
    "schedule": ("constant", "step", "cosine"),
    "sampling": ("reshuffle", "independent"),
    "share": ("dealt", "drawn"),
    "statistics": ("anew", "augmented", "nodes"),
    "bits": (16, 32),
}


@dataclass(frozen=True)
class Entry:
    """One run. Entries with the same shape() can share one stacked network."""

    name: str
    dataset: str = "cifar10"  # cifar100, synthetic
    net: str = "resnet18"
    width: int = 64  # channels of the first stage
    context: int = 128  # of old results with a GPT
    stem: str = "imagenet"  # 7×7 stride 2 and max pooling, or one 3×3 convolution
    norm: str = "batch"  # group: eight channels or more per group, at most 32 groups
    nodes: int = 16
    process: str = "ring"
    lazy: float = 1.0  # W becomes (1 − lazy) I + lazy W
    every: int = 1  # mix in every H-th iteration
    bits: int = 32  # 16: averages of parameters travel as bfloat16 (wires.py)
    order: str = "atc"
    momentum: str = "local"
    beta: float = 0.9
    beta2: float = 0.95  # of old results with AdamW
    weight_decay: float = 1e-4
    decay_vectors: bool = True  # also norms and biases
    lr: float = 0.05
    schedule: str = "constant"  # step: a tenth at 1/2 and again at 3/4 of the epochs
    epochs: int = 10
    batch: int = 32  # per node
    augment: bool = True
    margin: int = 4  # pixels that crops may move; 0: augmentation only flips
    skew: float | None = None  # Dirichlet parameter of the class shares; none: the same classes everywhere
    # Without skew: every image is at one node, or every node draws its images by itself, so that nodes have some in
    # common and others nobody has.
    share: str = "dealt"
    sampling: str = "reshuffle"
    seed: int = 1
    ema: float | None = None  # decay per iteration of a moving average of the averaged model
    # The averaged model's batch-norm statistics: estimated from plain images, or from images cropped and flipped
    # as in training, or means of the nodes' running ones.
    statistics: str = "anew"
    target: float = 0.84
    stop: bool = False  # the group ends when averaged and local models of all runs have reached the target

    def __post_init__(self) -> None:
        for field, allowed in CHOICES.items():
            if getattr(self, field) not in allowed:
                raise ValueError(f"{self.name}: {field} is {getattr(self, field)!r}; it must be one of {allowed}")
        for field in ("width", "nodes", "every", "epochs", "batch"):
            if getattr(self, field) < 1:
                raise ValueError(f"{self.name}: {field} is {getattr(self, field)}; it must be at least 1")
        if self.net not in READ_ONLY.values() and self.dataset not in IMAGE_SETS:
            raise ValueError(f"{self.name}: dataset is {self.dataset}; it must be one of {IMAGE_SETS}")
        if self.ema is not None and not 0 < self.ema < 1:
            raise ValueError(f"{self.name}: ema is {self.ema}; it must be between 0 and 1")
        if self.skew is not None and self.skew <= 0:
            raise ValueError(f"{self.name}: skew is {self.skew}; it must be positive")
        if self.skew is not None and self.share != "dealt":
            raise ValueError(f"{self.name}: share is {self.share!r}; with skew images are always 'dealt'")
        if self.bits == 16 and (self.momentum != "local" or " between " in self.process
                                or self.process == "exact" and self.lazy != 1):
            raise ValueError(f"{self.name}: bits is 16; that is simulated with local momentum, graphs and plain exact "
                             "averages only")
        if not 0 <= self.margin <= 4:
            raise ValueError(f"{self.name}: margin is {self.margin}; it must be in 0 … 4")

    def shape(self) -> tuple[Any, ...]:
        """What runs must have in common to be stacked."""
        return (self.dataset, self.net, self.width, self.stem, self.norm, self.nodes, self.batch,
                self.epochs, self.skew is None)  # an even share leaves a few images over

    def lr_at(self, step: int, steps: int) -> float:
        """The learning rate of iteration step out of steps in the whole run."""
        done = step / steps
        if self.schedule == "cosine":
            return self.lr * (1 + math.cos(math.pi * done)) / 2
        if self.schedule == "step":
            return self.lr * 0.1 ** ((done >= 0.5) + (done >= 0.75))
        return self.lr


def entry(fields: dict[str, Any], defaults: dict[str, Any] | None = None) -> Entry:
    """An entry from JSON fields on top of a file's defaults; an unknown field is an error."""
    merged = {**(defaults or {}), **fields}
    known = [f.name for f in dataclasses.fields(Entry)]
    unknown = sorted(set(merged) - set(known))
    if unknown:
        raise ValueError(f"entry {merged.get('name')!r}: unknown field {unknown[0]!r}; known: {', '.join(known)}")
    if "name" not in merged:
        raise ValueError(f"entry without a name: {merged}")
    return Entry(**merged)
