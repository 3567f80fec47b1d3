"""Every node as a model and an optimizer of its own, in plain loops: what the stacked simulation must agree with."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from language.exchange import PLANS
from language.net import Layout
from language.settings import SIZES, Entry
from language.text import Text
from training.processes import process

Model = dict[str, torch.Tensor]


def loss(p: Model, layers: int, heads: int, windows: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy of one model on windows [texts, length + 1], one text and one head at a time."""
    total = torch.zeros((), dtype=p["head"].dtype)
    for window in windows:
        ids, targets = window[:-1], window[1:]
        x = p["bytes"][ids] + p["places"][: len(ids)]
        for k in range(layers):
            q, key, v = (F.layer_norm(x, x.shape[1:], p[f"{k}.before"]) @ p[f"{k}.qkv"].T).chunk(3, dim=1)
            size = q.shape[1] // heads
            out = []
            for h in range(heads):
                cut = slice(h * size, (h + 1) * size)
                scores = q[:, cut] @ key[:, cut].T / math.sqrt(size)
                scores = scores + torch.full_like(scores, float("-inf")).triu(1)
                out.append(scores.softmax(1) @ v[:, cut])
            x = x + torch.cat(out, 1) @ p[f"{k}.join"].T
            x = x + F.gelu(F.layer_norm(x, x.shape[1:], p[f"{k}.between"]) @ p[f"{k}.up"].T) @ p[f"{k}.down"].T
        logits = F.layer_norm(x, x.shape[1:], p["last"]) @ p["head"].T
        total = total + F.cross_entropy(logits, targets)
    return total / len(windows)


def flat(p: Model) -> torch.Tensor:
    return torch.cat([v.detach().flatten() for v in p.values()])


def put(p: Model, row: torch.Tensor) -> None:
    first = 0
    for v in p.values():
        v.data.copy_(row[first:first + v.numel()].view_as(v))
        first += v.numel()


class Nodes:
    """The nodes of one run, with the optimizers of PyTorch."""

    def __init__(self, e: Entry, text: Text) -> None:
        self.e, self.text, self.size = e, text, SIZES[e.size]
        first = Layout(self.size, e.context).views(Layout(self.size, e.context).initial(e.seed).double())
        self.nodes: list[Model] = [{k: v[0].clone().requires_grad_() for k, v in first.items()} for _ in range(e.nodes)]
        self.optimizers = [self._optimizer(p) for p in self.nodes]
        self.places = text.places(e).reshape(e.steps, e.nodes, e.sequences)

    def _optimizer(self, p: Model) -> torch.optim.Optimizer:
        groups = [{"params": [v for v in p.values() if v.dim() == 2], "weight_decay": self.e.weight_decay},
                  {"params": [v for v in p.values() if v.dim() == 1], "weight_decay": 0.0}]
        if self.e.optimizer == "sgd":
            return torch.optim.SGD(groups, lr=1.0, momentum=self.e.beta)
        return torch.optim.AdamW(groups, lr=1.0, betas=(self.e.beta, self.e.beta2), eps=1e-8)

    def train(self) -> torch.Tensor:
        """The parameters of all nodes at the end, [nodes, parameters]."""
        e, done = self.e, 0
        dense = e.synchronous if e.group < e.nodes else e.steps
        outside = None
        for t in range(e.steps):
            if t == dense:
                outside = Outside(e, self)
            self._step(t, e.nodes if t < dense else e.group)
            if outside:
                done += 1
                outside.after(done)
        if outside:
            outside.finish()
        return torch.stack([flat(p) for p in self.nodes])

    def _step(self, t: int, group: int) -> None:
        e = self.e
        for p, first in zip(self.nodes, self.places[t]):
            windows = torch.stack([self.text.train[a:a + e.context + 1] for a in first]).long()
            found = loss(p, self.size.layers, self.size.heads, windows)
            for v, g in zip(p.values(), torch.autograd.grad(found, list(p.values()))):
                v.grad = g
        for first_node in range(0, e.nodes, group):
            members = self.nodes[first_node:first_node + group]
            for name in members[0]:
                mean = sum(p[name].grad for p in members) / group
                for p in members:
                    p[name].grad = mean.clone()
        for p, optimizer in zip(self.nodes, self.optimizers):
            torch.nn.utils.clip_grad_norm_(list(p.values()), e.clip)
            for g in optimizer.param_groups:
                g["lr"] = e.rates()[t]
            optimizer.step()


class Outside:
    """Exchanges, for each node by itself: nodes of a group hold the same numbers."""

    def __init__(self, e: Entry, nodes: Nodes) -> None:
        self.e, self.nodes = e, nodes
        self.period = process(e.process, e.replicas, folder=PLANS)
        self.theta = self._rows()
        blocks = math.ceil(len(self.theta[0]) / 256)
        self.ends = [256 * (blocks * k // e.every) for k in range(e.every + 1)]
        self.u = [torch.zeros_like(r) for r in self.theta]
        self.error = [torch.zeros_like(r) for r in self.theta]
        self.back = torch.zeros_like(self.theta[0])
        self.waiting: list[tuple[int, list[torch.Tensor]]] = []
        self.round = 0

    def _rows(self) -> list[torch.Tensor]:
        return [flat(p) for p in self.nodes.nodes]

    def after(self, k: int) -> None:
        while self.waiting and self.waiting[0][0] == k:
            self._add(self.waiting.pop(0)[1])
        if k % self.e.every and not self.e.pieces:
            return
        self.part = slice(*self.ends[(k - 1) % self.e.every:][:2]) if self.e.pieces else slice(None)
        w = self.period[self.round % len(self.period)]
        self.round += 1
        rows = self._rows()
        results = self._outer(self._few(rows) if self.e.bits < 16 else
                              self._halves(rows, w) if self.e.bits == 16 else self._mix(rows, w))
        changes = [torch.zeros_like(row) for row in rows]
        for change, row, result in zip(changes, rows, results):
            change[self.part] = (result - row)[self.part]
        if self.e.delay:
            self.waiting.append((k + self.e.delay, changes))
        else:
            self._add(changes)
        for name in {"": (), "m": ("exp_avg",), "mv": ("exp_avg", "exp_avg_sq")}[self.e.state]:
            for key in self.nodes.nodes[0]:
                held = [o.state[p[key]][name] for p, o in zip(self.nodes.nodes, self.nodes.optimizers)]
                for tensor, value in zip(held, self._mix([h.clone() for h in held], w)):
                    tensor.copy_(value)

    def finish(self) -> None:
        for _, changes in self.waiting:
            self._add(changes)

    def _add(self, changes: list[torch.Tensor]) -> None:
        for p, row, change in zip(self.nodes.nodes, self._rows(), changes):
            put(p, row + change)

    def _mix(self, rows: list[torch.Tensor], w: object) -> list[torch.Tensor]:
        group = self.e.group
        return [sum(float(w[i // group][j]) * rows[j * group] for j in range(self.e.replicas))  # type: ignore
                for i in range(self.e.nodes)]

    def _outer(self, mixed: list[torch.Tensor]) -> list[torch.Tensor]:
        eta, mu = self.e.outer_lr, self.e.outer_momentum
        for i, average in enumerate(mixed):
            p = self.part
            d = (self.theta[i] - average)[p]
            self.u[i][p] = mu * self.u[i][p] + d
            self.theta[i][p] = self.theta[i][p] - eta * (d + mu * self.u[i][p])
        return [t.clone() for t in self.theta]

    def _few(self, rows: list[torch.Tensor]) -> list[torch.Tensor]:
        sent, p, keep = [], self.part, self.e.keep
        for i, row in enumerate(rows):
            change = (row - self.theta[i])[p] + keep * self.error[i][p]
            sent.append(largest(change, self.e.top) if self.e.top else few(change, self.e.bits))
            self.error[i][p] = change - sent[i]
        average = sum(sent[:: self.e.group]) / self.e.replicas
        if self.e.stages == 2:
            average = average + keep * self.back[p]
            arrived = few(average, self.e.bits)
            self.back[p] = average - arrived
            average = arrived
        out = [t.clone() for t in self.theta]
        for t in out:
            t[p] += average
        return out

    def _halves(self, rows: list[torch.Tensor], w: object) -> list[torch.Tensor]:
        out, group = [], self.e.group
        for i, row in enumerate(rows):
            if self.e.process == "exact":
                parts = [sixteen(rows[j] - self.theta[j]) for j in range(0, self.e.nodes, group)]
                out.append(self.theta[i] + sixteen(sum(parts) / len(parts)))
                continue
            new = row.clone()
            for j in range(self.e.replicas):
                new += float(w[i // group][j]) * (sixteen(rows[j * group]) - sixteen(row))  # type: ignore
            out.append(new)
        return out


def sixteen(x: torch.Tensor) -> torch.Tensor:
    """The closest numbers of 8 significant bits, the even ones of two; x is rounded to float32 before that."""
    fraction, exponent = torch.frexp(x.float().double())
    return torch.ldexp(torch.round(fraction * 256), exponent - 8)


def few(x: torch.Tensor, bits: int) -> torch.Tensor:
    """Number by number."""
    out = []
    for part in x.split(256):
        mean, most = float(part.abs().sum()) / 256, float(part.abs().max())  # a last part is filled with zeros
        if bits == 1:
            out.append(torch.tensor([mean if v >= 0 else -mean for v in part.tolist()], dtype=x.dtype))
        elif bits == 2:
            large = [abs(v) for v in part.tolist() if abs(v) > 0.75 * mean]
            a = sum(large) / max(len(large), 1)
            out.append(torch.tensor([math.copysign(a, v) if abs(v) > 0.75 * mean else 0.0 for v in part.tolist()],
                                    dtype=x.dtype))
        else:
            scale = max(most / (2 ** (bits - 1) - 1), 1e-30)
            out.append(torch.round(part / scale) * scale)
    return torch.cat(out)


def largest(x: torch.Tensor, count: int) -> torch.Tensor:
    out = []
    for part in x.split(4096):
        places = sorted(range(len(part)), key=lambda k: -abs(float(part[k])))[:count]
        middle = sum(abs(float(part[k])) for k in places) / count
        sent = torch.zeros_like(part)
        for above in (True, False):
            some = [k for k in places if (abs(float(part[k])) >= middle) == above]
            for k in some:
                sent[k] = math.copysign(sum(abs(float(part[j])) for j in some) / len(some), float(part[k]))
        out.append(sent)
    return torch.cat(out)
