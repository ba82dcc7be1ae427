"""The arrays of a spec that the compiled code works with, made once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stampede.tablebase.spec import CAPTURED, DIGITS, ROWS, TablebaseSpec

__all__ = ["Geometry", "count_states", "geometry_of", "list_states", "number_placements"]

Words = npt.NDArray[np.int64]

_DIRECTIONS = tuple((dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)


class Geometry(NamedTuple):
    """A tablebase's board and its dogs' moves, all int64. Kernels take a named tuple as it is.

    Attributes:
        columns: The width of the board.
        live: [live columns] The columns that may hold a buffalo.
        power: [live columns] The place value of that column's digit in the state's number.
        partner: [live columns] The index of the mirrored column.
        symmetric: Whether the tablebase is its own mirror image.
        dogs: [placements] The set of the dogs' squares.
        mirror: [placements] The mirrored placement.
        start: [placements + 1] The index of a placement's first dog move in the next two.
        target: [dog moves] The placement after the move.
        between: [dog moves] The squares that must be free of buffaloes and of the chief.
        steps: [squares] The set of squares next to a square that aren't blocked.
        planes: The number of words that hold one bit for each placement.
        empty: The set of all squares that aren't blocked.
        inner: [2] The sets of squares with a neighbour to the left, and to the right.
        edge: The set of the first column's squares.
    """

    columns: int
    live: Words
    power: Words
    partner: Words
    symmetric: int
    dogs: Words
    mirror: Words
    start: Words
    target: Words
    between: Words
    steps: Words
    planes: int
    empty: int
    inner: Words
    edge: int


def geometry_of(spec: TablebaseSpec) -> Geometry:
    """The arrays of a spec."""
    places = {placement: index for index, placement in enumerate(spec.placements)}
    moves = [list(_dog_moves(spec, placement, places)) for placement in spec.placements]
    last = spec.columns - 1
    mirror = [
        places.get(tuple(sorted(spec.mirrored(square) for square in placement)), -1)
        for placement in spec.placements
    ]
    partner = [spec.live.index(last - at) if spec.symmetric else 0 for at in spec.live]
    left = sum(1 << (row * spec.columns) for row in range(ROWS))
    board = (1 << spec.size) - 1
    return Geometry(
        columns=spec.columns,
        live=_words(spec.live),
        power=_words(DIGITS**index for index in range(len(spec.live))),
        partner=_words(partner),
        symmetric=int(spec.symmetric),
        dogs=_words(sum(1 << square for square in placement) for placement in spec.placements),
        mirror=_words(mirror),
        start=_words(np.cumsum([0, *(len(some) for some in moves)])),
        target=_words(target for some in moves for target, _ in some),
        between=_words(between for some in moves for _, between in some),
        steps=_words(_steps(spec, square) for square in range(spec.size)),
        planes=(len(places) + 63) // 64,
        empty=board & ~spec.blocked,
        inner=_words((board & ~left, board & ~(left << last))),
        edge=left,
    )


def number_placements(spec: TablebaseSpec) -> Words:
    """Placement numbers by the dogs' squares, ascending, as digits of base `size`; -1: none. int64[size ** dogs]."""
    numbers = np.full(spec.size**spec.dogs, -1, dtype=np.int64)
    for index, placement in enumerate(spec.placements):
        at = 0
        for square in placement:
            at = at * spec.size + square
        numbers[at] = index
    return numbers


def list_states(spec: TablebaseSpec) -> tuple[Words, Words]:
    """The states that are stored, by layer and number, and where each layer begins: int64[n], int64[layers + 2]."""
    numbers = np.arange(spec.states, dtype=np.int64)
    total = np.zeros(spec.states, dtype=np.int16)
    mirrored = np.zeros(spec.states, dtype=np.int64)
    rest = numbers.copy()
    last = spec.columns - 1
    for at in spec.live:
        digit = rest % DIGITS
        rest //= DIGITS
        total += digit.astype(np.int16)
        if spec.symmetric:
            mirrored += digit * DIGITS ** spec.live.index(last - at)
    if spec.symmetric:
        kept = numbers <= mirrored
        numbers, total = numbers[kept], total[kept]
    order = np.argsort(total, kind="stable")
    counts = np.bincount(total, minlength=CAPTURED * len(spec.live) + 1)
    return numbers[order], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def count_states(spec: TablebaseSpec, max_layer: int | None) -> int:
    """The number of states up to a layer, mirror images included; of all states when it is None."""
    if max_layer is None:
        return spec.states
    counts = np.ones(1, dtype=np.int64)
    for _ in spec.live:
        counts = np.convolve(counts, np.ones(DIGITS, dtype=np.int64))
    return int(counts[: max_layer + 1].sum())


def _words(values: object) -> Words:
    listed = list(values)  # type: ignore[call-overload]
    return np.array(listed, dtype=np.int64)


def _steps(spec: TablebaseSpec, square: int) -> int:
    row, at = divmod(square, spec.columns)
    near = ((row + dr, at + dc) for dr, dc in _DIRECTIONS)
    found = sum(
        1 << (r * spec.columns + c) for r, c in near if 0 <= r < ROWS and 0 <= c < spec.columns
    )
    return found & ~spec.blocked


def _dog_moves(
    spec: TablebaseSpec, placement: tuple[int, ...], places: dict[tuple[int, ...], int]
) -> Iterator[tuple[int, int]]:
    """The dog moves from a placement to another, on a board without buffaloes and chief."""
    for dog in placement:
        others = tuple(other for other in placement if other != dog)
        for direction in _DIRECTIONS:
            between = 0
            for square in _ray(spec, dog, direction):
                if square in others:
                    break
                target = places.get(tuple(sorted((*others, square))))
                if target is not None:
                    yield target, between
                between |= 1 << square


def _ray(spec: TablebaseSpec, square: int, direction: tuple[int, int]) -> Iterator[int]:
    row, at = divmod(square, spec.columns)
    while True:
        row, at = row + direction[0], at + direction[1]
        number = row * spec.columns + at
        if not (0 <= row < ROWS and 0 <= at < spec.columns) or spec.blocked >> number & 1:
            return
        yield number
