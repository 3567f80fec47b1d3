"""Refuses plans whose parts contradict each other or the format; the same rules as in Go."""

from __future__ import annotations

from typing import List, Sequence

from .errors import PlanError
from .exact import completed
from .checks_clocks import MAX_EVERY, check_clocks
from .plan_file import Collective, Move, Plan, Round

MAX_NODES, MAX_EDGES = 1 << 17, 1 << 20
MAX_STEPS, MAX_CHUNKS = 1 << 12, 1 << 10
MAX_WEIGHT = 1000  # up and down: beyond it sums of 1 are all rounding
SUM_TOLERANCE = 1e-12


def check(plan: Plan) -> None:
    """Raises PlanError where a plan cannot be run."""
    if not 2 <= plan.nodes <= MAX_NODES:
        raise PlanError(f"nodes is {plan.nodes}; a plan has between 2 and {MAX_NODES}")
    if plan.names and len(plan.names) != plan.nodes:
        raise PlanError(f"names has {len(plan.names)} entries for {plan.nodes} nodes")
    if len(set(plan.names)) != len(plan.names):
        raise PlanError("names has one name twice")
    for k, name in enumerate(plan.names):
        if not name.strip() or not name.isprintable():
            raise PlanError(f"names[{k}] is {name[:64]!a}; a name is printable text")
    for field, word, known in (("kind", plan.kind, ("gossip", "collective")), ("order", plan.order, ("atc", "cta"))):
        if word not in known:
            raise PlanError(f"{field} is {word!r}; it must be one of {known}")
    if not 1 <= plan.every <= MAX_EVERY:
        raise PlanError(f"every is {plan.every}; a round follows every 1 to {MAX_EVERY} steps")
    if plan.overlap and plan.order != "cta":
        raise PlanError("overlap needs order 'cta': what is averaged after a step cannot travel while it is computed")
    if plan.kind == "collective":
        if plan.rounds or plan.collective is None or (plan.groups and not plan.inside_gradients) or plan.directed:
            raise PlanError("a collective plan has a collective; it has no rounds, no directed edges, and groups "
                            "inside only with gradients")
    elif not plan.rounds or plan.collective is not None:
        raise PlanError("a gossip plan has rounds and no collective")
    if plan.groups:
        _check_groups(plan)
    if plan.collective is not None:
        _check_collective(plan.collective, plan.parties)
    check_clocks(plan)
    if sum(len(r.edges) for r in plan.rounds) > MAX_EDGES:
        raise PlanError(f"has more than {MAX_EDGES} edges")
    for t, part in enumerate(plan.rounds):
        _check_round(f"rounds[{t}]", part, plan.directed, plan.parties)


def _check_groups(plan: Plan) -> None:
    if len(plan.groups) < 2:
        raise PlanError(f"inside.groups has {len(plan.groups)} groups; the rounds are among at least 2")
    for k, group in enumerate(plan.groups):
        if len(group) != len(plan.groups[0]):
            raise PlanError(f"inside.groups[{k}] has {len(group)} nodes, group 0 has {len(plan.groups[0])}; "
                            "groups are of one size")
    if plan.inside_gradients and len(plan.groups[0]) < 2:
        raise PlanError("inside.gradients needs groups of at least 2 nodes")
    _permutation("inside.groups", [i for group in plan.groups for i in group], plan.nodes)


def _check_round(at: str, part: Round, directed: bool, parties: int) -> None:
    if part.part != 1:
        raise PlanError(f"{at}.part is {part.part:.17g}; it must be 1: this program knows rounds of whole messages")
    if len(part.self_weights) != parties:
        raise PlanError(f"{at}.self_weights has {len(part.self_weights)} entries for {parties} nodes")
    for w in (*part.self_weights, *(e.weight for e in part.edges)):
        if not abs(w) <= MAX_WEIGHT:
            raise PlanError(f"{at} has the weight {w:.12g}; weights are -{MAX_WEIGHT} to {MAX_WEIGHT}")
    rows, columns, entries = list(part.self_weights), list(part.self_weights), [0] * parties
    before = (-1, -1)
    for k, e in enumerate(part.edges):
        if min(e.i, e.j) < 0 or max(e.i, e.j) >= parties or e.i == e.j:
            raise PlanError(f"{at}.edges[{k}] joins {e.i} and {e.j}; nodes are 0 … {parties - 1}, and differ")
        if not directed and e.i > e.j:
            raise PlanError(f"{at}.edges[{k}] is {e.i}–{e.j}; an undirected plan lists the smaller node first")
        if (e.i, e.j) <= before:
            raise PlanError(f"{at}.edges[{k}] is {e.i}–{e.j}, which is out of order or listed twice")
        before = (e.i, e.j)
        rows[e.j] += e.weight
        columns[e.i] += e.weight
        if not directed:
            rows[e.i] += e.weight
            columns[e.j] += e.weight
        entries[e.i] += 1
        entries[e.j] += 1
    for what, sums in (("row", rows), ("column", columns)):
        for i, total in enumerate(sums):
            if not abs(total - 1) <= SUM_TOLERANCE * (2 + entries[i]):
                raise PlanError(f"{at}: {what} {i} of W sums to {total!r} instead of 1")


def _check_collective(collective: Collective, nodes: int) -> None:
    given = {"ring": bool(collective.order), "tree": bool(collective.parent), "steps": bool(collective.steps)}
    if any(has != (form == collective.algorithm) for form, has in given.items()):
        raise PlanError(f"collective.algorithm is {collective.algorithm!r}; it must be 'ring' with an order, 'tree' "
                        "with parents or 'steps' with steps, and nothing else")
    if not 1 <= collective.chunks <= (1 if collective.algorithm == "ring" else MAX_CHUNKS):
        raise PlanError(f"collective.chunks is {collective.chunks}; it must be 1 to {MAX_CHUNKS}, and a ring has none")
    if collective.algorithm == "ring":
        _permutation("collective.order", collective.order, nodes)
    elif collective.algorithm == "tree":
        _check_tree(collective.parent, nodes)
    else:
        _check_steps(collective.steps, nodes)


def _check_steps(steps: Sequence[Sequence[Move]], nodes: int) -> None:
    if len(steps) > MAX_STEPS or sum(map(len, steps)) > MAX_EDGES:
        raise PlanError(f"collective.steps has more than {MAX_STEPS} steps or {MAX_EDGES} transfers")
    for s, step in enumerate(steps):
        if not step:
            raise PlanError(f"collective.steps[{s}] is empty; leave it out")
        for k, m in enumerate(step):
            if min(m.source, m.target) < 0 or max(m.source, m.target) >= nodes or m.source == m.target:
                raise PlanError(f"collective.steps[{s}][{k}] goes from {m.source} to {m.target}; nodes are "
                                f"0 … {nodes - 1}, and differ")
            if not 0 <= m.begin < m.end <= 1:
                raise PlanError(f"collective.steps[{s}][{k}] sends the part from {m.begin} to {m.end}; parts lie "
                                "between 0 and 1, and end after they begin")
        _check_order(s, step)
    left_out = set(range(nodes)).difference(i for step in steps for m in step for i in (m.source, m.target))
    if left_out:
        raise PlanError(f"collective.steps leave out node {min(left_out)}")
    completed(steps, nodes)


def _check_order(s: int, step: Sequence[Move]) -> None:
    """Refuses a part that is replaced and changed otherwise too: what is left would depend on the order."""
    target, added, replaced = -1, 0.0, 0.0
    for m in sorted(step, key=lambda m: (m.target, m.begin)):
        if m.target != target:
            target, added, replaced = m.target, 0.0, 0.0
        if m.begin < replaced or (not m.add and m.begin < added):
            raise PlanError(f"collective.steps[{s}] replaces the part from {m.begin} on at node {m.target}, which gets "
                            "it twice; only parts that are added may come together")
        if m.add:
            added = max(added, m.end)
        else:
            replaced = max(replaced, m.end)


def _check_tree(parent: Sequence[int], nodes: int) -> None:
    if len(parent) != nodes:
        raise PlanError(f"collective.parent has {len(parent)} entries for {nodes} nodes")
    children: List[List[int]] = [[] for _ in range(nodes)]
    for i, up in enumerate(parent):
        if not -1 <= up < nodes:
            raise PlanError(f"collective.parent[{i}] is {up}; parents are 0 … {nodes - 1}, and −1 above the root")
        if up >= 0:
            children[up].append(i)
    reached = [i for i, up in enumerate(parent) if up < 0]
    roots = len(reached)
    for i in reached:
        reached.extend(children[i])
    if roots != 1 or len(reached) != nodes:
        raise PlanError("collective.parent is no tree: it must lead from every node to the one whose parent is −1")
    depth = [0] * nodes
    for i in reached[1:]:  # parents come before their children
        depth[i] = depth[parent[i]] + 1
    if 2 * max(depth) > MAX_STEPS:
        raise PlanError(f"collective.parent is a tree of more than {MAX_STEPS // 2} levels; that is too many")


def _permutation(field: str, numbers: Sequence[int], nodes: int) -> None:
    seen = set()
    for i in numbers:
        if not 0 <= i < nodes or i in seen:
            raise PlanError(f"{field} names node {i} twice or there is no such node; it must name each of "
                            f"0 … {nodes - 1} once")
        seen.add(i)
    if len(seen) != nodes:
        raise PlanError(f"{field} names {len(seen)} of {nodes} nodes; it must name each once")
