"""Ready-made moves by square, so that generating moves only looks them up. Made from the geometry once."""

from __future__ import annotations

from typing import Final

from stampede.buffalo.actions import Move
from stampede.buffalo.geometry import AHEAD, BIT, RAYS, SQUARES, STEPS, Square

__all__ = ["BUFFALO_STEP", "CHIEF_STEPS", "DOG_RAYS"]


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
