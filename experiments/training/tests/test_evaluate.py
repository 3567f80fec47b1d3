"""Local models are measured on a sample first; the averaged model can take the nodes' statistics."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from training import evaluate, runner
from training.data import synthetic
from training.evaluate import Evaluator
from training.results import Series
from training.settings import Entry
from training.simulate import Options, Simulation, banks_of

CELL = Entry("a", dataset="synthetic", net="resnet8", width=8, nodes=4, batch=8, epochs=9, target=0.5)


@pytest.fixture
def ev(monkeypatch: pytest.MonkeyPatch) -> Evaluator:
    monkeypatch.setattr(evaluate, "SAMPLE", 24)
    options = Options(conv="grouped")
    sim = Simulation([CELL, replace(CELL, name="b", statistics="nodes")],
                     banks_of(synthetic(train=64, test=64, classes=4), options), options)
    sim.run_epoch(0)
    return Evaluator(sim)


def test_sample_and_rest_make_up_all(ev: Evaluator) -> None:
    seen: list[np.ndarray] = []

    def look(expected: np.ndarray) -> bool:
        seen.append(expected)
        return False

    assert ev.local(look).accuracy is None
    assert np.isnan(seen[0]).all(), "nothing is known before the first full measurement"
    accuracy = ev.local().accuracy
    assert accuracy is not None
    ev.sim.net.mode = "test"
    want = evaluate.score(ev.sim.net, ev.sim.test).accuracy.reshape(2, 4)
    np.testing.assert_allclose(accuracy, want)
    assert ev.local(look).accuracy is None
    np.testing.assert_allclose(seen[1], want.mean(1), err_msg="the same models: the sample is corrected exactly")


@pytest.mark.parametrize("expected,measured", [(np.nan, True), (0.49, False), (0.499, True)])
def test_all_images_only_close_to_the_target(ev: Evaluator, monkeypatch: pytest.MonkeyPatch, expected: float,
                                             measured: bool) -> None:
    monkeypatch.setattr(ev, "averaged", lambda: evaluate.Score(np.array([0.49, 0.2]), np.zeros(2)))

    def local(worthwhile: Callable[[np.ndarray], bool]) -> evaluate.Local:
        each = np.array([expected, 0.9])
        return evaluate.Local(each, np.zeros((2, 4)) if worthwhile(each) else None)

    monkeypatch.setattr(ev, "local", local)
    series = [Series(), Series()]
    runner.measure(ev, series, np.zeros(2), epoch=6, local_every=5)
    assert bool(series[0].local_mean) == measured
    assert series[0].local_expected == ({} if measured else {"7": expected})


def test_averaged_model_with_the_statistics_of_the_nodes(ev: Evaluator) -> None:
    ev.averaged()
    norm = ev.mean.arch.norms["0.0.a"]  # type: ignore[union-attr]
    c = norm.channels
    got = ev.mean.mean[2 * norm.start:2 * (norm.start + c)].view(2, c)
    of = ev.sim.net.mean[8 * norm.start:8 * (norm.start + c)].view(2, 4, c)
    torch.testing.assert_close(got[1], of[1].mean(0))
    assert not torch.allclose(got[0], of[0].mean(0))
