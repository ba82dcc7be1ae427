"""The straightforward table builder: who wins a small game on some columns, worked out from its end.

**The game.** A board of some columns (`WindowSpec`); a chief, n dogs, and at most one buffalo in each live column. The
rules are those of Buffalo on that board, but after each of his moves the hunter's dogs must stand on squares that
the spec allows; if he has no such move, he loses. So he only gives up options: what he wins here, he wins.

**The values.** A state says where the buffaloes are: which columns still have one, the *herd*, and for each of these
columns a digit, 0 for the near bank to 4 for rank 3. A buffalo on rank 2 never waits: it is captured at once or
crosses. For each state and each placement of the dogs two words hold the chief's winning squares, one with the buffalo
side to move (B), one with the hunter to move (H):

    B: each free step leads to H, and a step to rank 2 next to the chief who then captures it on a winning square of B
    H: some step or capture of the chief leads to B, or some move of a dog does

**The order.** A capture leads to a smaller herd; so small herds come first. A step leaves the herd as it is and raises
the digits' sum by one; so in a herd the highest sum comes first, and H of two sums is all that is needed. After a
capture the chief stands in the column of the captured buffalo; so of a smaller herd it is enough to keep, for each
column that it misses, on which of its five squares the chief wins (B). That is dropped when all herds with one
buffalo more that need it are done. A certificate's questions are answered in passing.

Cells of a window of w columns are numbered (row - 1) * w + column, rows 1 (rank 6) to 5 (rank 2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.proofs.certificates.material import (
    DIGITS,
    IMAGE,
    OWN_IMAGE,
    Material,
    Order,
    herds,
    order,
    split,
)
from stampede.proofs.certificates.recursion import (
    BITS,
    ROWS,
    Game,
    Places,
    captures,
    free_cells,
    hunt,
    keep,
    steps,
)
from stampede.proofs.certificates.scratch import Scratch, usual_memory
from stampede.proofs.certificates.window_game import WindowGame, WindowSpec, Words, words_of

__all__ = ["Answers", "Show", "answer"]

Show = Callable[[Words, Words, Words], None]
"""Is shown what was worked out: a herd's columns, some of its states with one sum, and their rows of B."""
CHUNK: Final = 128
"""States of one task: their rows fit the fast memory of a core."""
_Capture = tuple[int, int, Places, Words, Words]
"""A column, the power of its digit, then places and kept bits without its buffalo, and which of them are its own."""


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
    spec: WindowSpec,
    questions: Words,
    workers: int,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    scratch: Scratch | None = None,
    show: Show = lambda _herd, _states, _rows: None,
) -> Answers:
    """Builds a table and answers questions to it.

    Args:
        spec: The table.
        questions: int64[n, 3]: states, dogs as sets of cells, the chief's cells; the buffalo side is to move. States
            have a digit of base 6 for each live column, the first column's last, 5 for no buffalo.
        workers: How many threads build.
        progress: Called with the states that are done and how many there are, now and then.
        scratch: Where results are kept that later ones need.
        show: Called for all states, by several threads; no answer depends on it.
    """
    game = WindowGame.of(spec)
    live, states = len(spec.live), (DIGITS + 1) ** len(spec.live)
    asked = _Asked.of(game, live, questions)
    done = 0
    with ThreadPoolExecutor(workers) as pool:
        todo = list(herds(live, is_symmetric=spec.is_symmetric))
        needed = Counter(herd.without(member).kept for herd in todo for member in herd.members)
        room = scratch or Scratch(usual_memory())
        builder = _Builder(game, pool, room, asked, needed, show)
        for herd in todo:
            for count in builder.work_out(herd):
                done += count
                progress(done, states)
    return Answers(asked.right, builder.wins, states, len(game.dogs))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The questions that the table knows, by herd.

    Attributes:
        right: By question: whether the hunter wins.
        herds: The herds' numbers, ascending.
        rows: int64[n, 4]: state in the herd, placement, the chief's cell, the question's index.
    """

    right: npt.NDArray[np.bool_]
    herds: Words
    rows: Words

    @classmethod
    def of(cls, game: WindowGame, live: int, questions: Words) -> _Asked:
        """Sorts questions; those about a state or a placement that the table doesn't have stay unanswered: no."""
        placed = np.minimum(np.searchsorted(game.dogs, questions[:, 1]), len(game.dogs) - 1)
        known = game.dogs[placed] == questions[:, 1]
        known &= questions[:, 0] < (DIGITS + 1) ** live
        numbers, states = split(questions[:, 0], live)
        every = np.arange(len(questions))
        rows = np.stack([states, placed, questions[:, 2], every], axis=1)
        sort = np.argsort(numbers[known], kind="stable")
        return cls(np.zeros(len(questions), np.bool_), numbers[known][sort], rows[known][sort])

    def about(self, herd: Material) -> Words:
        """The questions about one herd."""
        begin, end = np.searchsorted(self.herds, [herd.number, herd.number + 1])
        found: Words = self.rows[begin:end]
        return found


@dataclass(slots=True)
class _Builder:
    """Works out one herd after the other.

    Attributes:
        game: The table's game.
        pool: Who works.
        scratch: Room for what is remembered.
        asked: The questions.
        needed: By kept herd: for how many larger ones it is still needed.
        show: Is shown all rows.
        kept: By kept herd that is still needed: the bits of `recursion.keep`.
        levels: Room for H of two sums.
        wins: How many squares win in B so far.
    """

    game: WindowGame
    pool: ThreadPoolExecutor
    scratch: Scratch
    asked: _Asked
    needed: Counter[Material]
    show: Show
    kept: dict[Material, Words] = field(default_factory=dict)
    levels: list[Words] = field(default_factory=list)
    wins: int = 0
    orders: Callable[[int, int, int], Order] = field(default_factory=lambda: lru_cache(6)(order))

    def work_out(self, herd: Material) -> Iterator[int]:
        """Works out a herd whose smaller ones are known; yields by sum how many states were done."""
        mine = self._order(herd)
        self._make_room(herd, int(np.diff(mine.starts).max()))
        work = _Work(
            game=tuple(getattr(self.game, name) for name in self.game.__slots__),
            order=mine,
            herd=self.game.live[list(herd.members)],
            absent=self.game.live[list(herd.absent)],
            captures=[self._capture(herd, power) for power in range(len(herd.members))],
            kept=self.kept[herd],
            questions=self._questions(herd),
            right=self.asked.right,
            show=self.show,
        )
        for total in range((DIGITS - 1) * len(herd.members), -1, -1):
            begin, end = (int(row) for row in mine.starts[total : total + 2])
            after, level = self.levels[total % 2 - 1], self.levels[total % 2]
            todo = [(row, min(row + CHUNK, end)) for row in range(begin, end, CHUNK)]
            tasks = self.pool.map if len(todo) > 1 else map
            self.wins += sum(
                tasks(partial(work.some, after=after, level=level, at=(begin, end)), todo)
            )
            yield int(mine.times[begin:end].sum())
        self._forget(herd)

    def _order(self, herd: Material) -> Order:
        return self.orders(len(herd.members), herd.kind, 1 + herd.is_symmetric)

    def _make_room(self, herd: Material, rows: int) -> None:
        """Makes room for what is kept of this herd, and for so many rows of H."""
        placements = len(self.game.dogs)
        if not self.levels or len(self.levels[0]) < rows:
            for level in self.levels:
                self.scratch.drop(level)
            self.levels = []
            self.levels = [self.scratch.words(rows, placements) for _ in range(2)]
        states, words = len(self._order(herd).states), -(-placements // BITS)
        self.kept[herd] = self.scratch.words(states, len(herd.absent), ROWS, words)

    def _forget(self, herd: Material) -> None:
        """Drops what is kept of smaller herds when this was the last one that needs it."""
        for member in herd.members:
            left = herd.without(member).kept
            self.needed[left] -= 1
            if not self.needed[left]:
                self.scratch.drop(self.kept.pop(left))

    def _capture(self, herd: Material, number: int) -> _Capture:
        """What capturing the herd's buffalo of this number needs."""
        member = herd.members[number]
        left = herd.without(member)
        if left.kind == IMAGE:
            at = [0, left.image.absent.index(left.live - 1 - member)]
        elif left.kind == OWN_IMAGE:
            at = [left.absent.index(member), left.absent.index(left.live - 1 - member)]
        else:
            at = [left.absent.index(member), 0]
        return (
            int(self.game.live[member]),
            DIGITS**number,
            self._order(left).place,
            self.kept[left.kept],
            words_of(at),
        )

    def _questions(self, herd: Material) -> Words:
        """The questions about a kept herd and its mirror image, in terms of what is kept, by row."""
        found = []
        for asked in {herd, herd.image} if herd.is_symmetric else {herd}:
            rows = self.asked.about(asked).copy()
            place = self._order(asked).place[rows[:, 0]] if len(rows) else rows[:, 0]
            image = place < 0
            rows[:, 0] = np.where(image, ~place, place)
            if image.any():
                wide, cell = self.game.columns, rows[image, 2]
                rows[image, 1] = self.game.mirror_dogs[rows[image, 1]]
                rows[image, 2] = cell + wide - 1 - 2 * (cell % wide)
            found.append(rows)
        every: Words = np.concatenate(found)
        return every[np.argsort(every[:, 0], kind="stable")]


@dataclass(frozen=True, slots=True)
class _Work:
    """One herd's work; the attributes are what the functions of `recursion` take."""

    game: Game
    order: Order
    herd: Words
    absent: Words
    captures: list[_Capture]
    kept: Words
    questions: Words
    right: npt.NDArray[np.bool_]
    show: Show

    def some(
        self, rows: tuple[int, int], *, after: Words, level: Words, at: tuple[int, int]
    ) -> int:
        """Works out some rows of one sum; returns how many squares win in B.

        after: H of the sum one higher; level: H of this sum, to be filled; at: the sum's first row, and its end.
        """
        begin, end = rows
        todo = self.order.states[begin:end]
        b_rows = np.zeros((len(todo), self.kept.shape[3] * BITS), dtype=np.int64)
        captured = np.zeros_like(b_rows)
        free_cells(todo, self.game, self.herd, b_rows)
        for capture in self.captures:
            captures(todo, self.game, *capture, b_rows, captured)
        steps(todo, self.game, self.herd, self.order.place, at[1], after, b_rows)
        h_rows = level[begin - at[0] : end - at[0]]
        wins = hunt(
            todo, self.game, self.herd, self.order.times[begin:end], b_rows, captured, h_rows
        )
        keep(b_rows, self.absent, self.game[0], self.kept[begin:end])
        first, last = np.searchsorted(self.questions[:, 0], rows)
        mine = self.questions[first:last]
        words = b_rows[mine[:, 0] - begin, mine[:, 1]]
        self.right[mine[:, 3]] = words >> mine[:, 2] & 1 != 0
        self.show(self.herd, todo, b_rows)
        return wins
