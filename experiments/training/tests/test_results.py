"""Which program a line comes from, and tables of committed lines."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from training import results, runner, tables
from training.__main__ import main

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
    monkeypatch.setattr(results, "FOLDER", folder)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    bare = results.source()
    assert bare == "sha256 " + hashlib.sha256(b"a.py 6\nx = 1\nplans/p.json 2\n{}").hexdigest()
    git(folder.parent, "init", "-q")
    assert results.source() == bare, "nothing committed"
    git(folder.parent, "add", ".")
    git(folder.parent, "commit", "-qm", "first")
    assert results.source() == "git tree " + git(folder.parent, "rev-parse", "HEAD:training").strip()
    (folder / "notes.txt").write_text("no source")
    assert results.source().startswith("git tree")
    (folder / "plans" / "p.json").write_text("[]")
    assert results.source().startswith("sha256") and results.source() != bare
    git(folder.parent, "commit", "-qam", "second")
    (folder / "b.py").write_text("")
    assert results.source().startswith("sha256"), "a new source is not in the tree"
    shutil.rmtree(folder.parent / ".git")
    assert results.source().startswith("sha256")


@pytest.mark.parametrize("path", RESULTS, ids=lambda p: p.name)
def test_committed_lines_answer_their_queue(path: Path) -> None:
    cells = {c.name: c for c in runner.read_queue(FOLDER / "queues" / f"{path.stem}.json")}
    for line in results.read([path]):
        assert line["run"]["source"].startswith(("git tree ", "sha256 "))
        assert not line["complete"] or results.finished([path], cells[line["name"]])


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
