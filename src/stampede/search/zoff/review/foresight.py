"""What mostly comes of a choice by the end of the round, if the others choose as predicted.

Hints say it to the player who chooses, reviews say it of a better choice: each has its own sentences.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from stampede.core.game import Seat
from stampede.core.remark import Remark
from stampede.kernels.zoff.layout import (
    MAX_COLOURS,
    PASTURE_1,
    PASTURE_2,
    Choice,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.resolve import count_cows, reveal
from stampede.search.zoff.review.remarks import PHRASES, rank_of
from stampede.search.zoff.strategy import PredictedChoices
from stampede.zoff.state import State

__all__ = [
    "OF_THE_CHOICE",
    "ROUNDS",
    "TO_THE_PLAYER",
    "Sentences",
    "draw_rounds",
    "play_out",
    "say_mostly",
]

ROUNDS: Final = 60
"""So many rounds are played out with a choice, to say what mostly comes of it."""
MOSTLY: Final = 0.6
"""What happens in this share of them happens mostly."""
WORTH_SAYING: Final = 0.2
"""Fewer cows than this aren't told as a difference."""


class Sentences(NamedTuple):
    """The codes of what is said of a pasture.

    Attributes:
        pays: A rank, and the pasture fills.
        rank: A rank.
        alone: Nobody else comes.
        met: Others come, too; empty where that isn't said.
    """

    pays: str
    rank: str
    alone: str
    met: str = ""


TO_THE_PLAYER: Final = Sentences("mostly_pays", "mostly_rank", "mostly_alone", "mostly_met")
OF_THE_CHOICE: Final = Sentences("usually_pays", "usually_rank", "usually_alone")


def draw_rounds(
    setup: SetupRecord, predicted: PredictedChoices, rng: random.Random
) -> list[list[Choice]]:
    """Draws likely choices of every seat, for `ROUNDS` rounds."""
    return [
        [_draw(predicted, seat, rng) for seat in range(int(setup.players))] for _ in range(ROUNDS)
    ]


def _draw(predicted: PredictedChoices, seat: Seat, rng: random.Random) -> Choice:
    size = int(predicted.sizes[seat])
    weights = predicted.weights[seat, :size].tolist()
    drawn: Choice = predicted.pool[seat, rng.choices(range(size), weights)[0]]
    return drawn


def play_out(
    setup: SetupRecord,
    record: StateRecord,
    seat: Seat,
    choice: Choice,
    rounds: Sequence[Sequence[Choice]],
) -> list[StateRecord]:
    """Plays each round to its end with a seat's choice instead of the one drawn for it."""
    ends = []
    for laid in rounds:
        choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
        for player, theirs in enumerate(laid):
            choices[player] = choice if player == seat else theirs
        end = record.copy()
        reveal(setup, end, choices)
        finish_round(setup, end)
        ends.append(end)
    return ends


def say_mostly(
    state: State,
    setup: SetupRecord,
    seat: Seat,
    pasture: int,
    ends: Sequence[StateRecord],
    rounds: Sequence[Sequence[Choice]],
    sentences: Sentences,
) -> Iterator[Remark]:
    """What mostly happens on one pasture, the most useful remark first."""
    name = state.setup.pastures[pasture].name
    ranks = [_best_rank(setup, seat, end, pasture) for end in ends]
    full = sum(end.free[pasture] == 0 for end in ends) / len(ends)
    best = max(set(ranks), key=ranks.count)
    if best is not None and ranks.count(best) >= MOSTLY * len(ranks):
        bonus = int(setup.bonus[pasture, best]) if best < setup.bonus.shape[1] else 0
        if bonus and full >= MOSTLY:
            yield PHRASES.remark(sentences.pays, pasture=name, rank=best + 1, count=bonus)
        else:
            yield PHRASES.remark(sentences.rank, pasture=name, rank=best + 1)
    share = sum(_others_come(seat, pasture, laid) for laid in rounds) / len(rounds)
    if share >= MOSTLY and sentences.met:
        yield PHRASES.remark(sentences.met, pasture=name)
    elif share <= 1 - MOSTLY:
        yield PHRASES.remark(sentences.alone, pasture=name)


def explain_outcome(
    state: State,
    setup: SetupRecord,
    record: StateRecord,
    seat: Seat,
    laid: Choice,
    best: Choice,
    rounds: Sequence[Sequence[Choice]],
) -> tuple[Remark, ...]:
    """What mostly comes of the best choice: its cows beside those of what was laid, and ranks where the two differ."""
    ends = play_out(setup, record, seat, best, rounds)
    more = _mean_cows(setup, seat, ends) - _mean_cows(
        setup, seat, play_out(setup, record, seat, laid, rounds)
    )
    first = (
        PHRASES.remark("usually_more", cows=f"{more:.1f}")
        if more >= WORTH_SAYING
        else PHRASES.remark("usually_later")
    )
    said = [
        remark
        for pasture in _changed_pastures(laid, best)
        for remark in islice(
            say_mostly(state, setup, seat, pasture, ends, rounds, OF_THE_CHOICE), 1
        )
    ]
    return (first, *sorted(said, key=lambda remark: OF_THE_CHOICE.index(remark.code)))


def _mean_cows(setup: SetupRecord, seat: Seat, ends: Sequence[StateRecord]) -> float:
    return sum(int(count_cows(setup, end, seat)) for end in ends) / len(ends)


def _changed_pastures(laid: Choice, best: Choice) -> list[int]:
    """The pastures on which the best choice has another card than what was laid, or a card at all."""
    before = {(int(laid[at]), int(laid[at + 1])) for at in (PASTURE_1, PASTURE_2)}
    pairs = [(int(best[at]), int(best[at + 1])) for at in (PASTURE_1, PASTURE_2)]
    return [pasture for pasture, card in pairs if pasture >= 0 and (pasture, card) not in before]


def _best_rank(setup: SetupRecord, seat: Seat, end: StateRecord, pasture: int) -> int | None:
    """The best rank of a seat's herds; None without a herd."""
    halves = 2 if setup.players == 2 else 1
    colours = [int(setup.colours_of[seat, half]) for half in range(halves)]
    ranks = [rank for colour in colours if (rank := rank_of(end, pasture, colour)) is not None]
    return min(ranks, default=None)


def _others_come(seat: Seat, pasture: int, laid: Sequence[Choice]) -> bool:
    return any(
        pasture in (int(theirs[PASTURE_1]), int(theirs[PASTURE_2]))
        for player, theirs in enumerate(laid)
        if player != seat
    )
