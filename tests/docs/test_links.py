"""Links between the repository's own pages lead somewhere; mkdocs checks those inside docs/."""

import re
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT

LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
IMAGE = re.compile(r"""<(?:img|source)\b[^>]*\bsrc(?:set)?=["'](?!https?:)([^"']+)""")


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda page: page.name)
def test_links_lead_to_files_of_the_repository(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = {*LINK.findall(text), *IMAGE.findall(text)}
    assert sorted(target for target in targets if not (ROOT / target).exists()) == []
