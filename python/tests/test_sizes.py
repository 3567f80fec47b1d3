"""A model that sends much more or less than the plan was made for causes a warning, once, on rank 0."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import Any, Callable, Dict, List, Optional

import pytest
import torch

import batopo
from batopo import sizes
from plans import ROOT, make, ring
from test_plan import as_json

N = 2
PLAN = make(N, ring(N), round_ms=(1.0,), message_mb=0.4)


def size_warnings(rank: int, plan: Any, elements: int, dtype: torch.dtype, options: Dict[str, Any],
                  other: Optional[Any] = None) -> List[str]:
    p = torch.nn.Parameter(torch.zeros(elements, dtype=dtype))
    optimizer = torch.optim.SGD([p], lr=0.1, momentum=0.9)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gossip = batopo.attach(optimizer, plan, **options)
        if other is not None:
            gossip.switch(other)
    found = [w for w in caught if issubclass(w.category, batopo.SizeWarning)]
    assert all(w.filename == __file__ for w in found)  # the user's line, not one of the package
    return [str(w.message) for w in found]


@pytest.mark.parametrize("elements, dtype, options, sent", [
    (100_000, torch.float32, {}, None),
    (149_000, torch.float32, {}, None),
    (152_000, torch.float32, {}, "0.608"),
    (66_000, torch.float32, {}, "0.264"),
    (100_000, torch.float16, {}, "0.2"),
    (100_000, torch.float32, {"wire": "bf16"}, "0.2"),
    (200_000, torch.float32, {"wire": "bf16"}, None),
    (100_000, torch.float32, {"momentum": "mixed"}, "0.8"),
    (50_000, torch.float32, {"momentum": "mixed"}, None),
])
def test_what_travels_is_compared_with_the_plan(world: Callable[[int], Any], elements: int, dtype: torch.dtype,
                                                options: Dict[str, Any], sent: Optional[str]) -> None:
    first, *others = world(N).run(size_warnings, PLAN, elements, dtype, options)
    assert others == [[]] * (N - 1)
    if sent is None:
        assert first == []
    else:
        assert len(first) == 1 and "messages of 0.4 MB" in first[0] and f"sends {sent} MB" in first[0]
        assert f"message_mb: {sent} under model" in first[0] and f"--message {sent}MB" in first[0]


@pytest.mark.parametrize("plan", [replace(PLAN, round_ms=()), replace(PLAN, message_mb=0.0)],
                         ids=["no predicted times", "no question"])
def test_a_plan_that_promises_nothing_is_not_compared(world: Callable[[int], Any], plan: Any) -> None:
    assert world(N).run(size_warnings, plan, 3, torch.float32, {}) == [[]] * N


def test_a_plan_that_is_switched_to_is_compared_too(world: Callable[[int], Any]) -> None:
    (found,), nothing = world(N).run(size_warnings, PLAN, 100_000, torch.float32, {}, replace(PLAN, message_mb=40.0))
    assert "messages of 40 MB" in found and nothing == []


def memory_warnings(rank: int, free: int) -> List[str]:
    kept, sizes.free_bytes = sizes.free_bytes, lambda device: free
    try:
        return size_warnings(rank, replace(PLAN, round_ms=(), order="cta", overlap=True), 500_000, torch.bfloat16, {})
    finally:
        sizes.free_bytes = kept


def test_rounds_that_need_more_memory_than_is_free_are_announced(world: Callable[[int], Any]) -> None:
    # 1.0 MB of buffers and residual, 2.0 of float32
    for rank, found in enumerate(world(N).run(memory_warnings, 3_500_000)):
        assert len(found) == 1 and f"rank {rank}: rounds need 0.00405 GB" in found[0]
        assert "0.0035 GB are free" in found[0]
        assert "buffers 0.00105 GB, snapshot 0.002 GB, residual 0.001 GB" in found[0]
    assert world(N).run(memory_warnings, 4_500_000) == [[], []]


@pytest.mark.parametrize("question, megabytes", [
    (None, 0.0), ({"cluster": None}, 0.0), ({"cluster": {"nodes": 2}}, 48.8976), ({"cluster": {"model": {}}}, 48.8976),
    ({"cluster": {"model": {"compute_ms": 1}}}, 48.8976), ({"cluster": {"model": {"message_mb": 350}}}, 350.0),
])
def test_the_size_is_read_from_the_question(question: Any, megabytes: float) -> None:
    assert batopo.parse_plan(json.dumps({**as_json(PLAN), "question": question}).encode()).message_mb == megabytes


def test_a_size_that_is_no_number_is_refused() -> None:
    source = {**as_json(PLAN), "question": {"cluster": {"model": {"message_mb": "350 MB"}}}}
    with pytest.raises(batopo.PlanError, match="question.cluster.model.message_mb is '350 MB'; it must be a number"):
        batopo.parse_plan(json.dumps(source).encode())


def test_the_usual_size_is_that_of_the_program() -> None:
    text = (ROOT / "docs/formats.md").read_text()
    assert f"`message_mb` ({batopo.reader.USUAL_MB})" in text
