"""How many columns the chief holds alone: computed anew from the rules, column by column, for the evaluation's sake.

The evaluation counts uncovered columns against what the hunter can hold; its features rest on the facts shown here.
"""

from functools import cache
from itertools import product

import pytest

from stampede.buffalo.geometry import BIT, PRAIRIE, PRAIRIE_BITS, STEPS, Square

GONE = 2
"""A column whose buffalo was captured; others are named by their buffalo's rank, 7 to 3. Rank 2 is settled at once."""


@cache
def _next_to(squares: int) -> int:
    """All squares from which the chief reaches one of these."""
    return sum(BIT[place] for place in PRAIRIE if any(squares & BIT[step] for step in STEPS[place]))


def winning_squares(first: int, columns: int) -> int:
    """Where the chief, alone, beats buffaloes on the near bank of adjacent columns, buffalo side to move.

    States are worked off from the most advanced ones back: a step and a capture both lead to states done before.
    """
    won: dict[tuple[int, ...], int] = {}
    answered: dict[tuple[int, ...], int] = {}
    for state in sorted(product(range(GONE, 8), repeat=columns), key=sum):
        squares = [Square.at(first + c, rank) for c, rank in enumerate(state)]
        won[state] = _holds(state, squares, won, answered)
        answered[state] = _answers(state, squares, won)
    return won[(7,) * columns]


def _holds(
    state: tuple[int, ...],
    squares: list[Square],
    won: dict[tuple[int, ...], int],
    answered: dict[tuple[int, ...], int],
) -> int:
    """Where the chief wins with the buffalo side to move: it needs an answer to every step that it doesn't block."""
    holding = PRAIRIE_BITS
    for column, rank in enumerate(state):
        if rank == GONE:
            continue
        front = Square(squares[column] - 11)
        after = (*state[:column], rank - 1, *state[column + 1 :])
        held = answered[after]
        if rank == 3:  # it stands on rank 2 then: only a capture helps
            held = _next_to(BIT[front] & won[after])
        holding &= held | BIT[front]
    for column, rank in enumerate(state):
        if rank not in (GONE, 7):
            holding &= ~BIT[squares[column]]
    return holding


def _answers(state: tuple[int, ...], squares: list[Square], won: dict[tuple[int, ...], int]) -> int:
    """Where the chief, to move, has a good move: to an empty square, or onto a buffalo."""
    empty, good = PRAIRIE_BITS, 0
    for column, rank in enumerate(state):
        if rank in (GONE, 7):
            continue
        square = squares[column]
        empty &= ~BIT[square]
        if won[(*state[:column], GONE, *state[column + 1 :])] & BIT[square]:
            good |= BIT[square]
    return _next_to(good | (won[state] & empty))


@pytest.mark.parametrize("first", [0, 3, 6])
def test_the_chief_alone_holds_four_columns_from_most_squares_but_never_five(first: int) -> None:
    """B2.4, B3.2."""
    four = winning_squares(first, 4).bit_count()
    assert four > len(PRAIRIE) // 2
    assert winning_squares(first, 5) == 0


def test_fewer_columns_are_never_harder() -> None:
    held = [winning_squares(6, columns).bit_count() for columns in (1, 2, 3, 4, 5)]
    assert held == sorted(held, reverse=True)
    assert held[0] > held[3] > held[4] == 0
