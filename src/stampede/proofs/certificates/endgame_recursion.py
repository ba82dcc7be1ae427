"""The recursion of an endgame, for all states of one sum and some placements of the dogs: plain loops, compiled.

`endgame_solver` says what the values mean and how the functions fit together. Arrays of values are
int64[placements, states]: the sets of the chief's squares with which the buffalo side wins. `facts` is
int64[states, buffaloes, 4]: a buffalo's file and digit, the column of H after its step, and the column of B without it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.bits import popcount
from stampede.kernels.jit import inlined, kernel
from stampede.proofs.certificates.window_game import Words

__all__ = ["count_bits", "hunt_all", "list_placements", "number_placements", "step_ahead"]

ROWS: Final = 5
LAST: Final = 4
"""The digit of a buffalo on rank 3, whose next step leads to rank 2."""
RANK_STEP: Final = (1, 1, 0, -1, -1, -1, 0, 1)
FILE_STEP: Final = (0, 1, 1, 1, 0, -1, -1, -1)


# --- placements ---


@kernel
def list_placements(dogs: Words, squares: int) -> None:
    """Fills in the placements of four dogs as sets, in the order of their numbers."""
    count = 0
    for d in range(squares):
        for c in range(d):
            for b in range(c):
                for a in range(b):
                    dogs[count] = 1 << a | 1 << b | 1 << c | 1 << d
                    count += 1


@inlined
def _number(dogs: int, binomials: Words) -> int:
    """The number of a placement."""
    number, dog = 0, 1
    while dogs:
        lowest = dogs & -dogs
        number += binomials[dog, popcount(lowest - 1)]
        dog += 1
        dogs ^= lowest
    return number


@kernel
def number_placements(dogs: Words, binomials: Words) -> Words:
    """The numbers of placements of four dogs."""
    numbers = np.empty_like(dogs)
    for index in range(len(dogs)):
        numbers[index] = _number(dogs[index], binomials)
    return numbers


@kernel
def count_bits(values: Words) -> int:
    """How many squares of the chief win, in all placements of one state."""
    count = 0
    for placement in range(len(values)):
        count += popcount(values[placement])
    return count


# --- the board ---


@inlined
def _everything(columns: int) -> int:
    return (1 << ROWS * columns) - 1


@inlined
def _near(squares: int, columns: int) -> int:
    """The squares next to some of these."""
    left_edge = 0
    for row in range(ROWS):
        left_edge |= 1 << row * columns
    right_edge = left_edge << columns - 1
    side = (squares & ~right_edge) << 1 | (squares & ~left_edge) >> 1
    rows = squares | side
    return (side | rows << columns | rows >> columns) & _everything(columns)


@inlined
def _square(digit: int, columns: int, file: int) -> int:
    """The square of a buffalo with this digit, which is on the prairie if the digit is above 0."""
    return (ROWS - digit) * columns + file


@kernel
def _buffaloes(facts: Words, columns: int) -> Words:
    """By state: the buffaloes' squares on the prairie."""
    taken = np.zeros(len(facts), np.int64)
    for state in range(len(facts)):
        for buffalo in range(facts.shape[1]):
            file, digit = facts[state, buffalo, 0], facts[state, buffalo, 1]
            if digit > 0:
                taken[state] |= 1 << _square(digit, columns, file)
    return taken


# --- the buffalo side to move: B ---


@kernel
def step_ahead(
    part: tuple[int, int],
    columns: int,
    dogs: Words,
    facts: Words,
    fewer: Words,
    h_after: Words,
    b_rows: Words,
) -> None:
    """Computes B: some buffalo steps onto a free square and wins.

    h_after: H of the sum one higher; fewer: B of states with one buffalo fewer.
    """
    taken = _buffaloes(facts, columns)
    for placement in range(part[0], part[1]):
        for state in range(len(facts)):
            wins = 0
            for buffalo in range(facts.shape[1]):
                file, digit, step, without = facts[state, buffalo]
                ahead = _square(digit + 1, columns, file)
                if dogs[placement] >> ahead & 1:
                    continue
                if digit < LAST:
                    wins |= h_after[placement, step] & ~(1 << ahead)
                elif fewer[placement, without] >> ahead & 1:
                    wins |= ~(1 << ahead)
                else:  # the chief next to it captures it, and doesn't lose
                    wins |= ~(1 << ahead) & ~_near(1 << ahead, columns)
            legal = dogs[placement] & taken[state] == 0
            free = _everything(columns) & ~dogs[placement] & ~taken[state]
            b_rows[placement, state] = wins & free if legal else 0


# --- the hunter to move: H ---


@kernel
def hunt_all(
    part: tuple[int, int],
    columns: int,
    dogs: Words,
    facts: Words,
    fewer: Words,
    binomials: Words,
    b_rows: Words,
    h_rows: Words,
) -> None:
    """Computes H: every move of the chief and of the dogs leads to B."""
    taken = _buffaloes(facts, columns)
    for placement in range(part[0], part[1]):
        # 1. The chief: onto a free square, or capturing. A square where this saves the hunter is good for it.
        for state in range(len(facts)):
            saves = _everything(columns) & ~dogs[placement] & ~b_rows[placement, state]
            for buffalo in range(facts.shape[1]):
                file, digit, _, without = facts[state, buffalo]
                here = _square(digit, columns, file)
                if digit > 0 and fewer[placement, without] >> here & 1:
                    saves &= ~(1 << here)
            free = _everything(columns) & ~dogs[placement] & ~taken[state]
            h_rows[placement, state] = free & ~_near(saves, columns)
            if dogs[placement] & taken[state]:
                h_rows[placement, state] = 0
        # 2. The dogs: along lines of empty squares. Where the chief stands on the way, there is no such move.
        for square in range(ROWS * columns):
            if dogs[placement] >> square & 1:
                _move_dog(
                    square, placement, columns, dogs[placement], taken, binomials, b_rows, h_rows
                )


@kernel
def _move_dog(
    square: int,
    placement: int,
    columns: int,
    dogs: int,
    taken: Words,
    binomials: Words,
    b_rows: Words,
    h_rows: Words,
) -> None:
    """Removes from H the chief's squares with which a move of this dog saves the hunter."""
    for direction in range(8):
        row = square // columns + RANK_STEP[direction]
        file = square % columns + FILE_STEP[direction]
        way = 0
        while 0 <= row < ROWS and 0 <= file < columns:
            end = row * columns + file
            if dogs >> end & 1:
                break
            way |= 1 << end
            after = _number(dogs ^ 1 << square ^ 1 << end, binomials)
            for state in range(len(taken)):
                blocked = -int(way & taken[state] != 0)  # no branch: several states at a time
                h_rows[placement, state] &= b_rows[after, state] | way | blocked
            row += RANK_STEP[direction]
            file += FILE_STEP[direction]
