"""Ready-made moves by square, so that generating moves only looks them up. Made from the geometry once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from stampede.buffalo.actions import Move
from stampede.buffalo.geometry import AHEAD, BIT, RAYS, SQUARES, STEPS, Square
from stampede.buffalo.pieces import Piece

__all__ = ["BUFFALO_STEP", "CHIEF_STEPS", "DOG_RAYS", "reach"]


def _ray(start: Square, ray: tuple[Square, ...]) -> tuple[tuple[int, Move], ...]:
    return tuple((BIT[end], Move(start, end)) for end in ray)


def _ahead(start: Square) -> tuple[int, Move]:
    end = AHEAD[start]
    # From the far bank no step is left (B3.1): a square that counts as always occupied.
    return (-1, Move(start, start)) if end is None else (BIT[end], Move(start, end))


BUFFALO_STEP: Final = tuple(_ahead(square) for square in SQUARES)
"""By square: the bit of the square ahead, and the move there (B2.2)."""

CHIEF_STEPS: Final = tuple(_ray(square, STEPS[square]) for square in SQUARES)
"""By square: bit and move for each step of the chief (B2.4)."""

DOG_RAYS: Final = tuple(tuple(_ray(square, ray) for ray in RAYS[square]) for square in SQUARES)
"""By square and direction: bit and move for each square in line, nearest first (B2.3)."""


def reach() -> dict[str, dict[str, list[str]]]:
    """By piece and square: where the piece could go if nothing else stood on the board (B2.2, B2.3, B2.4)."""

    def ends(moves: Iterable[tuple[int, Move]]) -> list[str]:
        return [str(move.to_square) for bit, move in moves if bit >= 0]

    steps = {
        Piece.BUFFALO: [ends([step]) for step in BUFFALO_STEP],
        Piece.CHIEF: [ends(chief) for chief in CHIEF_STEPS],
        Piece.DOG: [ends(step for ray in rays for step in ray) for rays in DOG_RAYS],
    }
    return {
        str(piece): {str(square): by_square[square] for square in SQUARES if by_square[square]}
        for piece, by_square in steps.items()
    }
