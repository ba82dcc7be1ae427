"""A position: where the pieces stand and who is to move. Immutable; playing a move makes a new one.

If you know python-chess, you find ``Position.start()``, ``legal_moves``, ``fen()`` where ``chess.Board`` has them; only
``play`` returns the new position instead of changing the old one, so nothing has to be undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from stampede.buffalo import svg
from stampede.buffalo.actions import LegalMoves, Move
from stampede.buffalo.fen import EMPTY, Placement, read_fen, write_cells
from stampede.buffalo.geometry import (
    AHEAD,
    BETWEEN,
    BIT,
    FAR_BANK_BITS,
    FILES,
    RANKS,
    SQUARES,
    STEPS,
    Square,
)
from stampede.buffalo.pieces import BUFFALO_SEAT, HUNTER_SEAT, Piece, Side
from stampede.buffalo.refusals import refusal
from stampede.buffalo.tables import BUFFALO_STEP, CHIEF_STEPS, DOG_RAYS
from stampede.core.errors import ParseError
from stampede.core.game import Outcome
from stampede.core.json import TextForm

__all__ = ["CROSSED", "NO_MOVE", "Position"]

CROSSED: Final = Outcome((BUFFALO_SEAT,), "crossed")
"""The end of B3.1."""
NO_MOVE: Final = Outcome((HUNTER_SEAT,), "no_move")
"""The end of B3.2."""


@dataclass(frozen=True, slots=True, repr=False)
class Position(TextForm):
    """Where the pieces stand and who is to move.

    >>> position = Position.start().play("f7f6")
    >>> position
    Position.from_fen('bbbbb1bbbbb/5b5/11/11/11/3DDCDD3/11 w - - 0 2')
    >>> print(position.play("d2d5"))
    7  b b b b b . b b b b b
       ~~~~~~~~~~~~~~~~~~~~~
    6  . . . . . b . . . . .
    5  . . . D . . . . . . .
    4  . . . . . . . . . . .
    3  . . . . . . . . . . .
    2  . . . . D C D D . . .
       ~~~~~~~~~~~~~~~~~~~~~
    1  . . . . . . . . . . .
       a b c d e f g h i j k

    Make one with `start` or `from_fen`: the constructor checks nothing. Positions are equal when the same pieces
    stand on the same squares with the same side to move; the move's number doesn't count.

    Attributes:
        buffaloes: The buffaloes' squares, in the order of their files.
        chief: The chief's square.
        dogs: The dogs' squares, in the order of their numbers.
        turn: The side to move.
        occupied: The bits of all squares with a piece.
        number: The number of the move: 1 at the start, one more after each of the buffalo side's moves, as the side
            ``b`` of a FEN counts.
    """

    buffaloes: tuple[Square, ...]
    chief: Square
    dogs: tuple[Square, ...]
    turn: Side
    occupied: int = field(compare=False)
    number: int = field(compare=False)

    # --- making and telling ---

    @classmethod
    def start(cls, removed: Iterable[str] = ()) -> Position:
        """The start (B1.2, B1.3), without the buffaloes of the removed files (B4.2)."""
        absent = set(removed)
        if not absent <= set(FILES):
            raise ParseError(f"expected files from a to k to remove, got {sorted(absent)}")
        pieces = {
            Square.at(f, 7): Piece.BUFFALO for f, name in enumerate(FILES) if name not in absent
        }
        pieces |= {Square.parse(name): Piece.DOG for name in ("d2", "e2", "g2", "h2")}
        return cls._of(Placement({**pieces, Square.parse("f2"): Piece.CHIEF}, Side.BUFFALO, 1))

    @classmethod
    def from_fen(cls, text: str) -> Position:
        """Reads a FEN (B1.4); ParseError when it is none, or when no game can show its position."""
        return cls._of(read_fen(text))

    @classmethod
    def _of(cls, setup: Placement) -> Position:
        def find(piece: Piece) -> list[Square]:
            return sorted(square for square, kind in setup.pieces.items() if kind is piece)

        return cls(
            buffaloes=tuple(sorted(find(Piece.BUFFALO), key=lambda square: square.file)),
            chief=find(Piece.CHIEF)[0],
            dogs=tuple(find(Piece.DOG)),
            turn=setup.turn,
            occupied=sum(BIT[square] for square in setup.pieces),
            number=setup.number,
        )

    def to_json(self) -> str:
        """Returns the FEN."""
        return self.fen()

    def fen(self) -> str:
        """The position's text (B1.4)."""
        cells = [EMPTY] * len(SQUARES)
        for square in self.buffaloes:
            cells[square] = "b"
        for square in self.dogs:
            cells[square] = "D"
        cells[self.chief] = "C"
        return write_cells("".join(cells), self.turn, self.number)

    @property
    def pieces(self) -> Mapping[Square, Piece]:
        """The pieces by their squares."""
        return {
            **dict.fromkeys(self.buffaloes, Piece.BUFFALO),
            **dict.fromkeys(self.dogs, Piece.DOG),
            self.chief: Piece.CHIEF,
        }

    def piece_at(self, square: Square) -> Piece | None:
        """The piece on a square, if any."""
        if not self.occupied & BIT[square]:
            return None
        if square == self.chief:
            return Piece.CHIEF
        return Piece.DOG if square in self.dogs else Piece.BUFFALO

    @property
    def files(self) -> str:
        """The files that still have a buffalo."""
        return "".join([square.file_name for square in self.buffaloes])

    # --- moving ---

    @property
    def legal_moves(self) -> LegalMoves:
        """All legal moves (B2); none when the game is over (B3)."""
        if self.occupied & FAR_BANK_BITS:
            return LegalMoves([])
        moves = self._buffalo_moves() if self.turn is Side.BUFFALO else self._hunter_moves()
        return LegalMoves(moves, self)

    def _buffalo_moves(self) -> list[Move]:
        occupied = self.occupied
        steps = [BUFFALO_STEP[square] for square in self.buffaloes]
        return [move for ahead, move in steps if not occupied & ahead]

    def _hunter_moves(self) -> list[Move]:
        occupied = self.occupied
        guarded = self._dog_bits()
        moves = [move for bit, move in CHIEF_STEPS[self.chief] if not guarded & bit]
        for dog in self.dogs:
            for ray in DOG_RAYS[dog]:
                for bit, move in ray:
                    if occupied & bit:
                        break
                    moves.append(move)
        return moves

    def _dog_bits(self) -> int:
        a, b, c, d = self.dogs
        return BIT[a] | BIT[b] | BIT[c] | BIT[d]

    def is_legal(self, move: Move) -> bool:
        """Whether the rules allow this move now. Quicker than looking for it among all."""
        start, end = move.from_square, move.to_square
        if self.occupied & FAR_BANK_BITS:
            return False
        if self.turn is Side.BUFFALO:
            return start in self.buffaloes and end == AHEAD[start] and self._is_empty(end)
        if start == self.chief:
            return end in STEPS[start] and end not in self.dogs
        if start not in self.dogs:
            return False
        between = BETWEEN[start].get(end)
        return between is not None and not self.occupied & (between | BIT[end])

    def _is_empty(self, square: Square) -> bool:
        return not self.occupied & BIT[square]

    def is_capture(self, move: Move) -> bool:
        """Whether this legal move captures a buffalo (B2.4)."""
        return not self._is_empty(move.to_square)

    def play(self, move: Move | str) -> Position:
        """The position after a move or its text, checked.

        Raises:
            ParseError: The text is no move.
            IllegalAction: The rules refuse the move; the message says why, with the clause.
            GameOver: The game has ended.
        """
        chosen = Move.parse(move) if isinstance(move, str) else move
        if not self.is_legal(chosen):
            raise refusal(self, chosen)
        return self.after(chosen)

    def after(self, move: Move) -> Position:
        """The position after a legal move. Doesn't check: an illegal move makes nonsense (see `play`)."""
        start, end = move.from_square, move.to_square
        occupied = (self.occupied ^ BIT[start]) | BIT[end]
        if self.turn is Side.BUFFALO:
            buffaloes = _replace_square(self.buffaloes, start, end)
            number = self.number + 1
            return Position(buffaloes, self.chief, self.dogs, Side.HUNTER, occupied, number)
        if start != self.chief:
            dogs = tuple(sorted(_replace_square(self.dogs, start, end)))
            return Position(self.buffaloes, self.chief, dogs, Side.BUFFALO, occupied, self.number)
        buffaloes = self.buffaloes
        if self.occupied & BIT[end]:
            buffaloes = tuple(square for square in buffaloes if square != end)
        return Position(buffaloes, end, self.dogs, Side.BUFFALO, occupied, self.number)

    def with_turn(self, side: Side) -> Position:
        """The same pieces with this side to move; for opening turns (B4.3) and studies."""
        return self if side is self.turn else replace(self, turn=side)

    # --- the end ---

    def outcome(self) -> Outcome | None:
        """How the game has ended (B3.1, B3.2), or None while it runs."""
        if self.occupied & FAR_BANK_BITS:
            return CROSSED
        if self.turn is Side.BUFFALO and not self._can_step():
            return NO_MOVE
        return None

    def _can_step(self) -> bool:
        occupied = self.occupied
        return any(not occupied & BUFFALO_STEP[square][0] for square in self.buffaloes)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome() is not None

    @property
    def winner(self) -> Side | None:
        """The side that has won, or None while the game runs."""
        outcome = self.outcome()
        return None if outcome is None else Side(outcome.winners[0])

    # --- looking ---

    def mirror(self) -> Position:
        """The position as seen in a mirror: a for k, b for j, and so on. The rules are the same there."""
        pieces = {square.mirror(): piece for square, piece in self.pieces.items()}
        return Position._of(Placement(pieces, self.turn, self.number))

    def __repr__(self) -> str:
        return f"Position.from_fen('{self.fen()}')"

    def __str__(self) -> str:
        """The board as text, rank 7 on top, the rivers as waves."""
        pieces = self.pieces
        river = f"   {'~' * (2 * len(FILES) - 1)}"
        lines = []
        for rank in reversed(RANKS):
            row = [square for square in SQUARES if square.rank == rank]
            signs = (pieces[square].letter if square in pieces else "." for square in row)
            lines.append(f"{rank}  {' '.join(signs)}")
            if rank in (7, 2):
                lines.append(river)
        return "\n".join([*lines, f"   {' '.join(FILES)}"])

    def _repr_svg_(self) -> str:
        """The board as a picture, for notebooks."""
        return svg.board(self)


def _replace_square(squares: tuple[Square, ...], start: Square, end: Square) -> tuple[Square, ...]:
    index = squares.index(start)
    return (*squares[:index], end, *squares[index + 1 :])
