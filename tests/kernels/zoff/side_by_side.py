"""Plays the readable rules and the kernels side by side and compares them at every step."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from stampede.core.game import Seat
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import (
    decode,
    decode_bonus,
    decode_choice,
    encode,
    encode_bonus,
    encode_choice,
    encode_setup,
)
from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.kernels.zoff.options import (
    bonus_count,
    bonus_room,
    choice_count,
    nth_bonus,
    nth_choice,
    placements,
)
from stampede.kernels.zoff.resolve import count_cows, place, place_bonus, reveal, run_on, to_act
from stampede.zoff import (
    Choose,
    Place,
    PlaceBonus,
    State,
    ZoffGame,
    ZoffPhase,
    ZoffRules,
)
from stampede.zoff.state import Ending
from tests.zoff.arranged import cows_of
from tests.zoff.late_games import opened

__all__ = ["opened", "play_on", "play_through"]

GAME = ZoffGame()


def play_through(rules: ZoffRules, rng: random.Random, *, all_choices: bool = False) -> int:
    """Plays one random game in both; returns the number of decisions that were compared."""
    return play_on(opened(rules, rng), rng, all_choices=all_choices)[0]


def play_on(state: State, rng: random.Random, *, all_choices: bool = False) -> tuple[int, Ending]:
    """Plays at random in both from the start of a round; returns how many decisions were compared, and the end."""
    setup, record = encode_setup(state), encode(state)
    decisions = 0
    while state.ending is None:
        assert_same_options(setup, record, state, all_choices=all_choices)
        answer = choose if state.phase is ZoffPhase.CHOOSE else decide
        state = answer(setup, record, state, rng)
        run_on(setup, record)
        assert_same(setup, record, state)
        decisions += 1
    return decisions, state.ending


def choose(setup: SetupRecord, record: StateRecord, state: State, rng: random.Random) -> State:
    """All seats choose at random."""
    choices = np.zeros((at.MAX_COLOURS, 4), dtype=np.int16)
    for seat in range(state.setup.rules.players):
        action = GAME.legal(state, seat).sample(rng)
        assert isinstance(action, Choose)
        choices[seat] = encode_choice(state, seat, action)
        assert decode_choice(state, seat, choices[seat]) == action
        state = GAME.apply(state, seat, action).state
    reveal(setup, record, choices)
    return state


def decide(setup: SetupRecord, record: StateRecord, state: State, rng: random.Random) -> State:
    """A placement or bonus at random; often the largest, so that pastures fill."""
    seat = GAME.to_act(state)[0]
    assert to_act(setup, record) == seat
    options = list(GAME.legal(state, seat))
    action = max(options, key=cows_of) if rng.random() < 0.5 else rng.choice(options)
    if isinstance(action, Place):
        place(setup, record, action.cows)
    else:
        assert isinstance(action, PlaceBonus)
        place_bonus(setup, record, encode_bonus(state, action))
    return GAME.apply(state, seat, action).state


def assert_same(setup: SetupRecord, record: StateRecord, state: State) -> None:
    """The kernel's state is the readable one, and so is a fresh encoding of the latter."""
    fresh = encode(state)
    for seat in range(state.setup.rules.players):
        cows = sum(row[c] for row in state.herds for c in _colours(state, seat))
        assert count_cows(setup, record, seat) == count_cows(setup, fresh, seat) == cows
    if state.ending is None:
        expected = replace(state, discards=tuple(tuple(sorted(d)) for d in state.discards))
        assert decode(record, state) == expected
        assert decode(fresh, state) == expected
        return
    for name in ("phase", "round_number", "open", "reason", "winners"):
        assert getattr(record, name) == getattr(fresh, name)
    for name in ("herds", "free", "reserves", "hands"):
        assert (getattr(record, name) == getattr(fresh, name)).all()


def _colours(state: State, seat: Seat) -> tuple[int, ...]:
    return state.setup.groups[state.owners.index(seat)].colours


def assert_same_options(
    setup: SetupRecord, record: StateRecord, state: State, *, all_choices: bool
) -> None:
    """Both allow the same: placements, bonus placements, and the number (or all) of the choices."""
    match state.phase:
        case ZoffPhase.CHOOSE:
            for seat in range(state.setup.rules.players):
                _assert_same_choices(setup, record, state, seat, all_choices=all_choices)
        case ZoffPhase.PLACE:
            mask = placements(record) | 1
            numbers = [Place(cows) for cows in range(8) if mask >> cows & 1]
            assert numbers == list(GAME.legal(state, GAME.to_act(state)[0]))
        case _:
            room = bonus_room(setup, record)
            ways = [decode_bonus(state, nth_bonus(room, i)) for i in range(bonus_count(room))]
            listed = list(GAME.legal(state, GAME.to_act(state)[0]))
            assert len(set(ways)) == len(ways)
            assert set(ways) == set(listed)


def _assert_same_choices(
    setup: SetupRecord, record: StateRecord, state: State, seat: Seat, *, all_choices: bool
) -> None:
    legal = GAME.legal(state, seat)
    count = choice_count(setup, record, seat)
    assert count == len(legal)
    if all_choices:
        choice = np.zeros(4, dtype=np.int16)
        found = set()
        for index in range(count):
            nth_choice(setup, record, seat, index, choice)
            found.add(decode_choice(state, seat, choice))
        assert found == set(legal)
