"""Choices that were laid, compared with better ones: what each was worth before anybody knew the others'.

With two players a choice is weighed against what the other should have mixed (regret matching). With more, nobody plays
like that, and hundreds of choices are nearly as good: there a choice is weighed against all that the others may choose,
the likelier the better it looks to them, as the top level weighs its own (`stampede.search.zoff.heats`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stampede.kernels.rng import RngState
from stampede.kernels.zoff.layout import MAX_COLOURS, Choice, Choices, SetupRecord, StateRecord
from stampede.search.zoff.candidates import choice_code, find_candidates
from stampede.search.zoff.heats import ENTRANTS, enter, foresee, run_heats
from stampede.search.zoff.regret import match_regrets
from stampede.search.zoff.think import Effort, Tastes, first_heat, taste_table
from stampede.search.zoff.value import Net

__all__ = ["LEAD", "Judged", "judge_choices"]

LEAD: Tastes = (0.0, 1.0, 1.0, 0.0)
"""Worth in cows: own less the others' mean."""
_BY_SAMPLE = 200
"""Rounds for one sample of the first heat: all heats and the comparison after them take so many, with some to spare."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A choice that was laid, and the best one found.

    Attributes:
        best: int16[4]; what was laid if nothing better was found.
        value: What the laid one is worth, in cows of lead.
        best_value: What the best one is worth.
        share: How often the laid one should be played, where that is known.
    """

    best: Choice
    value: float
    best_value: float
    share: float | None


def judge_choices(
    setup: SetupRecord, state: StateRecord, laid: Choices, net: Net, effort: Effort, rng: RngState
) -> list[Judged]:
    """Weighs the choices that all seats laid in a round, seat by seat.

    `effort.rounds` are rounds for all together with two players, for each seat with more.
    """
    if setup.players == 2:
        return _by_regret(setup, state, laid, net, effort, rng)
    return _by_heats(setup, state, laid, net, effort, rng)


def _by_regret(
    setup: SetupRecord, state: StateRecord, laid: Choices, net: Net, effort: Effort, rng: RngState
) -> list[Judged]:
    """Everybody's candidates, what was laid among them, against what everybody should mix."""
    pool, sizes, indices = _candidates(setup, state, laid, net, effort, rng)
    mean, gains = np.zeros(pool.shape[:2]), np.zeros(pool.shape[:2])
    tastes = taste_table(LEAD, 0, LEAD)
    match_regrets(setup, state, net, tastes, rng, pool, sizes, effort.rounds, mean, gains)
    judged = []
    for seat, chosen in enumerate(indices):
        worth = gains[seat, : sizes[seat]]
        best = int(np.argmax(worth))
        share = float(mean[seat, chosen])
        judged.append(
            Judged(pool[seat, best].copy(), float(worth[chosen]), float(worth[best]), share)
        )
    return judged


def _candidates(
    setup: SetupRecord, state: StateRecord, laid: Choices, net: Net, effort: Effort, rng: RngState
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64], list[int]]:
    """Everybody's candidates with what was laid among them, and where it stands."""
    pool = np.zeros((MAX_COLOURS, max(effort.pool, effort.keep + 1), 4), dtype=np.int16)
    sizes = np.zeros(MAX_COLOURS, dtype=np.int64)
    tastes = taste_table(LEAD, 0, LEAD)
    find_candidates(setup, state, net, tastes, rng, pool, effort.samples, effort.keep, sizes)
    indices = []
    for seat in range(int(setup.players)):
        codes = [choice_code(pool[seat, index]) for index in range(sizes[seat])]
        code = choice_code(laid[seat])
        if code not in codes:
            pool[seat, len(codes)] = laid[seat]
            codes.append(code)
            sizes[seat] += 1
        indices.append(codes.index(code))
    return np.ascontiguousarray(pool[:, : int(sizes.max())]), sizes, indices


def _by_heats(
    setup: SetupRecord, state: StateRecord, laid: Choices, net: Net, effort: Effort, rng: RngState
) -> list[Judged]:
    """Heats find a seat's best choice; it and the laid one are then compared against new samples, the same for both.

    Whatever wins heats was lucky in them as well, so these don't tell by how much it is better.
    """
    tastes = taste_table(LEAD, 0, LEAD)
    pool = np.zeros((MAX_COLOURS, effort.pool, 4), dtype=np.int16)
    sizes, weights = np.zeros(MAX_COLOURS, dtype=np.int64), np.zeros(pool.shape[:2])
    foresee(setup, state, net, tastes, rng, pool, effort.samples, effort.turns, sizes, weights)
    last = bool(state.round_number == setup.rounds)
    samples, tries = first_heat(max(1, effort.rounds // _BY_SAMPLE), last=last)
    judged = []
    for seat in range(int(setup.players)):
        own = tastes[seat]
        few = np.zeros((ENTRANTS, 4), dtype=np.int16)
        few = few[: enter(setup, state, seat, net, own, rng, pool, sizes, weights, few)].copy()
        values = np.zeros(len(few))
        run_heats(
            setup, state, seat, net, own, tries, samples, rng, pool, sizes, weights, few, values
        )
        one = _sorted_pairs(laid[seat])
        code = choice_code(one)
        both = np.stack([one] if choice_code(few[0]) == code else [one, few[0]])
        values = np.zeros(len(both))
        run_heats(
            setup, state, seat, net, own, tries, samples, rng, pool, sizes, weights, both, values
        )
        # The better one is in front now.
        at = 0 if choice_code(both[0]) == code else 1
        judged.append(Judged(both[0], float(values[at]), float(values[0]), None))
    return judged


def _sorted_pairs(choice: Choice) -> Choice:
    """The smaller pasture first, as candidates have it with more than two players."""
    swap = choice[2] >= 0 and choice[0] > choice[2]
    return choice[[2, 3, 0, 1]] if swap else choice.copy()
