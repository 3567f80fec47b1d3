"""Worlds of gloo processes that many tests share."""

from __future__ import annotations

from typing import Callable, Dict, Iterator

import pytest
import torch

from worlds import World

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def world() -> Iterator[Callable[[int], World]]:
    """world(n) is n processes that stay for the whole session; for tests that leave them whole."""
    made: Dict[int, World] = {}

    def get(n: int) -> World:
        if n not in made:
            made[n] = World(n)
        return made[n]
    yield get
    for each in made.values():
        each.close()


@pytest.fixture
def lone_world() -> Iterator[Callable[..., World]]:
    """Like world, for tests that break their processes."""
    made = []

    def get(n: int, **options: object) -> World:
        made.append(World(n, **options))
        return made[-1]
    yield get
    for each in made:
        each.close()
