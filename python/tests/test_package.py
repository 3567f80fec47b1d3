"""What the package asks pip for, and what it imports."""

import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import batopo

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
WITHOUT_TORCH = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "numpy"):
            raise ModuleNotFoundError("not here", name=name)

sys.meta_path.insert(0, Missing())
import batopo
"""


def test_the_torch_here_is_enough() -> None:
    """Debian calls its torch 1.13.0a0, which comes before 1.13."""
    stated = re.search(r'^torch = \["([^"]+)"\]', PROJECT.read_text(encoding="utf-8"), re.MULTILINE)
    assert stated is not None
    requirement = Requirement(stated[1])
    assert requirement.name == "torch"
    for found in (version("torch"), "1.13.0a0", "1.13.1", "2.11.0"):
        assert requirement.specifier.contains(found), f"{requirement} is not met by {found}"
    assert not requirement.specifier.contains("1.12.1")


def test_every_name_is_there_whatever_was_imported_before() -> None:
    import_module("batopo.bench")  # it imports the modules of most names
    for name in batopo.__all__:
        if name != "trial":  # also the command python3 -m batopo.trial
            value = getattr(batopo, name)
            assert callable(value) and value.__name__ == name
    assert set(batopo.__all__) <= set(dir(batopo))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(batopo, "nothing")


def without_torch(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", WITHOUT_TORCH + code], cwd=PROJECT.parent, capture_output=True,
                          text=True, timeout=120)


def test_reading_a_plan_needs_no_torch() -> None:
    done = without_torch("""
plan = batopo.Plan(2)
try:
    batopo.parse_plan(b"{}")
except batopo.PlanError as error:
    print(error)
""")
    assert done.stdout.startswith("plan: format is ''"), done.stderr


def test_training_says_that_it_needs_torch() -> None:
    done = without_torch("batopo.attach")
    assert done.returncode == 1 and done.stderr.endswith(
        "ModuleNotFoundError: batopo.attach needs torch: pip install torch\n")
