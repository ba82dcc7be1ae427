"""The greedy policy: each decision by what it gains here and now, bonuses by rank included.

Bonuses are paid in any case, when a pasture fills (Z5) or at the end (Z7). So a herd's rank is worth its bonus, and a
placement is worth its cows, the bonus of its rank, and what it takes from others.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, draw
from stampede.kernels.zoff.layout import (
    CARD_1,
    CARD_2,
    CHOOSE,
    MAX_BONUS,
    MAX_COLOURS,
    MAX_PASTURES,
    MAX_RANKS,
    NONE,
    OVER,
    PASTURE_1,
    PASTURE_2,
    PAY,
    PLACE,
    Choice,
    Choices,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.options import allowed, bonus_due, lays_one, placements
from stampede.kernels.zoff.resolve import give_answer, reveal, run_on
from stampede.kernels.zoff.split import NEVER, best_way, new_split, offer_pasture

__all__ = [
    "PairScores",
    "draw_good_choice",
    "finish_round",
    "greedy_bonus",
    "greedy_cows",
    "greedy_playout",
    "lay_good_choices",
    "local_gain",
    "score_pairs",
]

PairScores = npt.NDArray[np.float32]
"""float32[2, MAX_PASTURES, MAX_CARDS]: what a card on a pasture promises, for each of a seat's two pairs."""

CARD_COST = 0.75
"""What a cow of a card is worth in a later round: cards that are kept aren't lost."""
MAX_VALUE = 5
GUMBEL = -np.log(-np.log((np.arange(1024) + 0.5) / 1024))
"""Quantiles: an entry at random is Gumbel-distributed, near enough for drawing choices."""
_TO_INDEX = np.uint64(54)


@kernel
def local_gain(
    setup: SetupRecord, state: StateRecord, pasture: int, colour: int, cows: int
) -> float:
    """Cows and rank bonuses on one pasture with so many cows more, less the others' mean bonus. … → float64."""
    herds = state.herds[pasture]
    seat = setup.seat_of[colour]
    share = 1.0 / (int(setup.players) - 1)
    gain = float(cows)
    for one in range(MAX_COLOURS):
        size = int(herds[one]) + (cows if one == colour else 0)
        if size == 0:
            continue
        rank = 0
        for other in range(MAX_COLOURS):
            rank += int(herds[other]) + (cows if other == colour else 0) > size
        if rank < MAX_RANKS:
            bonus = float(setup.bonus[pasture, rank])
            gain += bonus if setup.seat_of[one] == seat else -share * bonus
    if cows > 0 and setup.fair and state.free[pasture] == cows:
        gain += float(setup.fair_cows[pasture])
    return gain


@kernel
def greedy_cows(setup: SetupRecord, state: StateRecord) -> int:
    """How many cows the first pair in line places. … → int64."""
    pair = int(state.line[state.line_next])
    pasture, colour = int(state.pair_pasture[pair]), int(state.pair_colour[pair])
    mask = placements(state)
    best, best_gain = 0, local_gain(setup, state, pasture, colour, 0)
    while mask:
        cows = first(mask)
        mask &= mask - 1
        gain = local_gain(setup, state, pasture, colour, cows)
        if gain >= best_gain:
            best, best_gain = cows, gain
    return best


@kernel
def greedy_bonus(setup: SetupRecord, state: StateRecord) -> int:
    """How the first bonus due is used: the best split by what each pasture gains. … → int64, a bonus."""
    colour, most = bonus_due(state)
    best, ways = new_split()
    worth = np.zeros(MAX_BONUS + 1)
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        mask = allowed(state, pasture, colour, min(most, int(state.free[pasture])))
        if mask == 0:
            continue
        for cows in range(most + 1):
            if cows == 0 or (mask >> cows) & 1:
                worth[cows] = local_gain(setup, state, pasture, colour, cows)
        offer_pasture(pasture, mask, most, worth, best, ways)
    return best_way(setup, best, ways)


@kernel
def finish_round(setup: SetupRecord, state: StateRecord) -> None:
    """Plays from the reveal until all choose again or it's over, every seat greedy. …, changed."""
    run_on(setup, state)
    while state.phase in (PLACE, PAY):
        placing = state.phase == PLACE
        give_answer(
            setup, state, greedy_cows(setup, state) if placing else greedy_bonus(setup, state)
        )


# --- choices ---


@kernel
def score_pairs(setup: SetupRecord, state: StateRecord, seat: int, scores: PairScores) -> None:
    """Fills in what each card on each pasture promises a seat; `NEVER` where it can't be laid.

    It assumes that the others spread their two cards evenly over the free spaces.
    """
    players = int(setup.players)
    spaces = 0
    for pasture in range(MAX_PASTURES):
        spaces += int(state.free[pasture])
    # The share of free spaces that the others take this round: two cards of three cows each.
    pressure = min(1.0, (players - 1) * 6.0 / spaces) if spaces else 0.0
    scores[:] = NEVER
    for half in range(2 if players == 2 else 1):
        colour = int(setup.colours_of[seat, half])
        rest = int(state.open)
        while rest:
            pasture = first(rest)
            rest &= rest - 1
            _score_pasture(setup, state, seat, colour, pasture, pressure, scores[half, pasture])
    if players > 2:  # both pairs are of the same colour
        scores[1] = scores[0]


@kernel
def _score_pasture(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    colour: int,
    pasture: int,
    pressure: float,
    scores: npt.NDArray[np.float32],
) -> None:
    """One pasture's row of scores: the best that a card allows, with as much room as the others leave."""
    free = int(state.free[pasture])
    mask = allowed(state, pasture, colour, min(MAX_VALUE, free, int(state.reserves[colour])))
    before = local_gain(setup, state, pasture, colour, 0)
    gains = np.zeros(MAX_VALUE + 1)  # by cows: the best gain of placing up to so many
    for cows in range(1, MAX_VALUE + 1):
        gains[cows] = gains[cows - 1]
        if (mask >> cows) & 1:
            now = local_gain(setup, state, pasture, colour, cows) - before
            gains[cows] = max(gains[cows], now)
    ahead = _herds_ahead(state, pasture, colour)
    hand = int(state.hands[seat])
    while hand:
        card = first(hand)
        hand &= hand - 1
        value = int(setup.card_values[seat, card])
        # The share of the others that place before this pair: by larger herds, or, without a herd, by lower cards
        # (Z4.2).
        waits = 0.15 + 0.12 * value if ahead < 0 else min(1.0, 0.35 * ahead)
        # Rounded: what the others take before it is its turn.
        room = free - int(pressure * free * waits + 0.5)
        scores[card] = gains[max(0, min(value, room))] - CARD_COST * value


@kernel
def _herds_ahead(state: StateRecord, pasture: int, colour: int) -> int:
    """How many herds go before this one; -1 when it has none there."""
    herds = state.herds[pasture]
    own = herds[colour]
    ahead = 0
    for other in range(MAX_COLOURS):
        ahead += herds[other] > own
    return ahead if own else -1


@kernel
def draw_good_choice(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    scores: PairScores,
    temperature: float,
    rng: RngState,
    choice: Choice,
) -> None:
    """Writes a choice drawn by a softmax over its pairs' scores, with a temperature in cows. Changes the rng.

    The two pairs are those with the best score after Gumbel noise was added to each (the Gumbel-max trick): the same
    as drawing the pairs one after another by a softmax, in one pass and without exponentials.
    """
    best_1, best_2 = 2 * NEVER, 2 * NEVER
    p_1, c_1, p_2, c_2 = NONE, NONE, NONE, NONE
    one_pair = lays_one(setup, state)
    both = one_pair and setup.players == 2  # one card for two colours (Z10.5)
    single = (int(state.open) & (int(state.open) - 1)) == 0
    for pasture in range(MAX_PASTURES):
        for card in range(setup.hand_sizes[seat]):
            score = scores[0, pasture, card]
            if both:  # the better of its two uses
                score = max(score, scores[1, pasture, card])
            if score > NEVER:
                score += temperature * GUMBEL[int(draw(rng) >> _TO_INDEX)]
                if score > best_1:
                    best_1, p_1, c_1 = score, pasture, card
    choice[PASTURE_1], choice[CARD_1], choice[PASTURE_2], choice[CARD_2] = p_1, c_1, NONE, NONE
    if one_pair:
        return
    for pasture in range(MAX_PASTURES):
        # The pairs must be on different pastures (Z3.1), unless only one is open (Z10.5).
        if pasture == p_1 and not single:
            continue
        for card in range(setup.hand_sizes[seat]):
            score = scores[1, pasture, card]
            if card != c_1 and score > NEVER:
                score += temperature * GUMBEL[int(draw(rng) >> _TO_INDEX)]
                if score > best_2:
                    best_2, p_2, c_2 = score, pasture, card
    choice[PASTURE_2], choice[CARD_2] = p_2, c_2


@kernel
def lay_good_choices(
    setup: SetupRecord,
    state: StateRecord,
    temperature: float,
    rng: RngState,
    scores: PairScores,
    choices: Choices,
) -> None:
    """Draws a good choice for every seat and reveals them. …, changed, …; scores, choices filled."""
    for seat in range(setup.players):
        score_pairs(setup, state, seat, scores)
        draw_good_choice(setup, state, seat, scores, temperature, rng, choices[seat])
    reveal(setup, state, choices)


@kernel
def greedy_playout(
    setup: SetupRecord,
    state: StateRecord,
    temperature: float,
    rng: RngState,
    scores: PairScores,
    choices: Choices,
) -> None:
    """Plays a game from the start of a round to its end, every seat greedy. …, changed, …; scores, choices filled."""
    while state.phase != OVER:
        if state.phase == CHOOSE:
            lay_good_choices(setup, state, temperature, rng, scores, choices)
        finish_round(setup, state)
