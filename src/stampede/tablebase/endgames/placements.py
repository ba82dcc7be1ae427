"""The placements of the dogs in an endgame tablebase, and the chief's sets of squares.

Squares are numbered as in the kernels, from the far river: (rank - 2) * width + file. A set of squares is a word. The
dogs' placements are numbered in colexicographic order: dogs on squares a < b < c < d have the number
C(a, 1) + C(b, 2) + C(c, 3) + C(d, 4), so that a dog that moves changes few terms.
"""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

import numpy as np

from stampede.kernels.bits import first
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import inlined, kernel

__all__ = ["MOST_DOGS", "ROWS", "Prairie", "make_prairie", "number_placement", "widen"]

ROWS: Final = 5
"""The prairie's ranks."""
MOST_DOGS: Final = 4


class Prairie(NamedTuple):
    """A prairie and its dogs, as kernels need them.

    Attributes:
        width: The number of files.
        dogs: The number of dogs.
        empty: The set of all squares.
        left: The set of the first file's squares.
        binomials: By k and n: C(n, k). int64[6, squares + 1].
        placements: The set of the dogs' squares by placement. int64[C(squares, dogs)].
    """

    width: int
    dogs: int
    empty: int
    left: int
    binomials: Words
    placements: Words


def make_prairie(width: int, dogs: int) -> Prairie:
    """The prairie of this width with so many dogs."""
    size = ROWS * width
    binomials = np.array(
        [[comb(n, k) for n in range(size + 1)] for k in range(MOST_DOGS + 2)], dtype=np.int64
    )
    placements = np.zeros(comb(size, dogs), dtype=np.int64)
    _list_placements(dogs, placements)
    for array in (binomials, placements):
        array.flags.writeable = False
    left = sum(1 << (row * width) for row in range(ROWS))
    return Prairie(width, dogs, (1 << size) - 1, left, binomials, placements)


@kernel
def _list_placements(dogs: int, placements: Words) -> None:
    """Fills in the sets in ascending order, which is the colexicographic one."""
    word = (1 << dogs) - 1
    for number in range(len(placements)):
        placements[number] = word
        if word == 0:
            break
        # The next higher word with as many bits.
        low = word & -word
        high = word + low
        word = high | (((word ^ high) >> 2) // low)


@inlined
def number_placement(binomials: Words, dogs: int) -> int:
    """The number of a placement, given as a set. int64[6, n], int64 → int64."""
    number, count = 0, 0
    while dogs:
        count += 1
        number += binomials[count, first(dogs)]
        dogs &= dogs - 1
    return number


@inlined
def widen(word: int, width: int, empty: int, left: int) -> int:
    """The squares of a set and all next to them. int64 × 4 → int64."""
    wide = word | ((word & ~(left << (width - 1))) << 1) | ((word & ~left) >> 1)
    return (wide | (wide << width) | (wide >> width)) & empty
