"""Deciding: from a state to a mixed strategy over choices, or to the utility of each answer.

Choices are secret and simultaneous, so that a good player mixes them. How depends on the effort:

- two players, last round: every pair of choices is searched to its end and the matrix game is solved exactly;
- otherwise either regret matching over a few candidates of every seat, or, stronger with three players and more,
  a prediction of the others' choices and successive halving of the own ones against it.

Both can take into account that a rival may err, as likely as the caller says: see `stampede.search.zoff.rivals`.

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
from stampede.search.zoff.candidates import (
    POOL_TEMPERATURE,
    Pool,
    choice_code,
    draw_pools,
    find_candidates,
    screen,
)
from stampede.search.zoff.effort import BALANCED, Effort, Preferences, with_rounds
from stampede.search.zoff.last_round import solve_last_round
from stampede.search.zoff.max_n import option_count, play_out_answers, search_answers
from stampede.search.zoff.regret import match_regrets_with_model
from stampede.search.zoff.rivals.random_tree import sample_choices
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
    "Trust",
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
_EXACT_NODES = 8_000_000
"""Nodes for the exact search of two players' last round: 1.7 seconds at most. Few last rounds need more."""
_MODEL_SIMULATIONS = 1_500
"""Random games for each pair of a choice that a rival who errs makes, in our model."""
_MODEL_UCT = 0.3
"""How much that rival explores; returns differ by about as much from game to game."""
_LEAST_TRUST = 0.05
"""Rivals who err with less probability than this are predicted without that model, which would cost time."""

Trust = npt.NDArray[np.float64]
"""float64[6]: by seat, how likely it errs as the model says."""


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
    """Every seat's preferences, float64[6, 6]: this seat's own, and what it assumes of the others."""
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
    trust: Trust | None = None,
) -> MixedStrategy:
    """A seat's strategy where all choose. The state must hold all hands, known or guessed.

    `trust` says how likely each other seat errs as the model says; None: not at all. Only efforts with a model use it.

    Raises:
        InputError: The state isn't one in which all choose.
    """
    _expect_choosing(state)
    if effort.exact and setup.players == 2 and state.round_number == setup.rounds:
        sizes = [int(choice_count(setup, state, player)) for player in range(2)]
        if max(sizes) <= _EXACT_CHOICES:
            return _exact_strategy(setup, state, seat, preferences)
    by_seat = preferences_by_seat(preferences, seat)
    models = _sample_models(setup, state, seat, effort, trust, rng)
    if effort.halving_samples > 0:
        return _halving_strategy(setup, state, seat, net, effort, by_seat, models, rng)
    return _regret_strategy(setup, state, seat, net, effort, by_seat, models, rng)


@dataclass(frozen=True, slots=True)
class _Models:
    """Choices of the seats that may err: int16[6, n, 4], and how likely they do, float64[6]; 0: no choices."""

    choices: Pool
    trust: Trust
    spent: int


def _sample_models(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    effort: Effort,
    trust: Trust | None,
    rng: RngState,
) -> _Models:
    choices = np.zeros((MAX_COLOURS, effort.model_samples, 4), dtype=np.int16)
    trusted, spent = np.zeros(MAX_COLOURS), 0
    for other in range(setup.players):
        if trust is None or effort.model_samples == 0 or other == seat:
            continue
        if trust[other] >= _LEAST_TRUST:
            trusted[other] = trust[other]
            sample_choices(setup, state, other, _MODEL_SIMULATIONS, _MODEL_UCT, rng, choices[other])
            spent += 2 * effort.model_samples * _MODEL_SIMULATIONS
    return _Models(choices, trusted, spent)


def _regret_strategy(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    effort: Effort,
    preferences: npt.NDArray[np.float64],
    models: _Models,
    rng: RngState,
) -> MixedStrategy:
    """Regret matching over candidates; with two players, who may err, a restricted Nash response."""
    pool = np.zeros((MAX_COLOURS, effort.pool, 4), dtype=np.int16)
    counts = np.zeros(MAX_COLOURS, dtype=np.int64)
    spent = effort.pool * effort.samples * int(setup.players) + models.spent
    find_candidates(setup, state, net, preferences, rng, pool, effort.samples, effort.keep, counts)
    if effort.rounds == 0:
        one = np.ones(1)
        return MixedStrategy(pool[seat, :1].copy(), one, np.zeros(1), spent)
    expected, trust = np.zeros(pool.shape[:2]), np.zeros(MAX_COLOURS)
    if setup.players == 2 and models.trust[1 - seat] > 0:
        trust[seat] = models.trust[1 - seat]
        others = np.zeros((effort.model_samples, MAX_COLOURS, 4), dtype=np.int16)
        others[:, 1 - seat] = models.choices[1 - seat]
        own = preferences[seat]
        _add_responses(setup, state, seat, net, effort.keep, own, others, pool, counts, rng)
        size = int(counts[seat])
        screen(setup, state, net, own, seat, pool[seat], size, others, expected[seat])
    size = int(counts[seat])
    width = int(counts.max())
    pool, expected = (np.ascontiguousarray(part[:, :width]) for part in (pool, expected))
    mean, gains = np.zeros(pool.shape[:2]), np.zeros(pool.shape[:2])
    spent += match_regrets_with_model(
        setup,
        state,
        net,
        preferences,
        rng,
        pool,
        counts,
        effort.rounds,
        expected,
        trust,
        mean,
        gains,
    )
    order = np.argsort(-mean[seat, :size], kind="stable")
    return MixedStrategy(pool[seat][order], mean[seat][order], gains[seat][order], spent)


def _add_responses(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    most: int,
    preferences: npt.NDArray[np.float64],
    others: Pool,
    pool: Pool,
    counts: npt.NDArray[np.int64],
    rng: RngState,
) -> None:
    """Adds to a seat's candidates the best choices against these of the others, as many as fit in."""
    fresh, sizes = np.zeros_like(pool), np.zeros_like(counts)
    draw_pools(setup, state, POOL_TEMPERATURE, 0, rng, fresh, sizes)
    values = np.empty(int(sizes[seat]))
    screen(setup, state, net, preferences, seat, fresh[seat], len(values), others, values)
    size = int(counts[seat])
    known = {choice_code(choice) for choice in pool[seat, :size]}
    for index in np.argsort(-values, kind="stable")[:most]:
        if size < pool.shape[1] and choice_code(fresh[seat, index]) not in known:
            pool[seat, size] = fresh[seat, index]
            size += 1
    counts[seat] = size


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
    models: _Models,
    rng: RngState,
) -> MixedStrategy:
    """Successive halving against the others' predicted choices; a softmax over the finalists is the strategy."""
    predicted = _with_models(predict(setup, state, net, effort, preferences, rng), models)
    pool, counts, weights = predicted.pool, predicted.sizes, predicted.weights
    chosen = np.zeros((ENTRANTS, 4), dtype=np.int16)
    own = preferences[seat]
    size = int(select_entrants(setup, state, seat, net, own, rng, pool, counts, weights, chosen))
    chosen, values = chosen[:size].copy(), np.zeros(size)
    spent = effort.pool * (
        effort.samples * effort.response_iterations * int(setup.players) + SCREENED
    )
    spent += models.spent
    samples, tries = first_stage(
        effort.halving_samples, last=bool(state.round_number == setup.rounds)
    )
    spent += run_successive_halving(
        setup, state, seat, net, own, tries, samples, rng, pool, counts, weights, chosen, values
    )
    return MixedStrategy(chosen, mix_finalists(values), values, spent)


def _with_models(predicted: PredictedChoices, models: _Models) -> PredictedChoices:
    """The prediction, in which seats that may err choose by the model as likely as they do."""
    if not models.trust.any():
        return predicted
    pool = np.concatenate([predicted.pool, np.zeros_like(models.choices)], axis=1)
    weights = np.concatenate([predicted.weights, np.zeros(models.choices.shape[:2])], axis=1)
    sizes, more = predicted.sizes.copy(), models.choices.shape[1]
    for seat in np.flatnonzero(models.trust):
        size, trust = int(sizes[seat]), models.trust[seat]
        pool[seat, size : size + more] = models.choices[seat]
        weights[seat, :size] *= 1 - trust
        weights[seat, size : size + more] = trust / more
        sizes[seat] += more
    return PredictedChoices(pool, sizes, weights)


def mix_finalists(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The probabilities of choices that successive halving has sorted: a softmax over its finalists."""
    mixed = np.zeros(len(values))
    mixed[:FINALISTS] = np.exp((values[:FINALISTS] - values[0]) / _MIX_TEMPERATURE)
    return np.asarray(mixed / mixed.sum())


def _exact_strategy(
    setup: SetupRecord, state: StateRecord, seat: int, preferences: Preferences
) -> MixedStrategy:
    """Two players' last round, solved over all choices.

    A victory swings the difference of both utilities by twice its weight, so half of it counts on each side.
    """
    solved = solve_last_round(setup, state, seat, preferences[0] / 2, _EXACT_NODES)
    choices = np.zeros((len(solved.weights), 4), dtype=np.int16)
    for index in range(len(choices)):
        nth_choice(setup, state, seat, index, choices[index])
    order = np.argsort(-solved.weights, kind="stable")
    weights, gains = solved.weights[order], solved.gains[order]
    return MixedStrategy(choices[order], weights, gains, solved.nodes, least=1e-6)


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
