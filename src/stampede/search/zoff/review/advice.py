"""Advice before a choice: what to mix, what it is worth, and what each rival is likely to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stampede.core.game import Seat
from stampede.core.json import Json, JsonObject
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.bridge import decode_choice, encode, encode_setup
from stampede.kernels.zoff.layout import MAX_COLOURS, Choice
from stampede.search.zoff.candidates import find_candidates
from stampede.search.zoff.regret import match_regrets
from stampede.search.zoff.review.choices import LEAD, find_mixture, pick_likeliest
from stampede.search.zoff.strategy import Effort, predict, preferences_by_seat
from stampede.search.zoff.value import expected_cows, fill_win_chances, load_net
from stampede.zoff.actions import Choose
from stampede.zoff.state import State

__all__ = ["Advice", "LikelyChoice", "advise"]


@dataclass(frozen=True, slots=True)
class LikelyChoice:
    """A choice, how often it is made, and its worth in cows of lead where that is known."""

    choice: Choose
    share: float
    value: float | None = None

    def to_json(self) -> JsonObject:
        """The choice as JSON."""
        value: Json = None if self.value is None else round(self.value, 2)
        return {"action": self.choice.to_json(), "share": round(self.share, 3), "value": value}


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known before a choice.

    Attributes:
        cows: By seat: the cows expected at the end.
        chances: By seat: the chance to win.
        mixture: What to choose, the likeliest first.
        likely: By seat: what it is likely to choose; empty for the seat that asks.
    """

    cows: tuple[float, ...]
    chances: tuple[float, ...]
    mixture: tuple[LikelyChoice, ...]
    likely: tuple[tuple[LikelyChoice, ...], ...]


def advise(state: State, seat: Seat, effort: Effort, rng: RngState) -> Advice:
    """Advises a seat before a choice. The hands are open here, as in a record; cards that others hold are known."""
    setup, record = encode_setup(state), encode(state)
    players = state.setup.rules.players
    net = load_net(players)
    cows, wins = np.zeros(MAX_COLOURS), np.zeros(MAX_COLOURS)
    expected_cows(setup, record, net, cows)
    fill_win_chances(setup, record, net, cows, wins)
    preferences = preferences_by_seat(LEAD, 0, LEAD)
    if players == 2:
        pool = np.zeros((MAX_COLOURS, max(effort.pool, effort.keep + 1), 4), dtype=np.int16)
        sizes = np.zeros(MAX_COLOURS, dtype=np.int64)
        samples = effort.samples
        find_candidates(setup, record, net, preferences, rng, pool, samples, effort.keep, sizes)
        pool = np.ascontiguousarray(pool[:, : int(sizes.max())])
        weights, gains = np.zeros(pool.shape[:2]), np.zeros(pool.shape[:2])
        rounds = effort.rounds
        match_regrets(setup, record, net, preferences, rng, pool, sizes, rounds, weights, gains)
        size = int(sizes[seat])
        mixture = pick_likeliest(pool[seat], weights[seat, :size], gains[seat, :size])
    else:
        predicted = predict(setup, record, net, effort, preferences, rng)
        pool, sizes, weights = predicted.pool, predicted.sizes, predicted.weights
        mixture = find_mixture(setup, record, seat, net, effort, predicted, rng)

    def told(who: Seat, choice: Choice, share: float, value: float | None = None) -> LikelyChoice:
        return LikelyChoice(decode_choice(state, who, choice), share, value)

    likely = tuple(
        ()
        if other == seat
        else tuple(
            told(other, choice, share)
            for choice, share, _ in pick_likeliest(
                pool[other], weights[other, : sizes[other]], weights[other, : sizes[other]], 0.02
            )
        )
        for other in range(players)
    )
    return Advice(
        tuple(map(float, cows[:players])),
        tuple(map(float, wins[:players])),
        tuple(told(seat, *one) for one in mixture),
        likely,
    )
