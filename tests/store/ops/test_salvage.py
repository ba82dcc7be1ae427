"""Rows around a break are read, wherever it lies; none on its sides is skipped."""

import sqlite3
from contextlib import closing
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from stampede.store.ops.salvage import CHUNK, read_rows
from stampede.store.schema import VALUES

MOST_ROWS = 2 * CHUNK + 10


class BrokenDatabase:
    """A real table of which SQLite can't read some rows, as if their pages were broken."""

    def __init__(self, database: sqlite3.Connection, broken: range, *, end_is_broken: bool) -> None:
        self._database = database
        self._broken = broken
        self._end_is_broken = end_is_broken

    def execute(self, query: str, values: tuple[int, ...] = ()) -> sqlite3.Cursor:
        """Runs a query, unless it meets the break."""
        if "max(rowid)" in query:
            if self._end_is_broken:
                raise sqlite3.DatabaseError("database disk image is malformed")
            return self._database.execute(query)
        met: list[tuple[Any, ...]] = self._database.execute(query, values).fetchall()
        if any(row[0] in self._broken for row in met):
            raise sqlite3.DatabaseError("database disk image is malformed")
        return self._database.execute(query, values)


@given(st.integers(0, MOST_ROWS), st.integers(1, MOST_ROWS), st.integers(0, 50), st.booleans())
def test_all_rows_beside_a_break_are_read(
    rows: int, first: int, size: int, end_is_broken: bool
) -> None:
    broken = range(first, first + size)
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE store_values (name TEXT PRIMARY KEY, value TEXT)")
        database.executemany(
            "INSERT INTO store_values VALUES (?, 'x')",
            [(f"{number:04}",) for number in range(1, rows + 1)],
        )
        faulty: Any = BrokenDatabase(database, broken, end_is_broken=end_is_broken)
        found, breaks = read_rows(faulty, VALUES)
    sound = [f"{number:04}" for number in range(1, rows + 1) if number not in broken]
    assert [row["name"] for row in found] == sound
    assert breaks == any(number in broken for number in range(1, rows + 1))
