"""The built documentation stands alone, and its reference has every public name."""

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import stampede
import stampede.bots
import stampede.buffalo
import stampede.matches
import stampede.zoff
from tests.docs.markdown import ROOT

FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//[^>]*>"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preconnect|preload|icon))"""
    r"""[^>]*\bhref=["']?(?:https?:)?//[^>]*>""",
)
IMPORTED = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//[^)"']*""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize(
    "package", [stampede, stampede.zoff, stampede.buffalo, stampede.bots, stampede.matches]
)
def test_every_public_name_is_in_the_reference(package: ModuleType, site: Path) -> None:
    name = package.__name__
    page = (site / "api" / f"{name.rpartition('.')[2]}.html").read_text(encoding="utf-8")
    public = [each for each in package.__all__ if not each.startswith("__")]
    assert [each for each in public if f'id="{name}.{each}"' not in page] == []


def test_doctests_are_shown_as_code(site: Path) -> None:
    page = (site / "api" / "stampede.html").read_text(encoding="utf-8")
    assert "new_game" in page
    assert '<span class="gp">&gt;&gt;&gt; </span>' in page
    assert not re.search(r"<blockquote>\s*<blockquote>", page)


def test_no_page_fetches_from_the_network(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert pages
    texts = [(page.name, FETCHED, page.read_text(encoding="utf-8")) for page in pages]
    sheets = site.rglob("*.css")
    texts += [(sheet.name, IMPORTED, sheet.read_text(encoding="utf-8")) for sheet in sheets]
    assert [(where, found) for where, what, text in texts for found in what.findall(text)] == []
