"""What callers hand over: a plan, and the node that a rank is."""

from __future__ import annotations

import os
from typing import Optional, Union

from .checks import check
from .errors import SetupError
from .placement import find_node
from .plan_file import Plan
from .reader import read_plan

PlanLike = Union[str, "os.PathLike[str]", Plan]


def load(plan: PlanLike) -> Plan:
    """A plan from its file, or one that was made in Python; both are checked. An OSError becomes one that names the
    file too."""
    if isinstance(plan, Plan):
        check(plan)
        return plan
    if not isinstance(plan, (str, os.PathLike)):
        raise SetupError(f"the plan is a {type(plan).__name__}; give the name of its file, or what read_plan returned")
    try:
        return read_plan(plan)
    except OSError as error:
        raise SetupError(f"the plan cannot be read: {error}") from error


def seat(node: Union[int, str, None], plan: Plan) -> Optional[int]:
    """The number of the node that a rank claims, by number or by name; None where it claims none."""
    try:
        return find_node(node, plan.names, plan.nodes)
    except ValueError as error:
        raise SetupError(str(error)) from error
