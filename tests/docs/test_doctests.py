"""The examples in docstrings run and show what they print."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import stampede
from tests.repository.files import SOURCE, python_files


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = sorted(
    module_name(path) for path in python_files(SOURCE) if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted, "no example was found"
    assert not result.failed


@pytest.mark.parametrize("name", [name for name in stampede.__all__ if name != "__version__"])
def test_every_name_of_the_front_door_has_an_example(name: str) -> None:
    assert ">>> " in (getattr(stampede, name).__doc__ or "")
