"""What one run is: the entry of a queue file, with defaults and checks."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Size:
    layers: int
    width: int
    heads: int


SIZES = {"tiny": Size(2, 64, 2), "small": Size(6, 384, 6), "medium": Size(8, 512, 8), "large": Size(12, 768, 12),
         "xl": Size(24, 1024, 16)}
CHOICES: dict[str, tuple[Any, ...]] = {
    "size": tuple(SIZES),
    "optimizer": ("adamw", "sgd"),
    "data": ("iid", "domains"),
    "bits": (1, 2, 4, 8, 16, 32),
    "stages": (1, 2),
    "state": ("", "m", "mv"),
}
LONGEST = 16384  # steps of a run: tables of this length lie on the device
ALIGN = 256  # numbers that share a scale on the wire; the numbers of a model are a multiple of it
CHUNK = 4096  # numbers of which the largest few are sent


@dataclass(frozen=True)
class Entry:
    """One run. Nodes are dealt into groups of neighbours; a group averages its gradients in every step."""

    name: str
    question: str = ""  # what it is part of; lr_from names one
    size: str = "small"
    nodes: int = 8
    idle: int = 0  # more nodes, which do nothing: what do the others reach alone?
    sequences: int = 16  # a node and step
    context: int = 256  # bytes of a sequence
    group: int = 1  # nodes: synchronous training (DDP)
    process: str = "exact"  # how parameters are averaged between groups: a name or a plan of training/processes.py
    every: int = 1  # H: steps from one exchange of parameters to the next
    ending: int = 0  # in that many last steps …
    ending_every: int = 1  # … parameters are exchanged every that many
    synchronous: int = 0  # all nodes average gradients in that many first steps
    delay: int = 0  # steps from an exchange to the use of its result
    outer_lr: float = 1.0  # of Nesterov's method on the averaged change (DiLoCo); 1 and 0: plain averaging
    outer_momentum: float = 0.0
    bits: int = 32  # 16: exchanged as bfloat16, of exact averages changes; fewer: changes with error feedback
    pieces: bool = False  # the numbers of a model in H equal parts, one of them exchanged after every step
    stages: int = 2  # below 16 bits: 1, all send their change to all; 2, an owner rounds the sum again
    top: int = 0  # of CHUNK numbers only that many, the largest, are sent
    keep: float = 1.0  # share of the error of rounding that is added to the next change
    state: str = ""  # which of Adam's moments are averaged with the parameters
    optimizer: str = "adamw"
    lr: float | None = 2e-3
    lr_from: str = ""  # without lr: the best rate of the finished runs with this question
    beta: float = 0.9
    beta2: float = 0.95
    weight_decay: float = 0.1  # of matrices
    clip: float = 1.0  # largest norm of the gradient of a group
    warmup: int = 100
    steps: int = 1500
    data: str = "iid"  # domains: nodes are dealt to the domains in blocks of neighbours
    seed: int = 1

    def __post_init__(self) -> None:
        for field, allowed in CHOICES.items():
            self._need(getattr(self, field) in allowed, f"{field} is {getattr(self, field)!r}, not one of {allowed}")
        for field in ("nodes", "sequences", "context", "group", "every", "ending_every", "steps"):
            self._need(getattr(self, field) >= 1, f"{field} is {getattr(self, field)}; it must be at least 1")
        self._need(self.nodes % self.group == 0, f"groups of {self.group} do not divide {self.nodes} nodes")
        self._need(0 <= self.delay <= self.every, f"delay is {self.delay}; it must be in 0 … every ({self.every})")
        self._need(0 <= self.synchronous <= self.steps, f"synchronous is {self.synchronous} of {self.steps} steps")
        left = self.steps - self.synchronous
        self._need(0 <= self.ending <= left, f"ending is {self.ending}; it must be in 0 … {left}")
        self._need(self.idle == 0 or self.replicas == 1, "only synchronous training may leave nodes idle")
        self._need(not (self.ending and self.delay), "with an ending nothing may be late")
        self._need(0 <= self.warmup < self.steps <= LONGEST, f"needs warmup < steps ≤ {LONGEST}")
        exact = self.process == "exact"
        self._need(exact or self.bits >= 16 and not self.pieces, "few bits and pieces are for exact averages only")
        self._need(not self.pieces or not (self.state or self.ending), "pieces know no moments and no ending")
        self._need(self.top == 0 or (self.bits, self.stages) == (2, 1) and 0 < self.top <= CHUNK,
                   f"the largest of {CHUNK} numbers are sent in 2 bits, to all")
        self._need(not (self.state and self.delay), "Adam's moments cannot be averaged late")
        self._need((self.lr is None) == bool(self.lr_from), "name either lr or lr_from")

    def _need(self, holds: bool, otherwise: str) -> None:
        if not holds:
            raise ValueError(f"{self.name}: {otherwise}")

    @property
    def replicas(self) -> int:
        """Models that differ between exchanges: one per group."""
        return self.nodes // self.group

    @property
    def wire(self) -> float:
        """Bytes of a message between models, relative to float32. A scale has 4 bytes; a place among CHUNK, 12 bits."""
        if self.top:
            return (self.top * (12 + self.bits) / 8 + 2 * 4) / (4 * CHUNK)
        return self.bits / 32 + (1 / ALIGN if self.bits < 16 else 0)

    def every_at(self, step: int) -> int:
        """H at step 1, 2, … of those that are not synchronous."""
        return self.every if step <= self.steps - self.synchronous - self.ending else self.ending_every

    def dense(self) -> Entry:
        """The synchronous run with the same rates, data and seed: its first steps are the synchronous start of this."""
        return Entry("", size=self.size, nodes=self.nodes, idle=self.idle, sequences=self.sequences,
                     context=self.context, group=self.nodes, optimizer=self.optimizer, lr=self.lr,
                     lr_from=self.lr_from, beta=self.beta, beta2=self.beta2, weight_decay=self.weight_decay,
                     clip=self.clip, warmup=self.warmup, steps=self.steps, data=self.data, seed=self.seed)

    def rates(self) -> list[float]:
        """The learning rate of every step: a linear warm-up, then a cosine down to 0."""
        assert self.lr is not None
        rising = [self.lr * (t + 1) / self.warmup for t in range(self.warmup)]
        left = self.steps - self.warmup
        return rising + [self.lr * (1 + math.cos(math.pi * t / left)) / 2 for t in range(left)]


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
