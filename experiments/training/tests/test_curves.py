"""The page of curves."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from training import curves, results, runner
from training.__main__ import main

RESULTS = Path(runner.__file__).parent / "results"
SVG = "{http://www.w3.org/2000/svg}"


def test_every_run_has_a_panel_with_its_curves(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "c.svg"
    assert main(["curves", str(RESULTS / "paper-3x3.jsonl"), "--where", "order=cta", "--out", str(out)]) == 0
    panels = ET.parse(out).getroot().findall(f"{SVG}g")
    assert len(panels) == 4 and "4 runs" in capsys.readouterr().out
    averaged = panels[0].findall(f"{SVG}polyline")[0].attrib["points"].split()
    assert len(averaged) == 40 and averaged[-1].startswith("300.0,")


def test_heights_follow_the_accuracy() -> None:
    (line, *_) = results.read([RESULTS / "paper-3x3.jsonl"])
    line["series"]["averaged"] = [0.5, 0.75, 2.0]
    line["name"] = "a < b"
    panel = ET.fromstring(f"<g>{curves.panel(line, 0.5, 1.0)}</g>")
    heights = [float(p.split(",")[1]) for p in panel.findall("polyline")[0].attrib["points"].split()]
    assert heights == [curves.HEIGHT, curves.HEIGHT / 2, 0.0]
    assert panel.findall("text")[0].text == "a < b"
