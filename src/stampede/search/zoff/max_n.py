"""Max^n search over the answers (placements, bonuses) that are left in a round, with the value function at its leaves.

Each seat maximises its own utility. Depth grows by iterative deepening, as far as a budget of leaves allows.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import nth, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, draw
from stampede.kernels.zoff.layout import (
    CHOOSE,
    OVER,
    PLACE,
    STATE,
    SetupRecord,
    StateRecord,
    States,
)
from stampede.kernels.zoff.lookahead import lookahead_bonus
from stampede.kernels.zoff.options import bonus_count, bonus_room, nth_bonus, placements
from stampede.kernels.zoff.records import copy_record
from stampede.kernels.zoff.resolve import give_answer, to_act
from stampede.search.zoff.utilities import playout_utilities, utilities, utilities_after_round
from stampede.search.zoff.value import Net, Values

__all__ = ["MAX_DEPTH", "apply_option", "option_count", "play_out_answers", "search_answers"]

MAX_DEPTH = 12
_FEW = 20
"""Inside the tree, a bonus with more ways than this gets one child only: the look-ahead policy's answer."""

_CLOSE = 2.5
"""Answers that look so many cows worse than the best one get no playouts."""

# Marks in `todo`, which otherwise holds the number of the next answer to try, or -1 when none is left.
_NEW = -2
_POLICY = 1_000_000

Counters = npt.NDArray[np.int64]
"""int64[3]: leaves so far, the budget, and whether the search was cut anywhere."""
_LEAVES, _BUDGET, _CUT = 0, 1, 2


@kernel
def option_count(setup: SetupRecord, state: StateRecord) -> int:
    """How many answers the seat to act has. … → int64."""
    if state.phase == PLACE:
        return popcount(placements(state)) + 1
    return bonus_count(bonus_room(setup, state))


@kernel
def apply_option(setup: SetupRecord, state: StateRecord, index: int) -> None:
    """Gives the answer with this number, and carries on. …, changed, int64."""
    if state.phase == PLACE:
        give_answer(setup, state, nth(placements(state) | 1, index))
    else:
        give_answer(setup, state, nth_bonus(bonus_room(setup, state), index))


@kernel
def _leaf(
    setup: SetupRecord,
    state: StateRecord,
    left: int,
    net: Net,
    preferences: npt.NDArray[np.float64],
    counters: Counters,
    values: Values,
) -> bool:
    """Whether the look-ahead ends here, with so many levels left; then fills in all utilities. …, float64[6] → bool.

    The state is then that of the round's end.
    """
    over = state.phase in (CHOOSE, OVER)
    if not over and left > 0:
        return False
    counters[_LEAVES] += 1
    if over:
        utilities(setup, state, net, preferences[0], values)
    else:
        counters[_CUT] = 1
        utilities_after_round(setup, state, net, preferences[0], values)
    return True


@kernel
def _explore(
    setup: SetupRecord,
    stack: States,
    limit: int,
    net: Net,
    preferences: npt.NDArray[np.float64],
    counters: Counters,
    values: npt.NDArray[np.float64],
    ends: States,
) -> None:
    """Fills values[0] with all seats' utilities if each plays its best from stack[0] on; ends[0] with the final state.

    A loop with its own stack: recursive kernels crash when they are loaded from the cache (see `kernel`).
    """
    todo = np.empty(MAX_DEPTH + 2, dtype=np.int64)  # the next answer to try, from the last one down
    seats = np.empty(MAX_DEPTH + 2, dtype=np.int64)
    best = np.empty(MAX_DEPTH + 2)
    depth = 0
    todo[0] = _NEW
    while True:
        state = stack[depth]
        # 1. A new position: the end of the round, or of the look-ahead, or answers to try.
        if todo[depth] == _NEW:
            left = limit - depth if counters[_LEAVES] < counters[_BUDGET] else 0
            best[depth] = -1e18
            if _leaf(setup, state, left, net, preferences, counters, values[depth]):
                copy_record(ends[depth], state)
                todo[depth] = -1
            else:
                count = int(option_count(setup, state))
                seats[depth] = to_act(setup, state)
                many = state.phase != PLACE and count > _FEW
                counters[_CUT] |= many
                todo[depth] = _POLICY if many else count - 1
        # 2. Down: the next answer; of a bonus with many ways only the policy's.
        if todo[depth] >= 0:
            child = stack[depth + 1]
            copy_record(child, state)
            if todo[depth] == _POLICY:
                give_answer(setup, child, lookahead_bonus(setup, child))
                todo[depth] = -1
            else:
                apply_option(setup, child, int(todo[depth]))
                todo[depth] -= 1
            depth += 1
            todo[depth] = _NEW
            continue
        # 3. Up: keep the child if it is the best yet for the seat that decides; all seats' values go along.
        if depth == 0:
            return
        worth = values[depth, seats[depth - 1]]
        depth -= 1
        if worth > best[depth]:
            best[depth] = worth
            values[depth] = values[depth + 1]
            copy_record(ends[depth], ends[depth + 1])


@kernel
def search_answers(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    preferences: npt.NDArray[np.float64],
    budget: int,
    results: Values,
    ends: States,
) -> int:
    """Fills in the utility of each answer for the seat to act, by iterative deepening within a budget of leaves.

    …, float64[1, 6]: the same preferences for all, int64 > 0, float64[n], filled, `STATE`[n], filled: where the round
    is expected to end → int64, the leaves looked at.
    """
    count = int(option_count(setup, state))
    seat = int(to_act(setup, state))
    stack = np.empty(MAX_DEPTH + 2, dtype=STATE)
    values = np.empty((MAX_DEPTH + 2, 6))
    counters = np.zeros(3, dtype=np.int64)
    found = np.empty(count)
    found_ends = np.empty(count, dtype=STATE)
    lines = np.empty(MAX_DEPTH + 2, dtype=STATE)
    for limit in range(1, MAX_DEPTH + 1):
        counters[_BUDGET] = budget
        counters[_CUT] = 0
        before = int(counters[_LEAVES])
        for index in range(count):
            copy_record(stack[0], state)
            apply_option(setup, stack[0], index)
            _explore(setup, stack, limit - 1, net, preferences, counters, values, lines)
            found[index] = values[0, seat]
            copy_record(found_ends[index], lines[0])
        # An iteration that ran out of budget is incomplete, so its values are dropped; the first one always counts.
        if limit > 1 and counters[_LEAVES] >= budget:
            break
        results[:count] = found
        for index in range(count):
            copy_record(ends[index], found_ends[index])
        # Another level costs about three times as much: stop if that can't be paid, or nothing was cut.
        if counters[_CUT] == 0 or counters[_LEAVES] + 3 * (counters[_LEAVES] - before) > budget:
            break
    return int(counters[_LEAVES])


@kernel
def play_out_answers(
    setup: SetupRecord,
    seat: int,
    preferences: Values,
    games: int,
    rng: RngState,
    ends: States,
    results: Values,
) -> None:
    """Refines the best answers by playouts from where the round is expected to end, with common random numbers.

    …, float64[6], int64 > 0, uint64[1], changed, `STATE`[n], float64[n], changed. Answers that looked much
    worse keep their distance from the one that looked best.
    """
    best = int(np.argmax(results))
    before = float(results[best])
    values = np.empty(6)
    luck = np.empty(1, dtype=np.uint64)
    seed = draw(rng)
    shift = 0.0
    close = results >= before - _CLOSE
    order = np.argsort(-results)
    for at in range(min(len(order), _FEW)):
        index = order[at]
        if not close[index]:
            break
        luck[0] = seed
        playout_utilities(setup, ends[index], preferences, games, luck, values)
        results[index] = values[seat]
        if index == best:
            shift = float(values[seat]) - before
    for at in range(len(order)):
        index = order[at]
        if not close[index] or at >= _FEW:
            results[index] += shift
