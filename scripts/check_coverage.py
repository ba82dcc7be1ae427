"""Print the coverage of the packages that must not be wrong, and fail below the limit.

Run by `make coverage` after pytest has written its data. A package's figure counts branches alone: of all the ways
that a decision in the source can go, how many a test has gone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final

__all__ = ["Coverage", "add_up", "main"]

PACKAGES: Final = ("core", "zoff", "buffalo", "matches", "store")
LIMIT: Final = 95.0


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the tests of a package have run: lines and branches, of how many."""

    lines: int
    all_lines: int
    branches: int
    all_branches: int

    @property
    def line_percent(self) -> float:
        """The share of lines that ran."""
        return 100 * self.lines / self.all_lines if self.all_lines else 100.0

    @property
    def branch_percent(self) -> float:
        """The share of branches that were taken."""
        return 100 * self.branches / self.all_branches if self.all_branches else 100.0


def add_up(files: Mapping[str, Any], package: str) -> Coverage:
    """Adds up the files of a package in coverage's JSON report.

    Raises:
        ValueError: The report has no file of this package.
    """
    found = [file["summary"] for name, file in files.items() if package in PurePath(name).parts]
    if not found:
        raise ValueError(f"expected files of {package} in the report, got none")
    return Coverage(
        sum(each["covered_lines"] for each in found),
        sum(each["num_statements"] for each in found),
        sum(each["covered_branches"] for each in found),
        sum(each["num_branches"] for each in found),
    )


def main(words: Iterable[str]) -> int:
    """Prints a table; returns 1 if a package is below the limit."""
    (report,) = words
    files = json.loads(Path(report).read_text(encoding="utf-8"))["files"]
    low = []
    print(f"{'package':10}{'lines':>8}{'branches':>10}")
    for package in PACKAGES:
        found = add_up(files, package)
        print(f"{package:10}{found.line_percent:7.1f} %{found.branch_percent:8.1f} %")
        if min(found.branch_percent, found.line_percent) < LIMIT:
            low.append(package)
    if low:
        print(
            f"Below {LIMIT:.0f} %: {', '.join(low)}. build/coverage.txt lists what no test reaches."
        )
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
