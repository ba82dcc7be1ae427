"""Two players' last round, solved without searching every pair of choices.

An equilibrium mixes a few of up to 90 choices, and only what these meet has to be exact. So all pairs of choices are
first estimated by the look-ahead policy, and the matrix game is solved; then the rows and columns of that solution are
searched to their ends, and the game is solved again, until its solution rests on searched pairs alone. Then it is an
equilibrium of the exact game, whatever the estimates of the other pairs are worth.

A victory counts besides cows, so that an equilibrium gives up cows for victories. The strategy that is returned lets
neither go too far: it minimises what a best response can take from it, in cows alone or, with `VICTORY_FIRST` times
the weight, in cows and victories, whichever is more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.search.zoff.matrix_game import (
    Matrix,
    Solution,
    estimate_payoffs,
    search_payoffs,
    solve_matrix,
)

__all__ = ["LastRound", "solve_last_round"]

VICTORY_FIRST: Final = 3.0
"""How many times more a loss in cows and victories weighs than one in cows alone."""
_MIXED: Final = 1e-9
"""Choices with less probability than this aren't part of a solution."""

Marks = npt.NDArray[np.bool_]


@dataclass(slots=True)
class _Payoffs:
    """Seat 0's payoffs in one unit: estimated, and searched where `known` says so."""

    setup: SetupRecord
    state: StateRecord
    win: float
    matrix: Matrix
    known: Marks = field(init=False)

    def __post_init__(self) -> None:
        self.known = np.zeros(self.matrix.shape, dtype=np.bool_)

    def search(self, rows: Marks, columns: Marks, budget: int) -> tuple[bool, int]:
        """Searches these rows and columns; whether anything was missing, and what is left of the budget of nodes.

        The rest is below 0 if a budget was too small for what each pair may use in any case.
        """
        wanted = (rows[:, None] | columns[None, :]) & ~self.known
        if not wanted.any():
            return False, budget
        nodes = search_payoffs(self.setup, self.state, self.win, budget, wanted, self.matrix)
        self.known |= wanted
        return True, budget - nodes


@dataclass(frozen=True, slots=True)
class LastRound:
    """How to choose in the last round.

    Attributes:
        weights: The probability of each choice, numbered as `nth_choice` does.
        gains: What each gets in cows and victories if the other seat plays its equilibrium.
        nodes: Positions searched.
    """

    weights: npt.NDArray[np.float64]
    gains: npt.NDArray[np.float64]
    nodes: int


def solve_last_round(
    setup: SetupRecord, state: StateRecord, seat: int, win: float, budget: int
) -> LastRound:
    """A seat's choices where a victory counts `win` cows besides the lead; exact within the budget of nodes."""
    cows, both = (
        _Payoffs(setup, state, unit, matrix)
        for unit, matrix in zip((0.0, win), estimate_payoffs(setup, state, (0.0, win)), strict=True)
    )
    fair, left = _solve(both, budget)
    plain, left = _solve(cows, left)
    while True:
        weights, versus = _compromise(cows.matrix, both.matrix, plain.value, fair.value, seat)
        own = weights > _MIXED
        missing = False
        for payoffs, met in zip((cows, both), np.split(versus > _MIXED, 2), strict=True):
            sides = (own, met) if seat == 0 else (met, own)
            more, left = payoffs.search(*sides, left)
            missing = missing or more
        if not missing:
            break
    gains = both.matrix @ fair.column if seat == 0 else -(fair.row @ both.matrix)
    return LastRound(weights, np.asarray(gains), budget - left)


def _solve(payoffs: _Payoffs, budget: int) -> tuple[Solution, int]:
    """An equilibrium that rests on searched pairs alone, and what is left of the budget."""
    while True:
        solution = solve_matrix(payoffs.matrix)
        rows, columns = solution.row > _MIXED, solution.column > _MIXED
        missing, budget = payoffs.search(rows, columns, budget)
        if not missing:
            return solution, budget


def _compromise(
    cows: Matrix, both: Matrix, plain: float, fair: float, seat: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The seat's strategy that loses least against the value of the round, in the unit in which it loses more.

    It is a matrix game in which the other seat also chooses the unit. The second result is its strategy.
    """
    parts = (cows - plain, VICTORY_FIRST * (both - fair))
    losses = np.hstack(parts if seat == 0 else [-part.T for part in parts])
    solution = solve_matrix(losses)
    return solution.row, solution.column
