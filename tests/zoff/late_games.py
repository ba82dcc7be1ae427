"""Late moments of games, arranged at random: few open pastures, few cows in reserve. Random play seldom gets there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from stampede.zoff import State, ZoffPhase, ZoffRules
from stampede.zoff.state import free_spaces
from tests.zoff.arranged import GAME

MOST_OPEN = 3
MOST_RESERVE = 7


def opened(rules: ZoffRules, rng: random.Random) -> State:
    """A drawn game, played at random to its first round."""
    state = GAME.initial(rules, GAME.draw(rules, rng))
    while state.phase is not ZoffPhase.CHOOSE:
        seat = GAME.to_act(state)[0]
        state = GAME.apply(state, seat, GAME.legal(state, seat).sample(rng)).state
    return state


def late(rules: ZoffRules, rng: random.Random, *, most_reserve: int = MOST_RESERVE) -> State:
    """The start of a late round with one to three open pastures and up to so many cows in each reserve."""
    state = opened(rules, rng)
    pastures, colours = state.setup.pastures, len(state.setup.colours)
    still_open = rng.sample(range(len(pastures)), rng.randint(1, MOST_OPEN))
    herds = tuple(
        _herds(colours, pasture.capacity, index in still_open, rng)
        for index, pasture in enumerate(pastures)
    )
    round_number = rng.randint(rules.rounds - 2, rules.rounds)
    hands = tuple(
        tuple(sorted(rng.sample(group.hand, len(group.hand) - 2 * (round_number - 1))))
        for group in state.setup.groups
    )
    return replace(
        state,
        round=round_number,
        herds=herds,
        free=free_spaces(state.setup, herds),
        reserves=tuple(rng.randint(1, most_reserve) for _ in range(colours)),
        hands=hands,
        discards=tuple(
            tuple(card for card in group.hand if card not in hand)
            for group, hand in zip(state.setup.groups, hands, strict=True)
        ),
    )


def _herds(colours: int, capacity: int, still_open: bool, rng: random.Random) -> tuple[int, ...]:
    """Different sizes (Z4.4) that leave some spaces, or none."""
    while True:
        free = rng.randint(1, min(9, capacity)) if still_open else 0
        sizes = _split(capacity - free, rng.randint(1, colours), rng)
        if len(set(sizes)) == len(sizes):
            row = [*sizes, *([0] * (colours - len(sizes)))]
            rng.shuffle(row)
            return tuple(row)


def _split(cows: int, parts: int, rng: random.Random) -> Sequence[int]:
    """Cows in so many herds, or in fewer."""
    cuts = sorted(rng.randint(0, cows) for _ in range(parts - 1))
    return [
        size for size in (b - a for a, b in zip([0, *cuts], [*cuts, cows], strict=True)) if size
    ]
