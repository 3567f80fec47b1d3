"""Clocks that do not fit what they are given fail on every rank, with the reason; so do ranks that are lost."""

from __future__ import annotations

import json
import os
import signal
import time
import warnings
from dataclasses import replace
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.checks_clocks import warnings_of
from plans import ROOT, make, ring, sealed
from test_clocks import INT8, N, PAIRS, RUNS, Model, Run, attached, backward, exact, flat
from worlds import PATIENCE_S

TIMEOUT_S = 6.0
LATE, TWO, CHANGES = RUNS["late"].plan, RUNS["local SGD"].plan, RUNS["changes"].plan


def misused(rank: int, deed: str) -> None:
    """Rank 2 does something else than the others, or all do the same that cannot be."""
    plan, options = TWO, dict(timeout=PATIENCE_S)  # type: Any, Dict[str, Any]
    model: Any = DistributedDataParallel(Model(torch.float64))
    adam = True
    if deed == "bare" and rank == 2:
        model = model.module
    if deed == "unknown" and rank == 2:
        options["model"] = None
    if deed == "batches" and rank == 2:
        plan = RUNS["local SGD, unequal batches"].plan
    if deed == "mixed":
        plan, options["momentum"] = LATE, "mixed"
    if deed == "quasi-global":
        plan, options["momentum"], adam = exact(PAIRS, every=30), "quasi-global", False
    if deed == "keep":
        plan, options["start"] = CHANGES, "keep"
    if deed == "explicit":
        plan, options["explicit"] = RUNS["phases"].plan, True
    if deed == "sizes":
        plan = sealed(replace(TWO, groups=((0, 1, 2), (3,))))
    if deed == "switch of gradients":
        plan = RUNS["gradients"].plan
    if deed == "wire":
        options["wire"] = "int8"
    optimizer: Any = torch.optim.AdamW(model.parameters())
    if not adam:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    gossip = batopo.attach(optimizer, plan, **{"model": model, **options})
    if deed == "switch":
        gossip.switch(LATE if rank == 2 else TWO)
    if deed == "switch of gradients":
        gossip.switch(plan)
    if deed == "resume":
        state = gossip.state_dict()
        again = batopo.attach(torch.optim.AdamW(model.parameters()), CHANGES, model=model, timeout=PATIENCE_S)
        again.load_state_dict({**state, "hash": CHANGES.hash})


@pytest.mark.parametrize("deed, words", [
    ("bare", "wrap the model before"), ("unknown", "attach(optimizer, plan, model=model)"),
    ("batches", "rank 2: plan hash is"), ("mixed", "momentum 'mixed'"), ("keep", "start='keep' does not fit"),
    ("quasi-global", "'quasi-global' diverges with this plan"), ("explicit", "leave explicit out"),
    ("wire", "'int1' where the plan has average changes"), ("switch", "must be those of the plan that runs"),
    ("switch of gradients", "restart from a checkpoint"), ("resume", "of a run without them"),
    ("sizes", "inside.groups[1] has 1 nodes, group 0 has 3; groups are of one size")])
def test_misuse_fails_on_every_rank(world: Callable[[int], Any], deed: str, words: str) -> None:
    for outcome in world(N).outcomes(misused, deed, timeout=PATIENCE_S):
        assert outcome.kind in ("HandshakeError", "PlanError", "SetupError") and words in outcome.text, outcome


def interrupted(rank: int, plan: Any, bad: int, deed: str) -> str:
    """Steps until one rank dies or hangs; what the others get to hear."""
    model = DistributedDataParallel(Model(torch.float64))
    optimizer = torch.optim.AdamW(model.parameters())
    batopo.attach(optimizer, plan, model=model, timeout=TIMEOUT_S)
    for step in range(40):
        if rank == bad and step == 3:
            if deed == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(2 * PATIENCE_S)
        try:
            backward(RUNS["local SGD"], model, rank, step)
            optimizer.step()
        except batopo.PeerError as error:
            return str(error)
    return "nothing was noticed"


@pytest.mark.parametrize("plan, deed", [(TWO, "die"), (LATE, "hang"), (RUNS["gradients"].plan, "die")])
def test_a_lost_rank_ends_training_on_every_rank(lone_world: Callable[..., Any], plan: Any, deed: str) -> None:
    outcomes = lone_world(N).outcomes_of([0, 1, 3], interrupted, plan, 2, deed, timeout=PATIENCE_S)
    for said in outcomes:
        assert isinstance(said, str), outcomes
        assert "rank 2 " in said or "gradients of the group of ranks 2, 3 were not averaged" in said, outcomes


def alike(rank: int, plan: Any, wrapped: bool) -> torch.Tensor:
    """With quasi-global momentum; ranks of a group have the same batches."""
    model: Any = DistributedDataParallel(Model(torch.float64)) if wrapped else Model(torch.float64)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    batopo.attach(optimizer, plan, model=model, momentum="quasi-global", timeout=PATIENCE_S)
    for step in range(9):
        backward(Run(plan), model, rank // 2, step)
        optimizer.step()
    return flat(model)


def test_quasi_global_momentum_between_groups(world: Callable[[int], Any]) -> None:
    levels = make(N, ring(2), groups=PAIRS, every=3)
    want = world(N).run(alike, levels, False)
    got = world(N).run(alike, sealed(replace(levels, inside_gradients=True)), True)
    for x, y in zip(got, want):
        assert torch.allclose(x, y, rtol=0, atol=1e-12)


def sizes(rank: int, run: Run) -> Tuple[int, List[float]]:
    model, optimizer, gossip = attached(run)
    for step in range(4):
        backward(run, model, rank, step)
        optimizer.step()
    return gossip.sent_bytes, [timing.ms for timing in gossip.timings()]


def test_8_bits_are_what_is_sent(world: Callable[[int], Any]) -> None:
    for sent, times in world(N).run(sizes, INT8):
        assert sent == 48 + 4 and len(times) == 2 and min(times) > 0


ADVICE = "the plan says: learning rate: 2 times the best one of synchronous training (DDP)"


def advised(rank: int) -> List[str]:
    plan = replace(RUNS["outer, local SGD"].plan, learning_rate=2.0)
    model = DistributedDataParallel(Model(torch.float64))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        batopo.attach(torch.optim.AdamW(model.parameters()), plan, model=model, timeout=PATIENCE_S)
    return [str(w.message) for w in caught if w.category is batopo.AdviceWarning]


def test_rank_0_repeats_what_the_plan_advises(world: Callable[[int], Any]) -> None:
    (first, second), *others = world(N).run(advised)
    assert "no synchronous first phase" in first and second == ADVICE
    assert others == [[]] * (N - 1)
    file = json.loads((ROOT / "design/testdata/two-clocks.json").read_text())
    file["provenance"]["notes"] = ["\x1b[2Jhalf the steps of DDP at any learning rate"]
    file["answer"] = {"optimizer": "adamw", "rows": [{"learning_rate": 2}]}
    plan = batopo.parse_plan(json.dumps(file).encode())
    assert plan.learning_rate == 2 and not any("half" in text for text in warnings_of(plan))
    file["answer"]["rows"][0]["learning_rate"] = 1e9
    with pytest.raises(batopo.PlanError, match="rates are 1/1000 to 1000"):
        batopo.parse_plan(json.dumps(file).encode())


def poisoned(rank: int, plan: Any) -> None:
    model = DistributedDataParallel(Model(torch.float32))
    optimizer = torch.optim.AdamW(model.parameters())
    batopo.attach(optimizer, plan, model=model, timeout=TIMEOUT_S)
    for step in range(9):
        backward(INT8, model, rank, step)
        if rank == 2 and step == 1:
            model.module.a.data[0, 0] = float("nan")
        optimizer.step()


@pytest.mark.parametrize("fields", [{}, {"wire": "int8"}, {"delay": 2}])
def test_nan_goes_nowhere(lone_world: Callable[..., Any], fields: Dict[str, Any]) -> None:
    for outcome in lone_world(N).outcomes(poisoned, exact(every=3, average="changes", **fields)):
        assert outcome.kind == "PeerError" and "rank 2: parameter 0 has a NaN" in outcome.text, outcome
