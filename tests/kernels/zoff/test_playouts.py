"""Batches of games: repeatable, the same on any number of cores, and games like those of the readable rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stampede.kernels.rng import new_rng
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import decode_choice, encode, encode_setup
from stampede.kernels.zoff.greedy import (
    draw_good_choice,
    greedy_bonus,
    greedy_cows,
    greedy_playout,
    score_pairs,
)
from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.kernels.zoff.lookahead import lookahead_bonus, lookahead_cows
from stampede.kernels.zoff.options import (
    bonus_count,
    bonus_room,
    choice_count,
    nth_bonus,
    nth_choice,
    placements,
)
from stampede.kernels.zoff.playouts import batch, playouts, random_step
from stampede.kernels.zoff.records import state_array
from stampede.kernels.zoff.resolve import count_cows
from stampede.zoff import Choose, State, ZoffGame, ZoffRules
from tests.kernels.zoff.side_by_side import opened
from tests.zoff.late_games import late

GAME = ZoffGame()


def test_random_games_bring_as_many_cows_as_those_of_the_readable_rules() -> None:
    """Z8.1: the same mean, by a wide margin of chance: both draw every legal action equally likely."""
    state = opened(ZoffRules(players=4), random.Random(1))
    results = np.zeros(at.MAX_COLOURS + 1, dtype=np.int32)
    playouts(encode_setup(state), encode(state), 4000, new_rng(2), results)
    rng, readable = random.Random(3), []
    for _ in range(80):
        now = state
        while awaited := GAME.to_act(now):
            action = GAME.legal(now, awaited[0]).sample(rng)
            now = GAME.apply(now, awaited[0], action).state
        assert now.ending is not None
        readable.append(sum(now.ending.placed))
    mean, error = np.mean(readable), np.std(readable) / np.sqrt(len(readable))
    assert results[:4].sum() / 4000 == pytest.approx(mean, abs=4 * error)


def test_a_batch_is_the_same_again_and_its_states_do_not_mix() -> None:
    states = [opened(ZoffRules(players=3), random.Random(seed)) for seed in range(4)]
    setups = np.array([encode_setup(state) for state in states], dtype=at.SETUP)
    starts = state_array(*(encode(state) for state in states))
    first, second = (np.zeros((4, at.MAX_COLOURS + 1), dtype=np.int32) for _ in range(2))
    assert batch(setups, starts, 20, 5, first) == batch(setups, starts, 20, 5, second)
    assert (first == second).all()
    alone = np.zeros((1, at.MAX_COLOURS + 1), dtype=np.int32)
    batch(setups[:1], starts[:1], 20, 5, alone)
    assert (alone[0] == first[0]).all()


@pytest.mark.parametrize("players", [2, 5])
def test_the_quick_players_answer_legally(players: int) -> None:
    """Z4.3, Z5.2, Z10.5: placements, bonuses and choices are among the options, all through random games."""
    for seed in range(16):
        house = seed >= 8  # house rules, from late in the game
        rules = ZoffRules(players, fair=bool(seed % 2), must_place=house, one_last_card=house)
        state = (late if house else opened)(rules, random.Random(seed))
        setup, record, rng = encode_setup(state), encode(state), new_rng(seed)
        choices = np.zeros((at.MAX_COLOURS, 4), dtype=np.int16)
        scores = np.empty((2, at.MAX_PASTURES, at.MAX_CARDS), dtype=np.float32)
        while record.phase != at.OVER:
            if record.phase == at.CHOOSE:
                score_pairs(setup, record, 0, scores)
                draw_good_choice(setup, record, 0, scores, 0.5, rng, choices[0])
                assert decode_choice(state, 0, choices[0]) in choices_of(setup, record, state)
            elif record.phase == at.PLACE:
                for cows in (greedy_cows(setup, record), lookahead_cows(setup, record)):
                    assert (placements(record) | 1) >> cows & 1
            elif record.phase == at.PAY:
                room = bonus_room(setup, record)
                ways = [nth_bonus(room, index) for index in range(bonus_count(room))]
                for bonus in (greedy_bonus(setup, record), lookahead_bonus(setup, record)):
                    assert cows_of(bonus) in [cows_of(way) for way in ways]
            random_step(setup, record, rng, choices)


def choices_of(setup: SetupRecord, record: StateRecord, state: State) -> set[Choose]:
    """All choices of seat 0."""
    choice, found = np.zeros(4, dtype=np.int16), set()
    for index in range(choice_count(setup, record, 0)):
        nth_choice(setup, record, 0, index, choice)
        found.add(decode_choice(state, 0, choice))
    return found


def cows_of(bonus: int) -> list[int]:
    """The pastures of a bonus, whatever their order."""
    return sorted((int(bonus) >> 4 * place) & 15 for place in range(at.MAX_BONUS))


def test_greedy_games_bring_more_cows_than_random_ones() -> None:
    state = opened(ZoffRules(players=5), random.Random(1))
    setup, start = encode_setup(state), encode(state)
    results = np.zeros(at.MAX_COLOURS + 1, dtype=np.int32)
    playouts(setup, start, 50, new_rng(1), results)
    scores = np.empty((2, at.MAX_PASTURES, at.MAX_CARDS), dtype=np.float32)
    choices = np.zeros((at.MAX_COLOURS, 4), dtype=np.int16)
    cows, rng = 0, new_rng(1)
    for _ in range(50):
        record = start.copy()
        greedy_playout(setup, record, 0.7, rng, scores, choices)
        cows += sum(count_cows(setup, record, seat) for seat in range(5))
    assert cows > results[:5].sum() * 1.2
