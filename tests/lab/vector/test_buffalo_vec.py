"""`BuffaloVec` is the rules of Buffalo: the same moves, observations and results, opening turns included."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

from stampede.buffalo import BuffaloGame, BuffaloRules, Position
from stampede.core.errors import IllegalAction, InputError
from stampede.kernels.buffalo.vector import layout as at
from stampede.kernels.masks import draw_actions
from stampede.kernels.rng import new_rng
from stampede.lab.atoms import buffalo as readable
from stampede.lab.vector import BuffaloVec
from stampede.lab.vector.base import AUTORESETS
from tests.lab.vector.runs import run_at_random

GAME = BuffaloGame()
GAMES = int(os.environ.get("STAMPEDE_LAB_GAMES", "20"))


@pytest.mark.parametrize("opening", [1, 2, 5])
def test_games_are_the_same_by_the_readable_rules(opening: int) -> None:
    """B1–B4: moves, observations, winners, with buffaloes left out and opening turns of several steps."""
    rng, winners = random.Random(opening), set()
    for _ in range(GAMES):
        removed = tuple(rng.sample("abcdefghijk", rng.randint(0, 11 - opening)))
        rules = BuffaloRules(removed, opening)
        games = BuffaloVec(1, variant=rules, autoreset="disabled")
        state = GAME.initial(rules, GAME.draw(rules, rng))
        while True:
            seat = int(state.position.turn)
            for viewer in range(2):
                view = GAME.view(state, viewer)
                legal = readable.legal_atoms(view)
                assert np.flatnonzero(games.action_mask[0, viewer]).tolist() == legal
                assert games.flat_observation[0].tolist() == readable.observe(view).tolist()
            if state.outcome is not None:
                break
            legal = readable.legal_atoms(GAME.view(state, seat))
            atom = rng.choice(legal) if seat == 0 else _hunt(state.position, legal, rng)
            move = readable.move_of(state.position, atom)
            assert readable.atom_of(state.position, move) == atom
            state = GAME.apply(state, seat, move).state
            games.step([[atom, at.NOTHING] if seat == 0 else [at.NOTHING, atom]])
            assert bool(games.terminated[0]) == (state.outcome is not None)
        winners.add(state.outcome.winners[0])
        assert games.reward[0].tolist() == [float(s in state.outcome.winners) for s in range(2)]
        assert games.score[0].tolist() == games.reward[0].tolist()
    assert winners == {0, 1} or opening == 5  # five steps ahead are too many


@pytest.mark.parametrize("opening", [1, 3])
def test_moves_are_drawn_from_boards_as_from_masks(opening: int) -> None:
    games, rng, twin = BuffaloVec(64, variant=BuffaloRules((), opening)), new_rng(5), new_rng(5)
    expected = np.empty((64, 2), dtype=np.int16)
    for _ in range(150):
        mask, acting = games.action_mask.reshape(-1), games.acting.reshape(-1)
        draw_actions(mask, acting, games.atoms, games.nothing, twin, expected.reshape(-1))
        drawn = games.sample(rng)
        assert drawn.tolist() == expected.tolist()
        games.step(drawn)
    assert games.observation["number"].min() < games.observation["number"].max()


def _hunt(position: Position, legal: list[int], rng: random.Random) -> int:
    """The move, of a few, that leaves the buffaloes fewest steps: at random the hunter hardly ever wins."""
    few = rng.sample(legal, min(12, len(legal)))
    return min(few, key=lambda atom: _steps_after(position, atom))


def _steps_after(position: Position, atom: int) -> int:
    return len(position.after(readable.move_of(position, atom)).legal_moves)


def test_threads_change_no_byte_and_a_fresh_fill_neither() -> None:
    games = BuffaloVec(37, autoreset="same_step", reward="lead")
    expected = run_at_random(games, 150)
    shown = {name: array.copy() for name, array in games.observation.items()}
    games._show(0, 37)  # what steps have changed bit by bit is what is written anew
    for name, array in games.observation.items():
        assert (array == shown[name]).all(), name
    assert (
        run_at_random(BuffaloVec(37, autoreset="same_step", reward="lead", threads=3), 150)
        == expected
    )


def test_each_autoreset_mode_starts_when_it_says() -> None:
    start = BuffaloVec(1).flat_observation[0].tolist()
    for mode in AUTORESETS:
        games, rng = BuffaloVec(1, autoreset=mode, reward="lead"), new_rng(4)
        final = games.step(games.sample(rng))
        while not games.terminated[0]:
            final = games.step(games.sample(rng))
        assert sorted(final.reward[0].tolist()) == [-1, 1]
        assert (games.flat_observation[0].tolist() == start) == (mode == "same_step")
        if mode == "same_step":
            assert final.info["final_observation"]["number"][0] > 1
            continue
        games.step([[at.NOTHING, at.NOTHING]])
        assert (games.flat_observation[0].tolist() == start) == (mode == "next_step")
        assert not games.reward.any()


def test_a_wrong_action_is_named_and_a_restored_game_goes_on() -> None:
    games = BuffaloVec(2)
    with pytest.raises(IllegalAction, match=r"game 1, seat 0: .* 12 \(the chief to b2\)"):
        games.step([[5, at.NOTHING], [12, at.NOTHING]])
    with pytest.raises(IllegalAction, match="game 0, seat 1"):
        games.step([[5, 5], [5, at.NOTHING]])
    with pytest.raises(InputError, match=r"shape of \(2, 2\), got \(2,\)"):
        games.step([5, 5])
    with pytest.raises(InputError, match="expected a game in progress"):
        BuffaloVec(1, start="11/11/11/11/11/3DDCDD3/5b5 w - - 0 9")
    saved = games.save(0)
    games.step([[5, at.NOTHING], [6, at.NOTHING]])
    games.restore(1, saved)
    assert games.observation["board"][1].tolist() != games.observation["board"][0].tolist()
    assert games.flat_observation[1].tolist() == BuffaloVec(1).flat_observation[0].tolist()
    ending = BuffaloVec(2, illegal="terminate")
    _, reward, terminated, _, info = ending.step([[5, at.NOTHING], [12, at.NOTHING]])
    assert (terminated.tolist(), reward[1].tolist()) == ([False, True], [-1, 0])
    assert info["illegal"].tolist() == [-1, 0]
    with pytest.raises(InputError, match="index: expected 0 to 1, got 5"):
        ending.seat_observation(5, 0)
    with pytest.raises(InputError, match="seat: expected 0 or 1, got 2"):
        ending.seat_observation(0, 2)
    ending.load(1, games.state_of(1))
    assert (ending.reward[1].tolist(), ending.illegal[1]) == ([0, 0], -1)
    place = Position.start().play("f7f6")
    assert BuffaloVec(1, start=place).acting.tolist() == [[0, 1]]
