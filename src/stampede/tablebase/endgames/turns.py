"""One turn of an endgame, for all placements of dogs and chief at once (compiled).

A table gives for one state, the squares of the buffaloes, by placement of the dogs the set of the chief's squares with
which the buffalo side wins. B is the table with the buffalo side to move, H the one with the hunter to move. Steps of
buffaloes can't be undone, so B of a state follows from H of states further ahead, and H of a state from its own B and
from B of states with one buffalo fewer.
"""

from __future__ import annotations

import numpy as np

from stampede.kernels.bits import first
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import kernel
from stampede.tablebase.endgames.placements import ROWS, Prairie, widen

__all__ = ["buffalo_turn", "hunter_turn", "last_rank_turn"]


@kernel
def buffalo_turn(
    prairie: Prairie, taken: int, aheads: Words, hunters: tuple[Words, ...], out: Words
) -> None:
    """B of a state: some buffalo can step, and wins.

    Prairie, int64, int64[n], n × int64[placements], int64[placements].
    `taken` are the buffaloes' squares on the prairie, `aheads` the squares in front of them as sets, and `hunters` H
    of the state after each one's step.
    """
    free = prairie.empty & ~taken
    for number in range(len(out)):
        dogs = prairie.placements[number]
        won = 0
        for index in range(len(aheads)):
            if dogs & aheads[index] == 0:
                won |= hunters[index][number] & ~aheads[index]
        out[number] = won & free & ~dogs


@kernel
def last_rank_turn(prairie: Prairie, square: int, without: Words, out: Words) -> None:
    """H of a state with one buffalo on the last rank, which the chief must capture. Prairie, int64, int64[n] × 2.

    `square` is that buffalo's square, and `without` is B of the state without it.
    """
    around = widen(1 << square, prairie.width, prairie.empty, prairie.left)
    for number in range(len(out)):
        out[number] = prairie.empty if (without[number] >> square) & 1 else prairie.empty & ~around


@kernel
def hunter_turn(
    prairie: Prairie,
    taken: int,
    wins: Words,
    prey: Words,
    captured: tuple[Words, ...],
    out: Words,
) -> None:
    """H of a state: no move of the hunter prevents the buffalo side's win.

    Prairie, int64, int64[placements], int64[n], n × int64[placements], int64[placements]. `taken` are the buffaloes'
    squares on the prairie, `wins` is B, `prey` the squares of the buffaloes that the chief can capture, and
    `captured` B of the state without each of them.
    """
    _chief_moves(prairie, wins, prey, captured, out)
    _dog_moves(prairie, taken, wins, out)
    free = prairie.empty & ~taken
    for number in range(len(out)):
        out[number] &= free & ~prairie.placements[number]


@kernel
def _chief_moves(
    prairie: Prairie, wins: Words, prey: Words, captured: tuple[Words, ...], out: Words
) -> None:
    """The squares from which the chief has only losing steps, its own square not counted."""
    width, empty, left = prairie.width, prairie.empty, prairie.left
    right = left << (width - 1)
    for number in range(len(out)):
        lost = wins[number] | prairie.placements[number]
        for index in range(len(prey)):
            lost |= captured[index][number] & (1 << prey[index])
        bad = empty & ~lost
        # `widen`, but a square isn't next to itself.
        sides = ((bad & ~right) << 1) | ((bad & ~left) >> 1)
        row = bad | sides
        out[number] = empty & ~(sides | (row << width) | (row >> width))


@kernel
def _dog_moves(prairie: Prairie, taken: int, wins: Words, out: Words) -> None:
    """Removes the chief's squares with which some dog has a saving move."""
    if prairie.dogs == 0:
        return
    size = ROWS * prairie.width
    lines = np.full((8, (ROWS + 2) * (prairie.width + 2)), -1, dtype=np.int64)
    value = np.zeros(size, dtype=np.int64)
    number = np.zeros(size, dtype=np.int64)
    others = (1 << (prairie.dogs - 1)) - 1
    while others <= prairie.empty:
        if others & taken == 0:
            _list_last_dog(prairie, others, taken, wins, value, number)
            _solve_lines(prairie.width, value, number, lines, out)
        if others == 0:
            break
        # The next higher word with as many bits.
        lowest = others & -others
        higher = others + lowest
        others = higher | (((others ^ higher) >> 2) // lowest)


@kernel
def _list_last_dog(
    prairie: Prairie, others: int, taken: int, wins: Words, value: Words, number: Words
) -> None:
    """The placements with one more dog on each free square, by number, and what they are worth; -1 elsewhere."""
    binomials = prairie.binomials
    low, high, rank = 0, 0, 0
    rest = others
    while rest:
        rank += 1
        high += binomials[rank + 1, first(rest)]
        rest &= rest - 1
    rank = 1
    for square in range(len(value)):
        if ((others | taken) >> square) & 1:
            value[square] = number[square] = -1
            if (others >> square) & 1:
                low += binomials[rank, square]
                high -= binomials[rank + 1, square]
                rank += 1
        else:
            number[square] = low + high + binomials[rank, square]
            value[square] = wins[number[square]]


@kernel
def _solve_lines(width: int, value: Words, number: Words, lines: Words, out: Words) -> None:
    """Removes the chief's squares with which the last dog has a saving move.

    The moves along a line are solved from its end: a dog next to a free square can stop there or go on, unless the
    chief stands on it. So a square costs one operation in each direction, instead of one for each square that the dog
    reaches from it. `lines` is int64[8, squares of a board with a margin of -1], by direction: the chief's squares with
    which no move to here or on saves.
    """
    pitch = width + 2
    north, north_east, north_west, east = lines[0], lines[1], lines[2], lines[3]
    south, south_east, south_west, west = lines[4], lines[5], lines[6], lines[7]
    # 1. Lines that go on upwards and to the right, solved from the top right square down.
    for row in range(ROWS - 1, -1, -1):
        base, start = row * width, (row + 1) * pitch + 1
        for file in range(width - 1, -1, -1):
            at, worth = start + file, value[base + file]
            chief = -1 if worth == -1 else 1 << (base + file)
            north[at] = chief | (worth & north[at + pitch])
            north_east[at] = chief | (worth & north_east[at + pitch + 1])
            north_west[at] = chief | (worth & north_west[at + pitch - 1])
            east[at] = chief | (worth & east[at + 1])
    # 2. The other lines, from the bottom left square up; then all eight directions are known.
    for row in range(ROWS):
        base, start = row * width, (row + 1) * pitch + 1
        for file in range(width):
            at, worth = start + file, value[base + file]
            chief = -1 if worth == -1 else 1 << (base + file)
            go_south, go_west = south[at - pitch], west[at - 1]
            go_south_east, go_south_west = south_east[at - pitch + 1], south_west[at - pitch - 1]
            south[at] = chief | (worth & go_south)
            south_east[at] = chief | (worth & go_south_east)
            south_west[at] = chief | (worth & go_south_west)
            west[at] = chief | (worth & go_west)
            if chief != -1:
                up = north[at + pitch] & north_east[at + pitch + 1] & north_west[at + pitch - 1]
                down = go_south & go_south_east & go_south_west
                out[number[base + file]] &= up & down & go_west & east[at + 1]
