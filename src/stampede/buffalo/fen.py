"""Position texts (B1.4): read strictly, written in one form only.

A FEN has six fields, as in chess: the ranks from 7 down to 1, the side to move, two fields that Buffalo has no use
for (``-``), a count that it has no use for either (0), and the number of the move, which grows after each move of the
side ``b``. The last two may be missing.

Reading refuses what no game can show, and says what it is. It asks what pieces there are and where, not whether
moves lead there: a study may well begin with the hunter to move.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from stampede.buffalo.geometry import FAR_BANK, FILES, RANKS, Square
from stampede.buffalo.pieces import Piece, Side
from stampede.core.errors import ParseError

__all__ = [
    "EMPTY",
    "START_FEN",
    "FenError",
    "Placement",
    "read_fen",
    "write_cells",
    "write_fen",
]

START_FEN: Final = "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1"
"""The start of a game (B1.4)."""

_PIECES: Final = {piece.letter: piece for piece in Piece}
_SIDES: Final = {side.letter: side for side in Side}
_TOKEN: Final = re.compile("[0-9]+|.", re.DOTALL)
_COUNTER: Final = re.compile("[0-9]{1,6}")
_STARTS: Final = tuple(len(FILES) * (rank - 1) for rank in reversed(RANKS))
EMPTY: Final = "."
"""An empty square, while a text is being made."""
_RUN: Final = re.compile(r"\.+")


class FenError(ParseError):
    """A FEN that is none, or whose position no game can show.

    Attributes:
        code: A word for what is wrong, for clients to translate.
        values: What the sentence needs.
    """

    def __init__(self, problem: str, code: str, **values: object) -> None:
        super().__init__(problem)
        self.code = code
        self.values = {name: str(value) for name, value in values.items()}


class Placement(NamedTuple):
    """What a FEN says.

    Attributes:
        pieces: The pieces by their squares.
        turn: The side to move.
        number: The number of the move: 1 at the start, one more after each of the buffalo side's moves.
    """

    pieces: Mapping[Square, Piece]
    turn: Side
    number: int


def read_fen(text: str) -> Placement:
    """Reads a FEN; FenError when it is none, or when no game can show its position."""
    fields = text.split() if isinstance(text, str) else []
    if len(fields) not in (4, 6):
        expected = f"4 or 6 fields, such as in {START_FEN!r}"
        raise _wrong(expected, repr(text), "fields", count=len(fields))
    ranks, side, castling, en_passant, *counters = fields
    if side not in _SIDES:
        raise _wrong("b (buffalo side) or w (hunter) to move", repr(side), "side", got=side)
    if (castling, en_passant) != ("-", "-"):
        got = f"{castling} {en_passant}"
        raise _wrong("'- -' after the side to move", repr(got), "dashes", got=got)
    halfmoves, number = (_counter(field) for field in counters or ("0", "1"))
    if halfmoves < 0 or number < 1:
        got = " ".join(counters)
        raise _wrong("a count from 0 and a move number from 1", repr(got), "counters", got=got)
    setup = Placement(_read_ranks(ranks), _SIDES[side], number)
    _check_hunter(setup.pieces)
    _check_buffaloes(setup)
    return setup


def write_fen(setup: Placement) -> str:
    """Writes a FEN, six fields."""
    cells = [EMPTY] * (len(FILES) * len(RANKS))
    for square, piece in setup.pieces.items():
        cells[square] = piece.letter
    return write_cells("".join(cells), setup.turn, setup.number)


def write_cells(cells: str, turn: Side, number: int) -> str:
    """Writes a FEN from the letters of all squares, in the order of the squares; a point is an empty one."""
    ranks = "/".join([_write_rank(cells[start : start + len(FILES)]) for start in _STARTS])
    return f"{ranks} {turn.letter} - - 0 {number}"


def _wrong(expected: str, found: str, code: str, **values: object) -> FenError:
    return FenError(f"FEN: expected {expected}, got {found}", code, **values)


def _impossible(what: str, clause: str, code: str, **values: object) -> FenError:
    return FenError(f"FEN: impossible position: {what} ({clause})", code, **values)


def _counter(text: str) -> int:
    return int(text) if _COUNTER.fullmatch(text) else -1


def _read_ranks(text: str) -> dict[Square, Piece]:
    rows = text.split("/")
    if len(rows) != len(RANKS):
        found = f"{len(rows)} in {text!r}"
        raise _wrong("7 ranks between slashes", found, "ranks", count=len(rows))
    pieces: dict[Square, Piece] = {}
    for rank, row in zip(reversed(RANKS), rows, strict=True):
        pieces |= _read_rank(rank, row)
    return pieces


def _read_rank(rank: int, row: str) -> dict[Square, Piece]:
    found: dict[int, Piece] = {}
    file = 0
    for token in _TOKEN.findall(row):
        if token in _PIECES:
            found[file] = _PIECES[token]
            file += 1
        elif token[0] in "123456789":
            file += int(token[:3])
        else:
            expected = f"b, C, D or a number of empty squares on rank {rank}"
            raise _wrong(expected, repr(token), "letter", rank=rank, got=token)
    if file != len(FILES):
        found_files = f"{file} in {row!r}"
        raise _wrong(f"11 files on rank {rank}", found_files, "files", rank=rank, count=file)
    return {Square.at(place, rank): piece for place, piece in found.items()}


@lru_cache(4096)
def _write_rank(cells: str) -> str:
    """A rank's text, its empty squares counted. Cached: the same ranks recur."""
    return _RUN.sub(lambda run: str(len(run[0])), cells)


def _check_hunter(pieces: Mapping[Square, Piece]) -> None:
    for piece, count, name in ((Piece.CHIEF, 1, "one chief"), (Piece.DOG, 4, "four dogs")):
        squares = [square for square in pieces if pieces[square] is piece]
        if len(squares) != count:
            code = "chiefs" if piece is Piece.CHIEF else "dogs"
            got = len(squares)
            raise _impossible(f"expected {name}, got {got}", "B1.3", code, count=got)
        for square in squares:
            if not square.in_prairie:
                clause = "B2.4" if piece is Piece.CHIEF else "B2.3"
                code = "chief_outside" if piece is Piece.CHIEF else "dog_outside"
                what = f"the {piece} on {square} is outside the prairie"
                raise _impossible(what, clause, code, squares=square)


def _check_buffaloes(setup: Placement) -> None:
    seen: dict[int, Square] = {}
    for square, piece in setup.pieces.items():
        if piece is not Piece.BUFFALO:
            continue
        if square.file in seen:
            both = f"{seen[square.file]} and {square}"
            raise _impossible(
                f"buffaloes on {both}, but a file has only one and none leaves its file",
                "B2.2",
                "same_file",
                squares=f"{seen[square.file]}, {square}",
            )
        seen[square.file] = square
    crossed = [square for square in seen.values() if square.rank == FAR_BANK]
    if len(crossed) > 1:
        names = ", ".join(str(square) for square in crossed)
        what = f"buffaloes on {names}, but the first on rank 1 ends the game"
        raise _impossible(what, "B3.1", "both_crossed", squares=names)
    if crossed and setup.turn is Side.BUFFALO:
        raise _impossible(
            f"the buffalo on {crossed[0]} has won, so the buffalo side can't be to move",
            "B3.1",
            "crossed",
            squares=crossed[0],
        )
