"""What was found, as a cluster.yaml (batopo.cluster/v2) with its spread in comments, and in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import AbstractSet, Dict, List, Optional, Sequence, Tuple

from .measure_cost import CLEAR, Cost
from .measure_find import Found, Shared, alike
from .measure_probe import Arc


@dataclass
class Result:
    """Everything that was measured."""

    names: List[str]
    found: Found
    latency_ms: Dict[Arc, float]
    pair_gb_s: Dict[Arc, float]
    message: Cost = Cost()  # besides latency and bytes
    call: Cost = Cost()  # of a collective, besides the messages of a ring
    message_mb: float = 0.0
    compute_ms: List[List[float]] = field(default_factory=list)  # per node, all samples
    seconds: float = 0.0
    megabytes: float = 0.0  # that the busiest node sent
    left_out: List[str] = field(default_factory=list)
    load: str = ""
    backend: str = "gloo"
    gpus: AbstractSet[str] = frozenset()  # names of the cards


def sentences(r: Result) -> List[str]:
    """The result in sentences for people."""
    f = r.found
    out = [f"{len(r.names)} nodes in {r.seconds:.0f} s; the busiest node sent {r.megabytes:.0f} MB"]
    if r.load:
        out.append(f"load of the machine meanwhile: {r.load}")
    for i, name in enumerate(r.names):
        out.append(f"link of {name}: {_rate(f.port[i], f.port_samples[i])}")
    for s in f.shared:
        out.append(f"{_several(r.names, s.nodes)} share an uplink: all at once they get "
                   f"{_rate(s.gb_s, s.spread)} out, where the links in use would carry {_number(s.ports_gb_s)} GB/s")
    if not f.shared:
        out.append("no shared uplink: exchanges at the same time did not slow each other")
    for (i, j), rate in sorted(f.slow_pairs.items()):
        out.append(f"{r.names[i]} and {r.names[j]} get only {_number(rate)} GB/s, alone too")
    if r.latency_ms:
        values = sorted(r.latency_ms.values())
        out.append(f"latency {median(values):.3f} ms one way ({values[0]:.3f} … {values[-1]:.3f})")
    for what, cost in (("message", r.message), ("call of a collective", r.call)):
        noise = "" if cost.believed else f", not written: below {CLEAR:g} errors it may be noise"
        out.append(f"a {what} costs {cost.ms:.4f} ms besides (standard error {cost.error:.4f}{noise})")
    if r.compute_ms:
        flat = sorted(v for samples in r.compute_ms for v in samples)
        out.append(f"computing a gradient, everybody at once: {median(flat):.2f} ms ({flat[0]:.2f} … {flat[-1]:.2f})")
    return out + [f"left out: {text}" for text in r.left_out]


def cluster_yaml(r: Result) -> str:
    """The file. Nodes keep the numbers of their ranks unless a group's ranks are apart; names say who is who."""
    lines = ["format: batopo.cluster/v2"]
    lines += ["# measured: " + text for text in sentences(r)]
    if r.found.slow_pairs:
        order = list(range(len(r.names)))
        body = _matrix(r)
    else:
        order, body = _tree(r)
    lines.append("names: [" + ", ".join(f'"{r.names[i]}"' for i in order) + "]")
    lines.append(f"backend: {r.backend}")
    if len(r.gpus) == 1 and any(r.gpus):
        lines.append(f'gpu: "{min(r.gpus)}"')
    costs = {"per_message_ms": r.message.believed, "per_collective_ms": r.call.believed}
    lines += [f"{name}: {_number(ms)}" for name, ms in costs.items() if ms > 0]
    return "\n".join(lines + body + _model(r, order)) + "\n"


def _model(r: Result, order: Sequence[int]) -> List[str]:
    lines = []
    if r.message_mb > 0:
        lines.append(f"  message_mb: {_number(r.message_mb)}")
    if r.compute_ms:
        each = [median(r.compute_ms[i]) for i in order]
        lines.append(f"  node_compute_ms: [{', '.join(_number(v) for v in alike(each))}]")
    return ["model:"] + lines if lines else []


def _tree(r: Result) -> Tuple[List[int], List[str]]:
    """Nodes in their groups; groups may lie in each other."""
    links = alike(r.found.port)
    inside = _latency(r, None)
    order: List[int] = []

    def leaves(nodes: Sequence[int], indent: str) -> List[str]:
        out: List[str] = []
        for rate in dict.fromkeys(links[i] for i in nodes):
            members = [i for i in nodes if links[i] == rate]
            order.extend(members)
            out.append(f"{indent}- {{name: {_label(r, members)}, nodes: {len(members)}, "
                       f"link: {_link(rate, inside / 2)}}}")
        return out

    def groups(nodes: Sequence[int], shared: Sequence[Shared], indent: str) -> List[str]:
        outer = [s for s in shared if not any(set(s.nodes) < set(t.nodes) for t in shared)]
        out: List[str] = []
        for s in outer:
            within = [t for t in shared if set(t.nodes) < set(s.nodes)]
            extra = max(0.0, _latency(r, s) - inside) / 2
            out.append(f"{indent}- name: {_label(r, s.nodes)}")
            out.append(f"{indent}  uplink: {_link(_rounded_to(s, r.found.shared), extra)}")
            out += [f"{indent}  groups:"] + groups(s.nodes, within, indent + "  ")
        rest = [i for i in nodes if not any(i in s.nodes for s in outer)]
        return out + leaves(rest, indent)
    body = groups(range(len(r.names)), r.found.shared, "    ")
    return order, ["tree:", "  groups:"] + body


def _rounded_to(s: Shared, every: Sequence[Shared]) -> float:
    """Uplinks that differ by little are written with one rate."""
    return alike([t.gb_s for t in every])[list(every).index(s)]


def _latency(r: Result, s: Optional[Shared]) -> float:
    """The median of pairs that cross an uplink; without one, of pairs that cross none (or of all)."""
    def crosses(pair: Arc, one: Shared) -> bool:
        return len(set(pair) & set(one.nodes)) == 1
    if s is None:
        chosen = [v for p, v in r.latency_ms.items() if not any(crosses(p, t) for t in r.found.shared)]
    else:
        chosen = [v for p, v in r.latency_ms.items() if crosses(p, s)]
    return median(chosen or list(r.latency_ms.values()) or [0.0])


def _matrix(r: Result) -> List[str]:
    """Pairs that are slow by themselves need the form with one rate per pair. It knows no uplinks."""
    n, links = len(r.names), alike(r.found.port)
    lines = [f"# not said below, a matrix knows no uplinks: the one of {_several(r.names, s.nodes)}, "
             f"{_number(s.gb_s)} GB/s" for s in r.found.shared]

    def rate(i: int, j: int) -> float:
        pair = (min(i, j), max(i, j))
        return 0.0 if i == j else r.found.slow_pairs.get(pair, min(links[i], links[j]))
    lines += ["matrix:", "  gb_s:"]
    lines += [f"    - [{', '.join(_number(rate(i, j)) for j in range(n))}]" for i in range(n)]
    lines.append(f"  port_gb_s: [{', '.join(_number(v) for v in links)}]")
    if r.latency_ms:
        lines.append("  latency_ms:")
        lines += [f"    - [{', '.join(_number(r.latency_ms.get((min(i, j), max(i, j)), 0.0)) for j in range(n))}]"
                  for i in range(n)]
    return lines


def _link(rate: float, latency_ms: float) -> str:
    return f"{{gb_s: {_number(rate)}, latency_ms: {_number(latency_ms)}}}"


def _label(r: Result, nodes: Sequence[int]) -> str:
    return '"' + _several(r.names, nodes) + '"'


def _several(names: Sequence[str], nodes: Sequence[int]) -> str:
    return names[nodes[0]] if len(nodes) == 1 else f"{names[nodes[0]]} … {names[nodes[-1]]} ({len(nodes)})"


def _rate(value: float, samples: Sequence[float]) -> str:
    return f"{_number(value)} GB/s ({_number(min(samples))} … {_number(max(samples))})"


def _number(value: float) -> str:
    """Four digits, never as 1e-05: the reader wants decimals."""
    text = f"{value:.4g}"
    return f"{value:.12f}".rstrip("0") if "e-" in text else str(float(text)) if "e" not in text else f"{value:.0f}"
