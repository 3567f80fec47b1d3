"""Pictures of docs/research/training.md, drawn from the committed results.

python3 -m training pictures --out ../docs/images writes them; a test says when one is old.
"""

from __future__ import annotations

from pathlib import Path

from . import picture_floors, picture_hundred, picture_panels, picture_recipe, picture_times

DRAWN = {"training-times.svg": picture_times.draw, "training-recipe.svg": picture_recipe.draw,
         "training-hundred.svg": picture_hundred.draw, "training-floors.svg": picture_floors.draw,
         "training-panels.svg": picture_panels.draw}


def write(folder: Path) -> None:
    for name, draw in DRAWN.items():
        (folder / name).write_text(draw())
