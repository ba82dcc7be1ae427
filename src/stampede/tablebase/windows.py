"""Tables on the real board: positions that the hunter wins inside a window of columns (compiled).

A table decides a position when chief and moving dogs stand in a window of adjacent columns, and every buffalo
outside of it is held by a dog of its own, a guard. A move in the window is answered there, as the table says; a
step of a guarded buffalo is answered by its guard in the same column. Neither disturbs the other, so the hunter
wins if the table says so. Only positions with the buffalo side to move are decided, and only for the hunter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.bits import first
from stampede.kernels.buffalo.layout import CHIEF, CROSSED, DOGS, FILE_BITS, KEY
from stampede.kernels.buffalo.tables import WIDTH, Words
from stampede.kernels.jit import inlined, kernel
from stampede.tablebase.rows import row_set
from stampede.tablebase.spec import DIGITS
from stampede.tablebase.tablebase import Tablebase

__all__ = [
    "FAR",
    "MAX_TABLEBASES",
    "Recognisers",
    "Window",
    "holds",
    "look",
    "recognise",
    "recognisers",
]

MAX_TABLEBASES: Final = 8
FAR: Final = 99
"""Farther than any square."""

_COLUMNS, _DOGS, _SIZE, _PLANES, _SYMMETRIC = range(5)
_TABLE, _COLUMN, _MIRRORED, _INSIDE, _LIVE = range(5)


class Window(NamedTuple):
    """Where a table is used: the number of the table, its leftmost column on the board, and whether it is mirrored."""

    table: int
    column: int
    mirrored: bool


class Recognisers(NamedTuple):
    """Tables and their windows as kernels take them. Make one with `recognisers`.

    Attributes:
        where: Of each table: where a state's row begins.
        words: Of each table: its rows.
        places: Of each table: the numbers of the dogs' placements.
        facts: [tables, 5] columns, dogs, squares, planes, whether it is symmetric.
        powers: [tables, 11] What one step in a window column adds to the state's number; 0 in dead columns.
        windows: [windows, 5] table, column, mirrored, and the sets of the board's columns inside and live.
    """

    where: tuple[Words, ...]
    words: tuple[Words, ...]
    places: tuple[Words, ...]
    facts: Words
    powers: Words
    windows: Words

    def window(self, number: int) -> Window:
        """The window that `recognise` means by this number, which counts from 1."""
        table, column, mirrored = self.windows[number - 1, :3].tolist()
        return Window(table, column, bool(mirrored))


def recognisers(tables: Sequence[Tablebase], width: int = WIDTH) -> Recognisers:
    """All windows of some tables on a board of this width; the tables are asked in this order."""
    if len(tables) > MAX_TABLEBASES:
        raise InputError(f"expected at most {MAX_TABLEBASES} tables, got {len(tables)}")
    facts = np.zeros((MAX_TABLEBASES, 5), dtype=np.int64)
    powers = np.zeros((MAX_TABLEBASES, WIDTH), dtype=np.int64)
    windows = []
    for number, table in enumerate(tables):
        spec = table.spec
        facts[number] = (spec.columns, spec.dogs, spec.size, table.plan.planes, spec.symmetric)
        for index, at in enumerate(spec.live):
            powers[number, at] = DIGITS**index
        for column in range(width - spec.columns + 1):
            for mirrored in range(1 if spec.symmetric else 2):
                live = sum(
                    1 << (column + (spec.columns - 1 - at if mirrored else at)) for at in spec.live
                )
                inside = ((1 << spec.columns) - 1) << column
                windows.append((number, column, mirrored, inside, live))
    return Recognisers(
        _slots([table.where for table in tables]),
        _slots([table.words for table in tables]),
        _slots([table.places for table in tables]),
        facts,
        powers,
        np.array(windows, dtype=np.int64).reshape(-1, 5),
    )


def _slots(arrays: Sequence[Words]) -> tuple[Words, ...]:
    """Always the same number of arrays, so that kernels are compiled once."""
    filled = [array.view() for array in arrays]
    filled += [np.zeros(1, dtype=np.int64) for _ in range(MAX_TABLEBASES - len(filled))]
    for array in filled:
        array.flags.writeable = False
    return tuple(filled)


@inlined
def holds(row: int, dog: int, limit: int) -> bool:
    """Whether a dog in front holds a buffalo inside its column, which may step first.

    The buffalo's row, the dog's, and the last row that the dog may use. After a step the dog must answer in the
    column. Right in front it has nothing to answer; farther than two rows ahead it steps in front; two rows ahead
    it must first give way by two rows.
    """
    return dog == row + 1 or dog >= row + 3 or row + 4 <= limit


@inlined
def _guarded(key: int, dogs: int) -> int:
    """The columns without a buffalo or with one that a dog holds."""
    held = 0
    for column in range(WIDTH):
        rank = (key >> (FILE_BITS * column)) & 7
        if rank == 0:
            held |= 1 << column
            continue
        dog, limit = 0, 5
        for row in range(8 - rank, 6):
            if (dogs >> (column + (5 - row) * WIDTH)) & 1:
                if dog:
                    limit = row - 1
                    break
                dog = row
        if dog and holds(7 - rank, dog, limit):
            held |= 1 << column
    return held


@inlined
def _distance(board: Words, known: Recognisers, number: int) -> int:
    """How many steps the chief is away from a winning square in the table of a window, whose other conditions hold."""
    table, column = known.windows[number, _TABLE], known.windows[number, _COLUMN]
    columns, size = known.facts[table, _COLUMNS], known.facts[table, _SIZE]
    key = board[KEY]
    plain, mirrored = 0, 0
    for at in range(columns):
        rank = (key >> (FILE_BITS * (column + at))) & 7
        digit = 7 - rank if rank else 5
        plain += digit * known.powers[table, at]
        mirrored += digit * known.powers[table, columns - 1 - at]
    turned = known.windows[number, _MIRRORED] != 0
    if known.facts[table, _SYMMETRIC]:
        turned = mirrored < plain
    state = mirrored if turned else plain
    base = known.where[table][state]
    if base == 0:
        return FAR
    # In ascending order of the table's squares: row by row from the buffaloes' bank.
    place = 0
    dogs = board[DOGS]
    found = 0
    for row in range(1, 6):
        line = (dogs >> ((5 - row) * WIDTH + column)) & ((1 << columns) - 1)
        if turned:
            for at in range(columns - 1, -1, -1):
                if (line >> at) & 1:
                    place = place * size + (row - 1) * columns + columns - 1 - at
                    found += 1
        else:
            while line:
                place = place * size + (row - 1) * columns + first(line)
                line &= line - 1
                found += 1
    placement = known.places[table][place]
    if placement < 0:
        return FAR
    chief = board[CHIEF]
    at = chief % WIDTH - column
    if turned:
        at = columns - 1 - at
    square = (4 - chief // WIDTH) * columns + at
    empty = (1 << size) - 1
    near = row_set(
        known.words[table], base - 1, known.facts[table, _PLANES], size, placement, empty
    )
    if near == 0:
        return FAR
    left = ((1 << size) - 1) // ((1 << columns) - 1)
    distance = 0
    while (near >> square) & 1 == 0:
        wide = near | ((near & ~(left << (columns - 1))) << 1) | ((near & ~left) >> 1)
        near = (wide | (wide << columns) | (wide >> columns)) & empty
        distance += 1
    return distance


@kernel
def look(board: Words, known: Recognisers) -> tuple[int, int]:
    """The number, from 1, of the window in which the chief has the shortest way to a win, and its steps.

    int64[6], Recognisers → int64, int64. The buffalo side must be to move. 0 steps: the hunter wins. FAR: no window
    decides anything like this position, and the number is 0. Other distances are hints, not facts.
    """
    key = board[KEY]
    if board[CROSSED] != 0:
        return 0, FAR
    alive = 0
    for column in range(WIDTH):
        rank = (key >> (FILE_BITS * column)) & 7
        if rank == 2:
            return 0, FAR
        if rank != 0:
            alive |= 1 << column
    held = _guarded(key, board[DOGS])
    chief = 1 << (board[CHIEF] % WIDTH)
    best, least = 0, FAR
    for number in range(len(known.windows)):
        inside, live = known.windows[number, _INSIDE], known.windows[number, _LIVE]
        if inside & chief == 0 or (~(inside | held)) & alive or inside & alive & ~live:
            continue
        count = 0
        dogs = board[DOGS]
        while dogs:
            count += (inside >> (first(dogs) % WIDTH)) & 1
            dogs &= dogs - 1
        if count != known.facts[known.windows[number, _TABLE], _DOGS]:
            continue
        distance = _distance(board, known, number)
        if distance < least:
            best, least = number + 1, distance
            if least == 0:
                break
    return best, least


@kernel
def recognise(board: Words, known: Recognisers) -> int:
    """The number, from 1, of the first window whose table wins for the hunter; 0 when there is none.

    int64[6], Recognisers → int64. The buffalo side must be to move.
    """
    number, distance = look(board, known)
    return number if distance == 0 else 0
