"""`ZoffVec` is the rules of Zoff: the same atoms, observations, rewards, and nothing that a seat may not know."""

from __future__ import annotations

import os
import random
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest

from stampede.core.errors import IllegalAction, InputError
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.vector import layout as at
from stampede.lab.atoms.zoff import ZoffTable, whole_answers
from stampede.lab.vector import FlatZoff, ZoffVec
from stampede.lab.vector.base import AUTORESETS
from stampede.lab.vector.opponents import ZoffOpponents
from stampede.zoff.actions import BID_UNIT
from stampede.zoff.rules import PLAYERS
from tests.lab.vector.runs import run_at_random
from tests.lab.vector.zoff_twins import draw_rules, play_both
from tests.zoff.late_games import late

GAMES = int(os.environ.get("STAMPEDE_LAB_GAMES", "8"))
"""How many games of each number of players are compared from the deal on, and twice as many late ones."""
EVERYTHING = "auction, fair, must_place, last_cow_counts, one_last_card, rebid_among_tied"


@pytest.mark.parametrize("players", PLAYERS)
def test_games_are_the_same_by_the_readable_rules(players: int) -> None:
    """Z2–Z11: atoms, masks, observations, scores and rewards, in drawn variants and house rules."""
    rng = random.Random(f"vector/{players}")
    for _ in range(GAMES):
        assert play_both(draw_rules(rng, players), rng, 1) > 30
        rules = draw_rules(rng, players)
        play_both(rules, rng, 2, [late(rules, rng) for _ in range(2)])


@pytest.mark.parametrize("players", [2, 5])
def test_whole_answers_have_numbers_and_atoms(players: int) -> None:
    """Z3, Z5.2: the n-th answer, as atoms, is one of the ways through the masks, and plays the same game."""
    rng = random.Random(players)
    games = FlatZoff(1, players, EVERYTHING, seed=players, autoreset="disabled")
    table = ZoffTable(games.rules, games.deal_of(0))
    while not games.terminated[0]:
        counts = games.count()[0].copy()
        assert [seat for seat in range(players) if counts[seat]] == list(table.acting)
        numbers = [rng.randrange(max(1, count)) for count in counts]
        atoms = {seat: games.nth(0, seat, numbers[seat]) for seat in table.acting}
        seat = table.acting[0]
        if (
            counts[seat] < 200
        ):  # a bonus's order counts only where pastures fill, so it has more ways as atoms
            listed = [games.nth(0, seat, number) for number in range(counts[seat])]
            assert len(set(listed)) == len(listed)
            assert set(listed) <= set(whole_answers(table.view(seat)))
        for step in zip_longest(*atoms.values()):
            table.step(dict(zip(atoms, step, strict=True)))
        games.step([numbers])
        assert games.observation["round"][0] == table.state.round
    ending = table.state.ending
    assert ending is not None
    assert [round(score * BID_UNIT) for score in games.score[0].tolist()] == list(ending.scores)


def test_whole_answers_are_drawn_to_the_end_of_a_game() -> None:
    """Every number that is drawn is one of an answer, in all phases; bots that answer by atoms are refused."""
    games, rng, seen = FlatZoff(6, 3, EVERYTHING, seed=2, autoreset="disabled"), new_rng(2), set()
    while not games.terminated.all():
        drawn = games.sample(rng)
        assert (drawn >= 0).all()
        assert (drawn < np.maximum(games.count(), 1)).all()
        seen.update(games.observation["phase"].tolist())
        games.step(drawn)
    seen.update(games.observation["phase"].tolist())
    assert seen == {2, 3, 4, 5, 6, 7}
    again = FlatZoff(6, 3, EVERYTHING, seed=2)
    assert (again.sample(new_rng(2)) == FlatZoff(6, 3, EVERYTHING, seed=2).sample(new_rng(2))).all()
    with pytest.raises(InputError, match="games: expected actions that are atoms, got FlatZoff"):
        ZoffOpponents(games, {})


def test_a_game_that_takes_anothers_place_has_no_reward_of_it() -> None:
    games = ZoffVec(2, 3, seed=1, autoreset="disabled", illegal="terminate")
    deal, state = games.deal_of(0), late(games.rules, random.Random(1))
    for put in (partial(games.start, 1, deal), partial(games.load, 1, state)):
        games.reset()
        _, reward, terminated, _, info = games.step(np.full((2, 3), at.NOTHING))
        assert (reward[1].tolist(), info["illegal"].tolist()) == ([-1, 0, 0], [0, 0])
        put()
        assert not games.reward[1].any()
        assert (games.illegal.tolist(), terminated.tolist()) == ([0, -1], [True, False])


def test_each_game_can_have_a_seed_of_its_own() -> None:
    """Equal seeds deal equal games in any place; a game without one is dealt by its own chance."""
    games = ZoffVec(3, 4, seed=1)
    games.reset(seed=[7, None, 7])
    deals = [games.deal_of(index) for index in range(3)]
    assert deals[0] == deals[2] != deals[1]
    games.reset(seed=(8, 7, 9))
    assert games.deal_of(1) == deals[0]
    for wrong, got in (
        (True, "got True"),
        ("7", "got '7'"),
        ([1, 2], "got 2 seeds"),
        ([1, 2, 0.5], "got 0.5 among them"),
    ):
        with pytest.raises(InputError, match=f"seed: expected a whole number, 3 of them.*{got}"):
            games.reset(seed=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_closed_environment_does_not_step(threads: int) -> None:
    games = ZoffVec(2, 3, threads=threads)
    actions = games.sample(new_rng(1))
    games.close()
    with pytest.raises(InputError, match=r"expected an environment that is open, got one after"):
        games.step(actions)


def test_threads_and_copies_change_no_byte() -> None:
    expected = run_at_random(ZoffVec(37, 3, "fair", seed=9, autoreset="same_step"), 120)
    for threads, copy in ((2, False), (3, True)):
        games = ZoffVec(37, 3, "fair", seed=9, autoreset="same_step", threads=threads, copy=copy)
        assert run_at_random(games, 120) == expected
    assert run_at_random(ZoffVec(37, 3, "fair", seed=10, autoreset="same_step"), 120) != expected


def test_each_autoreset_mode_deals_when_it_says() -> None:
    """The same games, until the first of them ends; then each mode goes its own way."""
    found = {}
    for mode in AUTORESETS:
        games, rng = ZoffVec(1, 4, seed=2, autoreset=mode), new_rng(4)
        final = games.step(games.sample(rng))
        while not games.terminated[0]:
            final = games.step(games.sample(rng))
        found[mode] = games, final
    after = {mode: games.observation["phase"][0] for mode, (games, _) in found.items()}
    assert after == {"disabled": 7, "next_step": 7, "same_step": 4}
    games, final = found["same_step"]
    assert final.info["final_observation"]["phase"][0] == 7
    assert (final.info["final_score"] == found["disabled"][0].score).all()
    assert (final.reward == found["disabled"][0].reward).all()
    nothing = np.full((1, 4), at.NOTHING)
    for mode, phase, ended in (("disabled", 7, True), ("next_step", 4, False)):
        games, _ = found[mode]
        games.step(nothing)
        assert (games.observation["phase"][0], bool(games.terminated[0])) == (phase, ended)
        assert not games.reward.any()
    games, _ = found["disabled"]
    games.reset(mask=[True])
    assert games.observation["round"][0] == 1
    assert not games.terminated[0]


def test_a_restored_game_goes_on_as_it_did() -> None:
    """In another environment too: its later deals included."""
    games, rng = ZoffVec(4, 6, EVERYTHING, seed=6), new_rng(1)
    for _ in range(25):
        games.step(games.sample(rng))
    saved, other = games.save(1), ZoffVec(1, 6, EVERYTHING)
    other.restore(0, saved)
    ended = 0
    for _ in range(200):
        for name, shown in games.observation.items():
            assert (shown[1] == other.observation[name][0]).all(), name
        actions = games.sample(rng)
        games.step(actions)
        other.step(actions[1:2])
        ended += int(games.terminated[1])
    assert ended > 1
    with pytest.raises(InputError, match="expected a game of"):
        ZoffVec(1, 5).restore(0, saved)
    with pytest.raises(InputError, match="of this version"):
        games.restore(0, b"another")
    for wrong in (saved[:-1], saved[:-40] + bytes([saved[-40] ^ 1]) + saved[-39:], saved + b"0"):
        with pytest.raises(InputError, match="got changed bytes"):
            games.restore(0, wrong)


def test_a_wrong_action_is_named_and_nothing_moves() -> None:
    games = ZoffVec(3, 4, seed=1)
    actions = games.sample(new_rng(1))
    before = [games.save(index) for index in range(3)]
    actions[2, 1] = at.COWS + 2
    with pytest.raises(IllegalAction, match=r"game 2, seat 1: expected an atom .* \(cows 2\)"):
        games.step(actions)
    assert [games.save(index) for index in range(3)] == before
    for wrong, message in (
        (np.zeros((3, 5), dtype=np.int16), r"shape of \(3, 4\), got \(3, 5\)"),
        (np.zeros((3, 4)), "whole numbers, got float64"),
        (np.full((3, 4), 1 << 20), "fit int16, got 1048576"),
        (np.full((3, 4), -(1 << 20)), "fit int16, got -1048576"),
        ([[1], [1, 2]], "got rows of different lengths"),
    ):
        with pytest.raises(InputError, match=message):
            games.step(wrong)
    with pytest.raises(InputError, match=r"mask: expected bool, got int64"):
        games.reset(mask=[0, 2, 1])
    with pytest.raises(InputError, match=r"seed: expected a whole number.*, got 1\.5"):
        games.reset(seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="index: expected 0 to 2, got '1'"):
        games.save("1")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="index: expected 0 to 2, got 3"):
        games.seat_observation(3, 0)
    with pytest.raises(InputError, match="saved: expected bytes, got str"):
        games.restore(0, "saved")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="seat: expected 1, got 0"):
        ZoffVec(1, 3, rotate=True, viewer=1).seat_observation(0, 0)
    bad: tuple[tuple[dict[str, Any], str], ...] = (
        ({"players": 7}, "players: expected 2 to 6"),
        ({"players": -1}, "players: expected 2 to 6"),
        ({"variant": "chess"}, "variant: expected one of auction"),
        ({"reward": "gold"}, "reward: expected one of win_share"),
        ({"num_envs": 0}, "num_envs: expected a whole number from 1"),
    )
    for options, message in bad:
        with pytest.raises(InputError, match=message):
            ZoffVec(**{"num_envs": 1, **options})


def test_an_illegal_atom_can_end_its_game() -> None:
    games = ZoffVec(3, 4, seed=1, illegal="terminate", autoreset="same_step")
    actions = games.sample(new_rng(1))
    actions[2, 1] = -1
    _, reward, terminated, _, info = games.step(actions)
    assert terminated.tolist() == [False, False, True]
    assert reward[2].tolist() == [0, -1, 0, 0]
    assert info["illegal"].tolist() == [-1, -1, 1]
    assert games.observation["half"].tolist() == [1, 1, 0]
