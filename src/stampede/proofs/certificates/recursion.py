"""The recursion of a restricted game, for some states of one material at a time: steps, captures, moves of dogs.

Each function does one thing for all placements of the dogs; `window_solver` says how they fit together. A row has one
word for each placement: the set of the chief's cells from which the hunter wins.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import popcount
from stampede.kernels.jit import inlined, kernel
from stampede.proofs.certificates.window_game import Words

__all__ = ["BITS", "Game", "captures", "free_cells", "hunt", "keep", "steps"]

Game = tuple[int, Words, Words, Words, Words, Words, Words, Words, Words, int]
"""The attributes of a `WindowGame`, in order; kernels can't take the class."""
Places = npt.NDArray[np.int32]

ROWS: Final = 5
LAST_ROW: Final = 4
"""The digit of a buffalo whose next step leads to rank 2."""
BITS: Final = 64
"""Placements whose bits share a word."""


# --- the board ---


@inlined
def _buffaloes(state: int, material: Words, columns: int) -> int:
    """The cells of the buffaloes on the prairie."""
    cells = 0
    for column in material:
        digit = state % ROWS
        state //= ROWS
        if digit > 0:
            cells |= 1 << (digit - 1) * columns + column
    return cells


@inlined
def _everything(columns: int) -> int:
    return (1 << ROWS * columns) - 1


@inlined
def _spread(cells: int, columns: int) -> int:
    """The cells from which the chief steps to one of these."""
    left_edge = 0
    for row in range(ROWS):
        left_edge |= 1 << row * columns
    right_edge = left_edge << columns - 1
    side = (cells & ~right_edge) << 1 | (cells & ~left_edge) >> 1
    rows = cells | side
    return (side | rows << columns | rows >> columns) & _everything(columns)


@kernel
def _mirror_cells(cells: int, columns: int, mirror_row: Words) -> int:
    image = 0
    for row in range(ROWS):
        line = cells >> row * columns & (1 << columns) - 1
        image |= mirror_row[line] << row * columns
    return image


# --- the buffalo side to move: B ---


@kernel
def free_cells(todo: Words, game: Game, material: Words, b_rows: Words) -> None:
    """Initialises B: every free cell; none for placements with a dog on a buffalo."""
    columns, dogs, usable = game[0], game[2], game[9]
    for index in range(len(todo)):
        buffaloes = _buffaloes(todo[index], material, columns)
        for placement in range(len(dogs)):
            cells = usable & ~buffaloes & ~dogs[placement]
            b_rows[index, placement] = cells if dogs[placement] & buffaloes == 0 else 0


@kernel
def steps(
    todo: Words,
    game: Game,
    material: Words,
    place: Places,
    first: int,
    h_level: Words,
    b_rows: Words,
) -> None:
    """Removes from B the cells from which some step leads to a loss; `captures` handles steps to rank 2.

    place: the material's `StateOrder.place`; h_level: H of the sum one higher, whose first row is `first`.
    """
    columns, _, dogs, _, _, _, _, mirror_dogs, mirror_row, _ = game
    room = np.empty(len(dogs), np.int64)
    for index in range(len(todo)):
        state, b_row, power = todo[index], b_rows[index], 1
        for column in material:
            digit = state // power % ROWS
            if digit < LAST_ROW:
                ahead = digit * columns + column
                at = place[state + power]
                row = h_level[at - first] if at >= 0 else room
                if at < 0:
                    for placement in range(len(dogs)):
                        image = _mirror_cells(h_level[~at - first, placement], columns, mirror_row)
                        room[mirror_dogs[placement]] = image
                for placement in range(len(dogs)):  # blocked by the chief or a dog, or won
                    blocked = 1 << ahead | -(dogs[placement] >> ahead & 1)
                    b_row[placement] &= row[placement] | blocked
            power *= ROWS


# --- captures: of B without the captured buffalo only some bits are needed ---


@kernel
def keep(b_rows: Words, absent: Words, columns: int, kept: Words) -> None:
    """Keeps of B whether the chief wins on the cells that a capture may lead to: those of absent buffaloes' columns.

    kept int64[len(b_rows), len(absent), ROWS, words]: a bit for each placement.
    """
    for index in range(len(b_rows)):
        for number in range(len(absent)):
            for row in range(ROWS):
                cell = row * columns + absent[number]
                for word in range(kept.shape[3]):
                    bits = 0
                    for bit in range(BITS):
                        bits |= (b_rows[index, word * BITS + bit] >> cell & 1) << bit
                    kept[index, number, row, word] = bits


@inlined
def _unpack(kept: Words, mirror_dogs: Words, found: int, room: Words) -> None:
    """By placement: all ones where its bit is kept, else 0. What was found at a place below 0 is the mirror image."""
    if found < 0:
        for placement in range(len(mirror_dogs)):
            image = mirror_dogs[placement]
            room[placement] = -(kept[image // BITS] >> image % BITS & 1)
    else:
        for word in range(len(kept)):
            for bit in range(BITS):
                room[word * BITS + bit] = -(kept[word] >> bit & 1)


@kernel
def captures(
    todo: Words,
    game: Game,
    column: int,
    power: int,
    place: Places,
    at: Words,
    kept: tuple[Words, ...],
    first: Words,
    b_rows: Words,
    captured: Words,
) -> None:
    """Applies the capture of one column's buffalo: to H, and to B where it must be captured on rank 2 at once.

    place: of the material without it; at int64[2]: the column's number in `kept` and in its mirror image.
    kept: by digit of the captured buffalo: what is kept of the sum that is left; first: the row at which it begins.
    captured: by placement: the cells from which the chief wins by a capture, to which those of this column are added.
    """
    columns, _, dogs, _, _, _, near, mirror_dogs, _, _ = game
    room = np.empty(b_rows.shape[1], np.int64)
    for index in range(len(todo)):
        state = todo[index]
        digit = state // power % ROWS
        here, ahead = (digit - 1) * columns + column, digit * columns + column
        found = place[state % power + state // (power * ROWS) * power]
        rows = kept[digit]
        bits = (
            rows[found - first[digit], at[0]] if found >= 0 else rows[~found - first[digit], at[1]]
        )
        if digit > 0:
            _unpack(bits[digit - 1], mirror_dogs, found, room)
            for placement in range(len(dogs)):
                captured[index, placement] |= near[here] & room[placement]
        if digit == LAST_ROW:  # blocked by the chief or a dog, or captured
            _unpack(bits[ROWS - 1], mirror_dogs, found, room)
            for placement in range(len(dogs)):
                blocked = 1 << ahead | -(dogs[placement] >> ahead & 1)
                b_rows[index, placement] &= near[ahead] & room[placement] | blocked


# --- the hunter to move: H ---


@kernel
def hunt(
    todo: Words,
    game: Game,
    material: Words,
    times: npt.NDArray[np.uint8],
    b_rows: Words,
    captured: Words,
    h_rows: Words,
) -> int:
    """Computes H: captures and steps of the chief, and moves of dogs, to winning cells of B. Returns their number."""
    columns, _, dogs, first_move, come_from, path, _, _, _, usable = game
    wins = 0
    for index in range(len(todo)):
        b_row, h_row = b_rows[index], h_rows[index]
        buffaloes = _buffaloes(todo[index], material, columns)
        for placement in range(len(dogs)):
            h_row[placement] = captured[index, placement] | _spread(b_row[placement], columns)
        for placement in range(len(dogs)):
            cells = b_row[placement]
            if cells:  # else no move to here helps
                wins += times[index] * popcount(cells)
                for move in range(first_move[placement], first_move[placement + 1]):
                    if path[move] & buffaloes == 0:
                        h_row[come_from[move]] |= cells & ~path[move]
        for placement in range(len(dogs)):
            cells = usable & ~buffaloes & ~dogs[placement]
            h_row[placement] &= cells if dogs[placement] & buffaloes == 0 else 0
    return wins
