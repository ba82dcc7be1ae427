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
one sum and B of four are all that must be remembered, and a certificate's questions are answered in passing. Rows are
stored without their empty and their full words. If the spec is its own mirror image, one state of each pair is enough.

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

_Rows = tuple[Words, Words, Words]
_Game = tuple[int, Words, Words, Words, Words, Words, Words, Words, Words]

CAPTURED: Final = 5
DIGITS: Final = 6
CHUNK: Final = 256
"""States of one task: few enough that both cores have work on every level."""
EMPTY, FULL, OTHER = 0, 1, 2


# --- rows: the words of one state for all placements ---


@dataclass(frozen=True, slots=True)
class Level:
    """The rows of all states with one digit sum: states ascending, where each row begins, and the rows' words."""

    states: Words
    starts: Words
    words: Words


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
def _store(row: Words, valid: int, dogs: Words, words: Words, at: int) -> int:
    """Appends a row at an index of `words`; returns the index after it. 2 bits for each placement, then the others."""
    after = at + (len(dogs) + 31) // 32
    words[at:after] = 0
    for placement in range(len(dogs)):
        kind = OTHER
        if row[placement] == 0:
            kind = EMPTY
        elif row[placement] == valid & ~dogs[placement]:
            kind = FULL
        else:
            words[after] = row[placement]
            after += 1
        words[at + (placement >> 5)] |= kind << 2 * (placement & 31)
    return after


@kernel
def _load(
    state: int,
    states: Words,
    starts: Words,
    words: Words,
    live: Words,
    columns: int,
    dogs: Words,
    mirror_dogs: Words,
    mirror_row: Words,
    row: Words,
) -> None:
    """Sets `row` to the words of a state, by way of its mirror image if only that is stored."""
    stored, turned = state, False
    if len(mirror_dogs):
        image = _mirror_state(state, len(live))
        if image < state:
            stored, turned = image, True
    low, high = 0, len(states)
    while low < high:
        middle = (low + high) >> 1
        if states[middle] < stored:
            low = middle + 1
        else:
            high = middle
    at = starts[low]
    after = at + (len(dogs) + 31) // 32
    valid = _everything(columns) & ~_buffaloes(stored, live, columns)
    for placement in range(len(dogs)):
        kind = words[at + (placement >> 5)] >> 2 * (placement & 31) & 3
        word = 0
        if kind == FULL:
            word = valid & ~dogs[placement]
        elif kind == OTHER:
            word = words[after]
            after += 1
        if turned:
            row[mirror_dogs[placement]] = _mirror_cells(word, columns, mirror_row)
        else:
            row[placement] = word


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
    b_words: Words,
    b_starts: Words,
    h_words: Words,
    h_starts: Words,
) -> int:
    """Works out the rows of some states whose successors are known; returns how many squares win in all of B.

    b_levels: B of the sums one, two, three and four higher; h_level: H of the sum one higher.
    """
    columns, live, dogs, first_move, to, path, near, mirror_dogs, mirror_row = game
    count = len(dogs)
    b_row, h_row, row = (
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
    )
    captures = np.empty(count, np.int64)
    b_at, h_at, wins = 0, 0, 0
    for index in range(len(todo)):
        state = todo[index]
        buffaloes = _buffaloes(state, live, columns)
        valid = _everything(columns) & ~buffaloes
        for placement in range(count):
            fits = dogs[placement] & buffaloes == 0
            b_row[placement] = valid & ~dogs[placement] if fits else 0
            captures[placement] = 0
        power = 1
        for column in live:
            digit = state // power % DIGITS
            if digit < CAPTURED:
                ahead = digit * columns + column  # the cell that the buffalo steps to
                if digit >= 1:
                    states, starts, words = b_levels[CAPTURED - digit - 1]
                    taken = state + (CAPTURED - digit) * power
                    _load(
                        taken,
                        states,
                        starts,
                        words,
                        live,
                        columns,
                        dogs,
                        mirror_dogs,
                        mirror_row,
                        row,
                    )
                    here = ahead - columns
                    for placement in range(count):
                        if row[placement] >> here & 1:
                            captures[placement] |= near[here]
                if digit == CAPTURED - 1:
                    for placement in range(count):  # `row` has B without this buffalo
                        caught = near[ahead] if row[placement] >> ahead & 1 else 0
                        if not dogs[placement] >> ahead & 1:
                            b_row[placement] &= caught | 1 << ahead
                else:
                    states, starts, words = h_level
                    _load(
                        state + power,
                        states,
                        starts,
                        words,
                        live,
                        columns,
                        dogs,
                        mirror_dogs,
                        mirror_row,
                        row,
                    )
                    for placement in range(count):
                        if not dogs[placement] >> ahead & 1:
                            b_row[placement] &= row[placement] | 1 << ahead
            power *= DIGITS
        for placement in range(count):
            if dogs[placement] & buffaloes:
                h_row[placement] = 0
                continue
            word = captures[placement] | _spread(b_row[placement], columns)
            for move in range(first_move[placement], first_move[placement + 1]):
                if path[move] & buffaloes == 0:
                    word |= b_row[to[move]] & ~path[move]
            h_row[placement] = word & valid & ~dogs[placement]
        b_at = _store(b_row, valid, dogs, b_words, b_at)
        h_at = _store(h_row, valid, dogs, h_words, h_at)
        b_starts[index + 1], h_starts[index + 1] = b_at, h_at
        times = 1 if len(mirror_dogs) == 0 or _mirror_state(state, len(live)) == state else 2
        for placement in range(count):
            wins += times * popcount(b_row[placement])
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
    columns, live, dogs, _, _, _, _, mirror_dogs, mirror_row = game
    states, starts, words = level
    row = np.zeros(len(dogs), np.int64)
    before = -1
    for index in range(len(questions)):
        state = questions[index, 0]
        if state != before:
            _load(state, states, starts, words, live, columns, dogs, mirror_dogs, mirror_row, row)
            before = state
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
    nothing = Level(words_of([]), words_of([0]), words_of([]))
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
            _ask(np.ascontiguousarray(mine[:, :3]), _rows(level), _parts(game), found)
            right[mine[:, 3]] = found
            progress(done, len(sums))
    return Answers(right, wins, len(sums), len(game.dogs))


def _level(
    game: TableGame, todo: Words, b_levels: list[Level], h_level: Level, pool: ThreadPoolExecutor
) -> tuple[Level, Level, int]:
    """B and H of all states of one sum, and how many squares win in B."""
    room = len(game.dogs) + (len(game.dogs) + 31) // 32
    higher = tuple(_rows(level) for level in b_levels)

    def part(begin: int) -> tuple[Words, Words, Words, Words, int]:
        mine = todo[begin : begin + CHUNK]
        b_words, h_words = (np.empty(room * len(mine), dtype=np.int64) for _ in range(2))
        b_starts, h_starts = (np.zeros(len(mine) + 1, dtype=np.int64) for _ in range(2))
        wins = _work_out(
            mine, _parts(game), higher, _rows(h_level), b_words, b_starts, h_words, h_starts
        )
        b_words, h_words = b_words[: b_starts[-1]].copy(), h_words[: h_starts[-1]].copy()
        return b_words, b_starts, h_words, h_starts, wins

    parts = list(pool.map(part, range(0, len(todo), CHUNK)))
    b_level = _together(todo, [(words, starts) for words, starts, _, _, _ in parts])
    h_level = _together(todo, [(words, starts) for _, _, words, starts, _ in parts])
    return b_level, h_level, sum(wins for *_, wins in parts)


def _together(states: Words, parts: list[tuple[Words, Words]]) -> Level:
    starts, begin = [words_of([0])], 0
    for words, its_starts in parts:
        starts.append(its_starts[1:] + begin)
        begin += len(words)
    return Level(states, np.concatenate(starts), np.concatenate([words for words, _ in parts]))


def _rows(level: Level) -> _Rows:
    return level.states, level.starts, level.words


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
