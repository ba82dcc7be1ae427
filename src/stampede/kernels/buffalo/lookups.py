"""The prairie as lookup arrays, all computed from `stampede.buffalo.geometry`.

A prairie square has a number from 0 (a2) to 54 (k6), rank by rank: `Square` - FIRST. A set of squares is a word with
these bits. Where a dog can go is looked up twice: along its rank, where the occupied squares themselves are the index,
and along the three other lines at once, where a product gathers the occupied squares into an index ("magic").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from stampede.buffalo.geometry import FAR_BANK, FILES, NEAR_BANK, PRAIRIE, RAYS, STEPS, Square

__all__ = [
    "CHIEF_STEPS",
    "FIRST",
    "FIRST_FILE",
    "LAST_RANK",
    "LINE_BASE",
    "LINE_FACTOR",
    "LINE_MASK",
    "LINE_SHIFT",
    "LINE_SIZE",
    "LINE_TARGETS",
    "MIRROR",
    "NEAR_SHIFT",
    "PLACES",
    "ROW_BASE",
    "ROW_INDEX",
    "ROW_SHIFT",
    "ROW_TARGETS",
    "WIDTH",
    "Words",
]

Words = npt.NDArray[np.int64]
"""Words or squares or moves: int64[n]."""

Small = npt.NDArray[np.uint16]
"""Indices and shifts: uint16[n]. Unsigned, so that the compiler needn't ask whether an index counts from the end."""

WIDTH: Final = len(FILES)
FIRST: Final = int(PRAIRIE[0])
"""The first prairie square's number among all squares; the far bank lies below, the near bank above."""
PLACES: Final = len(PRAIRIE)
NEAR_SHIFT: Final = PLACES - WIDTH
"""From a mask of files to the squares of the prairie's first rank, in front of the near bank."""


def _frozen(values: Iterable[int] | npt.NDArray[np.int64]) -> Words:
    lookup = np.array(list(values), dtype=np.int64)
    lookup.flags.writeable = False
    return lookup


def _small(values: Iterable[int] | npt.NDArray[np.int64]) -> Small:
    lookup = np.array(list(values), dtype=np.uint16)
    lookup.flags.writeable = False
    return lookup


def _word(squares: Iterable[Square]) -> int:
    return sum(1 << (square - FIRST) for square in squares)


def _is_row(start: Square, ray: tuple[Square, ...]) -> bool:
    return ray[0].rank == start.rank


def _subsets(squares: Words) -> Words:
    """All sets of these squares, the full one last."""
    subsets = np.zeros(1, dtype=np.int64)
    for square in squares:
        subsets = np.concatenate([subsets, subsets | (1 << square)])
    return subsets


def _targets(rays: Iterable[tuple[Square, ...]], occupied: Words) -> Words:
    """For each set of occupied squares: the squares up to and including the first occupied one of each ray."""
    total = np.zeros_like(occupied)
    for ray in rays:
        free = np.ones(len(occupied), dtype=np.bool_)
        for square in ray:
            bit = np.int64(1 << (square - FIRST))
            total |= np.where(free, bit, 0)
            free &= (occupied & bit) == 0
    return total


# --- along the rank ---

ROW_INDEX: Final = (1 << (WIDTH - 2)) - 1
"""The squares of a rank but for its ends, as a mask after ROW_SHIFT; every one of its subsets is an index."""
ROW_SHIFT: Final = _small((square.rank - FAR_BANK - 1) * WIDTH + 1 for square in PRAIRIE)
"""By square: where its rank's inner squares begin. int64[55]."""
ROW_BASE: Final = _small((ROW_INDEX + 1) * square.file for square in PRAIRIE)
"""By square: where its part of ROW_TARGETS begins. int64[55]."""


def _row_targets() -> Words:
    lookups = []
    for start in PRAIRIE[:WIDTH]:
        occupied = np.arange(ROW_INDEX + 1, dtype=np.int64) << 1
        lookups.append(_targets((ray for ray in RAYS[start] if _is_row(start, ray)), occupied))
    return _frozen(np.concatenate(lookups))


ROW_TARGETS: Final = _row_targets()
"""By file and occupied inner squares: the reachable files, to be shifted to ROW_SHIFT - 1. int64[5632]."""


# --- along the file and the two diagonals ---


class _Lines(NamedTuple):
    mask: int
    factor: int
    bits: int
    targets: Words


def _lines(start: Square, rng: np.random.Generator) -> _Lines:
    """Looks for a factor that sends every set of occupied squares to an index of its own.

    Each of the factor's bits shifts one of the squares to its place in the index; which places go without a collision
    is found by trying. An index one bit longer than needed is found in some tens of trials instead of ten thousands.
    """
    rays = [ray for ray in RAYS[start] if not _is_row(start, ray)]
    squares = np.array(sorted(square - FIRST for ray in rays for square in ray[:-1]))
    occupied = _subsets(squares)
    bits = len(squares) + 1
    while True:
        places = 64 - bits + rng.permutation(bits)[:-1]
        factor = np.bitwise_or.reduce(np.int64(1) << (places - squares))
        index = ((occupied * factor) >> (64 - bits)) & ((1 << bits) - 1)
        if np.bincount(index).max() == 1:
            targets = np.zeros(1 << bits, dtype=np.int64)
            targets[index] = _targets(rays, occupied)
            return _Lines(int(occupied[-1]), int(factor), bits, targets)


def _all_lines() -> tuple[_Lines, ...]:
    rng = np.random.default_rng(PLACES)
    return tuple(_lines(start, rng) for start in PRAIRIE)


_LINES: Final = _all_lines()
LINE_MASK: Final = _frozen(line.mask for line in _LINES)
"""By square: the squares of its file and diagonals that can stop a dog short. int64[55]."""
LINE_FACTOR: Final = _frozen(line.factor for line in _LINES)
"""By square: the factor that gathers them in the highest bits. int64[55]."""
LINE_SIZE: Final = _small((1 << line.bits) - 1 for line in _LINES)
"""By square: the mask of its index. int64[55]."""
LINE_SHIFT: Final = _small(64 - line.bits for line in _LINES)
"""By square: where its index begins. int64[55]."""
LINE_BASE: Final = _small(np.cumsum([0, *(len(line.targets) for line in _LINES[:-1])]))
"""By square: where its part of LINE_TARGETS begins. int64[55]."""
LINE_TARGETS: Final = _frozen(np.concatenate([line.targets for line in _LINES]))
"""By square's base and index: the squares up to and including the first occupied ones. int64[n]."""


# --- the rest ---

CHIEF_STEPS: Final = _frozen(_word(STEPS[square]) for square in PRAIRIE)
"""By square: the squares next to it. int64[55]."""
LAST_RANK: Final = _word(square for square in PRAIRIE if square.rank == FAR_BANK + 1)
"""The rank from which a buffalo crosses."""
FIRST_FILE: Final = _word(square for square in PRAIRIE if square.file == 0)
"""The prairie squares of file a; shifted, those of another."""
MIRROR: Final = _frozen(square.mirror() - FIRST for square in PRAIRIE)
"""By square: the square as seen in a mirror. int64[55]."""

assert PLACES == WIDTH * (NEAR_BANK - FAR_BANK - 1)
