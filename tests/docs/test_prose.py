"""The prose of documentation and code: singular "they" and direct statements, as CONTRIBUTING asks."""

import re
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, pages

CODE = re.compile(r"(`+).+?\1", re.DOTALL)
AVOIDED = re.compile(r"\b(?:he|him|his|himself|whoever|somebody)\b", re.IGNORECASE)
AVOIDED_IN_CODE = re.compile(
    r"(?:\b|_)(?:him|his|himself|whoever|somebody)(?:\b|_)|_he_", re.IGNORECASE
)


@pytest.mark.parametrize(
    "page",
    [*pages(), ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_prose_uses_singular_they(page: Path) -> None:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    assert AVOIDED.findall(text) == []


@pytest.mark.parametrize("folder", ["src", "tests", "benches", "simulation", "scripts", "examples"])
def test_code_uses_singular_they(folder: str) -> None:
    """Docstrings, comments, messages and names: no "whoever", no "he" whose person isn't known."""
    found = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        if file != Path(__file__)
        for line in file.read_text(encoding="utf-8").splitlines()
        if AVOIDED_IN_CODE.search(line)
    ]
    assert found == []
