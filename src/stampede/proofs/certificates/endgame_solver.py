"""The verifier's own solver of endgames: whether a few buffaloes win against the chief and four dogs anywhere.

**The game.** The rules of Buffalo with at most three buffaloes on some files; nothing is restricted. An answer of a
certificate may name files whose buffaloes win by themselves, with the hunter to move; then all buffaloes win
(``docs/certificates.md``, "Fewer buffaloes").

**The values.** A state says where the buffaloes of a set of files are: a digit for each file, 0 for the near bank to 4
for rank 3, the first file's digit last. A buffalo on rank 2 never stays: it is captured at once or crosses. For each
state and each placement of the dogs two words hold the squares of the chief with which the buffalo side wins, one with
the buffalo side to move (B), one with the hunter to move (H):

    B: some step onto a free square leads to H; or to rank 2, where the chief can't capture it, or B is won without it
    H: each step of the chief leads to B, each capture to B without the captured buffalo, each move of a dog to B

**The order.** A capture leads to a set with one file fewer; so small sets come first, and B of them is kept. A step
raises the digits' sum by one; so the highest sum comes first, and H of the sum before is all that is needed. No digit
ever falls; so of a set's states only those are solved whose digits all reach the lowest ones asked about. The states
of one sum of several sets are solved together: the moves of the dogs are listed once for all of them.

Squares are numbered (rank - 2) * columns + file. Placements of the dogs on squares a < b < c < d are in ascending order
of d, then c, b, a, so that their numbers are C(a, 1) + C(b, 2) + C(c, 3) + C(d, 4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.core.errors import ParseError
from stampede.proofs.certificates.endgame_recursion import (
    ROWS,
    count_bits,
    hunt_all,
    list_placements,
    number_placements,
    step_ahead,
)
from stampede.proofs.certificates.scratch import Scratch, usual_memory
from stampede.proofs.certificates.window_game import Words

__all__ = ["EndgameAnswers", "EndgameGame", "solve_endgames"]

MOST: Final = 3
"""The maximum number of buffaloes."""
DOGS: Final = 4
DIGITS: Final = 5
_TEXT: Final = re.compile(r"endgame/([0-9]{1,2})/([1-3])/4")

TOGETHER: Final = 8
"""Sets of files that are solved at the same time."""

FileSet = tuple[int, ...]
Digits = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EndgameGame:
    """All endgames of a board, as text ``endgame/columns/buffaloes/4``.

    Attributes:
        columns: The board's width.
        buffaloes: The maximum number of buffaloes that an answer may name.
    """

    columns: int
    buffaloes: int

    @classmethod
    def parse(cls, text: str) -> EndgameGame:
        """Reads the text; ParseError when it is malformed."""
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ParseError(f"endgame: expected a tablebase such as endgame/11/3/4, got {text!r}")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"endgame/{self.columns}/{self.buffaloes}/{DOGS}"


@dataclass(frozen=True, slots=True)
class EndgameAnswers:
    """The answers to questions.

    Attributes:
        right: By question: whether the buffalo side wins.
        wins: The number of winning states, placements and squares of the chief with the hunter to move, in all sets of
            files that were solved.
        sets: The sets of files that were asked about, of two mirror images one.
    """

    right: npt.NDArray[np.bool_]
    wins: int
    sets: tuple[FileSet, ...]


def solve_endgames(
    columns: int,
    questions: Words,
    workers: int,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    scratch: Scratch | None = None,
) -> EndgameAnswers:
    """Solves the endgames that are asked about, and answers the questions.

    Args:
        columns: The board's width.
        questions: int64[n, 3]: the buffaloes' ranks, 3 bits a file, 0 for none; the dogs' squares as a set; the chief's
            square. The hunter is to move.
        workers: The number of threads.
        progress: Called now and then with the number of states done, and of all states.
        scratch: Where intermediate results are stored.
    """
    asked = _sort_questions(columns, questions)
    lowest = _lowest_digits(asked)
    total = sum(len(_digits(floor)) for floor in lowest.values())
    board = _Board.of(columns)
    answers = EndgameAnswers(np.zeros(len(questions), dtype=np.bool_), 0, tuple(sorted(asked)))
    room = scratch or Scratch(usual_memory())
    done, wins = 0, 0
    with ThreadPoolExecutor(workers) as pool:
        fewer = _Kept(room.words(len(board.dogs), 1), {((), ()): 0})
        fewer.values[:] = 0  # without a buffalo its side never wins
        for size in range(1, MOST + 1):
            sets = sorted(files for files in lowest if len(files) == size)
            kept = _keep_states(sets, lowest, room, len(board.dogs), is_last=size == MOST)
            for begin in range(0, len(sets), TOGETHER):
                solver = _EndgameSolver(board, pool, workers, fewer)
                some = {files: lowest[files] for files in sets[begin : begin + TOGETHER]}
                for states, b_rows, h_rows in solver.solve(some):
                    for at, (files, digits) in enumerate(states):
                        if kept is not None:
                            kept.values[:, kept.columns[files, digits]] = b_rows[:, at]
                        if files in asked:
                            _answer(asked[files], digits, h_rows[:, at], answers.right)
                            wins += int(count_bits(h_rows[:, at]))
                    done += len(states)
                    progress(done, total)
            if kept is not None:
                room.drop(fewer.values)
                fewer = kept
    return replace(answers, wins=wins)


def _lowest_digits(asked: dict[FileSet, Words]) -> dict[FileSet, Digits]:
    """By set of files that is asked about, or that such a set needs after captures: the lowest digit of each file."""
    lowest: dict[FileSet, Digits] = {}
    for files, rows in asked.items():
        digits = rows[:, :1] // DIGITS ** np.arange(len(files)) % DIGITS
        lowest[files] = tuple(digits.min(axis=0).tolist())
    for size in range(MOST, 1, -1):
        for files in [some for some in lowest if len(some) == size]:
            for at in range(size):
                left = files[:at] + files[at + 1 :]
                floor = lowest[files][:at] + lowest[files][at + 1 :]
                known = lowest.get(left, floor)
                lowest[left] = tuple(min(pair) for pair in zip(known, floor, strict=True))
    return lowest


def _digits(floor: Digits) -> list[Digits]:
    """The digits of all states that reach the lowest ones."""
    return list(product(*(range(low, DIGITS) for low in floor)))


def _answer(rows: Words, digits: Digits, values: Words, right: npt.NDArray[np.bool_]) -> None:
    """Answers the questions about one state of a set of files."""
    state = sum(digit * DIGITS**place for place, digit in enumerate(digits))
    mine = rows[rows[:, 0] == state]
    right[mine[:, 3]] = values[mine[:, 1]] >> mine[:, 2] & 1 != 0


def _sort_questions(columns: int, questions: Words) -> dict[FileSet, Words]:
    """Questions by set of files, of two mirror images one: int64[n, 4], state, placement, chief, index."""
    ranks = np.stack([questions[:, 0] >> 3 * file & 7 for file in range(columns)], axis=1)
    files = ((ranks > 0) << np.arange(columns)).sum(axis=1)
    image = ((ranks > 0) << np.arange(columns)[::-1]).sum(axis=1)
    turned = image < files
    ranks[turned] = ranks[turned, ::-1]
    dogs = np.where(turned, _mirror_sets(questions[:, 1], columns), questions[:, 1])
    chief = questions[:, 2]
    chief = np.where(turned, chief + columns - 1 - 2 * (chief % columns), chief)
    places = number_placements(np.ascontiguousarray(dogs), _binomials(columns))
    found: dict[FileSet, Words] = {}
    least = np.minimum(files, image)
    for word in np.unique(least):
        index = np.flatnonzero(least == word)
        some = tuple(file for file in range(columns) if int(word) >> file & 1)
        state = sum((7 - ranks[index, file]) * DIGITS**place for place, file in enumerate(some))
        found[some] = np.stack([state, places[index], chief[index], index], axis=1)
    return found


def _mirror_sets(sets: Words, columns: int) -> Words:
    image = np.zeros_like(sets)
    for square in range(ROWS * columns):
        image |= (sets >> square & 1) << square + columns - 1 - 2 * (square % columns)
    return image


def _binomials(columns: int) -> Words:
    """By k and n: C(n, k)."""
    return np.array(
        [[comb(n, k) for n in range(ROWS * columns)] for k in range(DOGS + 1)], dtype=np.int64
    )


@dataclass(frozen=True, slots=True)
class _Board:
    """A board: its width, the placements of the dogs as sets, ascending, and binomial coefficients."""

    columns: int
    dogs: Words
    binomials: Words

    @classmethod
    def of(cls, columns: int) -> _Board:
        dogs = np.zeros(comb(ROWS * columns, DOGS), dtype=np.int64)
        list_placements(dogs, ROWS * columns)
        return cls(columns, dogs, _binomials(columns))


@dataclass(frozen=True, slots=True)
class _Kept:
    """B of the states of one size that larger sets need: int64[placements, n], and the column of each state."""

    values: Words
    columns: dict[tuple[FileSet, Digits], int]


def _keep_states(
    sets: list[FileSet],
    lowest: dict[FileSet, Digits],
    room: Scratch,
    placements: int,
    *,
    is_last: bool,
) -> _Kept | None:
    """Storage for B of the states of some sets; None for the largest size, which nothing needs."""
    if is_last:
        return None
    states = [(files, digits) for files in sets for digits in _digits(lowest[files])]
    columns = {state: column for column, state in enumerate(states)}
    return _Kept(room.words(placements, len(states)), columns)


@dataclass(frozen=True, slots=True)
class _EndgameSolver:
    """Solves some sets of files of one size.

    Attributes:
        board: The board.
        pool: The threads.
        workers: Their number.
        fewer: B of the states with one buffalo fewer.
    """

    board: _Board
    pool: ThreadPoolExecutor
    workers: int
    fewer: _Kept

    def solve(
        self, lowest: dict[FileSet, Digits]
    ) -> Iterator[tuple[list[tuple[FileSet, Digits]], Words, Words]]:
        """Solves the states that reach the lowest digits; yields states, B and H of each sum, the highest first."""
        placements = len(self.board.dogs)
        by_sum: dict[int, list[tuple[FileSet, Digits]]] = {}
        for files, floor in lowest.items():
            for digits in _digits(floor):
                by_sum.setdefault(sum(digits), []).append((files, digits))
        before: dict[tuple[FileSet, Digits], int] = {}
        h_before = np.zeros((placements, 1), dtype=np.int64)
        for total in sorted(by_sum, reverse=True):
            states = by_sum[total]
            facts = np.array([self._facts(state, before) for state in states], dtype=np.int64)
            args = self.board.columns, self.board.dogs, facts, self.fewer.values
            b_rows = np.empty((placements, len(states)), dtype=np.int64)
            h_rows = np.empty((placements, len(states)), dtype=np.int64)
            self._share(step_ahead, (*args, h_before, b_rows))
            self._share(hunt_all, (*args, self.board.binomials, b_rows, h_rows))
            yield states, b_rows, h_rows
            before = {state: column for column, state in enumerate(states)}
            h_before = h_rows

    def _facts(
        self, state: tuple[FileSet, Digits], before: dict[tuple[FileSet, Digits], int]
    ) -> list[tuple[int, int, int, int]]:
        """By buffalo: its file, its digit, the column of H after its step, and the column of B without it."""
        files, digits = state
        found = []
        for at, (file, digit) in enumerate(zip(files, digits, strict=True)):
            step = (*digits[:at], digit + 1, *digits[at + 1 :])
            left = files[:at] + files[at + 1 :], digits[:at] + digits[at + 1 :]
            found.append((file, digit, before.get((files, step), 0), self.fewer.columns[left]))
        return found

    def _share(self, work: Callable[..., None], args: tuple[object, ...]) -> None:
        """Does work on all placements, a part for each thread."""
        edges = np.linspace(0, len(self.board.dogs), 4 * self.workers + 1).astype(int).tolist()
        list(self.pool.map(lambda part: work(part, *args), pairwise(edges)))
