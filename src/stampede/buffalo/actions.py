"""Moves, the only actions of Buffalo, and the collection of those that are legal."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from stampede.buffalo.geometry import NAMES, Square
from stampede.buffalo.pieces import Side
from stampede.buffalo.reasons import BuffaloReason
from stampede.core.errors import ParseError
from stampede.core.events import JsonFields
from stampede.core.game import LegalActions
from stampede.core.json import JsonObject, TextForm

if TYPE_CHECKING:
    from stampede.buffalo.position import Position

__all__ = ["BuffaloAction", "BuffaloLegal", "LegalMoves", "Move", "RefusedPieces"]

_TEXT: Final = re.compile("([a-k][1-7])([a-k][1-7])")


@dataclass(frozen=True, slots=True, repr=False)
class Move(TextForm):
    """A move from a square to a square; its text form is that of B1.5, ``a7a6``."""

    from_square: Square
    to_square: Square

    @classmethod
    def parse(cls, text: str) -> Move:
        """Reads a move such as ``a7a6``; ParseError when the text names no two squares."""
        return _parse(text) if isinstance(text, str) else _refuse(text)

    def mirror(self) -> Move:
        """The move as seen in a mirror: a for k, b for j, and so on."""
        return Move(self.from_square.mirror(), self.to_square.mirror())

    def __str__(self) -> str:
        return NAMES[self.from_square] + NAMES[self.to_square]

    def __repr__(self) -> str:
        return f"Move.parse('{self}')"


BuffaloAction: TypeAlias = Move
"""Every action of Buffalo."""


@lru_cache(4096)
def _parse(text: str) -> Move:
    """Reads a move. Cached: a server reads the same few thousand all day."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return _refuse(text)
    return Move(Square.parse(found[1]), Square.parse(found[2]))


def _refuse(text: object) -> NoReturn:
    raise ParseError(f"expected a move such as a7a6 (two squares, a1 to k7), got {text!r}")


@dataclass(frozen=True, slots=True)
class RefusedPieces(JsonFields):
    """Pieces that can't move.

    Attributes:
        squares: Where they stand.
        reason: The rule that keeps them there.
    """

    squares: tuple[str, ...]
    reason: BuffaloReason

    def to_json(self) -> JsonObject:
        """Returns the pieces as JSON; a server writes them after most actions."""
        return {"squares": list(self.squares), "reason": self.reason.to_json()}


@dataclass(frozen=True, slots=True)
class BuffaloLegal(JsonFields):
    """A side's legal moves, for clients.

    Attributes:
        moves: For each square with a piece that can move: the squares it can go to.
        refused: The side's pieces that can't move, with the reasons.
    """

    moves: dict[str, list[str]]
    refused: tuple[RefusedPieces, ...]

    def to_json(self) -> JsonObject:
        """Returns the description as JSON. The moves are JSON already and needn't be copied."""
        return {"moves": self.moves, "refused": [group.to_json() for group in self.refused]}


class LegalMoves(LegalActions[Move]):
    """The legal moves of one side: iterate, count, test, take one by index, or draw one.

    Args:
        moves: The moves.
        position: Where they can be made; without one, `describe` gives no reasons.
        stepped: The files whose buffaloes have stepped in this opening turn (B4.3).
    """

    __slots__ = ("_moves", "_position", "_stepped")

    def __init__(
        self,
        moves: list[Move],
        position: Position | None = None,
        stepped: tuple[str, ...] = (),
    ) -> None:
        self._moves = moves
        self._position = position
        self._stepped = stepped

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __contains__(self, move: object) -> bool:
        return move in self._moves

    def __getitem__(self, index: int) -> Move:
        return self._moves[index]

    def sample(self, rng: random.Random) -> Move:
        """One legal move, every one equally likely."""
        moves = self._moves
        return moves[int(rng.random() * len(moves))]

    def destinations(self) -> dict[Square, tuple[Square, ...]]:
        """For each square with a piece that can move: where it can go."""
        found: dict[Square, list[Square]] = {}
        for move in self._moves:
            found.setdefault(move.from_square, []).append(move.to_square)
        return {start: tuple(ends) for start, ends in found.items()}

    def describe(self) -> BuffaloLegal:
        """The destinations by name, and why the other pieces can't move."""
        found: dict[str, list[str]] = {}
        start, add = None, list[str]().append
        for move in self._moves:
            if move.from_square is not start:  # a piece's moves mostly come one after the other
                start = move.from_square
                add = found.setdefault(NAMES[start], []).append
            add(NAMES[move.to_square])
        position = self._position
        refused = () if position is None else refuse_pieces(position, found, self._stepped)
        return BuffaloLegal(found, refused)

    def __repr__(self) -> str:
        return f"<LegalMoves ({len(self)}): {', '.join(str(move) for move in self)}>"


HAS_STEPPED: Final = BuffaloReason("has_stepped", "B4.3")
PIECE_IN_FRONT: Final = BuffaloReason("piece_in_front", "B2.5")
DOG_ENCLOSED: Final = BuffaloReason("enclosed", "B2.3")
CHIEF_ENCLOSED: Final = BuffaloReason("enclosed", "B2.4")


def refuse_pieces(
    position: Position, movable: Collection[str], stepped: tuple[str, ...]
) -> tuple[RefusedPieces, ...]:
    """Lists the pieces of the side to move that can't move, by reason."""
    pieces = len(position.buffaloes) if position.turn is Side.BUFFALO else 1 + len(position.dogs)
    if len(movable) == pieces:
        return ()
    if position.turn is Side.BUFFALO:
        stuck = [name for square in position.buffaloes if (name := NAMES[square]) not in movable]
        groups = (
            (HAS_STEPPED, [name for name in stuck if name[0] in stepped] if stepped else []),
            (PIECE_IN_FRONT, [name for name in stuck if name[0] not in stepped]),
        )
    else:
        chief = NAMES[position.chief]
        stuck = [name for square in position.dogs if (name := NAMES[square]) not in movable]
        groups = ((CHIEF_ENCLOSED, [] if chief in movable else [chief]), (DOG_ENCLOSED, stuck))
    return tuple([RefusedPieces(tuple(names), reason) for reason, names in groups if names])
