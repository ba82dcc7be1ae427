"""The prose of documentation and code: singular "they" and direct statements, as CONTRIBUTING asks."""

import json
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


@pytest.mark.parametrize(
    "file",
    [
        *sorted((ROOT / "src").rglob("*.toml")),
        *sorted((ROOT / "web/src/lib/i18n/locales/en").glob("*.json")),
    ],
    ids=lambda file: file.name,
)
def test_texts_for_players_use_singular_they(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        text = json.dumps(json.loads(text), ensure_ascii=False)
    assert AVOIDED.findall(text) == []


def test_every_heading_of_the_changelog_stands_alone_and_has_items() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    headings = [number for number, line in enumerate(lines) if line.startswith("### ")]
    for number, end in zip(headings, [*headings[1:], len(lines)], strict=True):
        assert (lines[number - 1], lines[number + 1]) == ("", ""), lines[number]
        section = lines[number + 1 : end]
        assert any(line.startswith("- ") for line in section), lines[number]
        items = [line for line in section if line]
        first = next(index for index, line in enumerate(items) if line.startswith("- "))
        assert all(line.startswith(("- ", "  ")) for line in items[first:]), lines[number]
    titles = [lines[number] for number in headings]
    assert len(set(titles)) == len(titles)


def test_decisions_are_listed_by_their_numbers() -> None:
    files = sorted(path.name for path in (ROOT / "docs/decisions").glob("0*.md"))
    index = (ROOT / "docs/decisions/index.md").read_text(encoding="utf-8")
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[\d+\]\((0.*?\.md)\)", index, re.MULTILINE) == files
    assert re.findall(r"decisions/(0.*?\.md)", navigation) == files
