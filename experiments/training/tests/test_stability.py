"""Growth of differences under quasi-global momentum: by hand, by the optimizer, and in the committed runs."""

from pathlib import Path

import numpy as np
import pytest
import torch

from training import law, results, runner, stability, tables
from training.__main__ import main
from training.layout import Layout, Parameters
from training.optimizer import Optimizer
from training.processes import process, step_matrices
from training.settings import Entry

FOLDER = Path(runner.__file__).parent


@pytest.mark.parametrize("every", [1, 2, 8, 22, 23, 40])
def test_exact_averaging_by_hand(every: int) -> None:
    want = abs(0.99**every - 0.9) / 0.1
    assert stability.radius(process("exact", 8), every) ** every == pytest.approx(want)
    assert (want < 1) == (every <= 22)


def test_one_peer_schedule_has_its_period_in_place_of_one_round() -> None:
    period = process("one-peer-hypercube", 16)
    assert stability.radius(period, 5) < 1 < stability.radius(period, 6)
    assert stability.radius(period, 8) == pytest.approx(
        stability.radius(process("exact", 16), 32)), "a difference that one round in four sees"


@pytest.mark.parametrize("name, every, order", [
    ("one-peer-hypercube", 8, "atc"), ("ring", 16, "cta"), ("exponential", 2, "atc"), ("exact", 4, "cta")])
def test_the_optimizer_without_gradients_is_the_recursion(name: str, every: int, order: str) -> None:
    n, period = 8, process(name, 8)
    cell = Entry("a", nodes=n, process=name, every=every, order=order, momentum="quasi-global", weight_decay=0.0)
    layout = Layout()
    layout.matrix("a", 3)
    layout.vector("b", 1)
    parameters = Parameters(layout, n, torch.float64, torch.device("cpu"))
    x = torch.randn(n, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    parameter = parameters.matrices.master  # wider than what is asked for
    parameter[:, :3] = x
    steps = 2 * every * len(period)
    optimizer = Optimizer([cell], parameters, steps)
    optimizer.momentum[0][:, :3] = torch.linspace(-1, 1, n * 3).view(n, 3)
    state = torch.cat([x, 0.05 * optimizer.momentum[0][:, :3]]).numpy()
    matrices = step_matrices(period, every, 0, steps)
    optimizer.load_epoch(torch.from_numpy(matrices)[:, None], torch.full((steps, 1), 0.05, dtype=torch.float64))
    for t, w in enumerate(matrices):
        optimizer.step(torch.tensor([t]), True)
        state = stability.step(w, cell.beta, order) @ state
    np.testing.assert_allclose(parameter[:, :3].numpy(), state[:n], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(0.05 * optimizer.momentum[0][:, :3].numpy(), state[n:], rtol=1e-9, atol=1e-12)


def test_exactly_the_runs_diverged_that_had_to() -> None:
    lines = tables.chosen(results.read(sorted(FOLDER.glob("results/*.jsonl"))), [])
    diverged = {line["name"] for line in lines if results.Series(**line["series"]).diverged}
    assert diverged == {line["name"] for line in lines if law.unstable(line["entry"], FOLDER / "queues")}
    assert len(diverged) == 17


def test_command(capsys: pytest.CaptureFixture) -> None:
    assert main(["stability", "exact", "one-peer-hypercube@0.5", str(FOLDER / "plans" / "training-8-12.json"),
                 "--nodes", "16"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "| process | H = 1 | H = 2 | H = 4 | H = 8 | H = 16 | H = 32 |"
    assert rows[2] == "| exact | 0.900 | 0.895 | 0.882 | 0.831 | 0.956 | **1.018** |"
    assert rows[3].startswith("| one-peer-hypercube lazy 0.5 |") and rows[4].startswith("| training-8-12 |")
