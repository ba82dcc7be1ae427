"""What must not be in the repository, and what a file or function must not grow to."""

import re
import statistics
from pathlib import Path

import pytest

from tests.repository.files import (
    SOURCE,
    committed_files,
    functions,
    parse,
    python_files,
    shown,
)

# Written so that no pattern matches its own text.
UNWANTED = {
    "a package registry's address": r"pypi[.]org|pythonhosted[.]org|npmjs[.](?:org|com)|conda[.]io",
    "a package index option": r"--(?:extra-)?index[-]url|find[-]links",
    "the shared folder": r"[.][.]/shared",
    "an absolute path": r"(?<![\w.$}~-])/(?:home|root|work|opt|tmp|mnt|Users)/[\w.]",
}
LONGEST_FILE = 450
LONGEST_FUNCTION = 70
LONGEST_HOT_FUNCTION = 150
HOT = {"kernels", "search"}


@pytest.mark.parametrize("what", UNWANTED)
def test_no_committed_file_names(what: str) -> None:
    pattern = re.compile(UNWANTED[what])
    found = [
        f"{shown(path)}:{number}: {line.strip()[:80]}"
        for path in committed_files()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == []


def text_of(path: Path) -> str:
    """Read a file, pictures and other binary files included."""
    return path.read_bytes().decode("utf-8", errors="replace")


def test_buffalo_never_speaks_of_herds() -> None:
    """The word belongs to Zoff."""
    found = [
        f"{shown(path)}:{number}"
        for path in python_files(SOURCE / "buffalo")
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if re.search(r"\bherds?\b", line, re.IGNORECASE)
    ]
    assert found == []


def test_files_stay_small() -> None:
    lengths = {shown(path): len(text_of(path).splitlines()) for path in python_files(SOURCE)}
    assert {name: n for name, n in lengths.items() if n > LONGEST_FILE} == {}


def test_functions_stay_small() -> None:
    too_long = {}
    lengths = []
    for path in python_files(SOURCE):
        hot = not HOT.isdisjoint(path.relative_to(SOURCE).parts)
        limit = LONGEST_HOT_FUNCTION if hot else LONGEST_FUNCTION
        for function in functions(parse(path)):
            length = (function.end_lineno or function.lineno) - function.lineno + 1
            lengths.append(length)
            if length > limit:
                too_long[f"{shown(path)}::{function.name}"] = length
    assert too_long == {}
    assert statistics.median(lengths) < 12
