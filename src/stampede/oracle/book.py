"""Verified certificates as a book: the winner's answer in every position that one of them lists.

More than the listed positions is known. A hunter who beats some buffaloes beats fewer of them, and what some buffaloes
win they win with others beside them (docs/certificates.md, "Fewer buffaloes"). So a position is looked for by its chief
and dogs, and then any listed one will do that has more buffaloes, or fewer, and the common ones where they are.

How long a win takes at most isn't in a certificate, but follows from the rules: no turn of the buffalo side without a
step. If the hunter wins, no buffalo goes farther than rank 2; if the buffalo side wins, one of those that the
certificate needs crosses, and the others among them go no farther than rank 2.
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
from stampede.kernels.buffalo.tables import WIDTH, Words
from stampede.proofs.certificates.board import CHIEF_AT, key_of
from stampede.proofs.certificates.format import read_blocks, read_header
from stampede.proofs.certificates.shipped import SHIPPED, not_noted, shipped_files
from stampede.search.buffalo.variations import ExactResult

__all__ = ["ProofBook", "read_books", "shipped_books"]

MOST_POSITIONS: Final = 1 << 20
"""Larger certificates are left to `stampede solve verify`: a book is read into memory."""
_BUFFALOES: Final = (1 << CHIEF_AT) - 1
_LOWEST: Final = sum(1 << (FILE_BITS * file) for file in range(WIDTH))
_NO_MOVE: Final = 0
_HUNTER_BITS: Final = 30
"""Chief and dogs: where a file of the buffalo side's wins has them lowest."""


@dataclass(frozen=True, slots=True, eq=False)
class ProofBook:
    """The positions of one side's wins with one side to move, sorted by where chief and dogs stand.

    Attributes:
        winner: Who wins them.
        turn: Who is to move.
        hunters: The parts of keys with chief and dogs, ascending: int64[n].
        buffaloes: The parts with the buffaloes: int64[n].
        moves: The winner's moves; 0 when the other side is to move: int64[n].
        names: Of each, the certificate's index: int64[n].
        tables: Of each, the index of the table that decides what follows the move, or 0: int64[n].
        titles: The certificates.
        specs: The tables; the first is no table.
    """

    winner: Side
    turn: Side
    hunters: Words
    buffaloes: Words
    moves: Words
    names: Words
    tables: Words
    titles: tuple[str, ...]
    specs: tuple[str, ...]

    def find(self, position: Position, at_hand: frozenset[str] = frozenset()) -> ExactResult | None:
        """What is known of a position with this side to move; rather by proofs whose tables are at hand."""
        near = np.array([spec in at_hand or not spec for spec in self.specs])
        best: tuple[bool, ExactResult] | None = None
        for place, mirrored in ((position, False), (position.mirrored(), True)):
            found = self._find(key_of(place), 0, near)
            if found is not None:
                index, buffaloes = found
                usable = bool(near[self.tables[index]])
                if best is None or usable > best[0]:
                    best = usable, self._answer(index, buffaloes, mirrored=mirrored)
        return None if best is None else best[1]

    def _find(self, key: int, left_out: int, near: Words) -> tuple[int, int] | None:
        """The entry for a key and the buffaloes that matter; an entry that leaves one out leads to another."""
        low, high = np.searchsorted(self.hunters, [key >> CHIEF_AT, (key >> CHIEF_AT) + 1])
        here = key & _BUFFALOES & ~left_out
        listed = self.buffaloes[low:high]
        fewer, more = (here, listed) if self.winner is Side.HUNTER else (listed, here)
        # Every buffalo of the fewer is among the more, on the same rank.
        fits = np.flatnonzero(((fewer ^ more) & _spread(fewer)) == 0)
        far = ~near[self.tables[low:high][fits]]
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

    def _answer(self, index: int, buffaloes: int, *, mirrored: bool) -> ExactResult:
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


def _spread(digits: Words | int) -> Words | int:
    """All three bits of each file that has a buffalo."""
    low = (digits | (digits >> 1) | (digits >> 2)) & _LOWEST
    return low * 7


def _count(digits: Words) -> Words:
    """How many buffaloes there are: files count down from the ones that all have."""
    low = (digits | (digits >> 1) | (digits >> 2)) & _LOWEST
    return sum(((low >> (FILE_BITS * file)) & 1 for file in range(WIDTH)), np.zeros_like(low))


def read_books(paths: Iterable[Path]) -> tuple[ProofBook, ...]:
    """The books of some certificates, for each winner and side to move that there are. They must have been verified."""
    parts: dict[tuple[Side, Side], list[Words]] = {}
    names: list[str] = []
    specs = {"": 0}
    for path in paths:
        for winner, turn, rows in _entries(path, specs):
            whose = np.full((len(rows), 1), len(names))
            parts.setdefault((winner, turn), []).append(np.hstack([rows, whose]))
        names.append(path.stem)
    return tuple(
        _sorted(winner, turn, np.concatenate(rows), tuple(names), tuple(specs))
        for (winner, turn), rows in parts.items()
    )


def _sorted(
    winner: Side, turn: Side, rows: Words, names: tuple[str, ...], specs: tuple[str, ...]
) -> ProofBook:
    rows = rows[np.argsort(rows[:, 0] >> CHIEF_AT, kind="stable")]
    keys, moves, tables, books = (column.copy() for column in rows.T)
    return ProofBook(
        winner, turn, keys >> CHIEF_AT, keys & _BUFFALOES, moves, books, tables, names, specs
    )


def _entries(path: Path, specs: dict[str, int]) -> Iterator[tuple[Side, Side, Words]]:
    """Winner, side to move, and [n, 3] keys, moves and tables of positions and claims that hold on the real board."""
    with path.open("rb") as file:
        header = read_header(file)
        side = header.winner
        # A hunter who keeps to fewer columns wins on the real board, too; buffaloes say nothing about a wider one.
        if header.positions > MOST_POSITIONS or (header.width < WIDTH and side is Side.BUFFALO):
            return
        claimed = [
            key_of(claim.position) for claim in header.claims if claim.position.turn is not side
        ]
        if claimed:
            yield side, side.other, np.array([[key, _NO_MOVE, 0] for key in claimed])
        texts = ["", *(str(header.tables[seen.table]) for seen in header.recognisers)]
        numbers = np.array([specs.setdefault(text, len(specs)) for text in texts])
        for block in read_blocks(file, header):
            keys = block.keys
            if side is Side.BUFFALO:
                keys = (keys >> _HUNTER_BITS) | ((keys & ((1 << _HUNTER_BITS) - 1)) << CHIEF_AT)
            yield side, side, np.column_stack([keys, block.moves, numbers[block.by]])


@cache
def shipped_books(folder: Path = SHIPPED) -> tuple[ProofBook, ...]:
    """The books of the certificates that come with the package and are noted as verified."""
    unknown = set(not_noted(folder))
    return read_books(path for path in shipped_files(folder) if path not in unknown)
