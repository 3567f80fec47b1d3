"""What a plan tells the ranks to do. docs/formats.md explains every field; one convention holds everywhere:
W[i][j] is what node i multiplies with what it receives from node j."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

FORMAT = "batopo.plan/v4"
FEW_BITS = {"int8": 8, "int4": 4, "int2": 2, "int1": 1}  # wires of changes, with error feedback


@dataclass(frozen=True)
class Edge:
    """Undirected i–j with i < j, or the arc i→j: j receives from i."""

    i: int
    j: int
    weight: float


@dataclass(frozen=True)
class Round:
    """One W, and the share of the message that it averages."""

    part: float
    edges: Tuple[Edge, ...]
    self_weights: Tuple[float, ...]


@dataclass(frozen=True)
class Move:
    """The part [begin, end) of a chunk, which is [0, 1), goes to the target, which adds it to its own or takes it."""

    source: int
    target: int
    begin: float
    end: float
    add: bool


@dataclass(frozen=True)
class Collective:
    """One all-reduce over all nodes: along a ring (order), up and down a tree (parent), or in any steps. Each of
    some equal chunks of the message goes through the steps of a tree, or those listed, one behind the other."""

    algorithm: str
    order: Tuple[int, ...] = ()
    parent: Tuple[int, ...] = ()
    steps: Tuple[Tuple[Move, ...], ...] = ()
    chunks: int = 1


@dataclass(frozen=True)
class OuterStep:
    """An optimizer that takes the averaged change for a gradient: Nesterov's momentum."""

    learning_rate: float
    momentum: float


@dataclass(frozen=True)
class Phase:
    """A number of training steps, 0 for all that are left, with clocks of their own. Every 0 is synchronous: gradients
    of all nodes are averaged in every step."""

    steps: int
    every: int
    delay: int = 0


@dataclass(frozen=True)
class Plan:
    """The part of a plan that a training run needs, and the predicted time of each round where there is one."""

    nodes: int
    directed: bool = False
    kind: str = "gossip"
    every: int = 1
    order: str = "atc"
    overlap: bool = False
    rounds: Tuple[Round, ...] = ()
    collective: Optional[Collective] = None
    groups: Tuple[Tuple[int, ...], ...] = ()
    inside_gradients: bool = False
    average: str = "parameters"
    wire: str = ""  # numbers travel as they are
    pieces: int = 1  # parts of the message, averaged in turn
    batch_weights: Tuple[float, ...] = ()
    delay: int = 0
    outer: Optional[OuterStep] = None
    phases: Tuple[Phase, ...] = ()
    bucket_mb: float = 0.0  # of gradients; 0: the default of DistributedDataParallel
    library: bool = False  # the backend's own all-reduce is meant
    names: Tuple[str, ...] = ()
    hash: str = ""
    round_ms: Tuple[float, ...] = ()
    message_mb: float = 0.0  # for which round_ms was computed; 0 where the file has no question
    learning_rate: float = 0.0  # at which the answer holds, relative to the best one of DDP; 0: nothing is said of it

    @property
    def clocks(self) -> List[str]:
        """The clocks that are set."""
        return [name for name, set_ in (
            ("average", self.average != "parameters"), ("wire", bool(self.wire)), ("pieces", self.pieces > 1),
            ("batch_weights", bool(self.batch_weights)), ("inside.gradients", self.inside_gradients),
            ("delay", self.delay != 0), ("outer", self.outer is not None), ("phases", bool(self.phases)),
            ("bucket_mb", self.bucket_mb != 0), ("library", self.library)) if set_]

    @property
    def parties(self) -> int:
        """How many nodes, or groups of them, a round or a collective is among."""
        return len(self.groups) or self.nodes

    @property
    def period(self) -> int:
        """How many rounds there are before they repeat."""
        return max(1, len(self.rounds))

    @property
    def symmetric(self) -> bool:
        """Whether the rounds are symmetric matrices between nodes: what survives the loss of an edge."""
        return self.kind == "gossip" and not self.directed and not self.groups


def plan_hash(plan: Plan) -> str:
    """SHA-256 of what the plan does, line by line as docs/formats.md says."""
    lines = [f"{FORMAT} {plan.nodes} {_word(plan.directed)} {plan.kind} {plan.every} {plan.order} "
             f"{_word(plan.overlap)}"]
    lines += [f"name {name}" for name in plan.names]
    lines += [_line("group", group) for group in plan.groups]
    if plan.collective is not None:
        lines.append(f"collective {plan.collective.algorithm}")
        for word, numbers in (("order", plan.collective.order), ("parent", plan.collective.parent)):
            if numbers:
                lines.append(_line(word, numbers))
        lines += _step_lines(plan.collective)
    lines += _clock_lines(plan)
    for t, part in enumerate(plan.rounds):
        lines.append(f"round {t} {_bits(part.part)}")
        lines += [f"{e.i} {e.j} {_bits(e.weight)}" for e in part.edges]
        lines += [f"self {_bits(w)}" for w in part.self_weights]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def _step_lines(collective: Collective) -> List[str]:
    lines = [f"chunks {collective.chunks}"] if collective.chunks > 1 else []
    for step in collective.steps:
        lines.append("step")
        lines += [f"{m.source} {m.target} {_bits(m.begin)} {_bits(m.end)} {'add' if m.add else 'copy'}" for m in step]
    return lines


def _clock_lines(plan: Plan) -> List[str]:
    lines = [f"average {plan.average}"] if plan.average != "parameters" else []
    if plan.wire:
        lines.append(f"wire {plan.wire}")
    if plan.pieces > 1:
        lines.append(f"pieces {plan.pieces}")
    lines += [f"batch {_bits(w)}" for w in plan.batch_weights]
    if plan.inside_gradients:
        lines.append("inside gradients")
    if plan.delay:
        lines.append(f"delay {plan.delay}")
    if plan.outer is not None:
        lines.append(f"outer {_bits(plan.outer.learning_rate)} {_bits(plan.outer.momentum)}")
    lines += [f"phase {p.steps} {p.every} {p.delay}" for p in plan.phases]
    if plan.bucket_mb:
        lines.append(f"bucket {_bits(plan.bucket_mb)}")
    return lines + (["library"] if plan.library else [])


def _word(value: bool) -> str:
    return str(value).lower()


def _line(word: str, numbers: Sequence[int]) -> str:
    return " ".join([word, *map(str, numbers)])


def _bits(value: float) -> str:
    return struct.pack(">d", value).hex()


def matrices(plan: Plan) -> List[List[List[float]]]:
    """The dense W of every round: nodes × nodes, of a two-level plan groups × groups. For tests and small plans."""
    out = []
    for part in plan.rounds:
        w = [[0.0] * plan.parties for _ in range(plan.parties)]
        for i, weight in enumerate(part.self_weights):
            w[i][i] = weight
        for e in part.edges:
            w[e.j][e.i] = e.weight
            if not plan.directed:
                w[e.i][e.j] = e.weight
        out.append(w)
    return out
