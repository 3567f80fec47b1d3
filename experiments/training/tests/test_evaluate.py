"""Local models on all test images and on images spread over them; the averaged model can take the nodes' statistics."""

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
def ev() -> Evaluator:
    options = Options(conv="grouped")
    sim = Simulation([CELL, replace(CELL, name="b", statistics="nodes")],
                     banks_of(synthetic(train=64, test=64, classes=4), options), options)
    sim.run_epoch(0)
    return Evaluator(sim)


def test_local_models_on_all_images(ev: Evaluator) -> None:
    ev.sim.net.mode = "test"
    x, labels = ev.sim.test.gather(torch.arange(64).expand(8, -1), None)
    right = (ev.sim.net.logits(x).argmax(-1) == labels).double().mean(0).view(2, 4)
    np.testing.assert_allclose(ev.local(), right)
    each = (ev.sim.net.logits(x).argmax(-1) == labels).double()
    # Node i sees the images that leave i or i + 2 when divided by 4.
    want = [np.mean([each[j, 4 * cell + i] for i in range(4) for j in range(64) if (j - i) % 2 == 0])
            for cell in (0, 1)]
    np.testing.assert_allclose(ev.spread(), want)


@pytest.mark.parametrize("count,nodes", [(100, 16), (64, 4), (50, 7), (10, 1)])
def test_spread_images_are_seen_equally_often(count: int, nodes: int) -> None:
    index = evaluate.spread_index(count, nodes, torch.device("cpu"))
    times = np.bincount(index.flatten(), minlength=count)
    whole = count // nodes * nodes
    assert index.shape[0] == nodes and index.max() == whole - 1
    np.testing.assert_array_equal(times[:whole], min(evaluate.SEEN, nodes))


def test_every_node_is_measured_now_and_then(ev: Evaluator) -> None:
    series = [Series(), Series()]
    for epoch in range(9):
        runner.measure(ev, series, np.zeros(2), epoch, local_every=4)
    assert list(series[1].local_mean) == ["4", "8", "9"] and len(series[1].local) == 9
    assert series[1].local_min["9"] <= series[1].local_mean["9"] <= series[1].local_max["9"]


def test_averaged_model_with_the_statistics_of_the_nodes(ev: Evaluator) -> None:
    ev.averaged()
    norm = ev.mean.arch.norms["0.0.a"]  # type: ignore[union-attr]
    c = norm.channels
    got = ev.mean.mean[2 * norm.start:2 * (norm.start + c)].view(2, c)
    of = ev.sim.net.mean[8 * norm.start:8 * (norm.start + c)].view(2, 4, c)
    torch.testing.assert_close(got[1], of[1].mean(0))
    assert not torch.allclose(got[0], of[0].mean(0))


def test_averaged_model_with_statistics_of_augmented_images() -> None:
    cells = [CELL, replace(CELL, statistics="augmented"), replace(CELL, statistics="augmented", augment=False)]
    options = Options(conv="grouped")
    ev = Evaluator(Simulation(cells, banks_of(synthetic(train=64, test=64, classes=4), options), options))
    score = ev.averaged().loss
    c = ev.mean.arch.norms["stem"].channels  # type: ignore[union-attr]
    plain, cropped, off = ev.mean.mean[:3 * c].view(3, c)
    torch.testing.assert_close(plain, off)
    assert not torch.allclose(plain, cropped, rtol=1e-3)
    assert score[0] == pytest.approx(score[2]) and score[0] != pytest.approx(score[1])
