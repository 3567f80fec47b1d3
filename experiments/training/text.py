"""Text for the GPT: a file cut into windows of characters, with the surface of batches.Banks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

TEST_SHARE = 0.1  # the end of the text


class TextBank:
    """Windows of context + 1 characters on the device; the label of a character is the next one."""

    def __init__(self, windows: np.ndarray, device: torch.device) -> None:
        self.windows = torch.from_numpy(windows).to(device)
        self.labels = torch.zeros(len(windows), dtype=torch.int64, device=device)

    def __len__(self) -> int:
        return len(self.windows)

    def gather(self, index: torch.Tensor, moves: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
        """Characters [models, B, T] and next characters [B, T, models] of windows index [models, B]."""
        chosen = self.windows[index.long()].long()
        return chosen[..., :-1], chosen[..., 1:].permute(1, 2, 0)


class TextBanks:
    """The windows of a text in their order; the last tenth is for the test."""

    def __init__(self, path: Path, context: int, device: torch.device, dtype: torch.dtype) -> None:
        raw = np.frombuffer(path.read_bytes(), np.uint8)
        characters, codes = np.unique(raw, return_inverse=True)
        count = (len(codes) - 1) // context
        if count < 20:
            raise ValueError(f"{path}: {len(codes)} characters are too few for windows of {context}")
        at = np.arange(count)[:, None] * context + np.arange(context + 1)
        windows = codes[at].astype(np.uint8)
        split = int(count * (1 - TEST_SHARE))
        self.train, self.test = TextBank(windows[:split], device), TextBank(windows[split:], device)
        self.train_labels, self.classes = np.zeros(split, dtype=np.int64), len(characters)
        self.device, self.dtype = device, dtype
