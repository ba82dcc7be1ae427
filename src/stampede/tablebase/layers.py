"""The dynamic programming, one level at a time (compiled).

A state's level is the sum of its digits. With the buffalo side to move a step leads to the next level with the
hunter to move; a capture leads up to four levels higher. So a level of the table is made from the hunter's rows of
the next level and from finished levels of the table itself, and the hunter's rows of a level from that level and
higher ones.
"""

from __future__ import annotations

from stampede.kernels.buffalo.tables import Words
from stampede.kernels.jit import inlined, kernel
from stampede.tablebase.plan import Plan
from stampede.tablebase.rows import read_row, write_row

__all__ = ["hunter_rows", "mirror_squares", "mirror_state", "table_rows"]


@inlined
def mirror_squares(plan: Plan, squares: int) -> int:
    """A set of squares as seen in a mirror. Plan, int64 → int64."""
    columns = plan.columns
    column = plan.empty & ~plan.inner[0]
    for at in range(columns // 2):
        apart = columns - 1 - 2 * at
        differing = (squares ^ (squares >> apart)) & (column << at)
        squares ^= differing | (differing << apart)
    return squares


@inlined
def mirror_state(plan: Plan, digits: Words) -> int:
    """The number of the mirrored state. Plan, int64[live columns] → int64."""
    total = 0
    for index in range(len(digits)):
        total += digits[index] * plan.power[plan.partner[index]]
    return total


@inlined
def _digits(plan: Plan, state: int, digits: Words) -> int:
    """Writes the state's digits and returns the set of its buffaloes on the prairie."""
    taken = 0
    for index in range(len(digits)):
        digit = state % 6
        state //= 6
        digits[index] = digit
        if 1 <= digit <= 4:
            taken |= 1 << ((digit - 1) * plan.columns + plan.live[index])
    return taken


@kernel
def _fetch(
    plan: Plan,
    digits: Words,
    state: int,
    taken: int,
    words: Words,
    where: Words,
    row: Words,
    other: Words,
) -> int:
    """Reads a state's row, by its mirror image if that is the one that is kept.

    Returns 0 when no square wins, 1 when the row stands in `row`, 2 when it stands in `other` as seen in a mirror.
    """
    if plan.symmetric:
        mirrored = mirror_state(plan, digits)
        if mirrored < state:
            base = where[mirrored]
            if base == 0:
                return 0
            read_row(plan, words, base - 1, mirror_squares(plan, taken), other)
            return 2
    base = where[state]
    if base == 0:
        return 0
    read_row(plan, words, base - 1, taken, row)
    return 1


@kernel
def _after_step(
    plan: Plan,
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
    """Keeps in `row` what wins after the step of one buffalo, or doesn't allow it; False when nothing is left."""
    digit = digits[index]
    front = digit * plan.columns + plan.live[index]
    ahead = 1 << front
    now = taken | ahead
    if digit > 0:
        now ^= 1 << (front - plan.columns)
    digits[index] += 1
    kind = _fetch(plan, digits, state + plan.power[index], now, words, where, got, other)
    digits[index] -= 1
    left = 0
    for place in range(len(row)):
        squares = row[place]
        if squares == 0:
            continue
        if plan.dogs[place] & ahead == 0:
            if kind == 0:
                squares &= ahead
            elif kind == 1:
                squares &= got[place] | ahead
            else:
                squares &= mirror_squares(plan, other[plan.mirror[place]]) | ahead
            row[place] = squares
        left |= squares
    return left != 0


@kernel
def _after_last_step(
    plan: Plan,
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
    """`_after_step` for a buffalo on row 4: on row 5 the chief must capture it at once."""
    front = 4 * plan.columns + plan.live[index]
    ahead = 1 << front
    now = taken ^ (1 << (front - plan.columns))
    digits[index] = 5
    kind = _fetch(plan, digits, state + plan.power[index], now, words, where, got, other)
    digits[index] = 4
    mirrored = front + plan.columns - 1 - 2 * plan.live[index]
    near = plan.steps[front]
    left = 0
    for place in range(len(row)):
        squares = row[place]
        if squares == 0:
            continue
        if plan.dogs[place] & ahead == 0:
            won = kind == 1 and (got[place] >> front) & 1 != 0
            if kind == 2:
                won = (other[plan.mirror[place]] >> mirrored) & 1 != 0
            squares &= (near | ahead) if won else ahead
            row[place] = squares
        left |= squares
    return left != 0


@kernel
def table_rows(
    plan: Plan,
    states: Words,
    table: Words,
    table_at: Words,
    hunter: Words,
    hunter_at: Words,
    out: Words,
    ends: Words,
    work: Words,
) -> None:
    """The table's rows of some states, packed into `out` one after another; `ends` gets the index after each.

    Plan; states int64[n]; the words of the table and where each state's row begins, plus 1, or 0; the same for the
    hunter's rows of the next level; out int64[≥ n * row_bound], zero; ends int64[n]; work int64[4, ≥ placements and
    live columns].
    """
    digits = work[3, : len(plan.live)]
    placements = len(plan.dogs)
    row, got, other = work[0, :placements], work[1, :placements], work[2, :placements]
    at = 0
    for number in range(len(states)):
        state = states[number]
        taken = _digits(plan, state, digits)
        free = plan.empty & ~taken
        for place in range(len(row)):
            row[place] = free & ~plan.dogs[place] if plan.dogs[place] & taken == 0 else 0
        alive = True
        for want in range(4, -1, -1):
            for index in range(len(digits)):
                if not alive or digits[index] != want:
                    continue
                if want == 4:
                    alive = _after_last_step(
                        plan, digits, index, state, taken, table, table_at, row, got, other
                    )
                else:
                    alive = _after_step(
                        plan, digits, index, state, taken, hunter, hunter_at, row, got, other
                    )
        if alive:
            at = write_row(plan, row, taken, out, at)
        ends[number] = at


@kernel
def _captures(
    plan: Plan,
    digits: Words,
    state: int,
    taken: int,
    table: Words,
    table_at: Words,
    row: Words,
    got: Words,
    other: Words,
) -> None:
    """Adds to `row` the squares from which the chief wins by a capture."""
    for index in range(len(digits)):
        digit = digits[index]
        if digit % 5 == 0:
            continue
        square = (digit - 1) * plan.columns + plan.live[index]
        digits[index] = 5
        after = state + (5 - digit) * plan.power[index]
        kind = _fetch(plan, digits, after, taken ^ (1 << square), table, table_at, got, other)
        digits[index] = digit
        near = plan.steps[square]
        mirrored = square + plan.columns - 1 - 2 * plan.live[index]
        if kind == 1:
            for place in range(len(row)):
                if (got[place] >> square) & 1 != 0:
                    row[place] |= near
        elif kind == 2:
            for place in range(len(row)):
                if (other[plan.mirror[place]] >> mirrored) & 1 != 0:
                    row[place] |= near


@kernel
def _moves(plan: Plan, taken: int, won: Words, row: Words) -> None:
    """Adds to `row` the squares from which a dog's move or a step of the chief leads to a win."""
    for place in range(len(won)):
        squares = won[place]
        if squares == 0:
            continue
        side = ((squares & plan.inner[1]) << 1) | ((squares & plan.inner[0]) >> 1)
        wide = squares | side
        row[place] |= side | (wide << plan.columns) | (wide >> plan.columns)
        for move in range(plan.start[place], plan.start[place + 1]):
            between = plan.between[move]
            if between & taken == 0:
                row[plan.target[move]] |= squares & ~between


@kernel
def hunter_rows(
    plan: Plan, states: Words, table: Words, table_at: Words, out: Words, ends: Words, work: Words
) -> None:
    """The rows with the hunter to move, from the finished table; arguments as in `table_rows`."""
    digits = work[3, : len(plan.live)]
    placements = len(plan.dogs)
    row, got, other = work[0, :placements], work[1, :placements], work[2, :placements]
    at = 0
    for number in range(len(states)):
        state = states[number]
        taken = _digits(plan, state, digits)
        row[:] = 0
        base = table_at[state]
        if base != 0:
            read_row(plan, table, base - 1, taken, got)
            _moves(plan, taken, got, row)
        _captures(plan, digits, state, taken, table, table_at, row, got, other)
        free = plan.empty & ~taken
        for place in range(len(row)):
            row[place] = (
                row[place] & free & ~plan.dogs[place] if plan.dogs[place] & taken == 0 else 0
            )
        at = write_row(plan, row, taken, out, at)
        ends[number] = at
