"""Positions that are decided on the spot, without search. Every fact here is tested against plain search.

A buffalo on rank 2 crosses next, and only the chief can stop it, by capturing it at once. So a buffalo on rank 3 with
rank 2 free before it wins when the chief doesn't stand next to that square: a **threat**. When the hunter is to move,
only moves after which no threat is left, and no buffalo on rank 2, don't lose.
"""

from __future__ import annotations

from typing import Final

from stampede.kernels.buffalo.tables import CHIEF_STEPS, LAST_RANK, WIDTH
from stampede.kernels.jit import bare

__all__ = ["is_lost_next", "threats"]

_THIRD: Final = LAST_RANK << WIDTH


@bare
def threats(prairie: int, dogs: int, chief: int) -> int:
    """The free squares of rank 2 onto which a buffalo can step without being captured there. Sets, square → set."""
    fronts = (prairie & _THIRD) >> WIDTH
    near: int = CHIEF_STEPS[chief]
    return fronts & ~(prairie | dogs | near | (1 << chief))


@bare
def is_lost_next(prairie: int, dogs: int, chief: int) -> bool:
    """Whether the buffalo side, to move, wins by crossing now or after an unanswerable step to rank 2."""
    return ((prairie & LAST_RANK) | threats(prairie, dogs, chief)) != 0
