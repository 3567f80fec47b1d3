"""What arrives when rows of numbers are sent in few bits.

  8 and 4 bits        whole multiples of a scale, which is the largest of 256 neighbours over 127 or 7
  2 bits              −a, 0 or +a: 0 for what is at most 0.75 of the mean size of the 256 neighbours; a is the mean size
                      of the others. For normal numbers these are the three levels with the least squared error
  1 bit               the sign, times the mean size of the 256 neighbours
  the largest         of every 4096 numbers the k largest, with a sign and one of two sizes: the mean of those above and
                      of those below their mean size. The others are 0
"""

from __future__ import annotations

import torch
import torch.nn.functional as F

from .settings import ALIGN, CHUNK

SMALL = 0.75  # of the mean size


def rounded(x: torch.Tensor, bits: int) -> torch.Tensor:
    """Of rows x [n, width]."""
    parts = _parts(x, ALIGN)
    size = parts.abs()
    if bits == 1:
        mean = size.mean(2, keepdim=True)
        return _rows(torch.where(parts < 0, -mean, mean), x)
    if bits == 2:
        kept = size > SMALL * size.mean(2, keepdim=True)
        return _rows(parts.sign() * _mean(size, kept) * kept, x)
    scale = (size.amax(2, keepdim=True) / (2 ** (bits - 1) - 1)).clamp(min=1e-30)
    return _rows((parts / scale).round() * scale, x)


def largest(x: torch.Tensor, count: int) -> torch.Tensor:
    """Of every CHUNK numbers of rows x [n, width]."""
    parts = _parts(x, CHUNK)
    found, places = parts.abs().topk(count, dim=2)
    above = found >= found.mean(2, keepdim=True)
    size = torch.where(above, _mean(found, above), _mean(found, ~above))
    return _rows(torch.zeros_like(parts).scatter_(2, places, size * parts.gather(2, places).sign()), x)


def _parts(x: torch.Tensor, size: int) -> torch.Tensor:
    """[n, parts, size]; zeros fill up the last part."""
    return F.pad(x, (0, -x.shape[1] % size)).view(len(x), -1, size)


def _rows(parts: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return parts.flatten(1)[:, : x.shape[1]]


def _mean(size: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """Of those that are kept in each part; 0 where none is."""
    return (size * kept).sum(2, keepdim=True) / kept.sum(2, keepdim=True).clamp(min=1)
