"""`ZoffVec` shows a seat nothing that it may not know: every secret is changed, and not a byte of its rows differs."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from stampede.core.game import Seat
from stampede.kernels.rng import new_rng
from stampede.lab.vector import ZoffVec
from tests.lab.vector.other_secrets import change_secrets

TABLES, STEPS = 8, 110
HOUSE = "must_place, last_cow_counts, one_last_card, rebid_among_tied"
MODES: list[tuple[int, str, dict[str, Any], set[str]]] = [
    (2, "", {"rotate": True}, {"hands", "pairs", "dealt"}),
    (2, "auction, fair", {}, {"hands", "pairs", "dealt", "ties"}),
    (2, f"auction, {HOUSE}", {"memory": "perfect", "rotate": True}, {"pairs", "dealt", "ties"}),
    (3, "open_discards", {}, {"pairs"}),
    (4, "auction, rebid_among_tied", {"rotate": True, "viewer": 3}, {"hands", "pairs", "ties"}),
    (5, "auction", {"rotate": True}, {"hands", "pairs", "ties"}),
    (5, "fair", {"memory": "perfect"}, {"pairs"}),
    (6, f"auction, fair, {HOUSE}", {}, {"hands", "pairs", "ties"}),
    (6, "", {"rotate": True, "memory": "perfect"}, {"pairs"}),
]


@pytest.mark.parametrize(("players", "variant", "options", "kinds"), MODES)
def test_no_secret_reaches_another_seat(
    players: int, variant: str, options: dict[str, Any], kinds: set[str]
) -> None:
    """Z3.4, Z6.1, Z10.2, Z11.1: for every seat, in every mode, from the deal to the end of games."""
    games = ZoffVec(TABLES, players, variant, seed=players, **options)
    rng, draws, changed = random.Random(players), new_rng(1), Counter[str]()
    for step in range(STEPS):
        for index in range(TABLES):
            viewer = options.get("viewer", (step + index) % players)
            before, all_before = _bytes_of(games, index, viewer), games.full_observation(index)
            saved = games.save(index)
            found = change_secrets(games, index, viewer, rng)
            assert _bytes_of(games, index, viewer) == before
            if found["hands"] or found["pairs"] or found["dealt"]:
                assert games.full_observation(index).tobytes() != all_before.tobytes()
            changed += found
            games.restore(index, saved)
        games.step(games.sample(draws))
    assert set(changed) == {*kinds, "bonuses"}
    assert all(changed[kind] >= TABLES for kind in kinds)


def _bytes_of(games: ZoffVec, index: int, seat: Seat) -> bytes:
    """All rows of a seat."""
    parts = [
        games.seat_observation(index, seat),
        games.action_mask[index, seat],
        games.acting[index],
        games.score[index],
        games.reward[index],
        games.terminated[index : index + 1],
    ]
    return b"".join(part.tobytes() for part in parts)
