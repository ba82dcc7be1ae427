"""Thinking about a decision: from a state to a mixture over choices, or to the worth of each answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
from stampede.search.zoff.heats import ENTRANTS, FINALISTS, SCREENED, enter, foresee, run_heats
from stampede.search.zoff.lookahead import look_ahead, option_count, play_out_answers
from stampede.search.zoff.matrix import last_round_matrix, solve_matrix
from stampede.search.zoff.regret import match_regrets
from stampede.search.zoff.value import Net

__all__ = [
    "BALANCED",
    "Effort",
    "Mixture",
    "Tastes",
    "first_heat",
    "mix_choices",
    "taste_table",
    "weigh_answers",
    "with_rounds",
]

Tastes = tuple[float, float, float, float]
"""What a utility is made of: see `stampede.search.zoff.rounds.utilities`."""
BALANCED: Tastes = (8.0, 1.0, 1.0, 0.0)
_WARMTH = 0.3
"""How many cows less than the best finalist a choice may promise and still be played now and then."""
_TRIES = 30
"""In the last round: answers tried for each sample of choices. A tenth of the samples has to do there."""
_EXACT_CHOICES = 90
_EXACT_NODES = 4_000_000
"""Positions that may be looked at for two players' last round: a second's worth. Few last rounds need more."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to think, in numbers and not in seconds, so that it can be repeated.

    Attributes:
        pool: Good choices drawn for each seat.
        samples: Samples of the others' choices that these are screened against.
        keep: Candidates of each seat that stay for regret matching.
        rounds: Rounds played by regret matching; 0 leaves it out: then the best screened choice is taken.
        leaves: Ends of rounds looked at for a placement or a bonus.
        exact: Whether two players' last round is solved exactly, unless it is very long.
        heats: Instead of regret matching: samples of the first heat in which own choices are weighed against what is
            foreseen of the others; 0: no heats.
        turns: How often it is foreseen what everybody may choose, each time in answer to the last; with heats only.
        answer_outs: Games played out for each of the best answers to a placement or a bonus; 0: none.
    """

    pool: int = 48
    samples: int = 8
    keep: int = 12
    rounds: int = 20_000
    leaves: int = 2_000
    exact: bool = False
    heats: int = 0
    turns: int = 2
    answer_outs: int = 0

    def __post_init__(self) -> None:
        for name in ("pool", "samples", "keep", "leaves", "turns"):
            if getattr(self, name) < 1:
                raise InputError(f"effort.{name}: expected at least 1, got {getattr(self, name)}")
        for name in ("rounds", "heats", "answer_outs"):
            if getattr(self, name) < 0:
                raise InputError(f"effort.{name}: expected at least 0, got {getattr(self, name)}")


def with_rounds(effort: Effort, rounds: int) -> Effort:
    """The same effort with another budget for regret matching; InputError when it is none."""
    if rounds < 1:
        raise InputError(f"rounds: expected at least 1, got {rounds}")
    return replace(effort, rounds=rounds)


@dataclass(frozen=True, slots=True)
class Mixture:
    """A seat's choices with their probabilities and utilities, the likeliest first.

    Attributes:
        choices: int16[n, 4].
        weights: Probabilities.
        gains: The mean utility of each choice against the others' mixtures.
        spent: Rounds played, or positions looked at.
        least: Choices rarer than this are never drawn: regret matching leaves traces of its first turns.
    """

    choices: Pool
    weights: npt.NDArray[np.float64]
    gains: npt.NDArray[np.float64]
    spent: int
    least: float = 0.05

    def played(self) -> npt.NDArray[np.float64]:
        """The probabilities with which choices are drawn."""
        kept = np.where(self.weights >= min(self.least, self.weights.max()), self.weights, 0.0)
        return np.asarray(kept / kept.sum())

    def drawn(self, point: float) -> Choice:
        """The choice at this point between 0 and 1."""
        sums = np.cumsum(self.played())
        chosen: Choice = self.choices[min(int(np.searchsorted(sums, point)), len(sums) - 1)]
        return chosen


def _expect_choosing(state: StateRecord) -> None:
    if state.phase != CHOOSE:
        raise InputError("expected a state in which all choose: the request is outdated")


def taste_table(tastes: Tastes, seat: int, others: Tastes = BALANCED) -> npt.NDArray[np.float64]:
    """Everybody's tastes, float64[6, 4]: the own ones, and what is assumed of the others."""
    by_seat = np.tile(np.array(others), (MAX_COLOURS, 1))
    by_seat[seat] = tastes
    return by_seat


def mix_choices(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    effort: Effort,
    rng: RngState,
    tastes: Tastes = BALANCED,
) -> Mixture:
    """What a seat should mix where all choose. The state must hold everybody's cards, known or guessed.

    Raises:
        InputError: The state isn't one in which all choose.
    """
    _expect_choosing(state)
    if effort.exact and setup.players == 2 and state.round_number == setup.rounds:
        sizes = [int(choice_count(setup, state, player)) for player in range(2)]
        if max(sizes) <= _EXACT_CHOICES:
            return _exact_mixture(setup, state, seat, tastes)
    by_seat = taste_table(tastes, seat)
    pool = np.zeros((MAX_COLOURS, effort.pool, 4), dtype=np.int16)
    counts = np.zeros(MAX_COLOURS, dtype=np.int64)
    if effort.heats > 0:
        return _heat_mixture(setup, state, seat, net, effort, by_seat, rng, pool, counts)
    spent = effort.pool * effort.samples * int(setup.players)
    find_candidates(setup, state, net, by_seat, rng, pool, effort.samples, effort.keep, counts)
    size = int(counts[seat])
    if effort.rounds == 0:
        one = np.ones(1)
        return Mixture(pool[seat, :1].copy(), one, np.zeros(1), spent)
    pool = np.ascontiguousarray(pool[:, : int(counts.max())])
    mean, gains = np.zeros(pool.shape[:2]), np.zeros(pool.shape[:2])
    spent += match_regrets(
        setup, state, net, by_seat, rng, pool, counts, effort.rounds, mean, gains
    )
    order = np.argsort(-mean[seat, :size], kind="stable")
    return Mixture(pool[seat][order], mean[seat][order], gains[seat][order], spent)


def first_heat(samples: int, *, last: bool) -> tuple[int, int]:
    """Of so many samples those that the first heat has, and the tries of the tree that ends each (0: none)."""
    return (max(1, samples // 10), _TRIES) if last else (samples, 0)


def _heat_mixture(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    effort: Effort,
    tastes: npt.NDArray[np.float64],
    rng: RngState,
    pool: Pool,
    counts: npt.NDArray[np.int64],
) -> Mixture:
    """Heats of own choices against what is foreseen of the others; of the finalists the nearly best ones are mixed."""
    weights = np.zeros(pool.shape[:2])
    foresee(setup, state, net, tastes, rng, pool, effort.samples, effort.turns, counts, weights)
    chosen = np.zeros((ENTRANTS, 4), dtype=np.int16)
    own = tastes[seat]
    size = int(enter(setup, state, seat, net, own, rng, pool, counts, weights, chosen))
    chosen, values = chosen[:size].copy(), np.zeros(size)
    spent = effort.pool * (effort.samples * effort.turns * int(setup.players) + SCREENED)
    samples, tries = first_heat(effort.heats, last=bool(state.round_number == setup.rounds))
    spent += run_heats(
        setup, state, seat, net, own, tries, samples, rng, pool, counts, weights, chosen, values
    )
    mixed = np.zeros(size)
    mixed[:FINALISTS] = np.exp((values[:FINALISTS] - values[0]) / _WARMTH)
    return Mixture(chosen, mixed / mixed.sum(), values, spent)


def _exact_mixture(setup: SetupRecord, state: StateRecord, seat: int, tastes: Tastes) -> Mixture:
    """Two players' last round: an equilibrium over all choices. Half of the taste for winning counts on each side."""
    matrix, nodes = last_round_matrix(setup, state, tastes[0] / 2, _EXACT_NODES)
    solution = solve_matrix(matrix)
    weights = solution.row if seat == 0 else solution.column
    gains = matrix @ solution.column if seat == 0 else -(solution.row @ matrix)
    choices = np.zeros((len(weights), 4), dtype=np.int16)
    for index in range(len(weights)):
        nth_choice(setup, state, seat, index, choices[index])
    order = np.argsort(-weights, kind="stable")
    return Mixture(choices[order], weights[order], gains[order], nodes, least=1e-6)


def weigh_answers(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    effort: Effort,
    rng: RngState,
    tastes: Tastes = BALANCED,
) -> npt.NDArray[np.float64]:
    """The utility of each answer for the seat that has to place cows or to use a bonus.

    Raises:
        InputError: Nobody is asked for a placement or a bonus.
    """
    if state.phase in (CHOOSE, OVER):
        raise InputError("expected a placement or a bonus to decide: the request is outdated")
    count = int(option_count(setup, state))
    results, ends = np.zeros(count), np.zeros(count, dtype=STATE)
    look_ahead(setup, state, net, np.array([tastes]), effort.leaves, results, ends)
    if effort.answer_outs:
        seat, own = int(to_act(setup, state)), np.array(tastes)
        play_out_answers(setup, seat, own, effort.answer_outs, rng, ends, results)
    return results
