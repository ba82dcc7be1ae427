"""What import-linter's layers don't say: which packages need nothing but Python itself.

Read from the sources, so that packages that arrive later are held to it from their first day.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository.files import SOURCE, parse, python_files, shown

# Package -> the parts of Stampede that it may import, beside itself and the standard library.
STANDARD_LIBRARY_ONLY = {
    "core": set[str](),
    "zoff": {"core"},
    "buffalo": {"core"},
    "matches": {"core"},
    "rulebook": {"core", "zoff", "buffalo"},
}
SEEDED = {"Random", "SystemRandom"}


def imported_names(path: Path) -> Iterator[str]:
    """Yield the full dotted name of everything that a file imports, wherever the import stands."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{shown(path)}:{node.lineno}: expected an absolute import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_allowed(name: str, package: str) -> bool:
    """Tell whether a module of `package` may import `name`."""
    first, _, rest = name.partition(".")
    if first == "stampede":
        return rest.split(".")[0] in STANDARD_LIBRARY_ONLY[package] | {package}
    return first in sys.stdlib_module_names


@pytest.mark.parametrize("package", STANDARD_LIBRARY_ONLY)
def test_rules_and_matches_need_only_the_standard_library(package: str) -> None:
    """Also proves that zoff and buffalo don't know each other, and matches knows neither."""
    wrong = [
        f"{shown(path)} imports {name}"
        for path in python_files(SOURCE / package)
        for name in imported_names(path)
        if not is_allowed(name, package)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "package", "allowed"),
    [
        ("dataclasses.dataclass", "zoff", True),
        ("stampede.core.errors.StampedeError", "zoff", True),
        ("stampede.buffalo.moves", "zoff", False),
        ("stampede.zoff.state", "matches", False),
        ("numpy", "core", False),
    ],
)
def test_the_rule_tells_allowed_from_forbidden(name: str, package: str, allowed: bool) -> None:
    assert is_allowed(name, package) is allowed


def test_no_module_draws_from_the_global_generator() -> None:
    """A seed or a generator is always an argument."""
    wrong = [
        f"{shown(path)}:{node.lineno} uses random.{node.attr}"
        for path in python_files(SOURCE)
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "random"
        and node.attr not in SEEDED
    ]
    wrong += [
        f"{shown(path)} imports {name}"
        for path in python_files(SOURCE)
        for name in imported_names(path)
        if name.startswith("random.") and name.removeprefix("random.") not in SEEDED
    ]
    assert wrong == []
