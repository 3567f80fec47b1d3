"""Train with a batopo plan on torch.distributed: gossip = batopo.attach(optimizer, "plan.json")."""

from .attach import attach
from .ddp import AllReduce, all_reduce, ddp
from .engine import Timing
from .errors import AdviceWarning, BatopoError, HandshakeError, PeerError, PlanError, SetupError, SizeWarning
from .gossip import Gossip
from .plan import Plan
from .reader import parse_plan, read_plan
from .trial_run import trial

__version__ = "0.1.0"
__all__ = ["AdviceWarning", "AllReduce", "BatopoError", "Gossip", "HandshakeError", "PeerError", "Plan", "PlanError",
           "SetupError", "SizeWarning", "Timing", "all_reduce", "attach", "ddp", "parse_plan", "read_plan", "trial"]
