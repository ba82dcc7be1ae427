"""Reviews the choices of a round: what each was worth before the reveal, and which would have been better.

With two players a choice is evaluated against the other's equilibrium strategy (regret matching). With more, people
don't play like that, and hundreds of choices are nearly as good: there it is evaluated against the others' predicted
choices, as the top level does with its own (`stampede.search.zoff.successive_halving`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stampede.kernels.rng import RngState
from stampede.kernels.zoff.layout import (
    MAX_COLOURS,
    PASTURE_1,
    PASTURE_2,
    Choice,
    Choices,
    SetupRecord,
    StateRecord,
)
from stampede.search.zoff.candidates import choice_code, find_candidates
from stampede.search.zoff.regret import match_regrets
from stampede.search.zoff.strategy import (
    Effort,
    PredictedChoices,
    Preferences,
    first_stage,
    mix_finalists,
    predict,
    preferences_by_seat,
)
from stampede.search.zoff.successive_halving import (
    ENTRANTS,
    run_successive_halving,
    select_entrants,
)
from stampede.search.zoff.value import Net

__all__ = [
    "LEAD",
    "ReviewedChoice",
    "ReviewedChoices",
    "find_mixture",
    "pick_likeliest",
    "review_choices",
]

LEAD: Preferences = (0.0, 1.0, 1.0, 0.0, 0.0, 0.0)
"""Worth in cows: own less the others' mean."""
MIXED = 4
LEAST_SHARE = 0.05
"""A mixture names at most so many choices, none rarer than this."""
_BY_SAMPLE = 200
"""Rounds for one sample of the first stage: enough for all stages and the comparison after them."""


@dataclass(frozen=True, slots=True)
class ReviewedChoice:
    """A choice that was laid, and the best one found.

    Attributes:
        best: int16[4]; what was laid if nothing better was found.
        value: What the laid one is worth, in cows of lead.
        best_value: What the best one is worth.
        share: How often the laid one should be played, where that is known.
        mixture: Choices with how often a strong player makes them and their values, the likeliest first.
    """

    best: Choice
    value: float
    best_value: float
    share: float | None
    mixture: tuple[tuple[Choice, float, float], ...]


@dataclass(frozen=True, slots=True)
class ReviewedChoices:
    """The choices of a round.

    Attributes:
        by_seat: What was laid, seat by seat.
        predicted: What every seat might have chosen, as the others are taken to have known it.
    """

    by_seat: tuple[ReviewedChoice, ...]
    predicted: PredictedChoices


def review_choices(
    setup: SetupRecord, state: StateRecord, laid: Choices, net: Net, effort: Effort, rng: RngState
) -> ReviewedChoices:
    """Reviews the choices that all seats laid in a round.

    `effort.rounds` are rounds for all together with two players, for each seat with more.
    """
    if setup.players == 2:
        return _by_regret(setup, state, laid, net, effort, rng)
    return _by_halving(setup, state, laid, net, effort, rng)


def _by_regret(
    setup: SetupRecord, state: StateRecord, laid: Choices, net: Net, effort: Effort, rng: RngState
) -> ReviewedChoices:
    """All seats' candidates, what was laid among them, against the strategies of regret matching."""
    pool, sizes, indices = _candidates(setup, state, laid, net, effort, rng)
    mean, gains = np.zeros(pool.shape[:2]), np.zeros(pool.shape[:2])
    preferences = preferences_by_seat(LEAD, 0, LEAD)
    match_regrets(setup, state, net, preferences, rng, pool, sizes, effort.rounds, mean, gains)
    reviewed = []
    for seat, chosen in enumerate(indices):
        worth = gains[seat, : sizes[seat]]
        best = int(np.argmax(worth))
        share = float(mean[seat, chosen])
        reviewed.append(
            ReviewedChoice(
                best=pool[seat, best].copy(),
                value=float(worth[chosen]),
                best_value=float(worth[best]),
                share=share,
                mixture=pick_likeliest(pool[seat], mean[seat, : sizes[seat]], worth),
            )
        )
    return ReviewedChoices(tuple(reviewed), PredictedChoices(pool, sizes, mean))


def pick_likeliest(
    choices: Choices,
    shares: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64],
    least: float = LEAST_SHARE,
) -> tuple[tuple[Choice, float, float], ...]:
    """The likeliest choices; rare ones are left out, as regret matching leaves traces of its first iterations."""
    order = np.argsort(-shares, kind="stable")[:MIXED]
    return tuple(
        (choices[index].copy(), float(shares[index]), float(values[index]))
        for index in order
        if shares[index] >= least
    )


def _candidates(
    setup: SetupRecord, state: StateRecord, laid: Choices, net: Net, effort: Effort, rng: RngState
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64], list[int]]:
    """All seats' candidates with what was laid among them, and where it stands."""
    pool = np.zeros((MAX_COLOURS, max(effort.pool, effort.keep + 1), 4), dtype=np.int16)
    sizes = np.zeros(MAX_COLOURS, dtype=np.int64)
    preferences = preferences_by_seat(LEAD, 0, LEAD)
    find_candidates(setup, state, net, preferences, rng, pool, effort.samples, effort.keep, sizes)
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


def _by_halving(
    setup: SetupRecord, state: StateRecord, laid: Choices, net: Net, effort: Effort, rng: RngState
) -> ReviewedChoices:
    """Successive halving finds a seat's best choice; then it and the laid one are compared against fresh samples.

    The fresh samples avoid the winner's curse: what wins the stages was lucky in them as well, so its value there is
    biased upwards.
    """
    preferences = preferences_by_seat(LEAD, 0, LEAD)
    predicted = predict(setup, state, net, effort, preferences, rng)
    pool, sizes, weights = predicted.pool, predicted.sizes, predicted.weights
    last = bool(state.round_number == setup.rounds)
    samples, tries = first_stage(max(1, effort.rounds // _BY_SAMPLE), last=last)
    reviewed = []
    for seat in range(int(setup.players)):
        own = preferences[seat]
        few, values = _finalists(setup, state, seat, net, effort, predicted, rng)
        mixture = pick_likeliest(few, mix_finalists(values), values)
        one = _sorted_pairs(laid[seat])
        code = choice_code(one)
        both = np.stack([one] if choice_code(few[0]) == code else [one, few[0]])
        values = np.zeros(len(both))
        run_successive_halving(
            setup, state, seat, net, own, tries, samples, rng, pool, sizes, weights, both, values
        )
        # The better one is in front now.
        at = 0 if choice_code(both[0]) == code else 1
        reviewed.append(ReviewedChoice(both[0], float(values[at]), float(values[0]), None, mixture))
    return ReviewedChoices(tuple(reviewed), predicted)


def find_mixture(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    effort: Effort,
    predicted: PredictedChoices,
    rng: RngState,
) -> tuple[tuple[Choice, float, float], ...]:
    """What a strong player mixes against the others' predicted choices, with its worth; for three players and more."""
    few, values = _finalists(setup, state, seat, net, effort, predicted, rng)
    return pick_likeliest(few, mix_finalists(values), values)


def _finalists(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    effort: Effort,
    predicted: PredictedChoices,
    rng: RngState,
) -> tuple[Choices, npt.NDArray[np.float64]]:
    """A seat's best choices by successive halving, the best first, with their worth."""
    pool, sizes, weights = predicted.pool, predicted.sizes, predicted.weights
    own = preferences_by_seat(LEAD, 0, LEAD)[seat]
    last = bool(state.round_number == setup.rounds)
    samples, tries = first_stage(max(1, effort.rounds // _BY_SAMPLE), last=last)
    few = np.zeros((ENTRANTS, 4), dtype=np.int16)
    few = few[
        : select_entrants(setup, state, seat, net, own, rng, pool, sizes, weights, few)
    ].copy()
    values = np.zeros(len(few))
    run_successive_halving(
        setup, state, seat, net, own, tries, samples, rng, pool, sizes, weights, few, values
    )
    return few, values


def _sorted_pairs(choice: Choice) -> Choice:
    """The smaller pasture first, as candidates have it with more than two players."""
    swap = choice[PASTURE_2] >= 0 and choice[PASTURE_1] > choice[PASTURE_2]
    return choice[[2, 3, 0, 1]] if swap else choice.copy()
