"""Two ranks with unequal batches train as one process on the whole batch, for every kind of average."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import batopo
from batopo.plan_file import Collective, Plan
from plans import ROOT, sealed
from worlds import PATIENCE_S

SIZES, STEPS = (6, 2), 5
SHARES = (0.75, 0.25)


def weighted(average: str) -> Plan:
    return sealed(Plan(2, kind="collective", collective=Collective("ring", (1, 0)), average=average,
                       batch_weights=SHARES))


def model_and_data() -> Tuple[torch.nn.Module, torch.Tensor]:
    generator = torch.Generator().manual_seed(3)
    model = torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1)).double()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=generator, dtype=torch.float64))
    return model, torch.randn(STEPS, sum(SIZES), 5, generator=generator, dtype=torch.float64)


def values(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([p.detach().reshape(-1) for p in model.parameters()])


def trained(rank: int, how: str) -> torch.Tensor:
    model, data = model_and_data()
    wrapped = model if how == "parameters" else DistributedDataParallel(model)
    # Averaged parameters are those of averaged gradients only where a step is linear in the gradient.
    adam = how != "parameters"
    optimizer = (torch.optim.AdamW if adam else torch.optim.SGD)(wrapped.parameters(), lr=0.05)
    if how == "batopo.ddp":
        batopo.ddp(wrapped, weighted("gradients"), timeout=PATIENCE_S)
    elif how == "attach":
        batopo.attach(optimizer, weighted("gradients"), model=wrapped, timeout=PATIENCE_S)
    elif how == "parameters":
        batopo.attach(optimizer, weighted("parameters"), timeout=PATIENCE_S)
    first = sum(SIZES[:rank])
    for batch in data:
        loss = wrapped(batch[first:first + SIZES[rank]]).pow(2).mean()
        if how == "scaled loss":  # what plan prints for DistributedDataParallel
            loss = loss * SHARES[dist.get_rank()] * dist.get_world_size()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return values(model)


def alone(adam: bool) -> torch.Tensor:
    model, data = model_and_data()
    optimizer = (torch.optim.AdamW if adam else torch.optim.SGD)(model.parameters(), lr=0.05)
    for batch in data:
        optimizer.zero_grad()
        model(batch).pow(2).mean().backward()
        optimizer.step()
    return values(model)


@pytest.mark.parametrize("how", ["scaled loss", "batopo.ddp", "attach", "parameters"])
def test_unequal_batches_train_as_one_process_on_all_of_them(world: Callable[[int], Any], how: str) -> None:
    got: List[torch.Tensor] = world(2).run(trained, how)
    want = alone(adam=how != "parameters")
    for x in got:
        assert (x - want).abs().max() <= 1e-9, how


def unweighted(rank: int) -> torch.Tensor:
    return trained(rank, "without weights")


def test_without_weights_they_do_not(world: Callable[[int], Any]) -> None:
    assert (world(2).run(unweighted)[0] - alone(adam=True)).abs().max() > 1e-3


def test_the_sampler_of_the_docs_deals_out_shares() -> None:
    page = (ROOT / "docs" / "pytorch.md").read_text(encoding="utf-8")
    code = page[page.index("class Shares"):page.index('weights = json.load(open("plan.json"))')]
    names: Dict[str, Any] = {"torch": torch}
    exec(code, names)  # what readers copy
    batches = [list(names["Shares"](100, SHARES, 32, rank)) for rank in range(2)]
    assert [len(b) for b in batches[0]] == [24] * 3 and [len(b) for b in batches[1]] == [8] * 3
    assert len({i for b in batches[0] + batches[1] for i in b}) == 96
    with pytest.raises(AssertionError, match="multiple of 16"):
        names["Shares"](100, SHARES, 33, 0)
