"""The documentation's prose: singular "they" and direct statements, as CONTRIBUTING asks."""

import re
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, pages

CODE = re.compile(r"(`+).+?\1", re.DOTALL)
AVOIDED = re.compile(r"\b(?:he|him|his|himself|whoever|somebody)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "page",
    [*pages(), ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_prose_uses_singular_they(page: Path) -> None:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    assert AVOIDED.findall(text) == []
