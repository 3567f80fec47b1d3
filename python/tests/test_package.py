"""What the package asks pip for."""

import re
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def test_the_torch_here_is_enough() -> None:
    """Debian calls its torch 1.13.0a0, which comes before 1.13."""
    stated = re.search(r'^dependencies = \["([^"]+)"\]', PROJECT.read_text(encoding="utf-8"), re.MULTILINE)
    assert stated is not None
    requirement = Requirement(stated[1])
    assert requirement.name == "torch"
    for found in (version("torch"), "1.13.0a0", "1.13.1", "2.11.0"):
        assert requirement.specifier.contains(found), f"{requirement} is not met by {found}"
    assert not requirement.specifier.contains("1.12.1")
