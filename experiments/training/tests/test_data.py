"""Restoring packed files, partitions, orders, and batches."""

import lzma
from pathlib import Path

import numpy as np
import pytest
import torch

from training import data, partition
from training.batches import DEVIATION, MEAN, ImageBank

LABELS = np.arange(4000) % 10


def pack(records: np.ndarray, label_bytes: int) -> bytes:
    """The packed form, written pixel by pixel from its description."""
    n = len(records)
    x = records[:, label_bytes:].reshape(n, 3, 32, 32).astype(int)
    out = [records[:, :label_bytes].tobytes()]
    for c in (x[:, 1], x[:, 0] - x[:, 1], x[:, 2] - x[:, 1]):
        r = np.zeros(c.shape, np.uint8)
        for i in range(32):
            for j in range(32):
                if i and j:
                    west, north, corner = c[:, i, j - 1], c[:, i - 1, j], c[:, i - 1, j - 1]
                    guess = np.median([west, north, west + north - corner], axis=0).astype(int)
                else:
                    guess = c[:, i, j - 1] if j else c[:, i - 1, j] if i else 0
                r[:, i, j] = (c[:, i, j] - guess) % 256
        out.append(r.tobytes())
    return lzma.compress(b"".join(out))


@pytest.mark.parametrize("dataset,label_bytes", [("cifar10", 1), ("cifar100", 2)])
def test_put_and_load(dataset: str, label_bytes: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    parts = {}
    for k, part in enumerate(data.PARTS[dataset]):
        parts[part] = rng.integers(0, 256, size=(3, label_bytes + data.PIXELS), dtype=np.uint8)
        parts[part][:, :label_bytes] = k
        name = tmp_path / f"{part}.med.xz" if k % 2 else tmp_path / f"{part}.bin"
        name.write_bytes(pack(parts[part], label_bytes) if k % 2 else parts[part].tobytes())
    files = sorted(tmp_path.glob("*batch*"))
    assert data.put(files[:3], dataset, tmp_path / "cache") != []
    with pytest.raises(FileNotFoundError, match="lacks"):
        data.load(dataset, tmp_path / "cache")
    assert data.put(files[3:], dataset, tmp_path / "cache") == []
    images = data.load(dataset, tmp_path / "cache")
    first = parts[data.PARTS[dataset][0]][0]
    np.testing.assert_array_equal(images.train[0, 5, 7], first[label_bytes:].reshape(3, 32, 32)[:, 5, 7])
    np.testing.assert_array_equal(images.train_labels, np.repeat(np.arange(5), 3))
    second = parts[data.PARTS[dataset][1]][2]
    np.testing.assert_array_equal(images.train[5].transpose(2, 0, 1).ravel(), second[label_bytes:])
    assert images.test.shape == (3, 32, 32, 3)


def test_even_partition() -> None:
    held = partition.even(LABELS, 16, seed=3)
    assert held.shape == (16, 250)
    assert len(np.unique(held)) == 4000
    for mine in held:
        np.testing.assert_array_equal(np.bincount(LABELS[mine]), 25)
    assert (held != partition.even(LABELS, 16, seed=4)).any()
    np.testing.assert_array_equal(held, partition.even(LABELS, 16, seed=3))


def test_drawn_images_overlap_between_nodes() -> None:
    held = partition.drawn(LABELS, 16, seed=3)
    assert held.shape == (16, 250)
    for mine in held:
        assert len(np.unique(mine)) == 250
        np.testing.assert_array_equal(np.bincount(LABELS[mine]), 25)
    assert 0.6 < len(np.unique(held)) / 4000 < 0.68  # 1 − (1 − 1/16)^16 = 0.644
    np.testing.assert_array_equal(held, partition.drawn(LABELS, 16, seed=3))


@pytest.mark.parametrize("on,margin,low,high,flips", [(True, 4, 0, 8, 2), (True, 0, 4, 4, 2), (True, 1, 3, 5, 2),
                                                      (False, 4, 4, 4, 1)])
def test_augmentation(on: bool, margin: int, low: int, high: int, flips: int) -> None:
    moves = partition.epoch_augmentation(5, 4, 32, epoch=1, seed=2, on=on, margin=margin)
    assert (moves[..., :2].min(), moves[..., :2].max(), len(np.unique(moves[..., 2]))) == (low, high, flips)


@pytest.mark.parametrize("alpha,low,high", [(0.1, 1, 4.5), (100.0, 8.5, 10)])
def test_dirichlet_partition(alpha: float, low: float, high: float) -> None:
    held = partition.dirichlet(LABELS, 16, alpha, seed=1)
    assert held.shape == (16, 250)
    assert len(np.unique(held)) == 4000
    shares = np.stack([np.bincount(LABELS[mine], minlength=10) for mine in held]) / 250
    effective = 1 / (shares**2).sum(1)  # effective number of classes at a node
    assert low <= effective.mean() <= high
    np.testing.assert_array_equal(held, partition.dirichlet(LABELS, 16, alpha, seed=1))


def test_order_visits_everything_once_and_fills_up() -> None:
    held = partition.even(LABELS, 16, seed=3)
    order = partition.epoch_order(held, 32, epoch=2, seed=3, independent=False)
    assert order.shape == (8, 16, 32)
    for i in range(16):
        seen = order[:, i].ravel()
        assert set(seen) == set(held[i])
        np.testing.assert_array_equal(seen[250:], seen[:6])
    again = partition.epoch_order(held, 32, epoch=3, seed=3, independent=False)
    assert (again != order).any()
    drawn = partition.epoch_order(held, 32, epoch=2, seed=3, independent=True)
    assert set(drawn[:, 5].ravel()) < set(held[5])


def test_gather_crops_flips_and_normalises() -> None:
    rng = np.random.default_rng(1)
    images = rng.integers(0, 256, size=(6, 32, 32, 3), dtype=np.uint8)
    labels = np.arange(6)
    bank = ImageBank(images, labels, torch.device("cpu"), torch.float32)
    index = torch.tensor([[0, 3, 5], [1, 1, 2]])  # two models, three images each
    moves = torch.tensor([[[4, 4, 0], [0, 8, 1], [8, 3, 0]], [[2, 2, 1], [7, 0, 0], [4, 4, 1]]], dtype=torch.uint8)
    x, y = bank.gather(index, moves)
    np.testing.assert_array_equal(y, index.t())
    for m in range(2):
        for b in range(3):
            top, left, flip = moves[m, b].tolist()
            padded = np.pad(images[index[m, b]], ((4, 4), (4, 4), (0, 0)))[top:top + 32, left:left + 32]
            want = (padded[:, ::-1] if flip else padded) - np.array(MEAN)
            got = x[b, 3 * m:3 * m + 3].permute(1, 2, 0).numpy()
            np.testing.assert_allclose(got, want / np.array(DEVIATION), rtol=1e-5, atol=1e-5)
    plain, _ = bank.gather(index, None)
    np.testing.assert_allclose(plain[0, :3], x[0, :3])
