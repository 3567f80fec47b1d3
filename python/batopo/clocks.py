"""When things happen, and to whom: phases of a plan, and which ranks average gradients in every step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Tuple

from .errors import SetupError
from .plan_file import Phase, Plan

WIRES_16 = ("bf16", "fp16")


def phases(plan: Plan) -> Tuple[Phase, ...]:
    """All of them, with the steps from one round to the next; every 0: gradients of all nodes are averaged in every
    step, and nothing else is."""
    if plan.average == "gradients":
        return (Phase(0, 0, 0),)
    found = plan.phases or (Phase(0, plan.every, plan.delay),)
    return tuple(replace(phase, every=phase.every // plan.pieces) for phase in found)


def phase_at(plan: Plan, steps: int) -> Phase:
    """The phase of the next step, after that many steps."""
    for phase in phases(plan):
        if phase.steps == 0 or steps < phase.steps:
            return phase
        steps -= phase.steps
    raise AssertionError("the last phase has no end")


def averages_gradients(plan: Plan) -> bool:
    """Whether gradients are averaged at any time: inside groups, or over all nodes."""
    return plan.inside_gradients or any(phase.every == 0 for phase in phases(plan))


def is_late(plan: Plan) -> bool:
    """Whether averages are applied some steps after those they are of."""
    return any(phase.delay for phase in phases(plan))


def weight(plan: Plan, node: int) -> float:
    """The weight of a node, or of its group, in an all-reduce over the plan."""
    groups = plan.groups or tuple((i,) for i in range(plan.nodes))
    if not plan.batch_weights:
        return 1 / len(groups)
    return sum(plan.batch_weights[i] for group in groups if node in group for i in group)


def describe(plan: Plan, steps: int) -> str:
    """What is special about a plan after that many steps, in words."""
    words = []
    now = phase_at(plan, steps)
    if now.every == 0:
        words.append("gradients of all ranks in every step")
    elif plan.inside_gradients:
        words.append("gradients inside groups in every step")
    if plan.phases:
        words.append(f"step {steps} is in phase {phases(plan).index(now) + 1} of {len(plan.phases)}")
    if plan.pieces > 1:
        words.append(f"in {plan.pieces} pieces, one of them every {now.every} steps")
    if now.delay:
        words.append(f"{now.delay} steps late")
    if plan.outer is not None:
        words.append(f"outer step {plan.outer.learning_rate:g} with momentum {plan.outer.momentum:g}")
    return "".join(f", {word}" for word in words)


def check_options(plan: Plan, momentum: str, buffers: str, start: str, explicit: bool) -> None:
    """Raises where an option does not fit the clocks of a plan."""
    changes, late = plan.average == "changes", is_late(plan)
    if (changes or late) and (momentum != "local" or buffers == "mix"):
        raise SetupError(f"momentum {momentum!r} and buffers {buffers!r} do not fit a plan with average changes or "
                         "delay: those are of parameters alone. Use momentum='local' and buffers='average'")
    if changes and start == "keep":
        raise SetupError("start='keep' does not fit average changes: changes are added to what all nodes had in common")
    if explicit and (changes or late or any(phase.every == 0 for phase in phases(plan))):
        raise SetupError("explicit=True leaves step() alone, but average changes, delay, phases and gradients count "
                         "steps: leave explicit out")


def same_clocks(a: Plan, b: Plan) -> bool:
    """Whether a run may change from one plan to the other: what it keeps between averages is the same."""
    def kept(plan: Plan) -> Tuple[Any, ...]:
        return (plan.average, plan.wire, plan.pieces, plan.batch_weights, plan.groups if plan.inside_gradients else (),
                plan.outer, is_late(plan), plan.phases)
    return kept(a) == kept(b) and not a.phases
