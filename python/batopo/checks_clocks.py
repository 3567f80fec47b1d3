"""Refuses clocks of a plan that contradict each other or the rest of it, with the words of the Go program."""

from __future__ import annotations

from typing import List

from .errors import PlanError
from .plan_file import FEW_BITS, Phase, Plan

MAX_EVERY, MAX_PHASES, MAX_PHASE_STEPS = 1 << 16, 1 << 10, 1 << 40
MIN_BUCKET_MB, MAX_BUCKET_MB = 1e-3, 1e5


def check_clocks(plan: Plan) -> None:
    """Raises PlanError where what is averaged, how it travels and when it takes effect do not fit together."""
    _check_what(plan)
    _check_buckets(plan)
    _check_batch(plan)
    _check_when(plan)
    _check_outer(plan)
    _check_phases(plan)


def warnings_of(plan: Plan) -> List[str]:
    """What a user should know about a plan that can be run."""
    out = []
    if plan.outer is not None and (not plan.phases or plan.phases[0].every > 0):
        out = ["outer has no synchronous first phase: where it was measured, an outer optimizer from the first step "
               "on trained worse than none; let phases begin with every 0"]
    if plan.learning_rate and plan.average != "gradients":
        times = f"{plan.learning_rate:.3g} times " if plan.learning_rate != 1 else ""
        out.append(f"learning rate: {times}the best one of synchronous training (DDP)")
    return out


def _check_what(plan: Plan) -> None:
    if plan.average not in ("gradients", "parameters", "changes"):
        raise PlanError(f'average is "{plan.average}"; it must be "gradients", "parameters" or "changes"')
    if plan.wire not in ("", "bf16", "fp16", *FEW_BITS):
        raise PlanError(f'wire is "{plan.wire}"; it must be "fp32", "bf16", "fp16", "int8", "int4", "int2" or "int1"')
    if plan.average == "gradients" and plan.kind == "gossip":
        raise PlanError("average gradients needs kind collective: gossip would leave every node with another gradient")
    if plan.average == "gradients" and (plan.every != 1 or plan.groups or plan.delay or plan.outer is not None
                                        or plan.phases or plan.order != "atc"):
        raise PlanError("average gradients is done in every step, before the optimizer: every must be 1, the order "
                        "atc, and there is no inside, delay, outer or phases")
    if plan.average == "changes" and plan.kind == "gossip":
        raise PlanError("average changes needs kind collective: after gossip nodes have no common state to change from")
    if plan.wire in FEW_BITS and plan.average != "changes":
        raise PlanError(f"wire {plan.wire} needs average changes: what rounding takes off is added to the next change")
    if plan.pieces != 1 and plan.average != "changes":
        raise PlanError("pieces needs average changes: each piece is compared with what all nodes had of it")
    if plan.pieces < 1:
        raise PlanError(f"pieces is {plan.pieces}; it must be at least 1")


def _check_buckets(plan: Plan) -> None:
    if plan.average != "gradients":
        if plan.bucket_mb or plan.library:
            raise PlanError("bucket_mb and library need average gradients")
    elif plan.bucket_mb and not MIN_BUCKET_MB <= plan.bucket_mb <= MAX_BUCKET_MB:
        raise PlanError(f"bucket_mb is {plan.bucket_mb:.12g}; buckets have {MIN_BUCKET_MB:.12g} to "
                        f"{MAX_BUCKET_MB:.12g} MB")


def _check_batch(plan: Plan) -> None:
    weights = plan.batch_weights
    if not weights:
        return
    if plan.kind == "gossip":
        raise PlanError("batch_weights need kind collective: gossip averages all nodes with equal weight")
    if len(weights) != plan.nodes:
        raise PlanError(f"batch_weights has {len(weights)} entries for {plan.nodes} nodes")
    total = 0.0
    for i, w in enumerate(weights):
        if not w > 0:
            raise PlanError(f"batch_weights[{i}] is {w:.12g}; it must be above 0")
        total += w
    if not abs(total - 1) <= 1e-9:
        raise PlanError(f"batch_weights sum to {total:.12g}; they are shares of the batch and sum to 1")


def _check_when(plan: Plan) -> None:
    if plan.delay and plan.overlap:
        raise PlanError("delay and overlap exclude each other: overlap is a delay of one step")
    _check_delay("", plan.delay, plan.every, plan.pieces)
    timed = plan.average == "changes" or plan.inside_gradients or plan.delay or plan.phases
    if timed and plan.order != "atc":
        raise PlanError("order must be atc with average changes, inside.gradients, delay or phases: delay says how "
                        "late an average may come")
    for t, part in enumerate(plan.rounds):
        if timed and part.part != 1:
            raise PlanError(f"rounds[{t}].part must be 1 with inside.gradients, delay or phases")


def _check_delay(at: str, delay: int, every: int, pieces: int) -> None:
    if every % pieces:
        raise PlanError(f"{at}every is {every}, which pieces = {pieces} does not divide; each has its turn once in "
                        "every")
    if not 0 <= delay <= every:
        raise PlanError(f"{at}delay is {delay}; an average may be late by at most every = {every} steps")
    if delay > every // pieces:
        raise PlanError(f"{at}delay is {delay}; a piece may be late by at most every/pieces = {every // pieces} steps")


def _check_outer(plan: Plan) -> None:
    if plan.outer is None:
        return
    if plan.average != "changes":
        raise PlanError("outer needs average changes: it takes the averaged change for a gradient")
    if not 0 < plan.outer.learning_rate <= 2:
        raise PlanError(f"outer.learning_rate is {plan.outer.learning_rate:.12g}; it must be above 0 and at most 2")
    if not 0 <= plan.outer.momentum < 1:
        raise PlanError(f"outer.momentum is {plan.outer.momentum:.12g}; it must be at least 0 and below 1")


def _check_phases(plan: Plan) -> None:
    if not plan.phases:
        return
    if not 2 <= len(plan.phases) <= MAX_PHASES:
        raise PlanError(f"phases has {len(plan.phases)} entries; it must have 2 to {MAX_PHASES}, or be left out")
    last = plan.phases[-1]
    if last != Phase(0, plan.every, plan.delay):
        raise PlanError(f"the last of phases has steps {last.steps}, every {last.every} and delay {last.delay}; it "
                        "lasts until the end, so its steps are 0, and its every and delay are the plan's, "
                        f"{plan.every} and {plan.delay}")
    for k, phase in enumerate(plan.phases[:-1]):
        at = f"phases[{k}]."
        if not 1 <= phase.steps <= MAX_PHASE_STEPS:
            raise PlanError(f"{at}steps is {phase.steps}; all but the last phase have 1 to {MAX_PHASE_STEPS}")
        if phase.every == 0 and k > 0:
            raise PlanError(f"{at}every is 0; only the first phase may be synchronous")
        if not 0 <= phase.every <= MAX_EVERY:
            raise PlanError(f"{at}every is {phase.every}; a round follows every 1 to {MAX_EVERY} steps")
        if phase.every and phase.steps % phase.every:
            raise PlanError(f"{at}steps is {phase.steps}, which every = {phase.every} does not divide; a phase ends "
                            "with an average")
        _check_delay(at, phase.delay, phase.every, plan.pieces)
