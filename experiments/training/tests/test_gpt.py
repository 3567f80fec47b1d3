"""The stacked GPT and AdamW against separate modules with torch.optim.AdamW."""

import json
import math
from pathlib import Path

import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F

from training import results, runner
from training.gpt import GptArchitecture, GptStack
from training.network import Shape
from training.settings import Entry
from training.simulate import Options, Simulation
from training.text import TextBanks

SHAPE = Shape("gpt-tiny", 16, "imagenet", "batch", classes=11, context=12)
TEXT = "".join(f"the number after {k} is {k + 1}.\n" for k in range(99))


class PlainGpt(nn.Module):
    """Written as in a textbook: embedding tables, one head after the other."""

    def __init__(self, shape: Shape, depth: int) -> None:
        super().__init__()
        d = shape.width
        self.tokens, self.places = nn.Embedding(shape.classes, d), nn.Embedding(shape.context, d)
        self.parts = nn.ModuleDict()
        for k in range(depth):
            layers = {"before": nn.LayerNorm(d), "qkv": nn.Linear(d, 3 * d), "join": nn.Linear(d, d),
                      "between": nn.LayerNorm(d), "up": nn.Linear(d, 4 * d), "down": nn.Linear(4 * d, d)}
            self.parts.update({f"{k}_{name}": layer for name, layer in layers.items()})
        self.parts["last"], self.parts["head"] = nn.LayerNorm(d), nn.Linear(d, shape.classes)
        self.depth = depth

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        stream = self.tokens(x) + self.places(torch.arange(x.shape[1]))
        for k in range(self.depth):
            part = {name: self.parts[f"{k}_{name}"] for name in ("before", "qkv", "join", "between", "up", "down")}
            q, key, v = part["qkv"](part["before"](stream)).chunk(3, dim=-1)
            heads, size = [], q.shape[-1] // 4
            for h in range(4):
                mine = slice(h * size, (h + 1) * size)
                scores = torch.einsum("bid,bjd->bij", q[..., mine], key[..., mine]) / math.sqrt(size)
                seen = torch.tril(torch.ones(x.shape[1], x.shape[1])) > 0
                heads.append(torch.where(seen, scores, torch.tensor(-math.inf).double()).softmax(-1) @ v[..., mine])
            stream = stream + part["join"](torch.cat(heads, -1))
            stream = stream + part["down"](F.gelu(part["up"](part["between"](stream))))
        return self.parts["head"](self.parts["last"](stream))


def named(model: PlainGpt, shape: Shape, which: str) -> dict[str, torch.Tensor]:
    """Parameters (data) or their gradients (grad) under the stacked network's names."""
    def get(p: torch.Tensor) -> torch.Tensor:
        return getattr(p, which).detach()

    out = {"embed": torch.cat([get(model.tokens.weight), get(model.places.weight)]).t()}
    for name, layer in model.parts.items():
        name = name.replace("_", ".")
        if isinstance(layer, nn.LayerNorm):
            out[f"{name}.scale"], out[f"{name}.shift"] = get(layer.weight), get(layer.bias)
        else:
            out[name], out[f"{name}.bias"] = get(layer.weight), get(layer.bias)
    return out


def copy_in(stack: GptStack, i: int, model: PlainGpt) -> None:
    values = named(model, stack.arch.shape, "data")
    for slots, block in ((stack.arch.layout.matrices, stack.parameters.matrices),
                         (stack.arch.layout.vectors, stack.parameters.vectors)):
        for slot in slots:
            slot.of(block.master)[i] = 0
            view, value = slot.of(block.master)[i], values[slot.name]
            view[(...,) if view.dim() == 1 else (slice(None), slice(value.shape[1]))] = value


def assert_same(stack: GptStack, i: int, want: dict[str, torch.Tensor], which: str) -> None:
    for slots, block in ((stack.arch.layout.matrices, stack.parameters.matrices),
                         (stack.arch.layout.vectors, stack.parameters.vectors)):
        for slot in slots:
            got = slot.of(getattr(block, which))[i]
            value = want[slot.name]
            torch.testing.assert_close(got[..., :value.shape[-1]], value, rtol=1e-7, atol=1e-9,
                                       msg=lambda m: f"{slot.name}: {m}")


def test_stack_equals_separate_modules() -> None:
    models, batch = 3, 4
    stack = GptStack(GptArchitecture(SHAPE), models, torch.device("cpu"), torch.float64)
    separate = [PlainGpt(SHAPE, 2).double() for _ in range(models)]
    for i, model in enumerate(separate):
        copy_in(stack, i, model)
    text = torch.randint(11, (models, batch, 13))
    losses = stack.loss(text[..., :-1], text[..., 1:].permute(1, 2, 0))
    for i, model in enumerate(separate):
        loss = F.cross_entropy(model(text[i, :, :-1]).flatten(0, 1), text[i, :, 1:].flatten())
        loss.backward()
        torch.testing.assert_close(losses[i], loss.detach(), rtol=1e-10, atol=1e-12)
        assert_same(stack, i, named(model, SHAPE, "grad"), "grad")


def test_adam_equals_torch(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(TEXT)
    cell = Entry("a", dataset="t.txt", net="gpt-tiny", width=16, context=12, nodes=2, batch=8, epochs=1, process="none",
                 momentum="adam", lr=0.01, weight_decay=0.1)
    banks = TextBanks(tmp_path / "t.txt", 12, torch.device("cpu"), torch.float64)
    sim = Simulation([cell], banks, Options(dtype="float64"))
    assert isinstance(sim.net, GptStack)
    model = PlainGpt(sim.net.arch.shape, 2).double()
    for i in (0, 1):
        copy_in(sim.net, i, model)
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    plain = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0}],
                              lr=0.01, betas=(0.9, 0.95))
    sim._load_epoch(0)
    for s in range(5):
        x, y = banks.train.gather(sim.order[s], None)
        plain.zero_grad()
        F.cross_entropy(model(x[1]).flatten(0, 1), y[..., 1].flatten()).backward()
        plain.step()
        sim.iterate(mix=False)
    assert_same(sim.net, 1, named(model, sim.net.arch.shape, "data"), "master")


def test_learns_a_text(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(TEXT)
    defaults = {"dataset": "t.txt", "net": "gpt-tiny", "width": 16, "context": 16, "nodes": 4, "batch": 8, "epochs": 3,
                "momentum": "adam", "lr": 0.01, "process": "one-peer-exponential"}
    (tmp_path / "q.json").write_text(json.dumps(
        {"defaults": defaults, "entries": [{"name": "dealt"}, {"name": "stretches", "skew": 1.0, "order": "cta"}]}))
    job = runner.Job(tmp_path / "q.json", tmp_path, tmp_path, 5, 4, Options())
    assert runner.run(job, lambda line: None)
    for line in results.read([tmp_path / "results.jsonl"]):
        losses = line["series"]["test_loss"]
        assert losses[-1] < losses[0] < math.log(30)
        assert line["series"]["averaged"][-1] > 0.2


def test_short_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("short")
    with pytest.raises(ValueError, match="too few"):
        TextBanks(tmp_path / "t.txt", 12, torch.device("cpu"), torch.float32)
