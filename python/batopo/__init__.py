"""Train with a batopo plan on torch.distributed: gossip = batopo.attach(optimizer, "plan.json").

Only training needs torch. It is imported when a name that trains is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, List

from .errors import AdviceWarning, BatopoError, HandshakeError, PeerError, PlanError, SetupError, SizeWarning

if TYPE_CHECKING:
    from .attachment import attach
    from .checkpoint import export, load, save
    from .data_parallel import AllReduce, all_reduce, ddp
    from .engine import Timing
    from .gossip import Gossip
    from .plan_file import Plan
    from .reader import parse_plan, read_plan
    from .trial_run import trial

__version__ = "0.1.0"
__all__ = ["AdviceWarning", "AllReduce", "BatopoError", "Gossip", "HandshakeError", "PeerError", "Plan", "PlanError",
           "SetupError", "SizeWarning", "Timing", "all_reduce", "attach", "ddp", "export", "load", "parse_plan",
           "read_plan", "save", "trial"]

# Names that are imported on first use. No module but trial has the name of one: importing a module sets its name here.
_LATER = {"attach": "attachment", "export": "checkpoint", "load": "checkpoint", "save": "checkpoint",
          "AllReduce": "data_parallel", "all_reduce": "data_parallel", "ddp": "data_parallel", "Timing": "engine",
          "Gossip": "gossip", "Plan": "plan_file", "parse_plan": "reader", "read_plan": "reader", "trial": "trial_run"}


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
