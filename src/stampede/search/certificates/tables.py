"""The straightforward table builder: who wins a small game on some columns, worked out from its end.

**The game.** A board of some columns (`TableSpec`); a chief, n dogs, and at most one buffalo in each live column. The
rules are those of Buffalo on that board, but after each of his moves the hunter's dogs must stand on squares that
the spec allows; if he has no such move, he loses. So he only gives up options: what he wins here, he wins.

**The values.** A state says where the buffaloes are: for each live column a digit, 0 for the near bank to 4 for
rank 3, or 5 when there is none. A buffalo on rank 2 never waits: it is captured at once or crosses. For each state and
each placement of the dogs two words hold the chief's winning squares, one with the buffalo side to move (B), one with
the hunter to move (H):

    B: each free step leads to H, and a step to rank 2 next to the chief who then captures it on a winning square of B
    H: some step or capture of the chief leads to B, or some move of a dog does

A step raises the digits' sum by one, a capture by one to four. So sums are done from the highest to the lowest; H of
one sum and B of four are all that must be remembered, and a certificate's questions are answered in passing. If the
spec is its own mirror image, one state of each pair is enough.

Cells of a window of w columns are numbered (row - 1) * w + column, rows 1 (rank 6) to 5 (rank 2).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import popcount
from stampede.kernels.jit import inlined, kernel
from stampede.search.certificates.spec import TableSpec
from stampede.search.certificates.table_game import TableGame, Words, words_of

__all__ = ["Answers", "TableGame", "answer"]

_Rows = tuple[Words, Words]
_Game = tuple[int, Words, Words, Words, Words, Words, Words, Words, Words]

CAPTURED: Final = 5
DIGITS: Final = 6
CHUNK: Final = 256
"""States of one task: few enough that both cores have work on every level."""


# --- rows: the words of one state for all placements ---


@inlined
def _buffaloes(state: int, live: Words, columns: int) -> int:
    """The cells of the buffaloes on the prairie."""
    cells = 0
    for number in range(len(live)):
        digit = state % DIGITS
        state //= DIGITS
        if 1 <= digit < CAPTURED:
            cells |= 1 << (digit - 1) * columns + live[number]
    return cells


@inlined
def _everything(columns: int) -> int:
    return (1 << 5 * columns) - 1


@kernel
def _row(state: int, level: _Rows, game: _Game, room: Words) -> Words:
    """The words of a state, by way of its mirror image if only that is known; then they are put into `room`."""
    states, rows = level
    columns, live, dogs, _, _, _, _, mirror_dogs, mirror_row = game
    stored = state
    if len(mirror_dogs):
        stored = min(state, _mirror_state(state, len(live)))
    low, high = 0, len(states)
    while low < high:
        middle = (low + high) >> 1
        if states[middle] < stored:
            low = middle + 1
        else:
            high = middle
    if stored == state:
        row: Words = rows[low]
        return row
    for placement in range(len(dogs)):
        room[mirror_dogs[placement]] = _mirror_cells(rows[low, placement], columns, mirror_row)
    return room


@kernel
def _mirror_state(state: int, digits: int) -> int:
    image = 0
    for _ in range(digits):
        image = image * DIGITS + state % DIGITS
        state //= DIGITS
    return image


@kernel
def _mirror_cells(cells: int, columns: int, mirror_row: Words) -> int:
    image = 0
    for row in range(5):
        line = cells >> row * columns & (1 << columns) - 1
        image |= mirror_row[line] << row * columns
    return image


# --- the recursion ---


@kernel
def _work_out(
    todo: Words,
    game: _Game,
    b_levels: tuple[_Rows, ...],
    h_level: _Rows,
    b_rows: Words,
    h_rows: Words,
) -> int:
    """Works out the rows of some states whose successors are known; returns how many squares win in all of B.

    b_levels: B of the sums one, two, three and four higher; h_level: H of the sum one higher.
    b_rows, h_rows int64[len(todo), placements]: the results.
    """
    columns, live, dogs, first_move, to, path, near, mirror_dogs, _ = game
    count = len(dogs)
    captures, room = np.empty(count, np.int64), np.empty(count, np.int64)
    wins = 0
    for index in range(len(todo)):
        state, b_row, h_row = todo[index], b_rows[index], h_rows[index]
        buffaloes = _buffaloes(state, live, columns)
        valid = _everything(columns) & ~buffaloes
        for placement in range(count):
            fits = dogs[placement] & buffaloes == 0
            b_row[placement] = valid & ~dogs[placement] if fits else 0
            captures[placement] = 0
        power = 1
        for column in live:
            digit = state // power % DIGITS
            here, ahead = (digit - 1) * columns + column, digit * columns + column
            if 1 <= digit < CAPTURED:
                without = state + (CAPTURED - digit) * power
                row = _row(without, b_levels[CAPTURED - digit - 1], game, room)
                for placement in range(count):
                    captures[placement] |= near[here] * (row[placement] >> here & 1)
                if (
                    digit == CAPTURED - 1
                ):  # a step to rank 2: blocked by a dog or the chief, or captured at once
                    for placement in range(count):
                        caught = near[ahead] * (row[placement] >> ahead & 1) | 1 << ahead
                        b_row[placement] &= caught | -(dogs[placement] >> ahead & 1)
            if digit < CAPTURED - 1:  # another step: blocked, or H
                row = _row(state + power, h_level, game, room)
                for placement in range(count):
                    b_row[placement] &= (
                        row[placement] | 1 << ahead | -(dogs[placement] >> ahead & 1)
                    )
            power *= DIGITS
        times = 1 if len(mirror_dogs) == 0 or _mirror_state(state, len(live)) == state else 2
        for placement in range(count):
            wins += times * popcount(b_row[placement])
            h_row[placement] = 0
            if dogs[placement] & buffaloes == 0:
                word = captures[placement] | _spread(b_row[placement], columns)
                for move in range(first_move[placement], first_move[placement + 1]):
                    if path[move] & buffaloes == 0:
                        word |= b_row[to[move]] & ~path[move]
                h_row[placement] = word & valid & ~dogs[placement]
    return wins


@inlined
def _spread(cells: int, columns: int) -> int:
    """The cells from which the chief steps to one of these."""
    left_edge = 0
    for row in range(5):
        left_edge |= 1 << row * columns
    right_edge = left_edge << columns - 1
    side = (cells & ~right_edge) << 1 | (cells & ~left_edge) >> 1
    rows = cells | side
    return (side | rows << columns | rows >> columns) & _everything(columns)


# --- all sums, and questions in passing ---


@kernel
def _ask(
    questions: Words,
    level: _Rows,
    game: _Game,
    answers: npt.NDArray[np.bool_],
) -> None:
    """Answers questions of one sum, sorted by their states: int64[n, 3], state, placement, the chief's cell."""
    room = np.zeros(len(game[2]), np.int64)
    for index in range(len(questions)):
        row = _row(questions[index, 0], level, game, room)
        answers[index] = row[questions[index, 1]] >> questions[index, 2] & 1 != 0


@dataclass(frozen=True, slots=True)
class Answers:
    """What a table said.

    Attributes:
        right: By question: whether the hunter wins.
        wins: How many states, placements and squares of the chief win in the whole table.
        states: How many states the table has.
        placements: How many placements of the dogs it has.
    """

    right: npt.NDArray[np.bool_]
    wins: int
    states: int
    placements: int


def answer(
    spec: TableSpec,
    questions: Words,
    workers: int,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Answers:
    """Builds a table and answers questions to it.

    Args:
        spec: The table.
        questions: int64[n, 3]: states, dogs as sets of cells, the chief's cells; the buffalo side is to move.
        workers: How many threads build.
        progress: Called with the states that are done and how many there are, now and then.
    """
    game = TableGame.of(spec)
    sums = _digit_sums(len(spec.live))
    right = np.zeros(len(questions), dtype=np.bool_)
    asked = _sorted_questions(game, questions, sums)
    nothing = (words_of([]), np.zeros((0, len(game.dogs)), dtype=np.int64))
    b_levels, h_level = [nothing] * (CAPTURED - 1), nothing
    done = wins = 0
    with ThreadPoolExecutor(workers) as pool:
        for total in range(CAPTURED * len(spec.live), -1, -1):
            todo = np.flatnonzero(sums == total)
            done += len(todo)
            if spec.is_symmetric:
                todo = todo[_mirror_states(todo, len(spec.live)) >= todo]
            level, h_level, more = _level(game, todo, b_levels, h_level, pool)
            wins += more
            b_levels = [level, *b_levels[:-1]]
            mine = asked[sums[asked[:, 0]] == total] if len(asked) else asked
            found = np.zeros(len(mine), dtype=np.bool_)
            _ask(np.ascontiguousarray(mine[:, :3]), level, _parts(game), found)
            right[mine[:, 3]] = found
            progress(done, len(sums))
    return Answers(right, wins, len(sums), len(game.dogs))


def _level(
    game: TableGame, todo: Words, b_levels: list[_Rows], h_level: _Rows, pool: ThreadPoolExecutor
) -> tuple[_Rows, _Rows, int]:
    """B and H of all states of one sum, and how many squares win in B."""
    b_rows, h_rows = (np.empty((len(todo), len(game.dogs)), dtype=np.int64) for _ in range(2))
    higher = tuple(b_levels)

    def part(begin: int) -> int:
        mine = slice(begin, begin + CHUNK)
        return _work_out(todo[mine], _parts(game), higher, h_level, b_rows[mine], h_rows[mine])

    wins = sum(pool.map(part, range(0, len(todo), CHUNK)))
    return (todo, b_rows), (todo, h_rows), wins


def _parts(game: TableGame) -> _Game:
    return tuple(getattr(game, name) for name in game.__slots__)


def _digit_sums(digits: int) -> npt.NDArray[np.uint8]:
    """By state: the sum of its digits."""
    sums = np.zeros(1, dtype=np.uint8)
    for _ in range(digits):
        sums = (np.arange(DIGITS, dtype=np.uint8)[:, None] + sums[None, :]).reshape(-1)
    return sums


def _mirror_states(states: Words, digits: int) -> Words:
    image = np.zeros_like(states)
    for _ in range(digits):
        image = image * DIGITS + states % DIGITS
        states = states // DIGITS
    return image


def _sorted_questions(game: TableGame, questions: Words, sums: npt.NDArray[np.uint8]) -> Words:
    """The questions that the table can answer, by state: state, placement, cell, the question's index."""
    placed = np.searchsorted(game.dogs, questions[:, 1])
    placed = np.minimum(placed, len(game.dogs) - 1)
    known = (game.dogs[placed] == questions[:, 1]) & (questions[:, 0] < len(sums))
    numbers = np.arange(len(questions))
    rows = np.stack([questions[:, 0], placed, questions[:, 2], numbers], axis=1)[known]
    found: Words = rows[np.argsort(rows[:, 0], kind="stable")]
    return found
