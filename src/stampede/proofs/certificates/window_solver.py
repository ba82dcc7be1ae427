"""The verifier's own tablebase builder: who wins a small game on some columns, computed from its end.

**The game.** A board of some columns (`WindowSpec`); a chief, n dogs, and at most one buffalo in each live column.
The rules are those of Buffalo on that board, but after each move of the hunter the dogs must be on squares that the
spec allows; a hunter without such a move loses. So the hunter only gives up options: a win here is a win.

**The values.** A state says where the buffaloes are: which columns still have one, the *material*, and for each of
these columns a digit, 0 for the near bank to 4 for rank 3. A buffalo on rank 2 never stays: it is captured at once or
crosses. For each state and each placement of the dogs two words hold the chief's winning squares, one with the
buffalo side to move (B), one with the hunter to move (H):

    B: each free step leads to H, and a step to rank 2 next to the chief who then captures it on a winning square of B
    H: some step or capture of the chief leads to B, or some move of a dog does

**The order.** A capture leads to smaller material; so small materials come first. A step leaves the material as it is
and raises the digits' sum by one; so within a material the highest sum comes first, and only H of two sums is needed.
After a capture the chief is in the column of the captured buffalo; so of a smaller material it is enough to keep, for
each column that it misses, on which of its five squares the chief wins (B). That is dropped when all materials with
one buffalo more that need it are done. A certificate's questions are answered along the way.

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

from stampede.proofs.certificates.kept import KeptRows
from stampede.proofs.certificates.material import (
    DIGITS,
    IMAGE,
    OWN_IMAGE,
    Material,
    StateOrder,
    all_materials,
    order_states,
    split_states,
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
from stampede.proofs.certificates.saved import SavedMaterials
from stampede.proofs.certificates.scratch import Scratch, usual_memory
from stampede.proofs.certificates.window_game import WindowGame, WindowSpec, Words, words_of

__all__ = ["ObserveRows", "WindowAnswers", "solve_window"]

ObserveRows = Callable[[Words, Words, Words], None]
"""Is called with results: a material's columns, some of its states with one sum, and their rows of B."""
CHUNK: Final = 128
"""States of one task: their rows fit into the cache of a core."""
_Capture = tuple[int, int, Places, Words]
"""A column, the place value of its digit, then places without its buffalo, and the column's indices in kept bits."""
_Kept = tuple[tuple[Words, ...], Words]
"""By digit of a captured buffalo: what is kept without it, and the row at which that begins."""


@dataclass(frozen=True, slots=True)
class WindowAnswers:
    """The answers of a solved window.

    Attributes:
        right: By question: whether the hunter wins.
        wins: The number of winning states, placements and squares of the chief.
        states: The number of states.
        placements: The number of placements of the dogs.
    """

    right: npt.NDArray[np.bool_]
    wins: int
    states: int
    placements: int


def solve_window(
    spec: WindowSpec,
    questions: Words,
    workers: int,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    scratch: Scratch | None = None,
    observe: ObserveRows = lambda _herd, _states, _rows: None,
    saved: SavedMaterials | None = None,
) -> WindowAnswers:
    """Solves a restricted game and answers questions about it.

    Args:
        spec: The game.
        questions: int64[n, 3]: states, dogs as sets of cells, the chief's cells; the buffalo side is to move. States
            have a digit of base 6 for each live column, the first column's last, 5 for no buffalo.
        workers: The number of threads.
        progress: Called now and then with the number of states done, and of all states.
        scratch: Where intermediate results are stored.
        observe: Called with all results, by several threads; no answer depends on it.
        saved: Materials that an earlier call has solved, which aren't solved (nor observed, nor asked) again; those of
            this call are added. None when nothing is to be saved.
    """
    game = WindowGame.of(spec)
    live, states = len(spec.live), (DIGITS + 1) ** len(spec.live)
    asked = _Questions.of(game, live, questions)
    done = 0
    with ThreadPoolExecutor(workers) as pool:
        todo = list(all_materials(live, is_symmetric=spec.is_symmetric))
        needed = Counter(
            material.without(member).kept for material in todo for member in material.members
        )
        room = scratch or Scratch(usual_memory())
        builder = _Solver(game, pool, room, asked, needed, observe, saved)
        for material in todo:
            if saved is not None and material.number in saved.solved:
                done += builder.restore(material, saved)
                continue
            for count in builder.solve_material(material):
                done += count
                progress(done, states)
    return WindowAnswers(asked.right, builder.wins, states, len(game.dogs))


@dataclass(frozen=True, slots=True)
class _Questions:
    """The questions, by material.

    Attributes:
        right: By question: whether the hunter wins.
        materials: The materials' numbers, ascending.
        rows: int64[n, 4]: state in the material, placement, the chief's cell, the question's index.
    """

    right: npt.NDArray[np.bool_]
    materials: Words
    rows: Words

    @classmethod
    def of(cls, game: WindowGame, live: int, questions: Words) -> _Questions:
        """Sorts questions. Those about a state or a placement that the game doesn't have stay unanswered: no."""
        placed = np.minimum(np.searchsorted(game.dogs, questions[:, 1]), len(game.dogs) - 1)
        known = game.dogs[placed] == questions[:, 1]
        known &= questions[:, 0] < (DIGITS + 1) ** live
        numbers, states = split_states(questions[:, 0], live)
        every = np.arange(len(questions))
        rows = np.stack([states, placed, questions[:, 2], every], axis=1)
        sort = np.argsort(numbers[known], kind="stable")
        return cls(np.zeros(len(questions), np.bool_), numbers[known][sort], rows[known][sort])

    def about(self, material: Material) -> Words:
        """The questions about one material."""
        begin, end = np.searchsorted(self.materials, [material.number, material.number + 1])
        found: Words = self.rows[begin:end]
        return found


@dataclass(slots=True)
class _Solver:
    """Solves one material after the other.

    Attributes:
        game: The game.
        pool: The threads.
        scratch: Storage for intermediate results.
        asked: The questions.
        needed: By stored material: how many larger ones still need it.
        observe: Called with all rows.
        saved: Where solved materials are recorded, if they are.
        kept: By stored material that is still needed: the bits of `recursion.keep`.
        loaded: By stored material and sum: those bits that the present sum needs.
        levels: H of two sums.
        wins: The number of winning squares in B so far.
    """

    game: WindowGame
    pool: ThreadPoolExecutor
    scratch: Scratch
    asked: _Questions
    needed: Counter[Material]
    observe: ObserveRows
    saved: SavedMaterials | None = None
    kept: dict[Material, KeptRows] = field(default_factory=dict)
    loaded: dict[tuple[Material, int], Words] = field(default_factory=dict)
    levels: list[Words] = field(default_factory=list)
    wins: int = 0
    orders: Callable[[int, int, int], StateOrder] = field(
        default_factory=lambda: lru_cache(6)(order_states)
    )

    def solve_material(self, material: Material) -> Iterator[int]:
        """Solves a material whose smaller ones are solved; yields the number of states done after each sum."""
        mine = self._order(material)
        self._allocate(material, int(np.diff(mine.starts).max()))
        work = _Work(
            game=tuple(getattr(self.game, name) for name in self.game.__slots__),
            order=mine,
            material=self.game.live[list(material.members)],
            absent=self.game.live[list(material.absent)],
            captures=[self._capture(material, power) for power in range(len(material.members))],
            questions=self._questions(material),
            right=self.asked.right,
            observe=self.observe,
        )
        for total in range((DIGITS - 1) * len(material.members), -1, -1):
            begin, end = (int(row) for row in mine.starts[total : total + 2])
            after, level = self.levels[total % 2 - 1], self.levels[total % 2]
            smaller = self._load(material, total)
            mine_kept = self.kept[material].create(total)
            todo = [(row, min(row + CHUNK, end)) for row in range(begin, end, CHUNK)]
            tasks = self.pool.map if len(todo) > 1 else map
            compute = partial(
                work.compute,
                after=after,
                level=level,
                at=(begin, end),
                smaller=smaller,
                kept=mine_kept,
            )
            self.wins += sum(tasks(compute, todo))
            self.kept[material].store(total, mine_kept)
            yield int(mine.times[begin:end].sum())
        self._release(set())
        if self.saved is not None:
            blocks, states = self.kept[material].finish(), int(mine.times.sum())
            self.saved.add(material.number, states, self.wins, blocks)
        self._forget(material)

    def restore(self, material: Material, saved: SavedMaterials) -> int:
        """Takes a material that was solved before; returns the number of its states."""
        found = saved.solved[material.number]
        self.kept[material] = kept = self._keep(material, reopened=True)
        if saved.path_of(material.number).exists():
            kept.reopen(found.blocks)
        self.wins = found.wins
        self._forget(material)
        return found.states

    def _load(self, material: Material, total: int) -> list[_Kept]:
        """By member: what is kept without its buffalo, for each digit that leaves a sum."""
        lefts = [material.without(member).kept for member in material.members]
        sums = range(total, total - DIGITS, -1)
        self._release({(left, rest) for left in lefts for rest in sums})
        found = []
        for left in lefts:
            for rest in sums:
                if (left, rest) not in self.loaded:
                    self.loaded[left, rest] = self.kept[left].load(rest)
            rows = tuple(self.loaded[left, rest] for rest in sums)
            found.append((rows, words_of(self.kept[left].first(rest) for rest in sums)))
        return found

    def _release(self, needed: set[tuple[Material, int]]) -> None:
        """Releases what was loaded and isn't needed any more."""
        for left, rest in set(self.loaded) - needed:
            self.kept[left].release(self.loaded.pop((left, rest)))

    def _order(self, material: Material) -> StateOrder:
        return self.orders(len(material.members), material.kind, 1 + material.is_symmetric)

    def _allocate(self, material: Material, rows: int) -> None:
        """Allocates what is kept of this material, and so many rows of H."""
        placements = len(self.game.dogs)
        if not self.levels or len(self.levels[0]) < rows:
            for level in self.levels:
                self.scratch.drop(level)
            self.levels = []
            self.levels = [self.scratch.words(rows, placements) for _ in range(2)]
        self.kept[material] = self._keep(material)

    def _keep(self, material: Material, *, reopened: bool = False) -> KeptRows:
        shape = len(material.absent), ROWS, -(-len(self.game.dogs) // BITS)
        starts = self._order(material).starts
        path = None if self.saved is None else self.saved.path_of(material.number)
        return KeptRows(self.scratch, self.pool, starts, shape, path, reopened)

    def _forget(self, material: Material) -> None:
        """Drops what is kept of smaller materials that no other material needs."""
        for member in material.members:
            left = material.without(member).kept
            self.needed[left] -= 1
            if not self.needed[left]:
                self.kept.pop(left).drop()

    def _capture(self, material: Material, number: int) -> _Capture:
        """The arguments of `captures` for the material's buffalo of this number."""
        member = material.members[number]
        left = material.without(member)
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
            words_of(at),
        )

    def _questions(self, material: Material) -> Words:
        """The questions about a stored material and its mirror image, translated to what is stored, by row."""
        found = []
        for asked in {material, material.image} if material.is_symmetric else {material}:
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
    """The work for one material; the attributes are arguments of the functions of `recursion`."""

    game: Game
    order: StateOrder
    material: Words
    absent: Words
    captures: list[_Capture]
    questions: Words
    right: npt.NDArray[np.bool_]
    observe: ObserveRows

    def compute(
        self,
        rows: tuple[int, int],
        *,
        after: Words,
        level: Words,
        at: tuple[int, int],
        smaller: list[_Kept],
        kept: Words,
    ) -> int:
        """Computes some rows of one sum; returns the number of winning squares in B.

        after: H of the sum one higher; level: H of this sum, to be filled; at: the sum's first row, and its end;
        smaller: what `captures` needs, by member; kept: what is kept of this sum, to be filled.
        """
        begin, end = rows
        todo = self.order.states[begin:end]
        b_rows = np.zeros((len(todo), kept.shape[3] * BITS), dtype=np.int64)
        captured = np.zeros_like(b_rows)
        free_cells(todo, self.game, self.material, b_rows)
        for capture, (without, first) in zip(self.captures, smaller, strict=True):
            captures(todo, self.game, *capture, without, first, b_rows, captured)
        steps(todo, self.game, self.material, self.order.place, at[1], after, b_rows)
        h_rows = level[begin - at[0] : end - at[0]]
        wins = hunt(
            todo, self.game, self.material, self.order.times[begin:end], b_rows, captured, h_rows
        )
        keep(b_rows, self.absent, self.game[0], kept[begin - at[0] : end - at[0]])
        first, last = np.searchsorted(self.questions[:, 0], rows)
        mine = self.questions[first:last]
        words = b_rows[mine[:, 0] - begin, mine[:, 1]]
        self.right[mine[:, 3]] = words >> mine[:, 2] & 1 != 0
        self.observe(self.material, todo, b_rows)
        return wins
