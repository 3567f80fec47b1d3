"""A small convolutional network with batch norm, trained with any plan of batopo: copy it, and put your own model and
data in.

    torchrun --nproc_per_node 4 images.py plan.json --steps 200 --save checkpoints
    torchrun --nproc_per_node 4 images.py plan.json --steps 200 --save checkpoints --resume

The images are generated: stripes in eight directions at any place, under noise. The class is the direction.
"""

from __future__ import annotations

import argparse
import math
from contextlib import nullcontext
from typing import Any, List, Optional, Tuple

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

import batopo

SIZE, CLASSES = 16, 8


def network(width: int) -> nn.Module:
    """Three convolutions with batch norm, then the mean of all places."""
    layers: List[nn.Module] = []
    for before, after in ((1, width), (width, 2 * width), (2 * width, 2 * width)):
        layers += [nn.Conv2d(before, after, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2 * width, CLASSES))


def drawn(count: int, seed: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """Images and their classes."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(CLASSES, (count,), generator=generator)
    angle = (labels * math.pi / CLASSES).view(-1, 1, 1)
    shift = 2 * math.pi * torch.rand(count, 1, 1, generator=generator)
    y, x = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    images = torch.sin(1.2 * (x * torch.cos(angle) + y * torch.sin(angle)) + shift)
    return (images + 1.5 * torch.randn(count, SIZE, SIZE, generator=generator)).unsqueeze(1), labels


def rate(step: int, steps: int) -> float:
    """Ten steps of warm-up, then a cosine to a tenth."""
    if step < 10:
        return (step + 1) / 10
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - 10) / max(1, steps - 10)))


def train(plan: Any, args: argparse.Namespace) -> List[float]:
    """Returns the shares of held-out images that the averaged model names right, one for every evaluation."""
    rank, ranks = dist.get_rank(), dist.get_world_size()
    device = torch.device(f"cuda:{rank % torch.cuda.device_count()}" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    model = DistributedDataParallel(network(args.width).to(device))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.05)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate(step, args.steps))
    # Statistics of batch norm belong to a model: the mean of all models needs their mean.
    gossip = batopo.attach(optimizer, plan, model=model, buffers="average", timeout=args.timeout)
    if rank == 0:
        print(gossip, flush=True)

    images, labels = (part[rank::ranks].to(device) for part in drawn(4096, args.seed))  # every rank has its own part
    test_images, test_labels = (part.to(device) for part in drawn(512, 10_000_019))
    state = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "gossip": gossip}
    first = batopo.load(args.save, **state) if args.resume else 0  # the last step that all ranks have saved

    right = []
    for step in range(first, args.stop or args.steps):
        picks = torch.Generator().manual_seed(1_000_003 * args.seed + 1009 * step + rank)  # the same after --resume
        optimizer.zero_grad()
        for part in range(args.accumulate):
            batch = torch.randint(len(images), (args.batch,), generator=picks)
            last = part == args.accumulate - 1
            with nullcontext() if last else model.no_sync():
                with torch.autocast(device.type, torch.bfloat16, enabled=args.autocast):
                    loss = F.cross_entropy(model(images[batch]), labels[batch]) / args.accumulate
                loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if (step + 1) % args.evaluate == 0 or step + 1 == args.steps:
            with gossip.averaged(), torch.no_grad():  # the mean of all models; afterwards each is itself again
                model.eval()
                right.append((model.module(test_images).argmax(1) == test_labels).float().mean().item())
                model.train()
            if rank == 0:
                print(f"step {step + 1}: {right[-1]:.3f} right", flush=True)
    if args.save:
        batopo.save(args.save, step + 1, **state)  # a file for each rank: models differ
    gossip.average()  # the final model, the same on all ranks
    return right


def options(words: Optional[List[str]] = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--stop", type=int, default=0, help="end earlier, to go on with --resume")
    parser.add_argument("--batch", type=int, default=32, help="images for each rank and part of a step")
    parser.add_argument("--accumulate", type=int, default=1, help="parts of a step")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--evaluate", type=int, default=50, help="steps from one evaluation to the next")
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
