from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import torch
from language.text import Text


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four domains of random letters, each with its own alphabet."""
    out = tmp_path_factory.mktemp("text")
    rng = np.random.default_rng(1)
    for k, name in enumerate(("a", "b", "c", "d")):
        for kind, size in (("train", 5000 + 300 * k), ("val", 700)):
            letters = rng.integers(32 + 20 * k, 40 + 20 * k, size).astype(np.uint8)
            (out / f"{name}.{kind}.gz").write_bytes(gzip.compress(letters.tobytes()))
    return out


@pytest.fixture(scope="session")
def text(folder: Path) -> Text:
    torch.set_num_threads(1)
    return Text(folder, torch.device("cpu"))
