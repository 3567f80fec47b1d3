"""Table II from made-up runs whose epochs are known."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from training import claims, race, results, table2
from training.__main__ import main
from training.results import Series
from training.settings import Entry

R32 = "../../results/plans/figures-homogeneous-paper-r32.json"


def line(process: str, seed: int, crossing: int | None, local: int | None = None, nodes: int = 16) -> dict:
    """A run of 30 epochs whose three-epoch mean jumps over 0.8 at the crossing."""
    def curve(at: int | None) -> list[float]:
        return [0.9 if at and e >= at - 1 else 0.1 for e in range(1, 31)]

    cell = Entry(f"{process} {seed}", process=process, seed=seed, nodes=nodes, epochs=30, order="cta")
    series = Series(averaged=curve(crossing), local=curve(local or crossing))
    return {"complete": True, "entry": dataclasses.asdict(cell), "series": dataclasses.asdict(series)}


def test_rows_stand_beside_the_paper_and_censored_runs_are_marked() -> None:
    runs = table2.topologies([line("ring", 1, 20, 25), line("ring", 2, 22, 99), line(R32, 1, 8)], 0.8)
    rows = table2.side_by_side(runs, "cifar10").splitlines()
    assert "| homogeneous | ring | 2 | 93.0 | 230 | 25, > 30 | > 68 | 20, 22 | 52 |" in rows
    assert "| homogeneous | figures-homogeneous-paper-r32 | 4 | 31.9 | 110 | 8 | 28 | 8 | 28 |" in rows
    assert sum("paper-r32" in row for row in rows) == 1, "a plan for equal nodes is no row of the other scenarios"
    assert sum("| ring |" in row for row in rows) == 3, "three scenarios have 16 nodes"


def test_race_orders_by_time_and_prices_exact_averaging_as_all_reduce() -> None:
    runs = table2.topologies([line("ring", 1, 20), line("exact", 1, 10), line("one-peer-hypercube", 1, 16)], 0.8)
    rows = race.race(runs, "homogeneous", local=False).splitlines()[2:]
    assert rows[0] == "| exact by ring all-reduce | 1 | 10.0 | 24 | 0.49 | 0.49 | 15 |"
    assert rows[1] == "| exact by ring all-reduce of models | 1 | 10.0 | 24 | 0.49 | 0.49 | 15 |"
    assert rows[2] == "| one-peer-hypercube | 1 | 16.0 | 32 | 0.64 | 0.64 | 24 |"
    assert rows[3] == "| ring | 1 | 20.0 | 49 | 1.00 | – | 30 |"
    assert race.race(runs, "intra-server", local=False).count("\n") == 1, "eight nodes were not run"


def test_race_compares_with_the_best_baseline_over_common_seeds() -> None:
    lines = [line("ring", 1, 20), line("ring", 2, 22), line("ring", 3, 29),
             line("one-peer-hypercube", 1, 10), line("one-peer-hypercube", 2, 11)]
    rows = race.race(table2.topologies(lines, 0.8), "homogeneous", local=False).splitlines()[2:]
    assert "| 0.36 | 0.40 [0.40, 0.40] |" in rows[0], "of all seeds 10.5/23.7, of common ones 1/2, times 0.80 an epoch"
    alone = [line("ring", 1, 20), line("one-peer-hypercube", 2, 10)]
    assert "| 0.40 | – |" in race.race(table2.topologies(alone, 0.8), "homogeneous", local=False)


def test_rests_and_another_momentum_are_told_apart_and_priced() -> None:
    every, other = line("ring", 1, 20, nodes=8), line("exact", 1, 10, nodes=8)
    every["entry"]["every"], other["entry"]["every"], other["entry"]["momentum"] = 4, 8, "quasi-global"
    runs = table2.topologies([line("ring", 1, 20, nodes=8), every, other], 0.8)
    rows = race.race(runs, "intra-server", local=False).splitlines()[2:]
    assert rows[0] == "| exact by ring all-reduce of models, H = 8, quasi-global | 1 | 10.0 | 34 | 0.35 | 0.35 | 30 |"
    assert rows[1] == "| ring, H = 4 | 1 | 20.0 | 69 | 0.70 | 0.70 | 60 |"
    assert rows[2] == "| ring | 1 | 20.0 | 99 | 1.00 | – | 60 |"


def test_another_rate_is_another_row() -> None:
    lines = [line("ring", 1, 20), line("ring", 1, 18)]
    lines[1]["entry"]["lr"] = 0.025
    assert [t.label for t in table2.topologies(lines, 0.8)] == ["ring", "ring, rate 0.025"]


def test_only_what_may_travel_beside_the_gradient_is_overlapped() -> None:
    lines = [line("ring", 1, 20), line("exact", 1, 10), line("exact", 1, 10)]
    for each in lines:
        each["entry"]["order"] = "atc"
    lines[2]["entry"]["lazy"] = 0.5
    rows = race.race(table2.topologies(lines, 0.8), "node-level", local=False).splitlines()[2:]
    assert [row.rsplit("|", 2)[1].strip() for row in rows] == ["33", "–", "–", "–"], "gradients as they come, else none"
    assert [row.split("|")[1].strip() for row in rows] == [
        "exact by ring all-reduce", "exact by ring all-reduce of models",
        "exact by ring all-reduce of models lazy 0.5", "ring"], "a lazy average is none of gradients"


def test_seeds_that_differ_in_another_setting_are_refused() -> None:
    lines = [line("ring", 1, 20), line("ring", 2, 21)]
    lines[1]["entry"]["order"] = "atc"
    with pytest.raises(ValueError, match="ring, 16 nodes, differ in order"):
        table2.topologies(lines, 0.8)


def quotient_of(winner: table2.Topology, baseline: table2.Topology) -> claims.Quotient | None:
    found = claims.against_baselines(winner, [winner, baseline], "homogeneous", local=False)
    return found[0] if found else None


def test_noise_is_what_process_and_seed_do_not_explain() -> None:
    epochs = {"ring": (20, 24, 22), "torus": (18, 20, 21), "exponential": (15, 19, 16)}
    runs = table2.topologies([line(p, s + 1, e) for p, es in epochs.items() for s, e in enumerate(es)], 0.8)
    logs = np.log(np.array(list(epochs.values())))  # balanced: means of rows and columns are the fit
    rest = logs - logs.mean(1, keepdims=True) - logs.mean(0) + logs.mean()
    found = claims.noise(runs, local=False)
    assert found.freedom == 4 and found.deviation == pytest.approx(math.sqrt((rest ** 2).sum() / 4))
    assert claims.noise(runs[:1], local=False).freedom == 0


def test_quotient_has_an_interval_over_common_seeds() -> None:
    theirs = {1: 12, 2: 13, 3: 14, 4: 30}
    winner, baseline = table2.topologies([line(R32, s, 10) for s in (1, 2, 3)]
                                         + [line("exponential", s, e) for s, e in theirs.items()], 0.8)
    q = quotient_of(winner, baseline)
    assert q and q.seeds == 3 and q.mean == pytest.approx((1.2 * 1.3 * 1.4) ** (1 / 3))
    logs = [math.log(x) for x in (1.2, 1.3, 1.4)]
    spread = math.sqrt(sum((v - sum(logs) / 3) ** 2 for v in logs) / 2)
    assert q.interval()[1] / q.mean == pytest.approx(math.exp(4.302653 * spread / math.sqrt(3)))
    assert [q.verdict(c) for c in (1.0, 1.22, 1.6)] == ["holds", "open: too close", "fails"]


@pytest.mark.parametrize("mine,theirs,verdict", [
    ({1: 10}, {1: 20}, "open: seeds 1 of 3"),
    ({1: 10, 2: 10}, {1: 9, 2: 9}, "open: seeds 2 of 3"),
    ({1: 10, 2: 10, 3: 10}, {1: 28, 2: 28, 3: None}, "holds"),
    ({1: 28, 2: 28, 3: None}, {1: 10, 2: 10, 3: 10}, "open: censored"),
    ({1: None, 2: 10, 3: 10}, {1: 10, 2: None, 3: 10}, "open: censored"),
    ({1: 10, 2: 10, 3: 10}, {1: 9, 2: 9, 3: 9}, "fails")])
def test_verdicts(mine: dict, theirs: dict, verdict: str) -> None:
    winner, baseline = table2.topologies([line(R32, s, e) for s, e in mine.items()]
                                         + [line("exponential", s, e) for s, e in theirs.items()], 0.8)
    q = quotient_of(winner, baseline)
    assert q and q.verdict(1.22) == verdict


def test_one_baseline_can_refute_a_claim_and_all_must_confirm_it() -> None:
    def q(name: str, mean: float, error: float = 0.02) -> claims.Quotient:
        return claims.Quotient(name, 3, mean, error, 2)

    assert claims.decided([q("a", 1.5), q("b", 0.9), q("c", 1.1, 0.3)], 1.2) == (q("b", 0.9), "fails")
    assert claims.decided([q("a", 1.5), q("c", 1.3, 0.1)], 1.2)[1] == "open: too close"
    assert claims.decided([q("a", 1.5), q("c", 1.35)], 1.2) == (q("c", 1.35), "holds")


def test_a_claim_stays_open_while_one_baseline_has_too_few_seeds() -> None:
    closest, other = claims.Quotient("a", 3, 1.5, 0.02, 10), claims.Quotient("b", 1, 1.9, 0.04, 10)
    assert closest.verdict(1.2, 2) == "holds"
    assert claims.decided([closest, other], 1.2) == (other, "open: seeds 1 of 3")


def test_the_luck_of_one_baseline_among_many_refutes_nothing() -> None:
    baselines = [claims.Quotient(str(k), 3, 1.05, 0.02, 2) for k in range(6)]  # alone up to 1.144, one of six to 1.305
    assert claims.decided(baselines[:1], 1.2)[1] == "fails"
    assert claims.decided(baselines, 1.2)[1] == "open: too close"


def test_points_of_students_t() -> None:
    printed = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042}  # 97.5 %, any table of it
    assert {k: round(claims.student(0.025, k), 3) for k in printed} == printed


def test_claim_is_decided_against_the_closest_baseline() -> None:
    runs = table2.topologies([line(R32, 1, 10), line("ring", 1, 25), line("exponential", 1, 15)], 0.8)
    row = claims.speedups(runs, "cifar10", local=False).splitlines()[2]
    assert row == ("| homogeneous | figures-homogeneous-paper-r32 | 1.22 | exponential | 1 | 1.50 | open: seeds 1 of 3 "
                   "| unknown: exact averages were not trained |")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for each in (line("ring", 1, 20), line(R32, 1, 10)):
        series = Series(**each["series"])
        results.append(tmp_path / "r.jsonl", Entry(**each["entry"]), series, True, {})
    assert main(["table2", str(tmp_path / "r.jsonl"), "--target", "0.8"]) == 0
    out = capsys.readouterr().out
    assert out.count("### ") == 13 and "### Claimed speed-ups, averaged model" in out
    assert out.count("Noise of ln(epochs): unknown on 16 nodes.") == 2, "two runs of one seed tell nothing about it"


def test_noise_in_words() -> None:
    epochs = {"ring": (20, 24), "torus": (18, 20)}
    runs = table2.topologies([line(p, s + 1, e, nodes=8) for p, es in epochs.items() for s, e in enumerate(es)], 0.8)
    half = math.log(24 / 20 * 18 / 20) / 4  # each of four runs is so far from its row and column
    found = claims.noise_of(runs, local=False)
    assert found == f"Noise of ln(epochs): {abs(2 * half):.3f} on 8 nodes (degrees of freedom: 1)."


def test_runs_cut_by_the_clock_count_only_when_they_got_there() -> None:
    cut = [{**line("ring", seed, at), "complete": False} for seed, at in ((1, 20), (2, None))]
    (ring,) = table2.topologies(cut, 0.8)
    assert list(ring.averaged) == [1]


def test_without_a_target_every_run_has_its_own() -> None:
    easy, hard = line("ring", 1, 20, nodes=8), line("ring", 1, 20)
    easy["entry"]["target"], hard["entry"]["target"] = 0.8, 0.95
    crossings = [t.averaged[1] for t in table2.topologies([easy, hard], None)]
    assert crossings == [table2.Crossing(20, False), table2.Crossing(30, True)]


def test_plans_of_our_search_are_no_rows_of_the_paper() -> None:
    ours = "../../results/plans/figures-homogeneous-auto-r24.json"
    highest = "../plans/literal-bcube-1to2-highest-r48.json"
    runs = table2.topologies([line(ours, 1, 10), line(highest, 1, 10)], 0.8)
    assert [t.row_of("homogeneous") for t in runs] == [None, None]
    assert runs[1].row_of("bcube-1to2") == "paper-r48" and runs[1].hardware("bcube-1to2").name == "bcube-1to2-highest"


def test_two_settings_in_one_place_are_refused() -> None:
    with pytest.raises(ValueError, match="two runs of ring, 16 nodes, seed 1"):
        table2.topologies([line("ring", 1, 20), line("ring", 1, 21)], 0.8)


def test_what_exact_averages_could_reach_in_the_shortest_rounds() -> None:
    """With 32 edges on 16 equal nodes rounds take four messages at least, whatever the degree of the trained graph."""
    lines = [line(p, s, e) for p, e in ((R32, 20), ("exact", 18), ("ring", 25), ("exponential", 19)) for s in (1, 2, 3)]
    runs = table2.topologies(lines, 0.8)
    found = {q.baseline: q.mean for q in claims.ceiling(runs[0], runs, "homogeneous", local=False)}
    each = 4 * 0.49 + 1.49
    assert found == pytest.approx({"ring": 25 * (2 * 0.49 + 1.49) / (18 * each), "exponential": 19 / 18})
    assert "below the claim" in claims.could(1.22, claims.ceiling(runs[0], runs, "homogeneous", local=False))
    assert "not trained" in claims.could(1.22, claims.ceiling(runs[0], runs[:1], "homogeneous", local=False))
