"""Design topologies: batopo.optimize(nodes=16, edges=32). Train with a plan on torch.distributed:
gossip = batopo.attach(optimizer, "plan.json").

Names are imported on first use, so that only training needs torch."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, List

from .errors import (AdviceWarning, BatopoError, HandshakeError, PeerError, PlanError, ProgramError, SetupError,
                     SizeWarning)

if TYPE_CHECKING:
    from .ask import Answer, Design, compare, optimize, plan, topology, verify, weights
    from .attachment import attach
    from .checkpoint import export, load, save
    from .data_parallel import AllReduce, all_reduce, ddp
    from .engine import Timing
    from .gossip import Gossip
    from .plan_file import Plan
    from .reader import parse_plan, read_plan
    from .trial_run import trial

__version__ = "0.1.0"
__all__ = ["AdviceWarning", "AllReduce", "Answer", "BatopoError", "Design", "Gossip", "HandshakeError", "PeerError",
           "Plan", "PlanError", "ProgramError", "SetupError", "SizeWarning", "Timing", "all_reduce", "attach",
           "compare", "ddp", "export", "load", "optimize", "parse_plan", "plan", "read_plan", "save", "topology",
           "trial", "verify", "weights"]

# No module but trial has the name of one of these: importing a module sets its name here.
_LATER = {
    name: module for module, names in {
        "ask": "Answer Design compare optimize plan topology verify weights", "attachment": "attach",
        "checkpoint": "export load save", "data_parallel": "AllReduce all_reduce ddp", "engine": "Timing",
        "gossip": "Gossip", "plan_file": "Plan", "reader": "parse_plan read_plan", "trial_run": "trial",
    }.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(import_module(f".{_LATER[name]}", __name__), name)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise ModuleNotFoundError(f"batopo.{name} needs torch: pip install torch", name="torch") from error
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__})
