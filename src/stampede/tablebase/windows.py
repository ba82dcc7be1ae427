"""Tablebases on the real board: positions that the hunter wins inside a window of columns (compiled).

A tablebase decides a position when the chief and the moving dogs are in a window of adjacent columns, and every buffalo
outside is held by its own dog, a guard. The hunter answers a move in the window there, as the tablebase says, and a
step of a guarded buffalo with its guard in the same column. Neither disturbs the other, so the hunter wins if the
tablebase says so. A tablebase may have guards in the window, too: they must stand where it says, right in front of
their buffaloes, and never move. Only positions with the buffalo side to move are decided, and only for the hunter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.bits import first
from stampede.kernels.buffalo.layout import CHIEF, CROSSED, DOGS, FILE_BITS, KEY
from stampede.kernels.buffalo.lookups import WIDTH, Words
from stampede.kernels.jit import inlined, kernel
from stampede.tablebase.rows import row_set
from stampede.tablebase.spec import DIGITS, ROWS, TablebaseSpec
from stampede.tablebase.tablebase import Tablebase

__all__ = [
    "FAR",
    "MAX_TABLEBASES",
    "WINDOW_WORDS",
    "Recognisers",
    "Window",
    "find_window",
    "holds",
    "make_recognisers",
    "recognise",
]

MAX_TABLEBASES: Final = 8
WINDOW_WORDS: Final = 8
"""The columns of `Recognisers.windows`."""
FAR: Final = 99
"""A distance that no square has: no window applies."""

# The columns of `Recognisers.facts`, and of `Recognisers.windows`.
_COLUMNS, _DOGS, _SIZE, _PLANES, _SYMMETRIC = range(5)
_TABLEBASE, _COLUMN, _MIRRORED, _INSIDE, _LIVE, _GUARDS, _SEALED, _BUFFALOES = range(8)


class Window(NamedTuple):
    """Where a tablebase is used: its number, its leftmost column on the board, and whether it is mirrored."""

    tablebase: int
    column: int
    mirrored: bool


class Recognisers(NamedTuple):
    """Tablebases and their windows as kernels take them; `make_recognisers` makes it.

    Attributes:
        where: For each tablebase: where a state's row begins.
        words: For each tablebase: its rows.
        places: For each tablebase: the numbers of the dogs' placements.
        facts: [tablebases, 5] columns, dogs with guards, squares, planes, whether it is symmetric.
        powers: [tablebases, 11] The place value of a window column in the state's number; 0 if it has no buffalo.
        windows: [windows, 8] tablebase, column, mirrored; the sets of the board's columns inside, and of those that may
            have a buffalo; the set of the guards' squares; the bits of a key that say where the buffaloes of their
            columns are, and these bits when each is right behind its guard.
    """

    where: tuple[Words, ...]
    words: tuple[Words, ...]
    places: tuple[Words, ...]
    facts: Words
    powers: Words
    windows: Words

    def window(self, number: int) -> Window:
        """The window that `recognise` means by this number, which counts from 1."""
        tablebase, column, mirrored = self.windows[number - 1, :3].tolist()
        return Window(tablebase, column, bool(mirrored))


def make_recognisers(tablebases: Sequence[Tablebase], width: int = WIDTH) -> Recognisers:
    """All windows of some tablebases on a board of this width; they are probed in this order."""
    if len(tablebases) > MAX_TABLEBASES:
        raise InputError(f"expected at most {MAX_TABLEBASES} tablebases, got {len(tablebases)}")
    facts = np.zeros((MAX_TABLEBASES, 5), dtype=np.int64)
    powers = np.zeros((MAX_TABLEBASES, WIDTH), dtype=np.int64)
    windows = []
    for number, tablebase in enumerate(tablebases):
        spec = tablebase.spec
        facts[number] = (
            spec.columns,
            spec.dogs + len(spec.guards),
            spec.size,
            tablebase.geometry.planes,
            spec.symmetric,
        )
        for index, at in enumerate(spec.live):
            powers[number, at] = DIGITS**index
        for column in range(width - spec.columns + 1):
            windows += [
                (number, column, mirrored, *_sets_of(spec, column, mirrored))
                for mirrored in range(1 if spec.symmetric else 2)
            ]
    return Recognisers(
        _pad([tablebase.where for tablebase in tablebases]),
        _pad([tablebase.words for tablebase in tablebases]),
        _pad([tablebase.places for tablebase in tablebases]),
        facts,
        powers,
        np.array(windows, dtype=np.int64).reshape(-1, WINDOW_WORDS),
    )


def _sets_of(spec: TablebaseSpec, column: int, mirrored: int) -> tuple[int, int, int, int, int]:
    """The sets of `Recognisers.windows`, from the columns inside on."""

    def file_of(at: int) -> int:
        return column + (spec.columns - 1 - at if mirrored else at)

    guards = [(row, file_of(at)) for row, at in spec.guards]
    return (
        ((1 << spec.columns) - 1) << column,
        sum(1 << file_of(at) for at in (*spec.live, *spec.sealed)),
        sum(1 << ((ROWS - row) * WIDTH + file) for row, file in guards),
        sum(7 << (FILE_BITS * file) for _, file in guards),
        sum((8 - row) << (FILE_BITS * file) for row, file in guards),
    )


def _pad(arrays: Sequence[Words]) -> tuple[Words, ...]:
    """Fills up to a constant number of arrays, so that kernels are compiled for one tuple type only."""
    filled = [array.view() for array in arrays]
    filled += [np.zeros(1, dtype=np.int64) for _ in range(MAX_TABLEBASES - len(filled))]
    for array in filled:
        array.flags.writeable = False
    return tuple(filled)


@inlined
def holds(row: int, dog: int, limit: int) -> bool:
    """Whether a dog ahead of a buffalo holds it by moves in their column alone; the buffalo moves first.

    The buffalo's row, the dog's, and the last row that the dog may use. Directly ahead the dog blocks. More than two
    rows ahead it answers a step by stepping in front of the buffalo. Two rows ahead it must give way by two rows first.
    """
    return dog == row + 1 or dog >= row + 3 or row + 4 <= limit


@inlined
def _held_columns(key: int, dogs: int) -> int:
    """The set of columns without a buffalo, or with one that a dog holds."""
    held = 0
    for column in range(WIDTH):
        rank = (key >> (FILE_BITS * column)) & 7
        if rank == 0:
            held |= 1 << column
            continue
        # The nearest dog ahead, and the last row before the next one.
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
def _chief_distance(board: Words, recognisers: Recognisers, number: int) -> int:
    """The chief's distance from a winning square in a window whose other conditions hold; FAR when there is none."""
    tablebase, column = (
        recognisers.windows[number, _TABLEBASE],
        recognisers.windows[number, _COLUMN],
    )
    columns, size = recognisers.facts[tablebase, _COLUMNS], recognisers.facts[tablebase, _SIZE]
    key = board[KEY]
    # 1. The state's number, or its mirror image's if that one is stored or the window is mirrored.
    plain, mirrored = 0, 0
    for at in range(columns):
        rank = (key >> (FILE_BITS * (column + at))) & 7
        digit = 7 - rank if rank else 5
        plain += digit * recognisers.powers[tablebase, at]
        mirrored += digit * recognisers.powers[tablebase, columns - 1 - at]
    turned = recognisers.windows[number, _MIRRORED] != 0
    if recognisers.facts[tablebase, _SYMMETRIC]:
        turned = mirrored < plain
    state = mirrored if turned else plain
    base = recognisers.where[tablebase][state]
    if base == 0:
        return FAR
    # 2. The placement's number, by the dogs' squares in ascending order: row by row from the buffaloes' bank.
    place = 0
    dogs = board[DOGS] & ~recognisers.windows[number, _GUARDS]
    for row in range(1, 6):
        line = (dogs >> ((5 - row) * WIDTH + column)) & ((1 << columns) - 1)
        if turned:
            for at in range(columns - 1, -1, -1):
                if (line >> at) & 1:
                    place = place * size + (row - 1) * columns + columns - 1 - at
        else:
            while line:
                place = place * size + (row - 1) * columns + first(line)
                line &= line - 1
    placement = recognisers.places[tablebase][place]
    if placement < 0:
        return FAR
    # 3. The chief's square in the window, and the winning squares of this placement.
    chief = board[CHIEF]
    at = chief % WIDTH - column
    if turned:
        at = columns - 1 - at
    square = (4 - chief // WIDTH) * columns + at
    empty = (1 << size) - 1
    near = row_set(
        recognisers.words[tablebase],
        base - 1,
        recognisers.facts[tablebase, _PLANES],
        size,
        placement,
        empty,
    )
    if near == 0:
        return FAR
    # 4. Widen the winning squares by a step of the chief until they include its square. `left` is the leftmost column.
    left = ((1 << size) - 1) // ((1 << columns) - 1)
    distance = 0
    while (near >> square) & 1 == 0:
        wide = near | ((near & ~(left << (columns - 1))) << 1) | ((near & ~left) >> 1)
        near = (wide | (wide << columns) | (wide >> columns)) & empty
        distance += 1
    return distance


@kernel
def find_window(board: Words, recognisers: Recognisers) -> tuple[int, int]:
    """The number, from 1, of the window in which the chief is nearest to a winning square, and the distance.

    int64[6], Recognisers → int64, int64. The buffalo side must be to move. With distance 0 the hunter wins. FAR means
    that no window applies, and the number is 0. Other distances are hints for a search, not facts.
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
    held = _held_columns(key, board[DOGS])
    chief = 1 << (board[CHIEF] % WIDTH)
    best, least = 0, FAR
    for number in range(len(recognisers.windows)):
        inside, live = recognisers.windows[number, _INSIDE], recognisers.windows[number, _LIVE]
        # The chief is inside, every buffalo outside is held, and every buffalo inside is in a live column.
        if inside & chief == 0 or (~(inside | held)) & alive or inside & alive & ~live:
            continue
        # Every guard is there, and its buffalo right behind it.
        guards, sealed = recognisers.windows[number, _GUARDS], recognisers.windows[number, _SEALED]
        if (
            board[DOGS] & guards != guards
            or key & sealed != recognisers.windows[number, _BUFFALOES]
        ):
            continue
        count = 0
        dogs = board[DOGS]
        while dogs:
            count += (inside >> (first(dogs) % WIDTH)) & 1
            dogs &= dogs - 1
        if count != recognisers.facts[recognisers.windows[number, _TABLEBASE], _DOGS]:
            continue
        distance = _chief_distance(board, recognisers, number)
        if distance < least:
            best, least = number + 1, distance
            if least == 0:
                break
    return best, least


@kernel
def recognise(board: Words, recognisers: Recognisers) -> int:
    """The number, from 1, of the first window whose tablebase wins for the hunter; 0 when there is none.

    int64[6], Recognisers → int64. The buffalo side must be to move.
    """
    number, distance = find_window(board, recognisers)
    return number if distance == 0 else 0
