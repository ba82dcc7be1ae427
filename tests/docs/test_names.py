"""Modules and files that the documentation names exist. Decisions may name what they replaced."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, pages

PACKAGE = ROOT / "src" / "stampede"
BASES = (ROOT, ROOT / "src", PACKAGE, ROOT / "tests", ROOT / "web" / "src")
"""Where a path in the text may begin."""

DRAWN = (*BASES, PACKAGE / "server", ROOT / "web" / "src" / "lib")
"""Where a path in a drawing may begin: its columns stand for folders."""

CODE = re.compile(r"(`+)(.+?)\1|^\$ (?P<command>.+)$", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"(?<![\w./-])stampede(?:\.\w+)+")
UNITS = {"stampede.service", "stampede.env"}
"""Files of systemd, not modules."""

FILE = re.compile(
    r"(?<![\w./:~$*{-])(?:\w[\w.-]*/[\w./-]+\.(?:py|ts|svelte|md|toml|npz|cjs|yaml|service|timer)"
    r"|\w+(?:\.svelte)?\.(?:py|ts|svelte))\b"
)
FOLDER = re.compile(r"(?<![\w./:~$*{-])(?:[\w.-]+/)+(?![\w.*{…-])")
PLACEHOLDER = re.compile(r"NAME|LANGUAGE")
MADE = ("build/", "node_modules/")
"""Folders that builds make."""


def checked_pages() -> list[Path]:
    extra = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]
    return [page for page in [*pages(), *extra] if page.parent.name != "decisions"]


def code(page: Path) -> Iterator[str]:
    """Yields the code spans, code blocks and commands of a page."""
    for found in CODE.finditer(page.read_text(encoding="utf-8")):
        yield found["command"] or found[2]


def module_exists(dotted: str) -> bool:
    """Whether this is a module of the package, or a name that one of its modules has."""
    place, parts = PACKAGE, dotted.split(".")[1:]
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    source = place / "__init__.py"
    if parts and (place / f"{parts[0]}.py").is_file():
        source = place / f"{parts.pop(0)}.py"
    text = source.read_text(encoding="utf-8")
    return all(re.search(rf"\b{part}\b", text) for part in parts)


def file_exists(path: str, bases: tuple[Path, ...]) -> bool:
    if "/" not in path:
        return any(
            any(base.rglob(path)) for base in (ROOT / "src", ROOT / "tests", ROOT / "web" / "src")
        )
    return any((base / path).exists() for base in bases)


def id_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", checked_pages(), ids=id_of)
def test_modules_that_a_page_names_exist(page: Path) -> None:
    named = {name for text in code(page) for name in MODULE.findall(text)} - UNITS
    assert [name for name in sorted(named) if "NAME" not in name and not module_exists(name)] == []


@pytest.mark.parametrize("page", checked_pages(), ids=id_of)
def test_files_and_folders_that_a_page_names_exist(page: Path) -> None:
    named = {
        (name, DRAWN if "\n" in text else BASES)
        for text in code(page)
        for pattern in (FILE, FOLDER)
        for name in pattern.findall(text)
        if not PLACEHOLDER.search(name) and not name.startswith(MADE)
    }
    assert [name for name, bases in sorted(named) if not file_exists(name, bases)] == []


@pytest.mark.parametrize(
    ("dotted", "exists"),
    [
        ("stampede.core.game.Game", True),
        ("stampede.kernels.buffalo", True),
        ("stampede.buffalo.Position", True),
        ("stampede.server.line", False),
        ("stampede.core.game.Nothing", False),
    ],
)
def test_a_module_is_found_by_its_file_and_its_names(dotted: str, exists: bool) -> None:
    assert module_exists(dotted) == exists
