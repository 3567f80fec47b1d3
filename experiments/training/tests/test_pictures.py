"""The pictures of docs/research/training.md are those of the committed results, and marks stand right."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from training import picture_floors, picture_panels, picture_times, pictures, runner, svg
from training.__main__ import main

IMAGES = Path(runner.__file__).parents[2] / "docs" / "images"
SVG = "{http://www.w3.org/2000/svg}"


def test_committed_pictures_are_those_of_the_committed_results(tmp_path: Path) -> None:
    assert main(["pictures", "--out", str(tmp_path)]) == 0
    for name in pictures.DRAWN:
        assert (tmp_path / name).read_text() == (IMAGES / name).read_text(), "python3 -m training pictures"
    page = (IMAGES.parent / "research" / "training.md").read_text()
    assert all(f"(../images/{name})" in page for name in pictures.DRAWN)


def test_a_dot_stands_at_the_seconds_that_table2_prints() -> None:
    dots = ET.fromstring(picture_times.draw()).findall(f"{SVG}circle")
    scale = picture_times.WIDE / picture_times.MOST
    row = {(c.attrib["fill"], round((float(c.attrib["cx"]) - picture_times.LEFT) / scale)) for c in dots
           if float(c.attrib["cy"]) == picture_times.TOP + 2 * picture_times.STEP - 4
           and float(c.attrib["cx"]) < picture_times.LEFT + picture_times.WIDE}
    # The ring on equal nodes: 25 and 27 epochs of 0.98 + 1.49 s, and of 1.49 s behind the gradient.
    assert row == {(svg.BLUE, 62), (svg.BLUE, 67), ("#ffffff", 37), ("#ffffff", 40)}


def test_nothing_leaves_its_panel() -> None:
    for name, draw in pictures.DRAWN.items():
        root = ET.fromstring(draw())
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for mark in root.iter():
            x, y = mark.attrib.get("cx"), mark.attrib.get("cy")
            assert x is None or y is None or (0 < float(x) < width and 0 < float(y) < height), name
            for place in re.findall(r"(-?[\d.]+),(-?[\d.]+)", mark.attrib.get("points", "")):
                assert 0 < float(place[0]) < width and 0 < float(place[1]) < height, name


def test_heights_of_the_floors() -> None:
    assert picture_floors._height(0.8) == picture_floors.TOP
    assert picture_floors._height(0.4) == pytest.approx(picture_floors.TOP + picture_floors.HIGH)


def test_a_panel_has_every_row_of_the_paper_that_was_trained() -> None:
    """Equal nodes, CIFAR-10: six baselines, BA-Topo with 24, 32 and 54 edges, and all-reduce."""
    curves = ET.fromstring(picture_panels.draw()).findall(f"{SVG}polyline")
    first = [c for c in curves if all(
        float(x) <= picture_panels.LEFT + picture_panels.WIDE and float(y) <= picture_panels.TOP + picture_panels.HIGH
        for x, y in re.findall(r"([\d.]+),([\d.]+)", c.attrib["points"]))]
    assert len(first) == 10
    assert sum(c.attrib["stroke"] == svg.VERMILION for c in first) == 3


def test_seconds_of_a_panel() -> None:
    assert [x for x, _ in picture_panels.smooth([0.3, 0.6, 0.9, 0.9], 2.0)] == [4.0, 6.0]
    assert [y for _, y in picture_panels.smooth([0.3, 0.6, 0.9, 0.9], 2.0)] == pytest.approx([0.6, 0.8])
