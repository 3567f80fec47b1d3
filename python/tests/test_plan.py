"""Plans are read as the Go program reads them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Dict

import pytest

from batopo import PlanError, SetupError, fewbits, parse_plan, read_plan
from batopo.attachment import load
from batopo.checks_clocks import warnings_of
from batopo.clocks import describe, phases
from batopo.data_parallel import Averaging
from batopo.plan_file import FORMAT, Collective, Edge, Move, OuterStep, Phase, Plan, Round, matrices, plan_hash
from batopo.stages import rank_table
from plans import ROOT, all_kinds, sealed

TESTDATA = ROOT / "design/testdata"
VECTORS = sorted((ROOT / "format/exporter/testdata/ranks").glob("*.json"))
FILES = sorted([*TESTDATA.glob("[!b]*.json"), *(ROOT / "experiments/training/plans").glob("*.json"),
                *(ROOT / "experiments/training/tests/testdata").rglob("*.json")])


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_files_of_the_repository_are_read_with_their_hash(path: Path) -> None:
    plan = read_plan(path)
    assert plan.hash == json.loads(path.read_text())["hash"]


@pytest.mark.parametrize("path", VECTORS, ids=lambda p: p.name)
def test_vectors_for_other_languages(path: Path) -> None:
    vector = json.loads(path.read_text())
    plan = parse_plan(json.dumps(vector["plan"]).encode())
    assert plan.hash == vector["ranks"]["hash"]
    x = vector["start"]
    for t, part in enumerate(vector["ranks"]["rounds"]):
        y = []
        for node, theirs in enumerate(part["ranks"]):
            mine = rank_table(plan, node)[t]
            steps = theirs["steps"]
            assert abs(mine.self_weight - theirs["self_weight"]) <= 1e-12
            assert sorted(mine.receives) == sorted((s["recv_from"], s["weight"]) for s in steps
                                                   if s["recv_from"] is not None)
            assert sorted(mine.sends) == sorted(s["send_to"] for s in steps if s["send_to"] is not None)
            y.append(mine.self_weight * x[node] + sum(w * x[j] for j, w in mine.receives))
        x = y
    assert x == pytest.approx(vector["end"], abs=1e-12)
    assert len(VECTORS) == 3


def as_json(plan: Plan) -> Dict[str, Any]:
    out: Dict[str, Any] = {
        "format": FORMAT, "nodes": plan.nodes, "kind": plan.kind, "directed": plan.directed, "every": plan.every,
        "order": plan.order, "overlap": plan.overlap, "hash": plan.hash,
        "rounds": [{"part": r.part, "edges": [{"i": e.i, "j": e.j, "weight": e.weight} for e in r.edges],
                    "self_weights": list(r.self_weights)} for r in plan.rounds]}
    if plan.groups:
        out["inside"] = {"groups": [list(g) for g in plan.groups]}
    if plan.collective:
        c = plan.collective
        out["collective"] = {
            "algorithm": c.algorithm, "order": list(c.order), "parent": list(c.parent), "chunks": c.chunks,
            "steps": [[{"from": m.source, "to": m.target, "begin": m.begin, "end": m.end, "add": m.add} for m in step]
                      for step in c.steps]}
    return out


@pytest.mark.parametrize("name, plan", all_kinds(8), ids=lambda v: v if isinstance(v, str) else "")
def test_every_kind_goes_through_a_file(name: str, plan: Plan) -> None:
    plan = sealed(replace(plan, every=3, order="cta", overlap=True))
    again = parse_plan(json.dumps(as_json(plan)).encode())
    assert again == plan, name


def test_a_byte_order_mark_is_skipped() -> None:
    plan = all_kinds(8)[0][1]
    assert parse_plan(b"\xef\xbb\xbf" + json.dumps(as_json(plan)).encode()) == plan


def test_hash_covers_what_a_plan_does() -> None:
    plan = all_kinds(8)[0][1]
    others = [replace(plan, every=2), replace(plan, order="cta"), replace(plan, overlap=True),
              replace(plan, directed=True), replace(plan, names=tuple("abcdefgh")),
              replace(plan, names=tuple("bacdefgh")), replace(plan, rounds=plan.rounds * 2),
              replace(plan, groups=((0, 1), (2, 3))), replace(plan, average="changes"), replace(plan, wire="bf16"),
              replace(plan, batch_weights=(0.25,) * 4), replace(plan, inside_gradients=True), replace(plan, delay=1),
              replace(plan, outer=OuterStep(0.7, 0.9)), replace(plan, phases=(Phase(5, 0), Phase(0, 1)))]
    assert len({plan_hash(p) for p in [plan, *others]}) == 1 + len(others)


def edit(change: Callable[[Dict[str, Any]], Any]) -> bytes:
    value = as_json(all_kinds(4)[0][1])
    change(value)
    return json.dumps(value).encode()


def star(change: Callable[[Dict[str, Any]], Any]) -> bytes:
    """Four nodes send to node 0, which hands the sum back."""
    steps = tuple(tuple(Move(i, 0, 0.0, 1.0, True) if up else Move(0, i, 0.0, 1.0, False) for i in (1, 2, 3))
                  for up in (True, False))
    value = as_json(sealed(Plan(4, kind="collective", collective=Collective("steps", steps=steps))))
    change(value["collective"])
    return json.dumps(value).encode()


@pytest.mark.parametrize("source, words", [
    (b"\xef\xbb\xbf\xef\xbb\xbf{}", "not the JSON"),
    (b"{", "not the JSON"),
    (b"[]", "must be an object"),
    (b'{"format": "batopo.plan/v1"}', "'batopo.plan/v1'; this package reads 'batopo.plan/v4': make the plan again"),
    (b'{"format": "batopo.plan/v3"}', "'batopo.plan/v3'; this package reads 'batopo.plan/v4': make the plan again"),
    (b'{"nodes": 1, "nodes": 2}', "given twice"),
    (b'{"nodes": NaN}', "NaN"),
    (edit(lambda p: p.update(Nodes=4)), "unknown key 'Nodes'"),
    (edit(lambda p: p.update(nodes=4.0)), "whole number"),
    (edit(lambda p: p.update(nodes=None)), "whole number"),
    (edit(lambda p: p.update(nodes=1)), "between 2"),
    (edit(lambda p: p.update(every=0)), "every is 0"),
    (edit(lambda p: p.update(order="act")), "order is 'act'"),
    (edit(lambda p: p.update(kind="")), "kind is ''"),
    (edit(lambda p: p.update(overlap=True)), "overlap needs order 'cta'"),
    (edit(lambda p: p.update(names=["a"])), "1 entries for 4"),
    (edit(lambda p: p.update(names=["a", "b", "c", "d\nname e"])), "names[3] is 'd\\nname e'; a name is"),
    (edit(lambda p: p.update(names=["a", "b", "c", "\ud800"])), "a name is printable text"),
    (edit(lambda p: p.update(names=["a", "b", "c", "d"])), "changed after it was written"),
    (edit(lambda p: p.update(rounds=[])), "has rounds"),
    (edit(lambda p: p.update(collective={"algorithm": "ring"})), "no collective"),
    (edit(lambda p: p.update(inside={"groups": [[0, 1], [1, 2]]})), "once"),
    (edit(lambda p: p.update(inside={"groups": []})), "at least 2"),
    (edit(lambda p: p["rounds"][0].update(part=1.5)), "part is 1.5; it must be 1"),
    (edit(lambda p: p["rounds"][0]["self_weights"].__setitem__(0, 1e15)), "has the weight 1e+15; weights are -1000"),
    (edit(lambda p: p["rounds"][0].update(part=1 - 2 ** -53)), "part is 0.9999999999999998"),
    (edit(lambda p: p["rounds"][0].update(part=0.125)).replace(b"0.125", b"1e400"), "part is inf"),
    (edit(lambda p: p["rounds"][0].update(part=10 ** 400)), "part is inf"),
    (edit(lambda p: p["rounds"][0]["edges"][0].update(j=9)), "joins 0 and 9"),
    (edit(lambda p: p["rounds"][0]["edges"][0].update(weight=0.5)), "sums to"),
    (edit(lambda p: p["rounds"][0]["edges"].reverse()), "out of order"),
    (edit(lambda p: p["rounds"][0]["edges"][0].update(w=1)), "unknown key"),
    (edit(lambda p: p["rounds"][0]["self_weights"].pop()), "3 entries for 4"),
    (edit(lambda p: p.update(hash="0" * 64)), "hash is '0000"),
    (edit(lambda p: p.update(every=2)), "changed after it was written"),
    (edit(lambda p: p.update(kind="collective", rounds=[], collective={"algorithm": "tree", "parent": [1, 0, 0, 0]})),
     "no tree"),
    (edit(lambda p: p.update(nodes=3000, kind="collective", rounds=[],
                             collective={"algorithm": "tree", "parent": list(range(-1, 2999))})), "2048 levels"),
    (edit(lambda p: p.update(kind="collective", rounds=[], collective={"algorithm": "ring", "order": [0, 1]})), "once"),
    (star(lambda c: c.update(chunks=5000)), "chunks is 5000"),
    (star(lambda c: c.update(order=[0, 1, 2, 3])), "nothing else"),
    (star(lambda c: c["steps"].append([])), "steps[2] is empty"),
    (star(lambda c: c["steps"][0].pop()), "leave node 0 without the average of all in the part from 0.0 to 1.0"),
    (star(lambda c: c["steps"][0].append({"from": 0, "to": 3, "begin": 0, "end": 1, "add": True})), "changed after it"),
    (star(lambda c: c["steps"][0][0].update(to=1)), "goes from 1 to 1"),
    (star(lambda c: c["steps"][0][0].update(end=0)), "from 0.0 to 0.0"),
    (star(lambda c: c["steps"][0][0].update(end="1")), "must be a number"),
    (star(lambda c: c["steps"][0][0].update(copy=True)), "unknown key"),
    (star(lambda c: c["steps"][1][0].update(to=3)), "gets it twice"),
    (star(lambda c: [step.pop() for step in c["steps"]]), "leave out node 3"),
])
def test_what_a_reader_refuses(source: bytes, words: str) -> None:
    with pytest.raises(PlanError, match="plan: ") as error:
        parse_plan(source)
    assert words in str(error.value)


def merged(plan: Dict[str, Any], change: Dict[str, Any]) -> Dict[str, Any]:
    """The plan with some fields changed; None takes one away."""
    out = {**plan, **{key: merged(plan[key], value) if isinstance(value, dict) and isinstance(plan.get(key), dict)
                      else value for key, value in change.items()}}
    return {key: value for key, value in out.items() if key not in change or value is not None}


BAD_CLOCKS = json.loads((TESTDATA / "bad-clocks.json").read_text())


@pytest.mark.parametrize("bad", BAD_CLOCKS, ids=lambda bad: str(bad["name"]))
def test_bad_clocks_are_refused_in_the_words_of_go(bad: Dict[str, Any]) -> None:
    plan = json.loads((TESTDATA / (bad["plan"] + ".json")).read_text())
    with pytest.raises(PlanError) as error:
        parse_plan(json.dumps(merged(plan, bad["change"])).encode())
    assert str(error.value) == "plan: " + bad["error"]


def test_clocks_are_read() -> None:
    plan = read_plan(TESTDATA / "two-clocks.json")
    assert (plan.average, plan.wire, plan.delay, plan.inside_gradients) == ("changes", "int8", 8, True)
    assert plan.outer == OuterStep(0.7, 0.9) and plan.batch_weights == (0.25, 0.25, 0.125, 0.125, 0.125, 0.125)
    assert plan.phases == (Phase(500, 0), Phase(64, 4, 2), Phase(0, 16, 8))
    assert plan.parties == 3
    assert plan.clocks == ["average", "wire", "batch_weights", "inside.gradients", "delay", "outer", "phases"]


def test_few_bits_in_pieces_are_read() -> None:
    plan = read_plan(TESTDATA / "few-bits.json")
    assert (plan.wire, plan.pieces, plan.delay) == ("int2", 4, 4)
    assert phases(plan) == (Phase(500, 0), Phase(64, 1, 1), Phase(0, 4, 4))  # steps from one round to the next
    assert plan.clocks == ["average", "wire", "pieces", "batch_weights", "inside.gradients", "delay", "phases"]
    assert "in 4 pieces, one of them every 4 steps" in describe(plan, 600)
    fewbits.check(plan, plan.wire)


def test_an_outer_optimizer_without_a_synchronous_start_is_warned_about() -> None:
    plan = read_plan(TESTDATA / "two-clocks.json")
    assert warnings_of(plan) == []
    (warning,) = warnings_of(replace(plan, phases=()))
    assert "no synchronous first phase" in warning
    assert warnings_of(replace(plan, phases=(), outer=None)) == []


def test_clocks_that_ddp_does_not_run_are_named() -> None:
    Averaging().check(read_plan(TESTDATA / "gradients.json"))
    with pytest.raises(SetupError, match="which is more than averages of gradients: give it to batopo.attach"):
        Averaging().check(read_plan(TESTDATA / "two-clocks.json"))


def test_what_is_no_plan_is_named() -> None:
    with pytest.raises(SetupError, match="the plan is a dict; give the name of its file"):
        load({"format": FORMAT})  # type: ignore[arg-type]


def test_a_weight_of_minus_zero_keeps_its_sign() -> None:
    """Go writes it as -0, and the hash is of its bits."""
    negative = sealed(Plan(4, rounds=(Round(1.0, (Edge(0, 1, -0.0),), (1.0,) * 4),)))
    source = {"format": FORMAT, "nodes": 4, "kind": "gossip", "directed": False, "every": 1, "order": "atc",
              "overlap": False, "hash": negative.hash,
              "rounds": [{"part": 1, "edges": [{"i": 0, "j": 1, "weight": -7}], "self_weights": [1, 1, 1, 1]}]}
    parse_plan(json.dumps(source).replace("-7", "-0").encode())


def test_matrices_are_rows_of_receivers() -> None:
    plan = all_kinds(4)[3][1]  # directed schedule: in round 0 everybody receives from the node before it
    w = matrices(plan)[0]
    assert w[1][0] == 0.5 and w[0][1] == 0.0 and w[0][3] == 0.5
