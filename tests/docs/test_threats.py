"""The pages on threats and reliability name tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / "security.md", ROOT / "docs" / "reliability.md"]


def test_every_test_that_is_named_is_there() -> None:
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    known = set(re.findall(r"^\s*(?:async )?def (test_\w+)", tests, re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"`(test_\w+)`", page.read_text()))
        assert named - known == set(), page.name


def test_every_test_that_is_named_is_in_the_file_before_it() -> None:
    text = PAGES[0].read_text()
    named = re.findall(r"`([\w/]+/test_\w+\.py)` ((?:`test_\w+`(?:, )?)+)", text)
    assert named
    for name, functions in named:
        source = (ROOT / "tests" / name).read_text()
        missing = [
            function
            for function in re.findall(r"`(test_\w+)`", functions)
            if f"def {function}(" not in source
        ]
        assert missing == [], name


def test_every_file_that_is_named_is_there() -> None:
    for page in PAGES:
        files = re.findall(r"`((?:tests/)?[\w/]+/test_\w+\.py)`", page.read_text())
        assert files, page.name
        missing = [
            name for name in files if not (ROOT / "tests" / name.removeprefix("tests/")).is_file()
        ]
        assert missing == [], page.name
