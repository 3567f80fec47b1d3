"""One thread: the problems are too small for more, and waiting for busy cores costs minutes."""

import torch

torch.set_num_threads(1)
