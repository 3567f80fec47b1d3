"""Every kind of process runs on a real network of namespaces, and none is faster than its links."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import pytest
import torch
import torch.distributed as dist

from net import clocks, far, table, trial
from net.relay import Wire
from net.shaped import Network, Shaped, why_not
from net.world import RankFailed, run
from plans import all_kinds
from worlds import PATIENCE_S

REASON = why_not()
pytestmark = pytest.mark.skipif(REASON is not None, reason=f"no network of namespaces: {REASON}")


def _all(rank: int) -> Dict[str, Dict[str, trial.Times]]:
    once = trial.Stopwatch(None, 0)
    out = {name: trial.gossip_times(plan, once) for name, plan in all_kinds(4)}
    out["ddp"] = trial.ddp_times(once)
    return out


@pytest.mark.deep
def test_every_process_on_a_shaped_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "ELEMENTS", 50_000)
    monkeypatch.setattr(trial, "COMPUTE_S", 0.02)
    with Shaped(Network("small", (40.0,) * 4)) as shaped:
        results = run(shaped, _all, timeout=PATIENCE_S)
    message_ms = 0.2 / (40 / 8) * 1e3  # 40: a megabyte takes 200 ms
    sent = {"static": 2, "directed": 2, "schedule": 1, "ring collective": 1.5, "hierarchical": 1.5, "ddp": 1.5}
    for name, messages in sent.items():
        for key, taken in results[0][name].items():
            # The first 5 ms of a link's rate may come in a burst; half leaves room for that, a slow machine has any.
            assert sum(ms for ms, _ in taken) / len(taken) > 0.5 * messages * message_ms, (name, key, taken)
        assert results[0][name] == results[3][name]  # the slowest rank's times, agreed upon
    assert set(results[0]) == {name for name, _ in all_kinds(4)} | {"ddp"}


def test_a_failing_rank_is_named() -> None:
    def fail(rank: int) -> Any:
        if rank == 1:
            raise ValueError("no")
        return rank
    with Shaped(Network("two", (40.0,) * 2)) as shaped, pytest.raises(RankFailed, match="rank 1.*"):
        run(shaped, fail, timeout=PATIENCE_S)


def _there_and_back(rank: int, turns: int) -> float:
    return min(far.there_and_back(rank, turns))


def test_a_wire_between_groups_delays_what_crosses_it() -> None:
    """Not a question of speed: a slow machine is later, none is earlier."""
    with Shaped(far.network(15.0)) as shaped:
        got = run(shaped, _there_and_back, 5, timeout=PATIENCE_S)
    assert got[0] >= 30.0


def _sum(rank: int) -> float:
    value = torch.full((200_000,), float(rank))
    dist.all_reduce(value)
    return float(value.mean())


def test_what_a_wire_loses_is_sent_again() -> None:
    net = Network("lossy", (40.0,) * 2, ((0,), (1,)), (40.0,) * 2, wire=Wire(1.0, 0.5, 0.02))
    with Shaped(net) as shaped:
        assert run(shaped, _sum, timeout=PATIENCE_S) == [1.0, 1.0]


def test_the_page_has_the_tables_and_the_picture_of_the_committed_results() -> None:
    root = Path(__file__).parents[2]
    points = table.read(root / "experiments" / "links" / "results")
    page = (root / "docs" / "research" / "links.md").read_text()
    every = (root / "experiments" / "links" / "README.md").read_text()
    assert table.table(points) in every, "put in what python3 -m net.table prints"
    assert table.summary(points).split("\n\n")[0] in page
    assert table.plot(points) == (root / "docs" / "images" / "links.svg").read_text()


def test_ways_have_the_steps_that_were_measured() -> None:
    steps = clocks.measured_steps()
    assert all(way.row in steps for way in clocks.WAYS.values() if way.row)
