"""What measure concludes: from computed exchanges, over loopback, and on a real network of namespaces."""

from __future__ import annotations

import multiprocessing
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, List, Optional

import pytest
import torch

from batopo import measure_probe
from batopo.measure import Conductor, _names, main, measure
from batopo.measure_cost import POINTS, Cost, per_message
from batopo.measure_file import Result, cluster_yaml, sentences
from batopo.measure_find import carried, tournament, uplinks
from fluid import Simulated, finish
from net.shaped import Network, Shaped, networks, why_not
from net.world import run
from plans import ROOT
from worlds import PATIENCE_S, free_port

BY_NAME = {net.name: net for net in networks()}
GB = 125e-6  # of a Mbit/s


def conclude(net: Network, noise: Callable[[int], float] = lambda k: 1.0, hosts: Optional[List[str]] = None,
             seconds: float = 1e6, megabytes: float = 1e9, **costs: float) -> Result:
    conductor = Conductor(Simulated(net, noise, **costs), hosts or [f"n{i}" for i in range(net.nodes)],  # type: ignore
                          seconds, megabytes)
    found, latency, best = conductor.measure()
    return Result([f"n{i}" for i in range(net.nodes)], found, latency, best, conductor.message, conductor.call,
                  left_out=[str(item) for item in conductor.left_out])


def show(text: str, tmp_path: Path) -> str:
    """What the Go program makes of a description."""
    (tmp_path / "cluster.yaml").write_text(text)
    done = subprocess.run(["go", "run", "./cmd/batopo", "cluster", "show", str(tmp_path / "cluster.yaml")], cwd=ROOT,
                          capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr + text
    return done.stdout


@pytest.mark.parametrize("n", [2, 3, 7, 8])
def test_everybody_meets_everybody_once(n: int) -> None:
    rounds = tournament(range(n))
    assert sorted(pair for pairs in rounds for pair in pairs) == [(i, j) for i in range(n) for j in range(i + 1, n)]
    for pairs in rounds:
        met = [i for pair in pairs for i in pair]
        assert len(met) == len(set(met))


def test_a_rank_held_up_at_the_start_does_not_count_from_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 10.0, 17.0, 20.0, 21.0])  # before and after the barrier, of three exchanges
    monkeypatch.setattr(measure_probe.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(measure_probe.dist, "barrier", lambda group: None)
    monkeypatch.setattr(measure_probe.dist, "get_rank", lambda: 0)
    monkeypatch.setattr(measure_probe.dist, "get_world_size", lambda: 2)
    prober = measure_probe.Prober(None, None, torch.device("cpu"))
    assert [prober._meet() for _ in range(3)] == [1.0, 11.0, 21.0]


def test_a_shared_link_carried_what_was_through_by_then() -> None:
    assert carried([]) == 0
    assert carried([5.0]) == 5
    assert carried([3.0, 3.0, 3.0]) == 9
    assert carried([10.0, 1.0]) == 10  # one was through early; the other says nothing about the link


def test_unequal_nodes() -> None:
    r = conclude(BY_NAME["nodes-3to1"])
    assert r.found.port == pytest.approx([30 * GB] * 4 + [10 * GB] * 4)
    assert r.found.shared == [] and r.found.slow_pairs == {}


@pytest.mark.parametrize("name, inside, uplink", [("two-racks", 20, 40), ("two-servers", 100, 20)])
def test_a_shared_uplink_is_found_without_being_told(name: str, inside: float, uplink: float) -> None:
    """What the first eight bytes took is taken off, on links that others shared in another way: 1e-5 of the time."""
    r = conclude(BY_NAME[name])
    assert r.found.port == pytest.approx([inside * GB] * 8, rel=2e-5)
    assert [s.nodes for s in r.found.shared] == [(0, 1, 2, 3), (4, 5, 6, 7)]
    assert [s.gb_s for s in r.found.shared] == pytest.approx([uplink * GB] * 2, rel=2e-5)
    assert r.found.slow_pairs == {}
    assert any("share an uplink" in text for text in sentences(r))


def test_servers_are_known_by_their_hosts() -> None:
    hosts = ["a"] * 4 + ["b"] * 4
    assert [s.nodes for s in conclude(BY_NAME["two-servers"], hosts=hosts).found.shared] == [(0, 1, 2, 3), (4, 5, 6, 7)]
    wide = Network("wide", (20.0,) * 8, ((0, 1, 2, 3), (4, 5, 6, 7)), (80.0, 80.0))
    assert conclude(wide, hosts=hosts).found.shared == []


def test_racks_whose_ranks_are_not_in_order(tmp_path: Path) -> None:
    mixed = Network("mixed", (20.0,) * 6, ((0, 2, 4), (1, 3, 5)), (20.0, 20.0))
    r = conclude(mixed)
    assert [s.nodes for s in r.found.shared] == [(0, 2, 4), (1, 3, 5)]
    text = cluster_yaml(r)
    assert 'names: ["n0", "n2", "n4", "n1", "n3", "n5"]' in text
    show(text, tmp_path)


@pytest.mark.parametrize("local, numbers", [([0, 1, 0, 1], [0, 1, 0, 1]), ([0, 0, 0, 0], [0, 1, 0, 1]),
                                            ([None] * 4, [0, 1, 0, 1]), ([1, 0, 3, 0], [1, 0, 3, 0])])
def test_ranks_of_one_host_have_different_names(local: List[Optional[int]], numbers: List[int]) -> None:
    everybody = [{"host": host, "local": k} for host, k in zip(["a", "a", "b", "b"], local)]
    assert _names(everybody) == [f"{host}:{k}" for host, k in zip(["a", "a", "b", "b"], numbers)]
    assert _names([{"host": host, "local": 0} for host in "ab"]) == ["a", "b"]


def test_what_ran_the_exchanges_is_written() -> None:
    r = conclude(Network("equal", (20.0,) * 4))
    assert "backend: gloo" in cluster_yaml(r) and "gpu:" not in cluster_yaml(r)
    cards = replace(r, backend="nccl", gpus={"NVIDIA H100 80GB HBM3"})
    assert 'backend: nccl\ngpu: "NVIDIA H100 80GB HBM3"\n' in cluster_yaml(cards)
    assert "gpu:" not in cluster_yaml(replace(cards, gpus={"A", "B"}))


def test_a_pair_that_is_slow_by_itself(tmp_path: Path) -> None:
    r = conclude(BY_NAME["slow-pair"])
    assert r.found.shared == []
    assert r.found.slow_pairs == {(2, 3): pytest.approx(5 * GB)}
    assert "0.000625" in show(cluster_yaml(r), tmp_path)


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_no_structure(seed: int) -> None:
    draw = random.Random(seed)
    r = conclude(BY_NAME["two-racks"], lambda k: 1 + draw.expovariate(10))
    assert [s.nodes for s in r.found.shared] == [(0, 1, 2, 3), (4, 5, 6, 7)]
    assert [s.gb_s for s in r.found.shared] == pytest.approx([40 * GB] * 2, rel=0.2)
    equal = conclude(Network("equal", (20.0,) * 8), lambda k: 1 + draw.expovariate(10))
    assert equal.found.shared == []


def test_slow_partners_are_no_uplink() -> None:
    """Fast nodes that exchange with slow ones get less out than their links carry, and share nothing."""
    net = BY_NAME["nodes-3to1"]
    conductor = Conductor(Simulated(net), [f"n{i}" for i in range(8)], 1e6, 1e9)  # type: ignore
    found, _, _ = conductor.measure()
    for groups in ([(0, 4, 5, 7), (1, 2, 3, 6)], [(0, 1, 2, 3), (4, 5, 6, 7)]):
        assert uplinks(found, groups, conductor._across(groups)) == []


@pytest.mark.parametrize("name", ["nodes-3to1", "two-racks", "slow-pair", "two-servers"])
@pytest.mark.parametrize("latency, message, call", [
    (0.1, 0.02, 0.5), (50, 0.4, 3), (0.05, 0, 0), (1, 0.1, 0), (1, 0, 9)])
def test_latency_and_costs_are_told_apart(name: str, latency: float, message: float, call: float) -> None:
    r = conclude(BY_NAME[name], latency=latency / 1e3, message=message / 1e3, call=call / 1e3)
    assert r.message.believed == pytest.approx(message, rel=1e-6, abs=1e-9)
    text = cluster_yaml(r)
    assert ("per_message_ms" in text) == (message > 0) and ("per_collective_ms" in text) == (call > 0)
    # Eight bytes take up to 13 µs on the slowest of these links, and count as latency.
    assert list(r.latency_ms.values()) == pytest.approx([latency] * 28, abs=0.014)
    assert r.call.believed == pytest.approx(call, abs=14 * 0.014)
    assert r.found.port == pytest.approx([mbit * GB for mbit in BY_NAME[name].link], rel=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_no_cost(seed: int) -> None:
    """Times that are 10 % too long on average: costs come out within a few per cent, and no cost is found in none."""
    draw = random.Random(seed)
    r = conclude(Network("equal", (1000.0,) * 8), lambda k: 1 + draw.expovariate(10), latency=1e-4, message=2e-5,
                 call=5e-3)
    assert r.message.believed == pytest.approx(0.02 * 1.07, rel=0.05)  # the median of the noise is 7 %
    assert r.call.believed == pytest.approx(5 * 1.07, rel=0.05)
    none = conclude(Network("equal", (1000.0,) * 8), lambda k: 1 + draw.expovariate(10), latency=1e-4)
    assert none.message.believed == 0 == none.call.believed
    assert "per_" not in cluster_yaml(none)


def test_the_fit_by_hand() -> None:
    times = [3 + 0.5 * count + count * size / 1e4 for count, size in POINTS]
    assert per_message(POINTS, times) == pytest.approx(0.5)
    assert Cost.of([1.0, 2.0, 3.0, 100.0]).ms == 2.5
    assert Cost(3.1, 1.0).believed == 3.1 and Cost(2.9, 1.0).believed == 0 and Cost(-9.0, 1.0).believed == 0
    assert Cost(10.0, 3.0).beyond(Cost(1.0, 1.0), 4) == Cost(6.0, 5.0)


def test_bytes_and_time_are_bounded() -> None:
    r = conclude(BY_NAME["two-racks"], megabytes=3)
    assert any("bytes" in text for text in r.left_out)
    r = conclude(BY_NAME["two-racks"], seconds=1e-9)
    assert any("time" in text for text in r.left_out)


def test_fair_sharing_by_hand() -> None:
    net = Network("hand", (10.0, 10.0, 40.0))
    ends = finish(net, ((0, 2), (1, 2), (2, 0)), 1.25e6)  # 10 Mbit/s are 1.25 MB/s
    assert ends == pytest.approx({(0, 2): 1, (1, 2): 1, (2, 0): 1})
    assert finish(net, ((2, 0), (1, 0)), 1.25e6) == pytest.approx({(2, 0): 2, (1, 0): 2})


@pytest.mark.deep
def test_the_command_over_loopback(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import torch\n\ndef build():\n    model = torch.nn.Linear(250, 1000, bias=False)\n"
        "    return model, lambda: model(torch.ones(4, 250)).sum()\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    if torch.__version__.startswith("1.13") and sys.version_info >= (3, 11):  # docs/pytorch.md says why
        command += ["--redirects", "1", "--tee", "1"]
    done = subprocess.run([*command, "-m", "batopo.measure", "--model", "mine:build", "--seconds", "2"], cwd=tmp_path,
                          env=env, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr[-3000:]
    text = (tmp_path / "cluster.yaml").read_text()
    assert "message_mb: 1.0" in text and "node_compute_ms" in text
    assert "2 nodes" in show(text, tmp_path)


RANKS = 4
DEEDS = """import os, signal, torch
from batopo.measure_probe import Prober
honest, count = Prober.{place}, 0

def bad(self, task):
    global count
    count += 1
    if os.environ["RANK"] == "{rank}" and count == 3:
        os.kill(os.getpid(), signal.{deed})
    return honest(self, task)

def build():
    Prober.{place} = bad
    model = torch.nn.Linear(2, 2)
    return model, lambda: model(torch.ones(1, 2)).sum()
"""


def _rank(rank: int, port: int, folder: Path, arguments: List[str]) -> None:
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(RANKS), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    sys.stdout = sys.stderr = said = open(f"said.{rank}", "w")
    for output in (1, 2):
        os.dup2(said.fileno(), output)
    main(["--seconds", "2", *arguments])


def said_by(folder: Path, arguments: List[str], without: int) -> List[str]:
    """What the command says on all ranks but one, which may be missing, die or stop; their status is 1."""
    context, port = multiprocessing.get_context("fork"), free_port()
    ranks = [context.Process(target=_rank, args=(rank, port, folder, arguments)) for rank in range(RANKS)]
    for rank, process in enumerate(ranks):
        if rank != without or "--model" in arguments:
            process.start()
    others = [process for rank, process in enumerate(ranks) if rank != without]
    try:
        for process in others:
            process.join(PATIENCE_S)
        assert [process.exitcode for process in others] == [1] * len(others)
    finally:
        for process in ranks:
            if process.pid is not None:
                process.kill()
    return [(folder / f"said.{rank}").read_text() for rank in range(RANKS) if rank != without]


GONE, STOPPED = "is gone: the process ended or was cut off", "is stopped: no sign of life for 10 s"


@pytest.mark.parametrize("place", ["_compute", "_messages", "_exchange"])
@pytest.mark.parametrize("rank, deed, words", [
    (2, "SIGKILL", f"rank 2 {GONE}\n"),
    (0, "SIGKILL", f"rank 0 {GONE}, and the store with it\n"),
    pytest.param(2, "SIGSTOP", f"rank 2 {STOPPED}\n", marks=pytest.mark.deep),
    pytest.param(0, "SIGSTOP", f"rank 0 {STOPPED}\n", marks=pytest.mark.deep)])
def test_a_rank_that_dies_or_stops_is_named_in_one_line(rank: int, deed: str, words: str, place: str,
                                                        tmp_path: Path) -> None:
    (tmp_path / "deeds.py").write_text(DEEDS.format(rank=rank, deed=deed, place=place))
    texts = said_by(tmp_path, ["--model", "deeds:build", "--timeout", "10"], rank)
    others = [r for r in range(RANKS) if r != rank]
    assert texts == [f"batopo.measure on rank {r}: {words}" for r in others]
    assert not (tmp_path / "cluster.yaml").exists()


def test_a_model_that_fails_on_one_rank_is_named_on_all(tmp_path: Path) -> None:
    (tmp_path / "deeds.py").write_text(
        "import os, torch\n\ndef build():\n    model = torch.nn.Linear(2, 2)\n"
        "    return model, lambda: model(torch.ones(1, 3 if os.environ['RANK'] == '3' else 2)).sum()\n")
    for text in said_by(tmp_path, ["--model", "deeds:build"], -1):
        assert "rank 3: the model cannot compute a gradient: RuntimeError: mat1 and mat2 shapes" in text
        assert text.count("\n") == 1


@pytest.mark.deep
@pytest.mark.parametrize("rank, words", [(2, "rank 2 is missing: nothing came within 10 s\n"),
                                         (0, "rank 0 is missing: no store answers at 127.0.0.1:")])
def test_a_rank_that_does_not_come_is_named(rank: int, words: str, tmp_path: Path) -> None:
    for text in said_by(tmp_path, ["--timeout", "10"], rank):
        assert words in text and text.count("\n") == 1


def test_a_path_that_cannot_be_written_is_found_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / "deeds.py").write_text("raise SystemExit('the model is not to be loaded')")
    for text in said_by(tmp_path, ["-o", "nowhere/cluster.yaml", "--model", "deeds:build"], -1):
        assert "rank 0: cannot write what -o names" in text and text.count("\n") == 1


def _measure(rank: int, seconds: float) -> Any:
    result = measure(seconds)
    return (result.found, cluster_yaml(result)) if result else None


REASON = why_not()


@pytest.mark.skipif(REASON is not None, reason=f"no network of namespaces: {REASON}")
@pytest.mark.deep
def test_measuring_a_real_network(tmp_path: Path) -> None:
    """Two racks of two whose uplinks are as slow as one link.

    What the concurrent runs reveal is tested by simulation above: a machine that does other things can hide an uplink
    here (scripts/links.sh measures how often it is right). No link can be faster than it is shaped, on any machine.
    """
    racks = Network("small-racks", (8.0,) * 4, ((0, 1), (2, 3)), (8.0, 8.0))
    with Shaped(racks) as shaped:
        found, text = run(shaped, _measure, 10.0)[0]
    assert len(found.port) == 4
    for rate in found.port + [s.gb_s for s in found.shared]:
        assert 0 < rate < 16 * GB, text  # bursts and rounding: a factor of two
    assert "4 nodes" in show(text, tmp_path)
