"""Matrix games solved exactly: the simplex method, in NumPy alone.

Shifted so that every payoff is positive, a matrix game is a linear program that needs no first phase: maximise the sum
of y ≥ 0 subject to ``matrix @ y ≤ 1``. One run yields both players' strategies, the column player's as the solution and
the row player's as the dual solution. The strategies prove each other: the worst that either can meet is the value.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["solve_zero_sum"]

Vector = npt.NDArray[np.float64]

_EPSILON: Final = 1e-10
_TOLERANCE: Final = 1e-7
"""How far apart the two players' guarantees may lie, relative to the range of the payoffs."""
_PATIENCE: Final = 50
"""Pivots without progress before Bland's rule takes over, which can't cycle."""


def solve_zero_sum(matrix: Vector) -> tuple[float, Vector, Vector]:
    """Returns the value of a matrix game, the row player's strategy and the column player's.

    Args:
        matrix: What the row player gets from the column player; float64[rows, columns].

    Raises:
        ArithmeticError: Rounding errors keep the strategies from proving each other.
    """
    least, most = float(matrix.min()), float(matrix.max())
    if least == most:
        return least, _first(matrix.shape[0]), _first(matrix.shape[1])
    spread = most - least
    scaled = (matrix - least) / spread + 1.0
    basic_rows, basic_columns = _find_basis(scaled)
    kernel = scaled[np.ix_(basic_rows, basic_columns)]
    ones = np.ones(len(basic_rows))
    row = _strategy(np.linalg.solve(kernel.T, ones), basic_rows, matrix.shape[0])
    column = _strategy(np.linalg.solve(kernel, ones), basic_columns, matrix.shape[1])
    low, high = float((row @ scaled).min()), float((scaled @ column).max())
    if not high - low <= _TOLERANCE:
        raise ArithmeticError(f"expected a solved matrix game, got guarantees {low} and {high}")
    return ((low + high) / 2 - 1.0) * spread + least, row, column


def _find_basis(matrix: Vector) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Returns the rows and columns that an optimal pair of strategies mixes, equally many.

    The tableau is condensed: a pivot swaps a row's slack with a column's variable.
    """
    rows, columns = matrix.shape
    tableau = np.empty((rows + 1, columns + 1))
    tableau[:rows, :columns], tableau[:rows, columns] = matrix, 1.0
    tableau[rows, :columns], tableau[rows, columns] = -1.0, 0.0
    below = np.arange(columns)  # the variable of each column: y from 0, then the slacks
    beside = np.arange(columns, columns + rows)
    idle, best = 0, 0.0
    while True:
        costs = tableau[rows, :columns]
        improving = np.flatnonzero(costs < -_EPSILON)
        if not improving.size:
            break
        bland = idle > _PATIENCE
        order = below if bland else costs
        pivot_column = int(improving[order[improving].argmin()])
        pivot_row = _leaving(tableau, pivot_column, beside, bland=bland)
        _pivot(tableau, pivot_row, pivot_column)
        beside[pivot_row], below[pivot_column] = below[pivot_column], beside[pivot_row]
        idle = 0 if tableau[rows, columns] > best + _EPSILON else idle + 1
        best = max(best, float(tableau[rows, columns]))
    return np.sort(below[below >= columns]) - columns, np.sort(beside[beside < columns])


def _leaving(tableau: Vector, column: int, beside: npt.NDArray[np.intp], *, bland: bool) -> int:
    """The row that limits the entering variable; of several, the steadiest pivot, or Bland's."""
    entries, limits = tableau[:-1, column], tableau[:-1, -1]
    able = np.flatnonzero(entries > _EPSILON)
    ratios = limits[able] / entries[able]
    tied = able[ratios <= ratios.min() + _EPSILON]
    return int(tied[beside[tied].argmin()] if bland else tied[entries[tied].argmax()])


def _pivot(tableau: Vector, row: int, column: int) -> None:
    """Swaps the variables of a row and a column."""
    pivot = tableau[row, column]
    line, bar = tableau[row] / pivot, tableau[:, column].copy()
    tableau -= np.outer(bar, line)
    tableau[:, column] = -bar / pivot
    tableau[row] = line
    tableau[row, column] = 1.0 / pivot


def _strategy(
    weights: npt.NDArray[np.floating], chosen: npt.NDArray[np.intp], count: int
) -> Vector:
    mixture = np.zeros(count)
    mixture[chosen] = np.clip(weights, 0.0, None)
    return np.asarray(mixture / mixture.sum())


def _first(count: int) -> Vector:
    """The first of several choices that are all alike."""
    pure = np.zeros(count)
    pure[0] = 1.0
    return pure
