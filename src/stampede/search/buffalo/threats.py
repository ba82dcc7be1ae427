"""Positions that are decided without search. The tests compare every claim here with a plain search.

A buffalo on rank 2 crosses with its next move, and only the chief can stop it, by capturing it at once. So a buffalo on
rank 3 with a free square ahead wins if the chief isn't next to that square: a **threat**. A hunter to move must leave
no threat and no buffalo on rank 2; every other move loses.

Sets of squares are bit sets of the prairie, rank 2 in the lowest bits (`stampede.kernels.buffalo.layout`).
"""

from __future__ import annotations

from typing import Final

from stampede.kernels.buffalo.lookups import CHIEF_STEPS, LAST_RANK, WIDTH
from stampede.kernels.jit import bare

__all__ = ["is_lost_next", "threats"]

_RANK_THREE: Final = LAST_RANK << WIDTH


@bare
def threats(prairie: int, dogs: int, chief: int) -> int:
    """The free squares of rank 2 onto which a buffalo can step without being captured there. Sets, square → set."""
    fronts = (prairie & _RANK_THREE) >> WIDTH
    guarded: int = CHIEF_STEPS[chief]
    return fronts & ~(prairie | dogs | guarded | (1 << chief))


@bare
def is_lost_next(prairie: int, dogs: int, chief: int) -> bool:
    """Whether the buffalo side, to move, crosses now or after a step to rank 2 that nothing answers."""
    return ((prairie & LAST_RANK) | threats(prairie, dogs, chief)) != 0
