"""The dynamic programming, one layer at a time (compiled).

A state has a digit for each live column, and its layer is the sum of its digits. For every state there are two rows
(see `rows`): B with the buffalo side to move, H with the hunter to move. A tablebase stores B only. A buffalo's step
leads from B to H of the next layer, and a capture up to four layers higher. So B of a layer follows from H of the
next layer and from finished layers of B, and H of a layer follows from B of the same and of higher layers.

Arguments that come in pairs: packed rows as words, and by state 1 + the word at which its row begins, or 0 for no row.
"""

from __future__ import annotations

from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import inlined, kernel
from stampede.tablebase.geometry import Geometry
from stampede.tablebase.rows import read_row, write_row

__all__ = ["buffalo_rows", "hunter_rows", "mirror_squares", "mirror_state"]

_NOTHING, _DIRECT, _MIRRORED = range(3)
"""Where `_read_canonical_row` has put a row: nowhere, as no square wins; in `row`; or its mirror image in `other`."""


@inlined
def mirror_squares(geometry: Geometry, squares: int) -> int:
    """The mirror image of a set of squares. Geometry, int64 → int64."""
    columns = geometry.columns
    for at in range(columns // 2):
        apart = columns - 1 - 2 * at
        differing = (squares ^ (squares >> apart)) & (geometry.edge << at)
        squares ^= differing | (differing << apart)
    return squares


@inlined
def mirror_state(geometry: Geometry, digits: Words) -> int:
    """The number of the mirrored state. Geometry, int64[live columns] → int64."""
    total = 0
    for index in range(len(digits)):
        total += digits[index] * geometry.power[geometry.partner[index]]
    return total


@inlined
def _write_digits(geometry: Geometry, state: int, digits: Words) -> int:
    """Writes a state's digits and returns the set of its buffaloes on the prairie."""
    taken = 0
    for index in range(len(digits)):
        digit = state % 6
        state //= 6
        digits[index] = digit
        if 1 <= digit <= 4:
            taken |= 1 << ((digit - 1) * geometry.columns + geometry.live[index])
    return taken


@kernel
def _read_canonical_row(
    geometry: Geometry,
    digits: Words,
    state: int,
    taken: int,
    words: Words,
    where: Words,
    row: Words,
    other: Words,
) -> int:
    """Reads a state's row, or the row of its mirror image if that one is stored.

    Returns _NOTHING, _DIRECT or _MIRRORED.
    """
    if geometry.symmetric:
        mirrored = mirror_state(geometry, digits)
        if mirrored < state:
            base = where[mirrored]
            if base == 0:
                return _NOTHING
            read_row(geometry, words, base - 1, mirror_squares(geometry, taken), other)
            return _MIRRORED
    base = where[state]
    if base == 0:
        return _NOTHING
    read_row(geometry, words, base - 1, taken, row)
    return _DIRECT


@kernel
def _require_step(
    geometry: Geometry,
    digits: Words,
    index: int,
    state: int,
    taken: int,
    words: Words,
    where: Words,
    row: Words,
    got: Words,
    other: Words,
) -> bool:
    """Removes from `row` the squares from which the step of one buffalo refutes the hunter; False when none is left.

    A square stays if the hunter wins after the step, or if the chief or a dog blocks it.
    """
    digit = digits[index]
    front = digit * geometry.columns + geometry.live[index]
    ahead = 1 << front
    now = taken | ahead
    if digit > 0:
        now ^= 1 << (front - geometry.columns)
    digits[index] += 1
    kind = _read_canonical_row(
        geometry, digits, state + geometry.power[index], now, words, where, got, other
    )
    digits[index] -= 1
    left = 0
    for place in range(len(row)):
        squares = row[place]
        if squares == 0:
            continue
        if geometry.dogs[place] & ahead == 0:
            # The chief on the square ahead blocks the step.
            if kind == _NOTHING:
                squares &= ahead
            elif kind == _DIRECT:
                squares &= got[place] | ahead
            else:
                squares &= mirror_squares(geometry, other[geometry.mirror[place]]) | ahead
            row[place] = squares
        left |= squares
    return left != 0


@kernel
def _require_last_step(
    geometry: Geometry,
    digits: Words,
    index: int,
    state: int,
    taken: int,
    words: Words,
    where: Words,
    row: Words,
    got: Words,
    other: Words,
) -> bool:
    """`_require_step` for a buffalo on row 4: on row 5 (rank 2) the chief must capture it at once."""
    front = 4 * geometry.columns + geometry.live[index]
    ahead = 1 << front
    now = taken ^ (1 << (front - geometry.columns))
    digits[index] = 5
    kind = _read_canonical_row(
        geometry, digits, state + geometry.power[index], now, words, where, got, other
    )
    digits[index] = 4
    mirrored = front + geometry.columns - 1 - 2 * geometry.live[index]
    near = geometry.steps[front]
    left = 0
    for place in range(len(row)):
        squares = row[place]
        if squares == 0:
            continue
        if geometry.dogs[place] & ahead == 0:
            won = kind == _DIRECT and (got[place] >> front) & 1 != 0
            if kind == _MIRRORED:
                won = (other[geometry.mirror[place]] >> mirrored) & 1 != 0
            squares &= (near | ahead) if won else ahead
            row[place] = squares
        left |= squares
    return left != 0


@kernel
def buffalo_rows(
    geometry: Geometry,
    states: Words,
    rows_b: Words,
    index_b: Words,
    rows_h: Words,
    index_h: Words,
    out: Words,
    ends: Words,
    work: Words,
) -> None:
    """Computes B of some states, packed into `out` one after another; `ends` gets the index after each.

    Geometry; states int64[n]; B of higher layers; H of the next layer; out int64[≥ n * row_bound], zero; ends int64[n];
    work int64[4, ≥ placements and live columns].
    """
    digits = work[3, : len(geometry.live)]
    placements = len(geometry.dogs)
    row, got, other = work[0, :placements], work[1, :placements], work[2, :placements]
    at = 0
    for number in range(len(states)):
        state = states[number]
        taken = _write_digits(geometry, state, digits)
        free = geometry.empty & ~taken
        for place in range(len(row)):
            row[place] = free & ~geometry.dogs[place] if geometry.dogs[place] & taken == 0 else 0
        # Advanced buffaloes first: their steps refute most squares, and the rest is skipped once none is left.
        alive = True
        for want in range(4, -1, -1):
            for index in range(len(digits)):
                if not alive or digits[index] != want:
                    continue
                if want == 4:
                    alive = _require_last_step(
                        geometry, digits, index, state, taken, rows_b, index_b, row, got, other
                    )
                else:
                    alive = _require_step(
                        geometry, digits, index, state, taken, rows_h, index_h, row, got, other
                    )
        if alive:
            at = write_row(geometry, row, taken, out, at)
        ends[number] = at


@kernel
def _add_captures(
    geometry: Geometry,
    digits: Words,
    state: int,
    taken: int,
    rows_b: Words,
    index_b: Words,
    row: Words,
    got: Words,
    other: Words,
) -> None:
    """Adds to `row` the squares from which the chief wins with a capture."""
    for index in range(len(digits)):
        digit = digits[index]
        if digit % 5 == 0:
            continue
        square = (digit - 1) * geometry.columns + geometry.live[index]
        digits[index] = 5
        after = state + (5 - digit) * geometry.power[index]
        kind = _read_canonical_row(
            geometry, digits, after, taken ^ (1 << square), rows_b, index_b, got, other
        )
        digits[index] = digit
        near = geometry.steps[square]
        mirrored = square + geometry.columns - 1 - 2 * geometry.live[index]
        if kind == _DIRECT:
            for place in range(len(row)):
                if (got[place] >> square) & 1 != 0:
                    row[place] |= near
        elif kind == _MIRRORED:
            for place in range(len(row)):
                if (other[geometry.mirror[place]] >> mirrored) & 1 != 0:
                    row[place] |= near


@kernel
def _add_moves(geometry: Geometry, taken: int, won: Words, row: Words) -> None:
    """Adds to `row` the squares from which a move of a dog or a step of the chief leads to a win."""
    for place in range(len(won)):
        squares = won[place]
        if squares == 0:
            continue
        # The chief steps to a winning square from every adjacent one; impossible ones are removed in `hunter_rows`.
        side = ((squares & geometry.inner[1]) << 1) | ((squares & geometry.inner[0]) >> 1)
        wide = squares | side
        row[place] |= side | (wide << geometry.columns) | (wide >> geometry.columns)
        for move in range(geometry.start[place], geometry.start[place + 1]):
            between = geometry.between[move]
            # A dog's move can be taken back along the same line, so `target` is also where it comes from.
            if between & taken == 0:
                row[geometry.target[move]] |= squares & ~between


@kernel
def hunter_rows(
    geometry: Geometry,
    states: Words,
    rows_b: Words,
    index_b: Words,
    out: Words,
    ends: Words,
    work: Words,
) -> None:
    """Computes H of some states from B of the same and higher layers; arguments as in `buffalo_rows`."""
    digits = work[3, : len(geometry.live)]
    placements = len(geometry.dogs)
    row, got, other = work[0, :placements], work[1, :placements], work[2, :placements]
    at = 0
    for number in range(len(states)):
        state = states[number]
        taken = _write_digits(geometry, state, digits)
        row[:] = 0
        base = index_b[state]
        if base != 0:
            read_row(geometry, rows_b, base - 1, taken, got)
            _add_moves(geometry, taken, got, row)
        _add_captures(geometry, digits, state, taken, rows_b, index_b, row, got, other)
        free = geometry.empty & ~taken
        for place in range(len(row)):
            row[place] = (
                row[place] & free & ~geometry.dogs[place]
                if geometry.dogs[place] & taken == 0
                else 0
            )
        at = write_row(geometry, row, taken, out, at)
        ends[number] = at
