"""What is known for sure: tables of exact values on this machine, and the certificates that come with the package.

A `Library` knows which tables there are. For a position it gives what may help there, a `Known`: tables small enough
to be asked at every turn of a search, all of them to be asked about a position itself, and the books of certificates.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import BANK, CHIEF, DOGS, KEY, PRAIRIE
from stampede.kernels.buffalo.tables import Words
from stampede.search.buffalo.probe import BOUND, MOST_ALIVE, TABLE_AT, known_words, probe
from stampede.search.buffalo.proofs import Answer, Proofs, shipped_proofs
from stampede.search.tables.recognise import MOST_TABLES, Recognisers, recognisers
from stampede.search.tables.spec import FILES, TableSpec
from stampede.search.tables.table import Table, open_table, tables_folder

__all__ = ["Known", "Library", "the_library"]

_NIMBLE: Final = 1 << 30
"""Larger tables aren't asked in the middle of a search: they may have to be read from disk."""
_CHECKED: Final = 1 << 28
"""Larger tables are opened without comparing all of their checksums: that would take seconds."""
_DOGS: Final = 4
_PARTS: Final = (PRAIRIE, BANK, DOGS, CHIEF, KEY)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What may help in a position and those that follow.

    Attributes:
        nimble: Tables for the middle of a search.
        others: Tables for positions themselves; groups of at most eight.
        proofs: The books.
        names: The tables' texts.
        told: The same tables, as the search's memory has them; the nimble ones first.
    """

    nimble: Recognisers
    others: tuple[Recognisers, ...]
    proofs: tuple[Proofs, ...]
    names: tuple[tuple[str, ...], ...]
    told: tuple[Words, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        told = tuple(known_words(group) for group in (self.nimble, *self.others))
        object.__setattr__(self, "told", told)

    @property
    def words(self) -> Words:
        """The nimble tables, as the search's memory has them."""
        return self.told[0]

    @classmethod
    def of(
        cls, nimble: Sequence[Table], others: Sequence[Table] = (), proofs: Iterable[Proofs] = ()
    ) -> Known:
        """What these tables and books know; at most eight tables are nimble."""
        groups = [nimble]
        groups += [
            others[begin : begin + MOST_TABLES] for begin in range(0, len(others), MOST_TABLES)
        ]
        asked = [recognisers(group) for group in groups]
        names = tuple(tuple(str(table.spec) for table in group) for group in groups)
        return cls(asked[0], tuple(asked[1:]), tuple(proofs), names)

    def look(self, position: Position) -> Answer | None:
        """Who wins a position, if it is known; None when it isn't, or the game is over."""
        if position.is_over:
            return None
        if position.turn is Side.BUFFALO:
            return self._table(position) or self._book(position)
        best: Answer | None = None
        for move in position.legal_moves:
            found = self._table(position.after(move))
            if found is not None and (best is None or found.plies + 1 < best.plies):
                best = replace(found, plies=found.plies + 1, move=move)
        return best or self._book(position)

    def _table(self, position: Position) -> Answer | None:
        """What a table says with the buffalo side to move: the smallest bound."""
        board = new_board(position)
        alive = len(position.buffaloes)
        best: Answer | None = None
        for words, names in zip(self.told, self.names, strict=True):
            if alive > words[MOST_ALIVE]:
                continue
            # A copy: the search's words have room to work in, and threads may ask side by side.
            found = int(probe(words.copy(), *(board[part] for part in _PARTS)))
            if found >= 0 and (best is None or found & BOUND < best.plies):
                best = Answer(Side.HUNTER, found & BOUND, None, names[found >> TABLE_AT], "table")
        return best

    def _book(self, position: Position) -> Answer | None:
        at_hand = frozenset(name for names in self.names for name in names)
        found = (book.find(position, at_hand) for book in self.proofs if book.turn is position.turn)
        return next((answer for answer in found if answer is not None), None)


@dataclass(frozen=True, slots=True)
class Library:
    """The tables of a folder and the certificates that come with the package.

    Attributes:
        folder: Where the tables are; those that come later are found, too.
        proofs: The books.
    """

    folder: Path
    proofs: tuple[Proofs, ...] = ()

    def known(self, position: Position) -> Known:
        """What may help in a position and those that follow from it."""
        files = tuple(_files(self.folder))
        columns = sum(1 << square.file for square in position.buffaloes)
        return _known(files, self.proofs, columns)


def the_library() -> Library:
    """The library of this machine: the tables' folder, and what comes with the package."""
    try:
        folder = tables_folder()
    except RuntimeError:  # a user without a home, as in some containers
        folder = Path(os.devnull)
    return Library(folder, shipped_proofs())


def _files(folder: Path) -> Iterator[tuple[Path, int, int]]:
    """The tables of a folder, with size and time; none where it can't be read."""
    with suppress(OSError):
        for path in sorted(folder.glob("*.table")):
            status = path.stat()
            yield path, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=64)
def _known(
    files: tuple[tuple[Path, int, int], ...], proofs: tuple[Proofs, ...], columns: int
) -> Known:
    """The tables that may help while at most these columns have a buffalo."""
    nimble: list[Table] = []
    others: list[Table] = []
    for path, size, changed in sorted(files, key=lambda file: file[1]):
        table = _opened(path, size, changed)
        if table is None:
            continue
        few = size <= _NIMBLE and len(nimble) < MOST_TABLES
        (nimble if few and _may_help(table.spec, columns) else others).append(table)
    return Known.of(nimble, others, proofs)


@lru_cache(maxsize=64)
def _opened(path: Path, size: int, changed: int) -> Table | None:  # noqa: ARG001 - a changed file is opened anew
    """A table, or None when its file is none, or damaged: then it is as if it weren't there."""
    try:
        return open_table(path, check=size <= _CHECKED)
    except (InputError, OSError):
        return None


def _may_help(spec: TableSpec, columns: int) -> bool:
    """Whether a table may decide positions in which at most these columns have a buffalo."""
    if len(spec.live) == spec.columns:
        return True
    last = spec.columns - 1
    for live in (spec.live, tuple(last - at for at in spec.live)):
        for column in range(len(FILES) - spec.columns + 1):
            inside = ((1 << spec.columns) - 1) << column
            known = sum(1 << (column + at) for at in live)
            outside = (columns & ~inside).bit_count()
            if outside <= _DOGS - spec.dogs and columns & inside & ~known == 0:
                return True
    return False
