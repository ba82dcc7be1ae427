"""The tablebases and certificates that may decide a position and its continuations.

Tablebases up to a gigabyte are probed inside the search, the others only at the root: they may have to be read from
disk. Every tablebase of columns answers for the hunter with the buffalo side to move, so a position with the hunter to
move is looked up after each of the hunter's moves. An endgame tablebase answers for the buffalo side, at the root only:
a question costs as much as 30 positions of a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from stampede.buffalo import Position, Side
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import BANK, CHIEF, DOGS, KEY, PRAIRIE
from stampede.kernels.buffalo.lookups import Words
from stampede.oracle.book import ProofBook
from stampede.oracle.endgames import EndgameLookup
from stampede.search.buffalo.variations import ExactResult
from stampede.tablebase.endgames.endgame import Endgame, open_endgame
from stampede.tablebase.endgames.spec import EndgameSpec
from stampede.tablebase.probe import BOUND, MOST_ALIVE, TABLEBASE_AT, probe, probe_words
from stampede.tablebase.spec import FILES, TablebaseSpec
from stampede.tablebase.tablebase import Tablebase, open_tablebase
from stampede.tablebase.windows import MAX_TABLEBASES, Recognisers, make_recognisers

__all__ = ["Knowledge", "select_knowledge"]

_MAX_SEARCH_BYTES: Final = 1 << 30
"""Larger tablebases aren't probed inside a search."""
_MAX_CHECKED_BYTES: Final = 1 << 28
"""Larger tablebases are opened without comparing all checksums: that would take seconds."""
_DOGS: Final = 4
_PARTS: Final = (PRAIRIE, BANK, DOGS, CHIEF, KEY)


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """Tablebases and books for a position and its continuations.

    Attributes:
        groups: The tablebases in groups of at most eight, as kernels take them; the first group is probed in searches.
        names: The tablebases' specs as text, group by group.
        books: The books of certificates.
        endgame: The endgame tablebase; None when there is none.
        probe_words: The groups as `probe` takes them: int64[PROBE_WORDS] each.
    """

    groups: tuple[Recognisers, ...]
    names: tuple[tuple[str, ...], ...]
    books: tuple[ProofBook, ...]
    endgame: EndgameLookup | None = None
    probe_words: tuple[Words, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "probe_words", tuple(probe_words(group) for group in self.groups))

    @classmethod
    def of(
        cls,
        in_search: Sequence[Tablebase],
        at_root: Sequence[Tablebase] = (),
        books: Iterable[ProofBook] = (),
        endgame: EndgameLookup | None = None,
    ) -> Knowledge:
        """The knowledge of some tablebases and books; at most eight tablebases are probed in searches."""
        groups = [in_search]
        groups += [
            at_root[begin : begin + MAX_TABLEBASES]
            for begin in range(0, len(at_root), MAX_TABLEBASES)
        ]
        names = tuple(tuple(str(tablebase.spec) for tablebase in group) for group in groups)
        made = tuple(make_recognisers(group) for group in groups)
        return cls(made, names, tuple(books), endgame)

    def look_up(self, position: Position) -> ExactResult | None:
        """The exact result of a position; None when it is unknown, or the game is over."""
        if position.is_over:
            return None
        if position.turn is Side.BUFFALO:
            return self._probe(position) or self._search_others(position)
        best: ExactResult | None = None
        for move in position.legal_moves:
            found = self._probe(position.after(move))
            if found is not None and (best is None or found.plies + 1 < best.plies):
                best = replace(found, plies=found.plies + 1, move=move)
        return best or self._search_others(position)

    def _probe(self, position: Position) -> ExactResult | None:
        """The tablebase result with the smallest bound; the buffalo side is to move."""
        board = new_board(position)
        alive = len(position.buffaloes)
        best: ExactResult | None = None
        for words, names in zip(self.probe_words, self.names, strict=True):
            if alive > words[MOST_ALIVE]:
                continue
            # `probe` writes to a part of its words, and several threads may ask at the same time: hence the copy.
            found = int(probe(words.copy(), *(board[part] for part in _PARTS)))
            if found >= 0 and (best is None or found & BOUND < best.plies):
                name = names[found >> TABLEBASE_AT]
                best = ExactResult(Side.HUNTER, found & BOUND, None, name, "table")
        return best

    def _search_others(self, position: Position) -> ExactResult | None:
        """The result by a certificate or an endgame, whichever promises the shorter win."""
        listed = self._search_books(position)
        won = None if self.endgame is None else self.endgame.find(position)
        return min((one for one in (listed, won) if one), key=lambda one: one.plies, default=None)

    def _search_books(self, position: Position) -> ExactResult | None:
        available = frozenset(name for names in self.names for name in names)
        if self.endgame is not None:
            available |= {self.endgame.name}
        found = (
            book.find(position, available) for book in self.books if book.turn is position.turn
        )
        return next((result for result in found if result is not None), None)


@lru_cache(maxsize=64)
def select_knowledge(
    files: tuple[tuple[Path, int, int], ...], books: tuple[ProofBook, ...], columns: int
) -> Knowledge:
    """Selects the tablebases that may help while at most these columns have a buffalo.

    Args:
        files: Path, size and modification time of each tablebase.
        books: The books of certificates.
        columns: A set of files as bits.
    """
    in_search: list[Tablebase] = []
    at_root: list[Tablebase] = []
    endgame: Endgame | None = None
    for path, size, modified in sorted(files, key=lambda file: file[1]):
        tablebase = _open_if_sound(path, size, modified)
        if tablebase is None:
            continue
        if isinstance(tablebase, Endgame):
            if (tablebase.spec.columns, tablebase.spec.dogs) == (len(FILES), _DOGS):
                endgame = tablebase  # the largest one comes last
            continue
        fits = size <= _MAX_SEARCH_BYTES and len(in_search) < MAX_TABLEBASES
        chosen = in_search if fits and _may_help(tablebase.spec, columns) else at_root
        chosen.append(tablebase)
    lookup = None if endgame is None else EndgameLookup.of(endgame)
    return Knowledge.of(in_search, at_root, books, lookup)


@lru_cache(maxsize=64)
def _open_if_sound(path: Path, size: int, modified: int) -> Tablebase | Endgame | None:  # noqa: ARG001 - part of the cache key
    """Opens a tablebase; None when the file is damaged or none, which counts as absent."""
    try:
        opened = open_endgame if EndgameSpec.is_named(path.name) else open_tablebase
        return opened(path, check=size <= _MAX_CHECKED_BYTES)
    except (InputError, OSError):
        return None


def _may_help(spec: TablebaseSpec, columns: int) -> bool:
    """Whether a tablebase may decide positions in which at most these columns have a buffalo."""
    if len(spec.live) == spec.columns:
        return True
    last = spec.columns - 1
    taken = (*spec.live, *spec.sealed)
    spare = _DOGS - spec.dogs - len(spec.guards)
    for members in (taken, tuple(last - at for at in taken)):
        for column in range(len(FILES) - spec.columns + 1):
            inside = ((1 << spec.columns) - 1) << column
            known = sum(1 << (column + at) for at in members)
            outside = (columns & ~inside).bit_count()
            if outside <= spare and columns & inside & ~known == 0:
                return True
    return False
