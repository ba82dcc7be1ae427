"""The learned evaluation in plain Python: the same numbers as `evaluate`, for players that don't wait for a compiler.

A second copy, on purpose. It takes about 30 µs for a position instead of 0.05, but a low level, which judges a few
dozen positions in a turn, answers on a new machine at once instead of after half a minute of compiling. A test compares
the two. Only the standard library is imported here.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from stampede.buffalo import Position

__all__ = ["evaluate_plainly"]

_WIDTH: Final = 11
_HALF: Final = 6
_RANKS: Final = 5
_DIGITS: Final = 8
_GUARDS: Final = 4
_HELD: Final = _DIGITS * _GUARDS
_NEAR: Final = 6
_MARKS: Final = 16
_COLUMNS: Final = 12
_FREE: Final = 5
_LARGEST: Final = 8_000


class _Groups(NamedTuple):
    """The weights by group; see `stampede.search.buffalo.features`."""

    race: list[int]
    column: list[int]
    pair: list[int]
    capacity: list[int]
    runners: list[int]
    dog: list[int]
    chief: list[int]


@cache
def _groups() -> _Groups:
    text = resources.files(__package__).joinpath("weights.json").read_text("utf-8")
    return _Groups(**json.loads(text)["weights"])


def evaluate_plainly(position: Position) -> int:
    """Evaluates a position that isn't over for the buffalo side, in hundredths."""
    weights = _groups()
    side = int(position.turn)
    chief_file, chief_rank = position.chief % _WIDTH, position.chief // _WIDTH - 1
    digits = [0] * _WIDTH
    for buffalo in position.buffaloes:
        digits[buffalo % _WIDTH] = buffalo // _WIDTH + 1
    total, covered = 0, 0
    guards = [0] * _WIDTH
    for (
        dog
    ) in position.dogs:  # lowest rank first: of two in a column, the nearer to the buffalo counts
        file, rank = dog % _WIDTH, dog // _WIDTH - 1
        gap = digits[file] - rank - 3
        guard = 0
        if gap >= 0:
            guard = min(gap, 2) + 1
            covered += not guards[file]
            guards[file] = guard
        half = min(file, _WIDTH - 1 - file)
        total += weights.dog[(half * _RANKS + rank) * _GUARDS + guard]
    columns, runners, before = 0, 0, 0
    for file, (digit, guard) in enumerate(zip(digits, guards, strict=True)):
        apart = abs(file - chief_file)
        held = digit * _GUARDS + guard
        total += weights.race[((side * _WIDTH + apart) * _RANKS + chief_rank) * _HELD + held]
        half = min(file, _WIDTH - 1 - file)
        total += weights.column[(side * _HALF + half) * _HELD + held]
        if digit and not guard:
            columns += 1
            runners += max(apart, chief_rank) > digit - 2 + side
        mark = 2 * digit + (guard == 1)
        if file:
            is_left = chief_file < file
            near = min(file - 1 - chief_file if is_left else apart, _NEAR - 1)
            first, second = (before, mark) if is_left else (mark, before)
            total += weights.pair[(near * _MARKS + first) * _MARKS + second]
        before = mark
    free = 4 - covered
    total += weights.capacity[(side * _COLUMNS + columns) * _FREE + free]
    total += weights.runners[(side * _COLUMNS + runners) * _FREE + free]
    half = min(chief_file, _WIDTH - 1 - chief_file)
    total += weights.chief[(half * _RANKS + chief_rank) * _COLUMNS + columns]
    return max(-_LARGEST, min(_LARGEST, total))
