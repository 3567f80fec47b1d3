"""A small GPT, trained with any plan of batopo: copy it, and put your own model and data in.

    torchrun --nproc_per_node 4 gpt.py plan.json --steps 300 --save checkpoints
    torchrun --nproc_per_node 4 gpt.py plan.json --steps 300 --save checkpoints --resume

The text is generated: 16 symbols, each drawn from four that depend on the two before it. The entropy of a draw, and
with it the best loss, is about 1.2.
"""

from __future__ import annotations

import argparse
import math
import os
from contextlib import nullcontext
from typing import Any, List, Optional

import torch
import torch.distributed as dist
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

import batopo

SYMBOLS, CHOICES = 16, (0.5, 0.25, 0.15, 0.1)


class Block(torch.nn.Module):
    """Attention to the past, then two layers for each place."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.norm2 = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        future = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(future, float("-inf"))
        x = x + self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class GPT(torch.nn.Module):
    """Predicts the next symbol at every place."""

    def __init__(self, width: int = 64, layers: int = 2, heads: int = 4, context: int = 32) -> None:
        super().__init__()
        self.symbols, self.places = torch.nn.Embedding(SYMBOLS, width), torch.nn.Embedding(context, width)
        self.blocks = torch.nn.Sequential(*[Block(width, heads) for _ in range(layers)])
        self.norm, self.head = torch.nn.LayerNorm(width), torch.nn.Linear(width, SYMBOLS)

    def forward(self, text: torch.Tensor) -> torch.Tensor:
        """The loss. It is made here because DistributedDataParallel averages gradients of what this returns."""
        given, wanted = text[:, :-1], text[:, 1:]
        places = torch.arange(given.shape[1], device=text.device)
        scores = self.head(self.norm(self.blocks(self.symbols(given) + self.places(places))))
        return F.cross_entropy(scores.flatten(0, 1), wanted.flatten())


def written(lines: int, length: int, seed: int) -> torch.Tensor:
    """Text of one language, which is the same for every seed."""
    language = torch.randint(SYMBOLS, (SYMBOLS, SYMBOLS, len(CHOICES)), generator=torch.Generator().manual_seed(1))
    generator = torch.Generator().manual_seed(seed)
    text = torch.randint(SYMBOLS, (lines, length), generator=generator)
    draws = torch.multinomial(torch.tensor(CHOICES), lines * length, True, generator=generator).view(lines, length)
    for t in range(2, length):
        text[:, t] = language[text[:, t - 2], text[:, t - 1], draws[:, t]]
    return text


def rate(step: int, steps: int) -> float:
    """Twenty steps of warm-up, then a cosine to a tenth."""
    if step < 20:
        return (step + 1) / 20
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - 20) / max(1, steps - 20)))


def train(plan: Any, args: argparse.Namespace) -> List[float]:
    """Returns the losses of the averaged model, one for every evaluation."""
    rank, ranks = dist.get_rank(), dist.get_world_size()
    device = torch.device(f"cuda:{rank % torch.cuda.device_count()}" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    model = DistributedDataParallel(GPT(args.width, args.layers).to(device))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, betas=(0.9, 0.95), weight_decay=0.1)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate(step, args.steps))
    gossip = batopo.attach(optimizer, plan, model=model, timeout=args.timeout)  # the one line that is batopo's
    if rank == 0:
        print(gossip, flush=True)

    mine = written(4096, 33, args.seed)[rank::ranks].to(device)  # every rank has its own part of the text
    held_out = written(256, 33, 10_000_019).to(device)
    state = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "gossip": gossip}
    first = batopo.load(args.save, **state) if args.resume else 0  # the last step that all ranks have saved

    losses = []
    for step in range(first, args.stop or args.steps):
        picks = torch.Generator().manual_seed(1_000_003 * args.seed + 1009 * step + rank)  # the same after --resume
        optimizer.zero_grad()
        for part in range(args.accumulate):
            batch = mine[torch.randint(len(mine), (args.batch,), generator=picks)]
            last = part == args.accumulate - 1
            with nullcontext() if last else model.no_sync():
                with torch.autocast(device.type, torch.bfloat16, enabled=args.autocast):
                    loss = model(batch) / args.accumulate
                loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if (step + 1) % args.evaluate == 0 or step + 1 == args.steps:
            with gossip.averaged(), torch.no_grad():  # the mean of all models; afterwards each is itself again
                losses.append(model.module(held_out).item())
            if rank == 0:
                print(f"step {step + 1}: loss {losses[-1]:.3f}", flush=True)
    if args.save:
        batopo.save(args.save, step + 1, **state)  # a file for each rank: models differ
        batopo.export(os.path.join(args.save, "mean.pt"), model, gossip)  # for those who want the model alone
    gossip.average()  # the final model, the same on all ranks
    return losses


def options(words: Optional[List[str]] = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--stop", type=int, default=0, help="end earlier, to go on with --resume")
    parser.add_argument("--batch", type=int, default=16, help="lines for each rank and part of a step")
    parser.add_argument("--accumulate", type=int, default=1, help="parts of a step")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--evaluate", type=int, default=100, help="steps from one evaluation to the next")
    parser.add_argument("--autocast", action="store_true", help="compute in bfloat16")
    parser.add_argument("--save", default="", help="folder of checkpoints")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds until a rank that is silent is given up")
    return parser.parse_args(words)


if __name__ == "__main__":
    given = options()
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    train(given.plan, given)
