"""The two sides and their three kinds of pieces (B1.2, B1.3)."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

from stampede.core.game import Seat

__all__ = ["BUFFALO_SEAT", "HUNTER_SEAT", "Piece", "Side"]


class Side(IntEnum):
    """A side. Its number is its seat: seat 0 is the buffalo side, seat 1 the hunter."""

    BUFFALO = 0
    HUNTER = 1

    @property
    def letter(self) -> str:
        """The side's letter in a FEN (B1.4)."""
        return "bw"[self]

    @property
    def word(self) -> str:
        """The side's name in JSON: ``buffalo`` or ``hunter``."""
        return ("buffalo", "hunter")[self]

    @property
    def other(self) -> Side:
        """The side that plays against this one."""
        return Side.HUNTER if self is Side.BUFFALO else Side.BUFFALO

    def __str__(self) -> str:
        return ("the buffalo side", "the hunter")[self]


BUFFALO_SEAT: Final[Seat] = Side.BUFFALO.value
HUNTER_SEAT: Final[Seat] = Side.HUNTER.value


class Piece(StrEnum):
    """A kind of piece; its text form is its name."""

    BUFFALO = "buffalo"
    CHIEF = "chief"
    DOG = "dog"

    @property
    def letter(self) -> str:
        """The piece's letter in a FEN (B1.4): small for the buffalo side, capital for the hunter."""
        return _LETTERS[self]

    @property
    def side(self) -> Side:
        """The side that it belongs to."""
        return Side.BUFFALO if self is Piece.BUFFALO else Side.HUNTER


_LETTERS: Final = {Piece.BUFFALO: "b", Piece.CHIEF: "C", Piece.DOG: "D"}
