"""Bytes of four domains: random windows to train on, and all of the held-out text to measure with."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import torch

from .settings import Entry

CHARACTERS = 128  # ASCII


class Text:
    """DOMAIN.train.gz and DOMAIN.val.gz of a folder, on the device."""

    def __init__(self, folder: Path, device: torch.device) -> None:
        self.domains = sorted(p.name[: -len(".train.gz")] for p in folder.glob("*.train.gz"))
        if not self.domains:
            raise ValueError(f"{folder}: no files DOMAIN.train.gz; README.md says how to make them")
        train = [_read(folder / f"{d}.train.gz") for d in self.domains]
        self.sizes = np.array([len(t) for t in train])
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.train = torch.from_numpy(np.concatenate(train)).to(device)
        self.held = {d: torch.from_numpy(_read(folder / f"{d}.val.gz")).to(device) for d in self.domains}

    def places(self, e: Entry) -> np.ndarray:
        """Where the windows of every step begin, [steps, nodes × sequences]; longer runs begin as shorter ones."""
        drawn = np.random.default_rng([e.seed, 38]).random((e.steps, e.nodes, e.sequences, 2))
        count = len(self.domains)
        if e.data == "domains":
            domain = np.broadcast_to((np.arange(e.nodes) * count // e.nodes)[:, None], drawn.shape[:3])
        else:
            domain = (drawn[..., 0] * count).astype(np.int64)
        room = self.sizes[domain] - e.context - 1
        return (self.starts[domain] + (drawn[..., 1] * room).astype(np.int64)).reshape(e.steps, -1)

    def windows(self, domain: str, context: int, part: int) -> torch.Tensor:
        """Every part-th window of the held-out text, [windows, context + 1]."""
        held = self.held[domain]
        first = torch.arange(0, len(held) - context - 1, context * part, device=held.device)
        return held[first[:, None] + torch.arange(context + 1, device=held.device)].long()


def _read(path: Path) -> np.ndarray:
    raw = np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8)
    if raw.max(initial=0) >= CHARACTERS:
        raise ValueError(f"{path}: a byte is {raw.max()}; the text must be ASCII")
    return raw.copy()
