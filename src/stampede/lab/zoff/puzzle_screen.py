"""Quick games of Zoff, compiled, and a look at the decisions of their last round: which of them may be puzzles?

The same questions as `stampede.proofs.puzzles` asks, on kernels and without a memory of states. What passes here is
proven there by the readable rules; what fails is no puzzle, or too large for one.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import nth
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.kernels.zoff.greedy import lay_good_choices
from stampede.kernels.zoff.layout import (
    CHOOSE,
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    OVER,
    PAY,
    PLACE,
    STATE,
    SetupRecord,
    StateRecord,
    States,
)
from stampede.kernels.zoff.lookahead import lookahead_answer
from stampede.kernels.zoff.options import bonus_room, nth_bonus, placements
from stampede.kernels.zoff.records import copy_record, new_state
from stampede.kernels.zoff.resolve import count_cows, give_answer, run_on, to_act
from stampede.search.zoff.candidates import Pool
from stampede.search.zoff.matrix_game import last_round_payoffs
from stampede.search.zoff.max_n import apply_option, option_count

__all__ = [
    "MOST_ANSWERS",
    "MOST_CHOICES",
    "MOST_ENDS",
    "Answers",
    "find_decision",
    "may_be_choice_puzzle",
    "may_be_puzzle",
    "play_to_last_round",
]

MOST_ENDS: Final = 4_000
"""Decisions after which the game may end in more ways are put aside."""
MOST_CHOICES: Final = 24
"""More answers than this are no puzzle for people."""
MOST_ANSWERS: Final = 400
"""No game asks for more placements and bonuses."""
_MOST_BEHIND: Final = 6
"""With three players and more, a seat that is farther behind hardly wins any more: its decisions aren't tried."""
_WILD: Final = 4
"""One answer in so many is drawn at random in the last round, so that its plays differ."""
_MOST_NODES: Final = 150_000
"""Choices of two players that lead to larger trees are put aside."""
_DEPTH = 48
_NEW = -2
_NOBODY = -1
_SHARE = 1000.0
"""A victory counts more than any lead in cows."""
_CLEAR = 2.0
_LEAST_CHOICES = 3

_Values = npt.NDArray[np.float64]
Answers = npt.NDArray[np.int64]
"""Placements and bonuses of a game, in order: cows, or a bonus of the kernels."""


@kernel
def _fill_end(setup: SetupRecord, state: StateRecord, values: _Values) -> None:
    """Fills in what an end is worth to each seat: its share of the victory, then its lead. …, float64[6], filled."""
    players = int(setup.players)
    winners = 0
    for seat in range(players):
        winners += (int(state.winners) >> seat) & 1
    for seat in range(players):
        most = 0
        for other in range(players):
            if other != seat:
                most = max(most, int(count_cows(setup, state, other)))
        share = ((int(state.winners) >> seat) & 1) / winners
        values[seat] = _SHARE * share + int(count_cows(setup, state, seat)) - most


@kernel
def _play_out(
    setup: SetupRecord, stack: States, solver: int, ends: int, values: npt.NDArray[np.float64]
) -> int:
    """Fills values[0] with what the end is worth to all seats if each plays its best from stack[0] on.

    With a solver, all others play against it. …, int64: a seat or `_NOBODY`, int64: how many ends may be seen,
    float64[_DEPTH, 6] → int64, how many are left; -1: there are more.
    """
    todo = np.empty(_DEPTH, dtype=np.int64)
    seats = np.empty(_DEPTH, dtype=np.int64)
    best = np.empty(_DEPTH)
    depth = 0
    todo[0] = _NEW
    while True:
        state = stack[depth]
        # 1. A new state: an end, or answers to try.
        if todo[depth] == _NEW:
            best[depth] = -1e18
            if state.phase == OVER:
                ends -= 1
                _fill_end(setup, state, values[depth])
                todo[depth] = -1
            elif ends <= 0 or depth + 1 == _DEPTH:
                return -1
            else:
                seats[depth] = to_act(setup, state)
                todo[depth] = int(option_count(setup, state)) - 1
        # 2. Down: the next answer.
        if todo[depth] >= 0:
            child = stack[depth + 1]
            copy_record(child, state)
            apply_option(setup, child, int(todo[depth]))
            todo[depth] -= 1
            depth += 1
            todo[depth] = _NEW
            continue
        # 3. Up: keep the child if it is the best yet for the seat that decides, or the worst for the solver.
        if depth == 0:
            return ends
        mover = int(seats[depth - 1])
        against = solver not in (_NOBODY, mover)
        worth = -values[depth, solver] if against else values[depth, mover]
        depth -= 1
        if worth > best[depth]:
            best[depth] = worth
            values[depth] = values[depth + 1]


@kernel
def _cows_of(setup: SetupRecord, before: StateRecord, after: StateRecord, index: int) -> int:
    """How many cows an answer puts on pastures at once. … × 2, int64 → int64."""
    if before.phase == PLACE:
        pair = int(before.line[before.line_next])
        pasture, colour = int(before.pair_pasture[pair]), int(before.pair_colour[pair])
        return int(after.herds[pasture, colour]) - int(before.herds[pasture, colour])
    bonus, cows = int(nth_bonus(bonus_room(setup, before), index)), 0
    while bonus:
        cows += 1
        bonus >>= 4
    return cows


@kernel
def may_be_puzzle(setup: SetupRecord, state: StateRecord, ends: int) -> bool:
    """Whether one placement or bonus of the last round seems to be clearly best, wins, and isn't obvious.

    …, where a seat has to place or to use a bonus, int64: how many ends may be seen → bool.
    """
    count = int(option_count(setup, state))
    if count < _LEAST_CHOICES or count > MOST_CHOICES:
        return False
    seat = int(to_act(setup, state))
    own_cows = int(count_cows(setup, state, seat))
    for other in range(setup.players if setup.players > 2 else 0):
        if int(count_cows(setup, state, other)) > own_cows + _MOST_BEHIND:
            return False
    stack = np.empty(_DEPTH, dtype=STATE)
    values = np.empty((_DEPTH, MAX_COLOURS))
    own, cows = np.empty(count), np.zeros(count, dtype=np.int64)
    for index in range(count):
        copy_record(stack[0], state)
        apply_option(setup, stack[0], index)
        cows[index] = _cows_of(setup, state, stack[0], index)
        ends = int(_play_out(setup, stack, _NOBODY, ends, values))
        if ends < 0:
            return False
        own[index] = values[0, seat]
    best = int(np.argmax(own))
    if own[best] < _SHARE / MAX_COLOURS / 2:
        return False
    if cows[best] == cows.max() and np.sum(cows == cows[best]) == 1:
        return False
    for index in range(count):
        if index != best and own[best] - own[index] < _CLEAR:
            return False
    worst = np.empty(count)
    for index in range(count):
        copy_record(stack[0], state)
        apply_option(setup, stack[0], index)
        ends = int(_play_out(setup, stack, seat, ends, values))
        if ends < 0:
            return False
        worst[index] = values[0, seat]
        if index > 0 and setup.players == 2 and worst[index] > worst[best]:
            return False
    return bool(np.sum(worst >= worst[best]) == 1)


@kernel
def _answer_along(
    setup: SetupRecord, state: StateRecord, wild: int, rng: RngState, answers: Answers, count: int
) -> None:
    """Gives an answer and notes it: the policy's, or with `wild` now and then another. …, changed, …, filled, int64."""
    if wild and below(rng, wild) == 0:
        index = int(below(rng, int(option_count(setup, state))))
        if state.phase == PLACE:
            answers[count] = nth(placements(state) | 1, index)
        else:
            answers[count] = nth_bonus(bonus_room(setup, state), index)
    else:
        answers[count] = lookahead_answer(setup, state)
    give_answer(setup, state, int(answers[count]))


@kernel
def play_to_last_round(
    setup: SetupRecord,
    state: StateRecord,
    temperature: float,
    rng: RngState,
    choices: Pool,
    answers: Answers,
) -> int:
    """Plays a quick game up to the choices of its last round, and notes what is chosen and answered.

    …, changed, float64, uint64[1], changed, int16[rounds, 6, 4], filled, int64[`MOST_ANSWERS`], filled → int64, the
    number of answers; -1 if the game ends before.
    """
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    count = 0
    while state.phase == CHOOSE and state.round_number < setup.rounds:
        laid = choices[int(state.round_number) - 1]
        lay_good_choices(setup, state, temperature, rng, scores, laid)
        run_on(setup, state)
        while state.phase in (PLACE, PAY):
            _answer_along(setup, state, 0, rng, answers, count)
            count += 1
    return count if state.phase == CHOOSE else -1


@kernel
def find_decision(
    setup: SetupRecord,
    start: StateRecord,
    phase: int,
    plays: int,
    temperature: float,
    rng: RngState,
    laid: Pool,
    answers: Answers,
    count: int,
) -> int:
    """Plays the last round several times, until a decision of a phase, `PLACE` or `PAY`, may be a puzzle.

    …, int64 × 2, float64, uint64[1], changed, int16[6, 4], filled: the choices, int64[`MOST_ANSWERS`] of which so many
    are known, filled, int64 → int64, the number of answers before it; -1 if there is none.
    """
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    state = new_state()
    for _ in range(plays):
        copy_record(state, start)
        lay_good_choices(setup, state, temperature, rng, scores, laid)
        run_on(setup, state)
        given = count
        while state.phase in (PLACE, PAY):
            if state.phase == phase and may_be_puzzle(setup, state, MOST_ENDS):
                return given
            _answer_along(setup, state, _WILD, rng, answers, given)
            given += 1
    return -1


def may_be_choice_puzzle(setup: SetupRecord, state: StateRecord) -> bool:
    """Whether one of the first of two players' last choices seems to be clearly best, by no mixture, and wins."""
    matrix, nodes = last_round_payoffs(setup, state, _SHARE, _MOST_NODES)
    if not _LEAST_CHOICES <= len(matrix) <= MOST_CHOICES or nodes >= _MOST_NODES:
        return False
    second, best = np.sort(matrix.min(axis=1))[-2:]
    pure = best == matrix.max(axis=0).min()
    return bool(pure and best > -_SHARE / 2 and best - second >= _CLEAR)
