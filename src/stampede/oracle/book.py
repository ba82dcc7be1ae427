"""Verified certificates as a book: the winner's answer in every position that one of them lists, and in more.

A hunter who beats some buffaloes beats fewer of them, and what some buffaloes win they win with others beside them
(docs/certificates.md, "Fewer buffaloes"). So a position is looked up by its chief and dogs; any listed position fits
that has more buffaloes (or fewer), with the common ones on the same squares.

A certificate doesn't say how long a win takes, but the rules do: every move of the buffalo side is a step. If the
hunter wins, no buffalo gets beyond rank 2. If the buffalo side wins, one of the buffaloes that the certificate needs
crosses, and the others of them get no farther than rank 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import decode_move
from stampede.kernels.buffalo.keys import mirror_move
from stampede.kernels.buffalo.layout import FILE_BITS
from stampede.kernels.buffalo.lookups import WIDTH, Words
from stampede.proofs.certificates.board import CHIEF_AT, key_of
from stampede.proofs.certificates.format import read_blocks, read_header
from stampede.proofs.certificates.shipped import SHIPPED, list_unverified, shipped_files
from stampede.search.buffalo.variations import ExactResult

__all__ = ["ProofBook", "read_books", "shipped_books"]

MOST_POSITIONS: Final = 1 << 20
"""Larger certificates aren't read: a book is kept in memory."""
_BUFFALOES: Final = (1 << CHIEF_AT) - 1
_LOWEST: Final = sum(1 << (FILE_BITS * file) for file in range(WIDTH))
_NO_MOVE: Final = 0
_HUNTER_BITS: Final = 30
"""The bits of chief and dogs, which are the lowest of a key in a file of the buffalo side's wins."""


@dataclass(frozen=True, slots=True, eq=False)
class ProofBook:
    """The positions of one side's wins with one side to move, sorted by where chief and dogs stand.

    Attributes:
        winner: The side that wins them.
        turn: The side to move.
        hunters: The parts of keys with chief and dogs, ascending: int64[n].
        buffaloes: The parts with the buffaloes: int64[n].
        moves: The winner's moves; 0 when the other side is to move: int64[n].
        names: The index of each position's certificate: int64[n].
        tablebases: The index of the tablebase that decides what follows the move, or 0: int64[n].
        titles: The certificates' names.
        specs: The tablebases' specs; the first one means none.
    """

    winner: Side
    turn: Side
    hunters: Words
    buffaloes: Words
    moves: Words
    names: Words
    tablebases: Words
    titles: tuple[str, ...]
    specs: tuple[str, ...]

    def find(
        self, position: Position, available: frozenset[str] = frozenset()
    ) -> ExactResult | None:
        """Looks up a position with this side to move; prefers proofs whose tablebases are available."""
        near = np.array([spec in available or not spec for spec in self.specs])
        best: tuple[bool, ExactResult] | None = None
        for place, mirrored in ((position, False), (position.mirror(), True)):
            found = self._find(key_of(place), 0, near)
            if found is not None:
                index, buffaloes = found
                usable = bool(near[self.tablebases[index]])
                if best is None or usable > best[0]:
                    best = usable, self._result(index, buffaloes, mirrored=mirrored)
        return None if best is None else best[1]

    def _find(self, key: int, left_out: int, near: Words) -> tuple[int, int] | None:
        """The index of an entry that fits a key, and the buffaloes that count.

        An entry whose move leads from a square to itself leaves that buffalo out; it refers to another entry.
        """
        low, high = np.searchsorted(self.hunters, [key >> CHIEF_AT, (key >> CHIEF_AT) + 1])
        here = key & _BUFFALOES & ~left_out
        listed = self.buffaloes[low:high]
        fewer, more = (here, listed) if self.winner is Side.HUNTER else (listed, here)
        # Every buffalo of the fewer is among the more, on the same rank.
        fits = np.flatnonzero(((fewer ^ more) & _file_mask(fewer)) == 0)
        far = ~near[self.tablebases[low:high][fits]]
        for at in fits[np.lexsort((_count(listed[fits]), far))]:
            index = int(low + at)
            move = int(self.moves[index])
            start, end = move & 127, move >> 7
            if move == _NO_MOVE or start != end:
                return index, here if self.winner is Side.HUNTER else int(listed[at])
            without = 7 << (FILE_BITS * (start % WIDTH))
            found = self._find((key & ~_BUFFALOES) | int(listed[at]), without, near)
            if found is not None:
                return found
        return None

    def _result(self, index: int, buffaloes: int, *, mirrored: bool) -> ExactResult:
        steps = sum(
            rank - 2 for file in range(WIDTH) if (rank := buffaloes >> (FILE_BITS * file) & 7)
        )
        if self.winner is Side.HUNTER:
            plies = 2 * steps + (self.turn is Side.HUNTER)
        else:
            plies = 2 * (steps + 1) - (self.turn is Side.BUFFALO)
        move = int(self.moves[index])
        if move and mirrored:
            move = int(mirror_move(move))
        name = self.titles[int(self.names[index])]
        return ExactResult(self.winner, plies, decode_move(move) if move else None, name)


def _file_mask(digits: Words | int) -> Words | int:
    """All three bits of each file that has a buffalo."""
    low = (digits | (digits >> 1) | (digits >> 2)) & _LOWEST
    return low * 7


def _count(digits: Words) -> Words:
    """The number of buffaloes of each set."""
    low = (digits | (digits >> 1) | (digits >> 2)) & _LOWEST
    return sum(((low >> (FILE_BITS * file)) & 1 for file in range(WIDTH)), np.zeros_like(low))


def read_books(paths: Iterable[Path]) -> tuple[ProofBook, ...]:
    """Reads certificates into books, one for each winner and side to move. They must have been verified."""
    parts: dict[tuple[Side, Side], list[Words]] = {}
    names: list[str] = []
    specs = {"": 0}
    for path in paths:
        for winner, turn, rows in _read_entries(path, specs):
            whose = np.full((len(rows), 1), len(names))
            parts.setdefault((winner, turn), []).append(np.hstack([rows, whose]))
        names.append(path.stem)
    return tuple(
        _sort_book(winner, turn, np.concatenate(rows), tuple(names), tuple(specs))
        for (winner, turn), rows in parts.items()
    )


def _sort_book(
    winner: Side, turn: Side, rows: Words, names: tuple[str, ...], specs: tuple[str, ...]
) -> ProofBook:
    rows = rows[np.argsort(rows[:, 0] >> CHIEF_AT, kind="stable")]
    keys, moves, tablebases, books = (column.copy() for column in rows.T)
    return ProofBook(
        winner, turn, keys >> CHIEF_AT, keys & _BUFFALOES, moves, books, tablebases, names, specs
    )


def _read_entries(path: Path, specs: dict[str, int]) -> Iterator[tuple[Side, Side, Words]]:
    """Yields winner, side to move, and [n, 3] keys, moves and tablebases of what holds on the real board."""
    with path.open("rb") as file:
        header = read_header(file)
        side = header.winner
        # A hunter who wins on fewer columns wins on the real board, too. Wins of buffaloes say nothing about a wider
        # one.
        if header.positions > MOST_POSITIONS or (header.width < WIDTH and side is Side.BUFFALO):
            return
        claimed = [
            key_of(claim.position) for claim in header.claims if claim.position.turn is not side
        ]
        if claimed:
            yield side, side.other, np.array([[key, _NO_MOVE, 0] for key in claimed])
        texts = ["", *(str(header.tablebases[seen.tablebase]) for seen in header.recognisers)]
        if header.endgame is not None:  # answers name sets of files, at most all of them
            texts = ["", *[str(header.endgame)] * ((1 << header.width) - 1)]
        numbers = np.array([specs.setdefault(text, len(specs)) for text in texts])
        for block in read_blocks(file, header):
            keys = block.keys
            if side is Side.BUFFALO:
                keys = (keys >> _HUNTER_BITS) | ((keys & ((1 << _HUNTER_BITS) - 1)) << CHIEF_AT)
            yield side, side, np.column_stack([keys, block.moves, numbers[block.by]])


@cache
def shipped_books(folder: Path = SHIPPED) -> tuple[ProofBook, ...]:
    """The books of the shipped certificates that are recorded as verified."""
    unknown = set(list_unverified(folder))
    return read_books(path for path in shipped_files(folder) if path not in unknown)
