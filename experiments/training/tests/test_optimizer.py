"""Whole iterations of the simulator against n separate modules in a plain loop."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from training.data import synthetic
from training.processes import process, step_matrices
from training.settings import Entry
from training.simulate import Options, Simulation, banks_of

from .reference import PlainNodes, ResNet8, as_module_order, copy_out, flat_slots, named

OPTIONS = Options(dtype="float64")
BANKS = banks_of(synthetic(train=64, test=16, classes=4), OPTIONS)
BASE = Entry("base", dataset="synthetic", net="resnet8", width=8, stem="imagenet", norm="group", nodes=4, batch=8,
             epochs=2, lr=0.03, weight_decay=0.01, process="exponential")
CELLS = [
    BASE,
    replace(BASE, name="cta", order="cta", process="ring", lr=0.02),
    replace(BASE, name="every", every=2, process="one-peer-exponential", seed=2),
    replace(BASE, name="quasi", momentum="quasi-global", process="one-peer-hypercube", lazy=0.5),
    replace(BASE, name="quasi-every", momentum="quasi-global", process="one-peer-exponential", every=3),
    replace(BASE, name="quasi-cta", momentum="quasi-global", order="cta", process="exact", lazy=0.5, beta=0.8),
    replace(BASE, name="cosine", schedule="cosine", process="torus", sampling="independent", augment=False),
    replace(BASE, name="step", schedule="step", process="grid", beta=0.5, weight_decay=0.0),
    replace(BASE, name="bare vectors", decay_vectors=False, weight_decay=0.1, share="drawn", margin=0),
    replace(BASE, name="16 bits", bits=16, process="ring"),
    replace(BASE, name="16 bits, cta", bits=16, order="cta", process="one-peer-exponential", every=2),
    replace(BASE, name="16 bits, exact", bits=16, process="exact", every=2),
    replace(BASE, name="16 bits, exact, cta", bits=16, order="cta", process="exact"),
]


def plain_run(cell: Entry, sim: Simulation, index: int, epochs: int) -> tuple[PlainNodes, list[list[float]]]:
    """The same run with separate modules, fed with the images that the simulator's bank gives."""
    n = cell.nodes
    modules = [ResNet8(cell.width, cell.stem, cell.norm, 4).double() for _ in range(n)]
    for i in range(n):
        copy_out(sim.net, index * n + i, modules[i])
    averages = "fp32" if cell.bits == 32 else "changes in bf16" if cell.process == "exact" else "parameters in bf16"
    plain = PlainNodes(modules, cell.lr, cell.beta, cell.weight_decay, cell.order, cell.momentum,
                       cell.decay_vectors, averages)
    losses = []
    for epoch in range(epochs):
        sim._load_epoch(epoch)
        matrices = step_matrices(process(cell.process, n, cell.lazy), cell.every, epoch * sim.steps, sim.steps)
        for s in range(sim.steps):
            x, y = sim.train.gather(sim.order[s], sim.moves[s])
            batches = []
            for i in range(index * n, (index + 1) * n):
                batches.append((x[:, 3 * i:3 * i + 3], y[:, i]))
            rate = cell.lr_at(epoch * sim.steps + s, cell.epochs * sim.steps)
            losses.append(plain.step(batches, matrices[s], rate))
    return plain, losses


@pytest.mark.parametrize("together", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_iterations_equal_the_plain_loop(together: bool) -> None:
    groups = [CELLS] if together else [[c] for c in CELLS]
    for cells in groups:
        sim = Simulation(cells, BANKS, OPTIONS)
        plains = [plain_run(c, sim, k, epochs=2)[0] for k, c in enumerate(cells)]
        sim.run_epoch(0)
        sim.run_epoch(1)
        for k, (cell, plain) in enumerate(zip(cells, plains)):
            for i, module in enumerate(plain.models):
                want = named(module)
                for slot, which in flat_slots(sim.net.arch):
                    got = as_module_order(slot.of(sim.net.parameters.blocks[which].master)[k * cell.nodes + i])
                    torch.testing.assert_close(got, want[slot.name].detach(), rtol=1e-8, atol=1e-10,
                                               msg=lambda m: f"{cell.name} node {i} {slot.name}: {m}")


def test_training_loss_is_the_mean_over_nodes_and_iterations() -> None:
    sim = Simulation([BASE], BANKS, OPTIONS)
    _, losses = plain_run(BASE, sim, 0, epochs=1)
    assert sim.run_epoch(0)[0] == pytest.approx(np.mean(losses), rel=1e-8)


def test_mean_is_kept_by_mixing_and_exact_averaging_agrees() -> None:
    cells = [replace(BASE, process="exact", norm="batch"), replace(BASE, name="b", process="none", norm="batch")]
    sim = Simulation(cells, BANKS, OPTIONS)
    sim.run_epoch(0)
    x = sim.net.parameters.matrices.master
    assert (x[:4] - x[:1]).abs().max() < 1e-12
    assert (x[4:] - x[4:5]).abs().max() > 1e-3


def test_mean_is_kept_by_rounded_mixing() -> None:
    sim = Simulation([replace(BASE, bits=16, process="ring")], BANKS, OPTIONS)
    x = torch.randn(4, 1000, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    w = torch.from_numpy(process("ring", 4))
    move = sim.optimizer.wires.moves(0, x, w, after=False)
    assert move is not None and sim.optimizer.wires.moves(0, x, w, after=True) is None
    assert move.mean(0).abs().max() < 1e-12 and (x + move - w[0] @ x).abs().max() > 1e-4


@pytest.mark.parametrize("fields", [{"momentum": "quasi-global"}, {"process": "ring between groups of 2"},
                                    {"process": "exact", "lazy": 0.5}, {"bits": 8}], ids=str)
def test_16_bits_that_are_not_simulated_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="bits is"):
        replace(BASE, **{"bits": 16, **fields})  # type: ignore[arg-type]


def test_moving_average_follows_the_averaged_model() -> None:
    sim = Simulation([replace(BASE, ema=0.9)], BANKS, OPTIONS)
    want = sim.net.parameters.matrices.master.mean(0)
    sim._load_epoch(0)
    for _ in range(2):
        sim.iterate(True)
        want = 0.9 * want + 0.1 * sim.net.parameters.matrices.master.mean(0)
    torch.testing.assert_close(sim.optimizer.averages[0][0], want, rtol=1e-10, atol=1e-12)
