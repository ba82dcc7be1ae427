"""Two players' last round as a matrix game: every pair of choices searched to its end, the matrix solved exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import nth
from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import (
    MAX_COLOURS,
    OVER,
    PLACE,
    STATE,
    UNIT,
    SetupRecord,
    StateRecord,
    States,
)
from stampede.kernels.zoff.lookahead import finish_round, lookahead_answer
from stampede.kernels.zoff.options import (
    bonus_room,
    choice_count,
    nth_bonus,
    nth_choice,
    placements,
)
from stampede.kernels.zoff.records import copy_record, new_state
from stampede.kernels.zoff.resolve import count_cows, give_answer, reveal, run_on, to_act
from stampede.search.zoff.linear_program import solve_zero_sum
from stampede.search.zoff.max_n import option_count

__all__ = [
    "Matrix",
    "Solution",
    "estimate_payoffs",
    "exploitability",
    "last_round_payoffs",
    "search_payoffs",
    "solve_matrix",
]

Matrix = npt.NDArray[np.float64]
MAX_DEPTH = 40
_NEW = -2  # a mark in `todo`, as in `max_n`
_LEAST = 20
"""Nodes that each pair of choices may use in any case."""
_SHARE = 8
"""A pair of choices may use so many times its part of the nodes left."""
_UNLIMITED = 1 << 50

Counters = npt.NDArray[np.int64]
"""int64[3]: nodes so far, the limit, and how often the limit cut a search short."""
_NODES, _LIMIT, _CUTS = 0, 1, 2


@kernel
def _outcome(setup: SetupRecord, state: StateRecord, win: float) -> float:
    """Seat 0's lead at the end in cows, + `win` for a victory, - `win` for a defeat. … → float64."""
    lead = float(count_cows(setup, state, 0) - count_cows(setup, state, 1))
    lead -= float(int(setup.bids[0]) - int(setup.bids[1])) / UNIT
    winners = int(state.winners)
    return lead + win * ((winners & 1) - (winners >> 1))


@kernel
def _answer(setup: SetupRecord, state: StateRecord, index: int, first: int) -> int:
    """Gives the answer with this number, or the look-ahead policy's if `first` is -1; skips what was tried first.

    …, changed, int64, int64: what was tried first → int64, what was done: cows, or a bonus.
    """
    if first < 0:
        done = lookahead_answer(setup, state)
    elif state.phase == PLACE:
        done = nth(placements(state) | 1, index)
    else:
        done = nth_bonus(bonus_room(setup, state), index)
    if done != first:
        give_answer(setup, state, done)
    return int(done)


@kernel
def _alpha_beta(setup: SetupRecord, stack: States, win: float, counters: Counters) -> float:
    """The outcome with best play of both from stack[0]: alpha-beta in a loop with its own stack. … → float64.

    The policy's answer is tried first, for early cutoffs. Once the limit of nodes is reached, the policy ends what is
    left.
    """
    todo = np.empty(MAX_DEPTH, dtype=np.int64)  # the next answer to try, from the last one down
    firsts = np.empty(MAX_DEPTH, dtype=np.int64)
    seats = np.empty(MAX_DEPTH, dtype=np.int64)
    alpha, beta, best = np.empty(MAX_DEPTH), np.empty(MAX_DEPTH), np.empty(MAX_DEPTH)
    depth = 0
    todo[0], alpha[0], beta[0] = _NEW, -1e9, 1e9
    while True:
        state = stack[depth]
        # 1. A new position.
        if todo[depth] == _NEW:
            counters[_NODES] += 1
            if state.phase != OVER and counters[_NODES] >= counters[_LIMIT]:
                counters[_CUTS] += 1
                finish_round(setup, state)
            if state.phase == OVER:
                best[depth] = _outcome(setup, state, win)
                todo[depth] = -1
            else:
                seats[depth] = to_act(setup, state)
                best[depth] = -1e9 if seats[depth] == 0 else 1e9
                todo[depth] = option_count(setup, state)
                firsts[depth] = -1
        # 2. Down, unless a cutoff says that the other seat has something better elsewhere.
        if todo[depth] >= 0 and alpha[depth] < beta[depth]:
            copy_record(stack[depth + 1], state)
            tried = firsts[depth]
            done = _answer(setup, stack[depth + 1], int(todo[depth]), int(tried))
            todo[depth] -= 1
            if tried < 0:
                firsts[depth] = done
            elif tried == done:
                continue
            alpha[depth + 1], beta[depth + 1] = alpha[depth], beta[depth]
            depth += 1
            todo[depth] = _NEW
            continue
        # 3. Up: seat 0 maximises, seat 1 minimises.
        if depth == 0:
            return float(best[0])
        value = best[depth]
        depth -= 1
        if seats[depth] == 0:
            best[depth] = max(best[depth], value)
            alpha[depth] = max(alpha[depth], value)
        else:
            best[depth] = min(best[depth], value)
            beta[depth] = min(beta[depth], value)


@kernel
def fill_payoffs(
    setup: SetupRecord,
    state: StateRecord,
    win: float,
    budget: int,
    wanted: npt.NDArray[np.bool_],
    matrix: Matrix,
    counters: Counters,
) -> None:
    """Searches the pairs of choices that are marked to their ends.

    …, int64, bool[choices of seat 0, of seat 1], float64[the same], filled where it is wanted, int64[3], changed. The
    budget of nodes is shared out as it lasts: each pair may use a multiple of its part of what is left, as most pairs
    need little and a few need much.
    """
    stack = np.empty(MAX_DEPTH, dtype=STATE)
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    left = int(wanted.sum())
    for row in range(matrix.shape[0]):
        nth_choice(setup, state, 0, row, choices[0])
        for column in range(matrix.shape[1]):
            if not wanted[row, column]:
                continue
            nth_choice(setup, state, 1, column, choices[1])
            copy_record(stack[0], state)
            reveal(setup, stack[0], choices)
            run_on(setup, stack[0])
            counters[_LIMIT] = counters[_NODES] + max(
                _LEAST, _SHARE * (budget - counters[_NODES]) // left
            )
            matrix[row, column] = _alpha_beta(setup, stack, win, counters)
            left -= 1


@kernel
def fill_estimates(setup: SetupRecord, state: StateRecord, wins: Matrix, matrices: Matrix) -> None:
    """The payoffs if the look-ahead policy ends the round. …, float64[n], float64[n, choices of seat 0, of seat 1]."""
    ended = new_state()
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    for row in range(matrices.shape[1]):
        nth_choice(setup, state, 0, row, choices[0])
        for column in range(matrices.shape[2]):
            nth_choice(setup, state, 1, column, choices[1])
            copy_record(ended, state)
            reveal(setup, ended, choices)
            finish_round(setup, ended)
            for unit in range(len(wins)):
                matrices[unit, row, column] = _outcome(setup, ended, wins[unit])


@dataclass(frozen=True, slots=True)
class Solution:
    """An equilibrium of a matrix game: seat 0 gets the value, seat 1 its negative.

    Attributes:
        value: What seat 0 gets if both play well.
        row: Seat 0's mixed strategy.
        column: Seat 1's mixed strategy.
    """

    value: float
    row: npt.NDArray[np.float64]
    column: npt.NDArray[np.float64]


def last_round_payoffs(
    setup: SetupRecord, state: StateRecord, win: float = 0.0, budget: int = _UNLIMITED
) -> tuple[Matrix, int]:
    """Seat 0's payoff for every pair of choices, numbered as `nth_choice` does, and the nodes that were searched.

    It is exact if the budget of nodes isn't used up; else the look-ahead policy ends what is left.

    Raises:
        ValueError: It isn't the last round of a game of two.
    """
    if setup.players != 2 or state.phase != 0 or state.round_number != setup.rounds:
        raise ValueError("expected two players who choose for the last round")
    shape = (int(choice_count(setup, state, 0)), int(choice_count(setup, state, 1)))
    matrix = np.empty(shape)
    wanted = np.ones(shape, dtype=np.bool_)
    return matrix, search_payoffs(setup, state, win, budget, wanted, matrix)


def search_payoffs(
    setup: SetupRecord,
    state: StateRecord,
    win: float,
    budget: int,
    wanted: npt.NDArray[np.bool_],
    matrix: Matrix,
) -> int:
    """Searches the pairs of choices that are marked, within a budget of nodes, and returns how many it took."""
    counters = np.zeros(3, dtype=np.int64)
    fill_payoffs(setup, state, win, budget, wanted, matrix, counters)
    return int(counters[_NODES])


def estimate_payoffs(setup: SetupRecord, state: StateRecord, wins: Sequence[float]) -> Matrix:
    """Seat 0's payoffs if the look-ahead policy ends the round: a matrix for each worth of a victory."""
    shape = (len(wins), int(choice_count(setup, state, 0)), int(choice_count(setup, state, 1)))
    matrices = np.empty(shape)
    fill_estimates(setup, state, np.array(wins), matrices)
    return matrices


def solve_matrix(matrix: Matrix) -> Solution:
    """Solves a matrix game exactly, by linear programming."""
    return Solution(*solve_zero_sum(matrix))


def exploitability(
    matrix: Matrix, row: npt.NDArray[np.float64], column: npt.NDArray[np.float64]
) -> tuple[float, float]:
    """How much less than the game's value each strategy gets against a best response, seat 0's first."""
    value = solve_matrix(matrix).value
    return value - float((row @ matrix).min()), float((matrix @ column).max()) - value
