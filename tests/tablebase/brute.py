"""The table's game by plain recursion, as docs/tablebases.md tells it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from stampede.tablebase.spec import CAPTURED, ROWS, TablebaseSpec

__all__ = ["Brute", "blocked", "entries"]

_AROUND = tuple((dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)


class Brute:
    """Answers who wins an entry, and remembers what it has seen."""

    def __init__(self, spec: TablebaseSpec) -> None:
        """Takes the table's spec."""
        self._spec = spec
        self._placements = frozenset(spec.placements)
        self._blocked = blocked(spec)
        self.wins = cache(self._wins)
        self._hunter_wins = cache(self._with_hunter_to_move)

    def _wins(self, rows: tuple[int, ...], dogs: tuple[int, ...], chief: int) -> bool:
        """Whether the hunter wins with the buffalo side to move."""
        for index, (row, at) in enumerate(zip(rows, self._spec.live, strict=True)):
            if row == CAPTURED:
                continue
            front = self._spec.number(row + 1, at)
            if front in dogs or front == chief:
                continue
            if row + 1 < ROWS:
                if not self._hunter_wins(_changed(rows, index, row + 1), dogs, chief):
                    return False
            elif chief not in self._near(front) or not self.wins(
                _changed(rows, index, CAPTURED), dogs, front
            ):
                return False
        return True

    def _with_hunter_to_move(
        self, rows: tuple[int, ...], dogs: tuple[int, ...], chief: int
    ) -> bool:
        taken = {
            self._spec.number(row, at): index
            for index, (row, at) in enumerate(zip(rows, self._spec.live, strict=True))
            if 1 <= row < CAPTURED
        }
        for end in self._near(chief):
            if end in dogs:
                continue
            after = _changed(rows, taken[end], CAPTURED) if end in taken else rows
            if self.wins(after, dogs, end):
                return True
        stops = {*dogs, *taken, *self._blocked, chief}
        return any(
            moved in self._placements and self.wins(rows, moved, chief)
            for moved in self._dog_moves(dogs, stops)
        )

    def _near(self, square: int) -> list[int]:
        row, at = divmod(square, self._spec.columns)
        near = [
            (row + dr) * self._spec.columns + at + dc
            for dr, dc in _AROUND
            if 0 <= row + dr < ROWS and 0 <= at + dc < self._spec.columns
        ]
        return [end for end in near if end not in self._blocked]

    def _dog_moves(self, dogs: tuple[int, ...], stops: set[int]) -> Iterator[tuple[int, ...]]:
        for dog in dogs:
            others = [other for other in dogs if other != dog]
            for dr, dc in _AROUND:
                row, at = divmod(dog, self._spec.columns)
                while True:
                    row, at = row + dr, at + dc
                    square = row * self._spec.columns + at
                    inside = 0 <= row < ROWS and 0 <= at < self._spec.columns
                    if not inside or square in stops:
                        break
                    yield tuple(sorted((*others, square)))


def _changed(rows: tuple[int, ...], index: int, row: int) -> tuple[int, ...]:
    return (*rows[:index], row, *rows[index + 1 :])


def entries(spec: TablebaseSpec, rows: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    """All dogs and chief's squares that are apart from each other and from the buffaloes."""
    taken = {
        spec.number(row, at) for row, at in zip(rows, spec.live, strict=True) if 1 <= row < CAPTURED
    }
    taken |= blocked(spec)
    for dogs in spec.placements:
        if not taken & set(dogs):
            yield from ((dogs, at) for at in range(spec.size) if at not in taken | set(dogs))


def blocked(spec: TablebaseSpec) -> set[int]:
    """The squares of the guards and of the buffaloes right behind them."""
    pairs = [((row, at), (row - 1, at)) for row, at in spec.guards]
    return {spec.number(row, at) for pair in pairs for row, at in pair if row >= 1}
