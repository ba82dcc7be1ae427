"""Optional packages: a missing one is named with the command that installs it."""

import ast
import sys
import tomllib

import pytest

from stampede.core.errors import MissingExtra, StampedeError
from stampede.core.extras import EXTRA_OF, name_missing_extras, require
from tests.repository.files import ROOT, SOURCE, parse, python_files, shown

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE = {"rich", "typer"}
"""What the base install brings."""


def imported_packages() -> dict[str, set[str]]:
    """The packages that the sources import from outside, each with its importers."""
    found: dict[str, set[str]] = {}
    for path in python_files(SOURCE):
        for node in ast.walk(parse(path)):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            for name in names:
                found.setdefault(name.partition(".")[0], set()).add(shown(path))
    own = {"stampede", *sys.stdlib_module_names}
    return {name: where for name, where in found.items() if name not in own}


def test_every_imported_package_belongs_to_the_base_or_to_an_extra() -> None:
    known = BASE | set(EXTRA_OF)
    assert {n: w for n, w in imported_packages().items() if n not in known} == {}


def test_a_missing_package_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stampede.core.extras.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"numba.*: pip install 'stampede\[engine\]'$") as caught:
        require("numba")
    assert isinstance(caught.value, StampedeError)
    assert isinstance(caught.value, ImportError)


def test_only_the_packages_of_extras_are_taken_for_missing_ones() -> None:
    with pytest.raises(MissingExtra, match=r"stampede\[server\]"), name_missing_extras():
        raise ModuleNotFoundError("No module named 'fastapi.routing'", name="fastapi.routing")
    with pytest.raises(ModuleNotFoundError, match="mine") as caught, name_missing_extras():
        raise ModuleNotFoundError("No module named 'mine'", name="mine")
    assert not isinstance(caught.value, MissingExtra)


def test_what_is_installed_is_not_missing() -> None:
    require("json", "typer")
