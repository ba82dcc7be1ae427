"""Bots in the seats of vector environments: the levels at first sight judge as the readable ones do."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stampede.bots.buffalo.sight import Sight, move_at_sight, outlook
from stampede.bots.zoff import sight as zoff_sight
from stampede.bots.zoff.sight import ZoffSight, act_at_sight
from stampede.buffalo import BuffaloRules, Position
from stampede.buffalo.game import BuffaloGame
from stampede.core.errors import InputError
from stampede.core.playthrough import Playthrough
from stampede.kernels.buffalo.bridge import encode, signed
from stampede.lab.atoms.buffalo import atom_of
from stampede.lab.atoms.zoff import ZoffTable, answer_of
from stampede.lab.vector import BuffaloVec, ZoffVec
from stampede.lab.vector.opponents import BuffaloOpponents, ZoffOpponents
from stampede.search.buffalo.sight import judge_key
from stampede.search.buffalo.weights import shipped_weights
from stampede.search.buffalo.workspace import new_workspace
from stampede.zoff.actions import PlaceBonus
from stampede.zoff.view import ZoffView


def gain_of(view: ZoffView, bonus: PlaceBonus) -> float:
    """What a use of a bonus gains at first sight."""
    colour, pastures = view.due[0].colour, {one.name: one for one in view.pastures}
    return sum(
        zoff_sight._gain(view, pastures[name], colour, bonus.on.count(name))
        - zoff_sight._gain(view, pastures[name], colour, 0)
        for name in set(bonus.on)
    )


@pytest.mark.parametrize("players", [2, 3, 5])
def test_zoff_at_first_sight_is_the_readable_level_without_its_fancy(players: int) -> None:
    """Without chance both give the same answers, through whole games.

    These numbers of players share a bonus without rounding, so that ties are ties in both.
    """
    games = ZoffVec(2, players, seed=5, autoreset="disabled")
    opponents = ZoffOpponents(games, dict.fromkeys(range(players), "zoff-2"))
    opponents._tastes[:] = 0.0
    tables = [ZoffTable(games.rules, games.deal_of(index)) for index in range(2)]
    sight, chance, answers = ZoffSight(fancy=0.0), random.Random(0), 0
    while not games.terminated.all():
        atoms = opponents.choose()
        for index, table in enumerate(tables):
            given = {seat: int(atoms[index, seat]) for seat in table.acting}
            for seat, atom in given.items():
                view = table.view(seat)
                answer = answer_of(view, (*table.given[seat], atom))
                if answer is None or view.round == 0:
                    continue
                expected = act_at_sight(view, sight, chance)
                if isinstance(expected, PlaceBonus):  # several uses may gain the same
                    assert isinstance(answer, PlaceBonus)
                    assert gain_of(view, answer) == pytest.approx(gain_of(view, expected))
                else:
                    assert answer == expected
                answers += 1
            if given:
                table.step(given)
        games.step(atoms)
    assert answers > 50


def test_buffalo_at_first_sight_judges_as_the_readable_level() -> None:
    """B3.1: a win, a threat, and the learned evaluation otherwise."""
    space, rng = new_workspace(shipped_weights().sums), random.Random(1)
    kinds = set()
    for _ in range(12):
        position = Position.start()
        while not position.is_over:
            position = position.after(rng.choice(tuple(position.legal_moves)))
            seen = judge_key(space, signed(encode(position)))
            assert seen == outlook(position)
            kinds.add(abs(seen) >= 2_000)
    assert kinds == {True, False}


@pytest.mark.parametrize("sight", [Sight(0, favours=80), Sight(0, overlooks=1), Sight(0, ideas=3)])
def test_buffalo_at_first_sight_moves_as_the_readable_level(sight: Sight) -> None:
    """Without blur both like the same moves: by their plan, what they overlook, and what they think through."""
    games, rng = BuffaloVec(1), random.Random(4)
    opponents = BuffaloOpponents(games, {0: "buffalo-1", 1: "buffalo-1"})
    for seat in range(2):
        opponents._tastes[seat][:] = sight.blur, sight.overlooks, sight.favours, sight.ideas
    same = turns = 0
    while turns < 150:
        atoms, position = opponents.choose(), games.state_of(0).position
        moves = tuple(position.legal_moves)
        if moves and not position.is_over:
            move = move_at_sight(position, moves, sight, rng)
            same += int(atoms[0, position.turn.value]) == atom_of(position, move)
            turns += 1
        games.step(atoms if rng.random() < 0.7 else games.sample(opponents._rng))
    assert (
        same >= 0.85 * turns
    )  # else they take another one of equal moves, or overlook another piece as far


def test_a_win_at_once_is_never_missed_and_an_opening_turn_is_played() -> None:
    """B3.1: a buffalo that can cross does; B4.3: the opening turn steps with different buffaloes."""
    games = BuffaloVec(16, start="b10/1b9/2b8/3b7/9C1/5b1DDDD/11 b - - 0 20")
    atoms = BuffaloOpponents(games, {0: "buffalo-1"}).choose()
    assert (atoms[:, 0] == 5).all()
    handicap = BuffaloVec(16, variant=BuffaloRules(opening_moves=4))
    opponents = BuffaloOpponents(handicap, {0: "buffalo-2", 1: "buffalo-1"})
    ended = 0
    for step in range(140):
        assert step > 3 or handicap.acting[:, 0].all()
        ended += int(handicap.step(opponents.choose()).terminated.sum())
    assert ended >= 16


def test_any_bot_of_buffalo_sees_the_game_as_it_stands() -> None:
    """A state that goes in comes out again, its opening turn included; a bot answers it."""
    game, rng = BuffaloGame(), random.Random(2)
    rules = BuffaloRules(("c",), 1)
    played = Playthrough(game, rules, game.draw(rules, rng))
    games = BuffaloVec(2, variant=rules)
    while played.outcome is None:
        (seat,) = played.to_act
        played.play(seat, played.view(seat).legal.sample(rng))
        games.load(0, played.state)
        found = games.state_of(0)
        assert (found.position, found.outcome) == (played.state.position, played.outcome)
        assert found.position.number == played.state.position.number
    opening = BuffaloVec(1, variant=BuffaloRules(opening_moves=3))
    opponents = BuffaloOpponents(opening, {0: "one-move"})
    opening.step(opponents.choose())
    state = opening.state_of(0)
    assert state.opening is not None
    assert (state.opening.left, len(state.opening.stepped)) == (2, 1)


def test_the_same_seed_gives_the_same_answers_and_unknown_bots_are_refused() -> None:
    runs = []
    for _ in range(2):
        games = ZoffVec(8, 3, "auction, fair, must_place", seed=3)
        opponents = ZoffOpponents(games, {0: "zoff-1", 2: "zoff-2"})
        opponents.seed(7)
        shown = [games.step(opponents.choose()).reward.copy() for _ in range(120)]
        runs.append(np.array(shown))
    assert runs[0].any()
    assert (runs[0] == runs[1]).all()
    games = ZoffVec(1, 3)
    with pytest.raises(InputError, match=r"expected random or zoff-1, zoff-2.*got 'zoff-5'"):
        ZoffOpponents(games, {1: "zoff-5"})
    with pytest.raises(InputError, match="expected seats 0 to 2, got 3"):
        ZoffOpponents(games, {3: "zoff-1"})
