"""Images on the device: batches for all stacked models, gathered by index and cropped, flipped, normalised there."""

from __future__ import annotations

import numpy as np
import torch

from .data import Images

SIDE, MARGIN = 32, 4
PADDED = SIDE + 2 * MARGIN
# Mean and deviation of the channels of CIFAR-10's training images, in the range 0…255.
MEAN = (125.3, 123.0, 113.9)
DEVIATION = (63.0, 62.1, 66.7)


class Banks:
    """The images of a data set on the device, for all groups that train on it."""

    def __init__(self, images: Images, device: torch.device, dtype: torch.dtype) -> None:
        self.train = ImageBank(images.train, images.train_labels, device, dtype)
        self.test = ImageBank(images.test, images.test_labels, device, dtype)
        self.train_labels, self.classes = images.train_labels, images.classes
        self.device, self.dtype = device, dtype


class ImageBank:
    """Images with a black margin, one 32-bit word per pixel, so that a crop is a gather of words."""

    def __init__(self, images: np.ndarray, labels: np.ndarray, device: torch.device, dtype: torch.dtype) -> None:
        words = np.zeros((len(images), PADDED, PADDED, 4), np.uint8)
        words[:, MARGIN:-MARGIN, MARGIN:-MARGIN, :3] = images
        self.words = torch.from_numpy(words.view(np.int32).reshape(-1)).to(device)
        self.labels = torch.from_numpy(labels).to(device)
        self.dtype = dtype
        self.mean = torch.tensor(MEAN, device=device)
        self.scale = 1 / torch.tensor(DEVIATION, device=device)
        self.ramp = torch.arange(SIDE, device=device)

    def __len__(self) -> int:
        return len(self.labels)

    def gather(self, index: torch.Tensor, moves: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
        """Images [B, models·3, 32, 32] in channels-last memory and labels [B, models], from index [models, B].

        moves [models, B, 3] holds row offset, column offset and flip of every image; none: the middle, not flipped.
        """
        index = index.t().long()
        batch, models = index.shape
        if moves is None:
            rows = cols = (self.ramp + MARGIN)[None, None, :]
        else:
            top, left, flip = moves.permute(2, 1, 0).long().unbind(0)
            rows = top[..., None] + self.ramp
            cols = left[..., None] + torch.where(flip[..., None] > 0, SIDE - 1 - self.ramp, self.ramp)
        # [B, 32, 32, models]: the memory order that the stacked convolutions want.
        rows, cols = rows.transpose(1, 2)[:, :, None], cols.transpose(1, 2)[:, None]
        where = index[:, None, None] * PADDED**2 + rows * PADDED + cols
        pixels = self.words[where.reshape(-1)].view(torch.uint8).view(-1, 4)[:, :3]
        x = ((pixels.float() - self.mean) * self.scale).to(self.dtype)
        x = x.view(batch, SIDE, SIDE, models * 3).permute(0, 3, 1, 2)
        return x, self.labels[index]
