"""What a bot of Zoff learns about its rivals during a game: who chooses carefully, and who errs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from stampede.bots.zoff.memory import Memory, RoundSeen
from stampede.core.game import Seat
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.bridge import encode, encode_choice, encode_setup
from stampede.kernels.zoff.layout import MAX_COLOURS
from stampede.search.zoff.effort import BALANCED
from stampede.search.zoff.rivals.evidence import loss_of_choice, trust_in_errors
from stampede.search.zoff.strategy import Trust
from stampede.search.zoff.value import Net
from stampede.zoff.state import State, free_spaces

__all__ = ["earlier_rounds", "find_trust"]


def earlier_rounds(state: State, memory: Memory) -> Iterator[tuple[State, RoundSeen]]:
    """Every round seen, the latest first, with the state in which all chose for it.

    The state that is passed in is that of a later round's choices; cows and cards of the rounds since are taken back.
    """
    for seen in reversed(memory.rounds):
        herds = [list(row) for row in state.herds]
        reserves = list(state.reserves)
        for colour, pasture, cows in seen.cows:
            at = state.setup.colour_index(colour)
            herds[state.setup.pasture_index(pasture)][at] -= cows
            reserves[at] += cows
        hands = list(state.hands)
        for seat, choice in seen.choices:
            group = state.owners.index(seat)
            hands[group] = tuple(sorted((*hands[group], *(pair.card for pair in choice.pairs))))
        rows = tuple(tuple(row) for row in herds)
        state = replace(
            state,
            round=seen.number,
            herds=rows,
            free=free_spaces(state.setup, rows),
            reserves=tuple(reserves),
            hands=tuple(hands),
        )
        yield state, seen


def find_trust(state: State, seat: Seat, memory: Memory, net: Net, rng: RngState) -> Trust:
    """By seat: how likely it errs, judged by its choices in this game so far; 0 for the own seat."""
    players = state.setup.rules.players
    losses: list[list[float]] = [[] for _ in range(players)]
    for before, seen in earlier_rounds(state, memory):
        setup, record = encode_setup(before), encode(before)
        for other, choice in seen.choices:
            if other != seat:
                code = encode_choice(before, other, choice)
                loss = loss_of_choice(setup, record, other, code, net, np.array(BALANCED), rng)
                losses[other].append(float(loss))
    trust = np.zeros(MAX_COLOURS)
    for other in range(players):
        # With more than two players the model gains nothing before anything was seen.
        if other != seat and (players == 2 or losses[other]):
            trust[other] = trust_in_errors(losses[other], players)
    return trust
