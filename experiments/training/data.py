"""Image data: restoring packed CIFAR files into a cache, loading them, and making a small synthetic set."""

from __future__ import annotations

import lzma
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PARTS = {
    "cifar10": [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"],
    "cifar100": [f"train_batch_{i}" for i in range(1, 6)] + ["test_batch"],
}
LABEL_BYTES = {"cifar10": 1, "cifar100": 2}  # CIFAR-100 records: coarse label, fine label, pixels
PIXELS = 3 * 32 * 32


@dataclass(frozen=True)
class Images:
    """Images uint8 [N, 32, 32, 3] and labels int64 [N], for training and for the test."""

    train: np.ndarray
    train_labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray
    classes: int


def put(files: list[Path], dataset: str, cache: Path) -> list[str]:
    """Unpacks the given NAME.med.xz or NAME.bin files into the cache; returns what is still missing."""
    folder = cache / dataset
    folder.mkdir(parents=True, exist_ok=True)
    width = LABEL_BYTES[dataset] + PIXELS
    for path in files:
        if _part(path) not in PARTS[dataset]:
            raise ValueError(f"{path}: not a part of {dataset}; the parts are {', '.join(PARTS[dataset])}")
    with ProcessPoolExecutor() as pool:  # seconds of work per file
        for path, records in zip(files, pool.map(_records, files, [LABEL_BYTES[dataset]] * len(files))):
            np.save(folder / f"{_part(path)}.npy", records.reshape(-1, width))
    return [p for p in PARTS[dataset] if not (folder / f"{p}.npy").exists()]


def _part(path: Path) -> str:
    return path.name.split(".")[0]


def _records(path: Path, label_bytes: int) -> np.ndarray:
    raw = path.read_bytes()
    return unpack(raw, label_bytes) if path.suffix == ".xz" else np.frombuffer(raw, np.uint8)


def load(dataset: str, cache: Path) -> Images:
    """The whole data set from the cache."""
    if dataset == "synthetic":
        return synthetic()
    folder = cache / dataset
    missing = [p for p in PARTS[dataset] if not (folder / f"{p}.npy").exists()]
    if missing:
        raise FileNotFoundError(f"{folder} lacks {', '.join(missing)}: put them there with the command data")
    parts = [np.load(folder / f"{p}.npy") for p in PARTS[dataset]]
    at = LABEL_BYTES[dataset]

    def split(records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pixels = records[:, at:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        return np.ascontiguousarray(pixels), records[:, at - 1].astype(np.int64)

    train, train_labels = split(np.concatenate(parts[:-1]))
    test, test_labels = split(parts[-1])
    return Images(train, train_labels, test, test_labels, classes=10 if dataset == "cifar10" else 100)


def synthetic(train: int = 320, test: int = 100, classes: int = 4, seed: int = 7) -> Images:
    """Noisy blobs, one bright place and colour per class: learnt in a few epochs by a tiny net."""
    rng = np.random.default_rng(seed)

    def make(count: int) -> tuple[np.ndarray, np.ndarray]:
        labels = np.arange(count) % classes
        pixels = rng.integers(0, 96, size=(count, 32, 32, 3))
        for i, c in enumerate(labels):
            top, left = 4 + 14 * (c // 2 % 2), 4 + 14 * (c % 2)
            pixels[i, top:top + 10, left:left + 10, c % 3] += 140
        return pixels.astype(np.uint8), labels.astype(np.int64)

    return Images(*make(train), *make(test), classes)


def unpack(packed: bytes, label_bytes: int) -> np.ndarray:
    """Records [N, label_bytes + 3072] from a packed file.

    Inside the xz stream: all label bytes, then residuals of the planes G, R − G and B − G, each [N, 32, 32] modulo 256,
    against the median edge predictor of LOCO-I. Position-major work makes each step one vector over all images.
    """
    raw = np.frombuffer(lzma.decompress(packed), np.uint8)
    count = len(raw) // (label_bytes + PIXELS)
    residuals = raw[count * label_bytes:].reshape(3, count, 32, 32).transpose(0, 2, 3, 1).astype(np.int16)
    green = _restore(residuals[0], np.zeros((32, 32, count), np.int16))
    planes = [green + _restore(residuals[1], green), green, green + _restore(residuals[2], green)]
    records = np.empty((count, label_bytes + PIXELS), np.uint8)
    records[:, :label_bytes] = raw[:count * label_bytes].reshape(count, label_bytes)
    for k, plane in enumerate(planes):
        at = label_bytes + 1024 * k
        records[:, at:at + 1024] = plane.reshape(1024, count).T.astype(np.uint8)
    return records


def _restore(residuals: np.ndarray, base: np.ndarray) -> np.ndarray:
    """The plane c with (base + c) mod 256 known from the residuals and the predictions made of c itself."""
    c = np.zeros_like(residuals)
    for i in range(32):
        for j in range(32):
            if i and j:
                guess = _median_edge(c[i, j - 1], c[i - 1, j], c[i - 1, j - 1])
            else:
                guess = c[i, j - 1] if j else c[i - 1, j] if i else np.zeros_like(c[0, 0])
            c[i, j] = ((base[i, j] + guess + residuals[i, j]) & 255) - base[i, j]
    return c


def _median_edge(west: np.ndarray, north: np.ndarray, corner: np.ndarray) -> np.ndarray:
    high, low = np.maximum(west, north), np.minimum(west, north)
    return np.where(corner >= high, low, np.where(corner <= low, high, west + north - corner))
