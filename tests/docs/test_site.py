"""The built documentation stands alone: a reader's browser fetches nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

from tests.docs.markdown import ROOT

FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//[^>]*>"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preconnect|preload|icon))"""
    r"""[^>]*\bhref=["']?(?:https?:)?//[^>]*>""",
)
IMPORTED = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//[^)"']*""")


def test_no_page_fetches_from_the_network(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(tmp_path / "site")]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    pages = list((tmp_path / "site").rglob("*.html"))
    assert pages
    texts = [(page.name, FETCHED, page.read_text(encoding="utf-8")) for page in pages]
    sheets = (tmp_path / "site").rglob("*.css")
    texts += [(sheet.name, IMPORTED, sheet.read_text(encoding="utf-8")) for sheet in sheets]
    assert [(where, found) for where, what, text in texts for found in what.findall(text)] == []
