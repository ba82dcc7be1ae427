"""A copied or pickled environment plays on as a game of its own, and its observations are its own."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from stampede.kernels.rng import new_rng
from stampede.lab.vector import BuffaloVec, FlatZoff, VectorGames, ZoffVec
from stampede.lab.vector.opponents import BuffaloOpponents, ZoffOpponents

MADE: dict[str, Callable[[], VectorGames]] = {
    "auction": lambda: ZoffVec(3, 4, "auction", rotate=True, autoreset="same_step"),
    "threads": lambda: ZoffVec(3, 3, threads=2),
    "flat": lambda: FlatZoff(3, 2),
    "buffalo": lambda: BuffaloVec(3, autoreset="same_step"),
}
COPIES: dict[str, Callable[[VectorGames], VectorGames]] = {
    "copy": copy.deepcopy,
    "pickle": lambda games: pickle.loads(pickle.dumps(games)),  # noqa: S301 - our own bytes
}


def _actions(games: VectorGames) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    if isinstance(games, FlatZoff):
        return np.maximum(games.count() - 1, 0)
    return games.sample(new_rng(7))


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
@pytest.mark.parametrize("how", COPIES.values(), ids=COPIES)
def test_a_copy_shows_its_own_game(
    make: Callable[[], VectorGames], how: Callable[[VectorGames], VectorGames]
) -> None:
    games = make()
    games.step(_actions(games))
    before = {name: part.copy() for name, part in games.observation.items()}
    twin = how(games)
    for _ in range(4):
        twin.step(_actions(twin))
    for name, part in games.observation.items():
        assert (part == before[name]).all(), name
    for _ in range(4):
        games.step(_actions(games))
    changed = 0
    for name, part in twin.observation.items():
        assert (part == games.observation[name]).all(), name
        assert not np.shares_memory(part, games.observation[name])
        changed += bool((part != before[name]).any())
    assert changed > 2
    assert twin.final_observation.keys() == games.final_observation.keys()
    for each in (games, twin):
        each.close()


@pytest.mark.parametrize("how", COPIES.values(), ids=COPIES)
def test_copied_bots_answer_as_they_would(how: Callable[[object], object]) -> None:
    zoff, buffalo = ZoffVec(3, 3), BuffaloVec(3)
    for bots in (
        ZoffOpponents(zoff, {1: "zoff-2"}),
        BuffaloOpponents(buffalo, {1: "buffalo-2"}),
    ):
        twin = how(bots)
        assert isinstance(twin, type(bots))
        assert twin.games is not bots.games
        for _ in range(6):
            chosen = bots.choose()
            assert (twin.choose() == chosen).all()
            bots.games.step(chosen)
            twin.games.step(chosen)
