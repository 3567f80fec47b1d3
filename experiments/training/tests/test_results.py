"""Which program a line comes from, and tables of committed lines."""

import functools
import hashlib
import json
import math
import shutil
import subprocess
from pathlib import Path

import pytest

from language.__main__ import main as language_main
from training import results, runner, tables
from training.__main__ import main
from training.settings import Entry

FOLDER = Path(runner.__file__).parent
RESULTS = sorted(FOLDER.glob("results/*.jsonl"))


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True, text=True).stdout


def test_source_is_the_tree_when_committed_and_a_hash_when_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "repo" / "training"
    (folder / "plans").mkdir(parents=True)
    (folder / "a.py").write_text("x = 1\n")
    (folder / "plans" / "p.json").write_text("{}")
    source = functools.partial(results.source, folder)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    bare = source()
    assert bare == "sha256 " + hashlib.sha256(b"a.py 6\nx = 1\nplans/p.json 2\n{}").hexdigest()
    git(folder.parent, "init", "-q")
    assert source() == bare, "nothing committed"
    git(folder.parent, "add", ".")
    git(folder.parent, "commit", "-qm", "first")
    assert source() == "git tree " + git(folder.parent, "rev-parse", "HEAD:training").strip()
    (folder / "notes.txt").write_text("no source")
    assert source().startswith("git tree")
    (folder / "plans" / "p.json").write_text("[]")
    assert source().startswith("sha256") and source() != bare
    git(folder.parent, "commit", "-qam", "second")
    (folder / "b.py").write_text("")
    assert source().startswith("sha256"), "a new source is not in the tree"
    shutil.rmtree(folder.parent / ".git")
    assert source().startswith("sha256")


@pytest.mark.parametrize("path", [p for p in RESULTS if p.stem != "gpt"], ids=lambda p: p.name)  # its queue is gone
def test_committed_lines_answer_their_queue(path: Path) -> None:
    cells = {c.name: c for c in runner.read_queue(FOLDER / "queues" / f"{path.stem}.json")}
    for line in results.read([path]):
        assert line["run"]["source"].startswith(("git tree ", "sha256 "))
        assert not line["complete"] or results.finished([path], cells[line["name"]])


def test_runs_that_diverge_are_plain_json_and_reach_nothing(tmp_path: Path) -> None:
    series = results.Series(train_loss=[1.0, 3.0, math.nan], averaged=[0.6, 0.7, 0.1], distance=[1.0, 5.0, math.inf],
                            relative_distance=[0.1, 0.4, math.inf])
    results.append(tmp_path / "r.jsonl", Entry("a", target=0.4), series, True, {})
    line = json.loads((tmp_path / "r.jsonl").read_text(), parse_constant=lambda word: pytest.fail(word))
    read = results.Series(**line["series"])
    assert read.relative_distance == [0.1, 0.4, None] and read.train_loss == [1.0, 3.0, None] and read.diverged
    assert line["crossing"] == {"averaged": None, "local": None}, "though the mean of the three is above 0.4"
    assert read.crossing(0.4) is None and tables.value(line, "apart", None) == "diverged"
    assert results.Series(averaged=[0.1] * 3, train_loss=[2.0] * 3, relative_distance=[0.2, 1.4, 9.0]).diverged
    assert not results.Series(averaged=[0.1] * 3, train_loss=[2.0] * 3, relative_distance=[0.2, 0.4, 0.9]).diverged


@pytest.mark.parametrize("path", RESULTS, ids=lambda p: p.name)
def test_committed_lines_are_plain_json(path: Path) -> None:
    for line in path.read_text().splitlines():
        json.loads(line, parse_constant=lambda word: pytest.fail(word))


def test_a_complete_line_stands_before_a_later_cut_one() -> None:
    whole, cut = ({"name": "a", "complete": c, "entry": {"name": "a"}, "series": {"averaged": [0.1] * n}}
                  for c, n in ((True, 9), (False, 3)))
    for lines in ([whole, cut], [cut, whole], [cut, cut, whole, cut]):
        assert [len(line["series"]["averaged"]) for line in tables.chosen(lines, [])] == [9]
    assert len(tables.chosen([cut, cut], [])) == 1


def test_table_in_rows_and_columns(capsys: pytest.CaptureFixture) -> None:
    file = str(FOLDER / "results" / "paper-3x3.jsonl")
    assert main(["table", file, "--where", "augment=True", "order=atc,cta", "--value", "local-crossing",
                 "--column", "order", "--target", "0.83"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "| run | order atc | order cta |", "|---|---|---|", "| ring | 20 | 22 |", "| exponential | 16 | 15 |"]
    assert main(["table", file, "--where", "run=ring", "augment=True", "order=atc",
                 "--show", "run", "stem", "e5", "end", "crossing"]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "| ring | 3x3 | 0.683 | 0.903 | 15 |"


def test_runs_in_one_place_stand_by_seed_and_unknown_fields_are_named() -> None:
    lines = tables.chosen(results.read(RESULTS), ["skew=0.1", "norm=batch", "momentum=local", "lr=0.05", "epochs=10",
                                                  "stem=imagenet", "run=exact lazy 0.5"])
    assert [line["entry"]["seed"] for line in lines] == [1, 2]
    row = tables.pivot(lines[::-1], ["run"], "lr", "last").splitlines()[2]
    assert row == "| exact lazy 0.5 | 0.604; 0.617 |"
    with pytest.raises(ValueError, match="'colour=red' must be field=value"):
        tables.chosen(lines, ["colour=red"])


def test_a_mean_that_is_the_target_reaches_it() -> None:
    assert sum([0.795, 0.7953, 0.8097]) / 3 < 0.8, "in binary"
    assert results.Series(averaged=[0.795, 0.7953, 0.8097]).crossing(0.8) == 2


def test_a_missing_file_of_earlier_results_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command, words in ((main, ["run", "q.json"]), (language_main, ["list"])):
        with pytest.raises(SystemExit):
            command([*words, "--done", str(tmp_path / "gone.jsonl")])
        assert "gone.jsonl does not exist" in capsys.readouterr().err
