"""Deciding: from a state to a mixed strategy over choices, or to the utility of each answer.

Choices are secret and simultaneous, so that a good player mixes them. How depends on the effort:

- two players, last round: every pair of choices is searched to its end and the matrix game is solved exactly;
- otherwise either regret matching over a few candidates of every seat, or, stronger with three players and more,
  a prediction of the others' choices and successive halving of the own ones against it.

Answers (placements and bonuses) are public and come one after another: max^n search, then playouts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stampede.core.errors import InputError
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.layout import (
    CHOOSE,
    MAX_COLOURS,
    OVER,
    STATE,
    Choice,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.options import choice_count, nth_choice
from stampede.kernels.zoff.resolve import to_act
from stampede.search.zoff.candidates import Pool, find_candidates
from stampede.search.zoff.effort import BALANCED, Effort, Preferences, with_rounds
from stampede.search.zoff.matrix_game import last_round_payoffs, solve_matrix
from stampede.search.zoff.max_n import option_count, play_out_answers, search_answers
from stampede.search.zoff.regret import match_regrets
from stampede.search.zoff.successive_halving import (
    ENTRANTS,
    FINALISTS,
    SCREENED,
    predict_choices,
    run_successive_halving,
    select_entrants,
)
from stampede.search.zoff.value import Net

__all__ = [
    "BALANCED",
    "Effort",
    "MixedStrategy",
    "PredictedChoices",
    "Preferences",
    "evaluate_answers",
    "find_strategy",
    "first_stage",
    "mix_finalists",
    "predict",
    "preferences_by_seat",
    "with_rounds",
]

_MIX_TEMPERATURE = 0.3
"""Softmax temperature, in cows, by which the finalists of successive halving are mixed."""
_TRIES = 30
"""UCT iterations for each sample of choices in the last round, where there are a tenth of the samples."""
_EXACT_CHOICES = 90
_EXACT_NODES = 4_000_000
"""Nodes for the exact search of two players' last round: a second's worth. Few last rounds need more."""


@dataclass(frozen=True, slots=True)
class MixedStrategy:
    """A seat's choices with their probabilities and utilities, the likeliest first.

    Attributes:
        choices: int16[n, 4].
        weights: Probabilities.
        gains: The mean utility of each choice against the others' strategies.
        spent: Rounds played, or nodes searched.
        least: Choices rarer than this are never sampled: regret matching leaves traces of its first iterations.
    """

    choices: Pool
    weights: npt.NDArray[np.float64]
    gains: npt.NDArray[np.float64]
    spent: int
    least: float = 0.05

    def probabilities(self) -> npt.NDArray[np.float64]:
        """The probabilities with which choices are sampled."""
        kept = np.where(self.weights >= min(self.least, self.weights.max()), self.weights, 0.0)
        return np.asarray(kept / kept.sum())

    def sample(self, point: float) -> Choice:
        """The choice at this point of the cumulative distribution, from 0 to 1."""
        sums = np.cumsum(self.probabilities())
        chosen: Choice = self.choices[min(int(np.searchsorted(sums, point)), len(sums) - 1)]
        return chosen


def _expect_choosing(state: StateRecord) -> None:
    if state.phase != CHOOSE:
        raise InputError("expected a state in which all choose: the request is outdated")


def preferences_by_seat(
    preferences: Preferences, seat: int, others: Preferences = BALANCED
) -> npt.NDArray[np.float64]:
    """Every seat's preferences, float64[6, 4]: this seat's own, and what it assumes of the others."""
    by_seat = np.tile(np.array(others), (MAX_COLOURS, 1))
    by_seat[seat] = preferences
    return by_seat


def find_strategy(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    effort: Effort,
    rng: RngState,
    preferences: Preferences = BALANCED,
) -> MixedStrategy:
    """A seat's strategy where all choose. The state must hold all hands, known or guessed.

    Raises:
        InputError: The state isn't one in which all choose.
    """
    _expect_choosing(state)
    if effort.exact and setup.players == 2 and state.round_number == setup.rounds:
        sizes = [int(choice_count(setup, state, player)) for player in range(2)]
        if max(sizes) <= _EXACT_CHOICES:
            return _exact_strategy(setup, state, seat, preferences)
    by_seat = preferences_by_seat(preferences, seat)
    if effort.halving_samples > 0:
        return _halving_strategy(setup, state, seat, net, effort, by_seat, rng)
    pool = np.zeros((MAX_COLOURS, effort.pool, 4), dtype=np.int16)
    counts = np.zeros(MAX_COLOURS, dtype=np.int64)
    spent = effort.pool * effort.samples * int(setup.players)
    find_candidates(setup, state, net, by_seat, rng, pool, effort.samples, effort.keep, counts)
    size = int(counts[seat])
    if effort.rounds == 0:
        one = np.ones(1)
        return MixedStrategy(pool[seat, :1].copy(), one, np.zeros(1), spent)
    pool = np.ascontiguousarray(pool[:, : int(counts.max())])
    mean, gains = np.zeros(pool.shape[:2]), np.zeros(pool.shape[:2])
    spent += match_regrets(
        setup, state, net, by_seat, rng, pool, counts, effort.rounds, mean, gains
    )
    order = np.argsort(-mean[seat, :size], kind="stable")
    return MixedStrategy(pool[seat][order], mean[seat][order], gains[seat][order], spent)


def first_stage(samples: int, *, last: bool) -> tuple[int, int]:
    """The samples of the first stage, and the UCT iterations that end the round of each (0: the quick policy does)."""
    return (max(1, samples // 10), _TRIES) if last else (samples, 0)


@dataclass(frozen=True, slots=True)
class PredictedChoices:
    """What every seat may choose.

    Attributes:
        pool: Good choices of every seat, int16[6, n, 4].
        sizes: By seat: how many, int64[6].
        weights: How likely each is, float64[6, n].
    """

    pool: Pool
    sizes: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


def predict(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    effort: Effort,
    preferences: npt.NDArray[np.float64],
    rng: RngState,
) -> PredictedChoices:
    """Predicts the choices of a round by quantal response; preferences by seat."""
    pool = np.zeros((MAX_COLOURS, effort.pool, 4), dtype=np.int16)
    sizes, weights = np.zeros(MAX_COLOURS, dtype=np.int64), np.zeros(pool.shape[:2])
    samples, iterations = effort.samples, effort.response_iterations
    predict_choices(setup, state, net, preferences, rng, pool, samples, iterations, sizes, weights)
    return PredictedChoices(pool, sizes, weights)


def _halving_strategy(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    effort: Effort,
    preferences: npt.NDArray[np.float64],
    rng: RngState,
) -> MixedStrategy:
    """Successive halving against the others' predicted choices; a softmax over the finalists is the strategy."""
    predicted = predict(setup, state, net, effort, preferences, rng)
    pool, counts, weights = predicted.pool, predicted.sizes, predicted.weights
    chosen = np.zeros((ENTRANTS, 4), dtype=np.int16)
    own = preferences[seat]
    size = int(select_entrants(setup, state, seat, net, own, rng, pool, counts, weights, chosen))
    chosen, values = chosen[:size].copy(), np.zeros(size)
    spent = effort.pool * (
        effort.samples * effort.response_iterations * int(setup.players) + SCREENED
    )
    samples, tries = first_stage(
        effort.halving_samples, last=bool(state.round_number == setup.rounds)
    )
    spent += run_successive_halving(
        setup, state, seat, net, own, tries, samples, rng, pool, counts, weights, chosen, values
    )
    return MixedStrategy(chosen, mix_finalists(values), values, spent)


def mix_finalists(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The probabilities of choices that successive halving has sorted: a softmax over its finalists."""
    mixed = np.zeros(len(values))
    mixed[:FINALISTS] = np.exp((values[:FINALISTS] - values[0]) / _MIX_TEMPERATURE)
    return np.asarray(mixed / mixed.sum())


def _exact_strategy(
    setup: SetupRecord, state: StateRecord, seat: int, preferences: Preferences
) -> MixedStrategy:
    """Two players' last round: an equilibrium of the matrix game over all choices.

    A victory swings the difference of both utilities by twice its weight, so half of it counts on each side.
    """
    matrix, nodes = last_round_payoffs(setup, state, preferences[0] / 2, _EXACT_NODES)
    solution = solve_matrix(matrix)
    weights = solution.row if seat == 0 else solution.column
    gains = matrix @ solution.column if seat == 0 else -(solution.row @ matrix)
    choices = np.zeros((len(weights), 4), dtype=np.int16)
    for index in range(len(weights)):
        nth_choice(setup, state, seat, index, choices[index])
    order = np.argsort(-weights, kind="stable")
    return MixedStrategy(choices[order], weights[order], gains[order], nodes, least=1e-6)


def evaluate_answers(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    effort: Effort,
    rng: RngState,
    preferences: Preferences = BALANCED,
) -> npt.NDArray[np.float64]:
    """The utility of each answer for the seat that has to place cows or to use a bonus.

    Raises:
        InputError: No seat is asked for a placement or a bonus.
    """
    if state.phase in (CHOOSE, OVER):
        raise InputError("expected a placement or a bonus to decide: the request is outdated")
    count = int(option_count(setup, state))
    results, ends = np.zeros(count), np.zeros(count, dtype=STATE)
    search_answers(setup, state, net, np.array([preferences]), effort.leaves, results, ends)
    if effort.answer_playouts:
        seat, own = int(to_act(setup, state)), np.array(preferences)
        play_out_answers(setup, seat, own, effort.answer_playouts, rng, ends, results)
    return results
