"""Train with a batopo plan on torch.distributed: gossip = batopo.attach(optimizer, "plan.json")."""

from .attach import attach
from .checkpoint import export, load, save
from .ddp import AllReduce, all_reduce, ddp
from .engine import Timing
from .errors import AdviceWarning, BatopoError, HandshakeError, PeerError, PlanError, SetupError, SizeWarning
from .gossip import Gossip
from .plan import Plan
from .reader import parse_plan, read_plan
from .trial_run import trial

__version__ = "0.1.0"
__all__ = ["AdviceWarning", "AllReduce", "BatopoError", "Gossip", "HandshakeError", "PeerError", "Plan", "PlanError",
           "SetupError", "SizeWarning", "Timing", "all_reduce", "attach", "ddp", "export", "load", "parse_plan",
           "read_plan", "save", "trial"]
