"""Games between searching players, for a further generation of the value function.

All seats mix their choices by regret matching with the value function that there is, as level 5 does. A state is worth
what these mixtures lead to: the round is played out for many draws from them, and the new value function judges where
it ends, or the result of the game does. So it is learned from the last round back.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, draw, new_rng
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.greedy import lay_good_choices
from stampede.kernels.zoff.layout import (
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    OVER,
    SetupRecord,
    StateRecord,
    States,
)
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.records import copy_record, new_state
from stampede.kernels.zoff.resolve import count_cows, reveal
from stampede.lab.zoff.fit import Examples
from stampede.lab.zoff.selfplay import fill_features
from stampede.search.zoff.candidates import Pool, find_candidates
from stampede.search.zoff.effort import BALANCED, Effort
from stampede.search.zoff.features import PASTURE_FEATURES, SEAT_FEATURES
from stampede.search.zoff.regret import draw_index, match_regrets
from stampede.search.zoff.value import (
    MAX_ROUNDS,
    Net,
    Values,
    expected_cows,
    fill_win_chances,
)
from stampede.zoff import State

__all__ = ["SearchedGame", "examples_with", "search_games"]

EFFORT: Final = Effort(48, 6, 8, 3_000)
"""How much each choice is searched: level 5 with six players."""
QUICK: Final = 0.3
"""The share of rounds that go on by quick choices, so that states occur which good players avoid."""
_LEAST: Final = 0.05
"""Choices rarer than this are left out of a mixture, as bots leave them out."""
_TO_UNIT: Final = 1.0 / (1 << 53)


@dataclass(frozen=True, slots=True)
class SearchedGame:
    """A game: its states where a round begins, and draws from what all seats would choose there.

    Attributes:
        setup: Its set-up.
        states: `STATE`[n].
        drawn: int16[n, draws, 6, 4].
    """

    setup: SetupRecord
    states: States
    drawn: npt.NDArray[np.int16]


@kernel
def _draw_choices(
    setup: SetupRecord,
    mean: Values,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    rng: RngState,
    drawn: Pool,
) -> None:
    """Draws choices of all seats from their mixtures. …, float64[6, n], …, int16[draws, 6, 4], filled."""
    for seat in range(setup.players):
        size = int(sizes[seat])
        least = min(_LEAST, mean[seat, :size].max())
        total = 0.0
        for index in range(size):
            if mean[seat, index] < least:
                mean[seat, index] = 0.0
            total += mean[seat, index]
        mean[seat, :size] /= total
        for one in range(len(drawn)):
            drawn[one, seat] = pool[seat, draw_index(mean[seat], size, 0.0, rng)]


@kernel
def _search_game(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    preferences: Values,
    rounds: int,
    pool: Pool,
    samples: int,
    keep: int,
    quick: float,
    temperature: float,
    rng: RngState,
    kept: States,
    drawn: npt.NDArray[np.int16],
) -> int:
    """Plays a game to its end; keeps the states before each round and draws from the seats' mixtures.

    …, changed, …, float64[6, 6], int64, int16[6, n, 4], int64 × 2, float64 × 2, uint64[1], changed, `STATE`[7], filled,
    int16[7, draws, 6, 4], filled → int64, the number of rounds.
    """
    sizes = np.zeros(MAX_COLOURS, dtype=np.int64)
    mean, gains = np.zeros(pool.shape[:2]), np.zeros(pool.shape[:2])
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    played = 0
    while state.phase != OVER:
        copy_record(kept[played], state)
        find_candidates(setup, state, net, preferences, rng, pool, samples, keep, sizes)
        match_regrets(setup, state, net, preferences, rng, pool, sizes, rounds, mean, gains)
        _draw_choices(setup, mean, pool, sizes, rng, drawn[played])
        if float(draw(rng) >> np.uint64(11)) * _TO_UNIT < quick:
            lay_good_choices(setup, state, temperature, rng, scores, choices)
        else:
            reveal(setup, state, drawn[played, 0])
        finish_round(setup, state)
        played += 1
    return played


@kernel
def _judge(
    setup: SetupRecord,
    start: StateRecord,
    drawn: npt.NDArray[np.int16],
    net: Net,
    cows: Values,
    wins: Values,
) -> None:
    """Fills in each seat's mean cows and chances after these choices. …, int16[draws, 6, 4], …, float64[6] × 2."""
    state = new_state()
    here, chances = np.empty(MAX_COLOURS), np.empty(MAX_COLOURS)
    cows[:] = 0.0
    wins[:] = 0.0
    for one in range(len(drawn)):
        copy_record(state, start)
        reveal(setup, state, drawn[one])
        finish_round(setup, state)
        expected_cows(setup, state, net, here)
        fill_win_chances(setup, state, net, here, chances)
        for seat in range(setup.players):
            cows[seat] += here[seat] / len(drawn)
            wins[seat] += chances[seat] / len(drawn)


def search_games(
    starts: Iterable[tuple[State, float]], net: Net, draws: int, rng: random.Random
) -> list[SearchedGame]:
    """Plays games from these states on, each with the temperature of its quick choices."""
    words = new_rng(rng.getrandbits(64))
    preferences = np.tile(np.array(BALANCED), (MAX_COLOURS, 1))
    pool = np.zeros((MAX_COLOURS, EFFORT.pool, 4), dtype=np.int16)
    games = []
    for start, temperature in starts:
        setup, state = encode_setup(start), encode(start)
        kept = np.zeros(MAX_ROUNDS + 1, dtype=at.STATE)
        drawn = np.zeros((MAX_ROUNDS + 1, draws, MAX_COLOURS, 4), dtype=np.int16)
        rounds = _search_game(
            *(setup, state, net, preferences, EFFORT.rounds, pool, EFFORT.samples, EFFORT.keep),
            *(QUICK, temperature, words, kept, drawn),
        )
        games.append(SearchedGame(setup, kept[:rounds].copy(), drawn[:rounds].copy()))
    return games


def examples_with(games: Iterable[SearchedGame], left: int, net: Net) -> Examples:
    """One example for each seat and state with so many rounds left; the value function judges where its round ends."""
    found = [
        (game.setup, game.states[index], game.drawn[index])
        for game in games
        for index in range(len(game.states))
        if int(game.setup.rounds) - int(game.states[index].round_number) + 1 == left
    ]
    players = int(found[0][0].players) if found else 0
    rows = 2 * MAX_PASTURES if players == 2 else MAX_PASTURES
    examples = Examples.empty(len(found) * players, rows, PASTURE_FEATURES, SEAT_FEATURES)
    cows, wins = np.zeros(MAX_COLOURS), np.zeros(MAX_COLOURS)
    for number, (setup, state, drawn) in enumerate(found):
        _judge(setup, state, drawn, net, cows, wins)
        for seat in range(players):
            row = number * players + seat
            fill_features(setup, state, seat, examples.pastures[row], examples.cards[row])
            examples.placed[row] = count_cows(setup, state, seat)
            examples.cows[row], examples.won[row] = cows[seat], wins[seat]
            examples.left[row] = left
    return examples
