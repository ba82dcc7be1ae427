"""Who plays whom: every player as often on every seat, and with the same luck."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import InputError
from stampede.lab.tournament.pairing import Bout, all_bouts, swiss_round
from stampede.lab.tournament.spec import TournamentSpec


def spec(players: int, **keys: Any) -> TournamentSpec:
    """A tournament of Zoff among random players."""
    listed = [{"player": "random", "name": f"p{number}"} for number in range(players)]
    return TournamentSpec.parse({"game": "zoff", "players": listed, **keys})


def seats_of(bouts: list[Bout]) -> Counter[tuple[str, int]]:
    """How often each player sits on each seat."""
    return Counter(
        (name, seat)
        for bout in bouts
        for number in range(len(bout.lineup))
        for seat, name in enumerate(bout.rotation(number))
    )


@given(st.integers(2, 6), st.integers(0, 2), st.sampled_from(["mixed", "field"]))
def test_a_round_robin_is_even(seats: int, more: int, tables: str) -> None:
    """Every player has every seat as often, every group meets as often, and all groups play the same deals."""
    made = spec(seats + more, seats=seats, tables=tables, bouts=3)
    bouts = all_bouts(made)
    assert len(set(seats_of(bouts).values())) == 1
    assert len(seats_of(bouts)) == seats * len(made.players)
    size = 2 if tables == "field" else seats
    groups = Counter(tuple(sorted(set(bout.lineup))) for bout in bouts)
    assert set(groups) == set(combinations(sorted(made.names), size))
    starts = {
        group: sorted(b.start for b in bouts if set(b.lineup) == set(group)) for group in groups
    }
    assert len(set(map(tuple, starts.values()))) == 1


def test_a_gauntlet_lets_each_challenger_play_all_others() -> None:
    made = spec(5, format="gauntlet", challengers=["p1", "p3"], bouts=1)
    met = {tuple(sorted(bout.lineup)) for bout in all_bouts(made)}
    assert met == {tuple(sorted((c, o))) for c in ("p1", "p3") for o in ("p0", "p2", "p4")}


def test_too_many_tables_are_refused() -> None:
    with pytest.raises(InputError, match=r"expected at most 5000 pairings, got .*: try swiss"):
        all_bouts(spec(40, seats=5, tables="mixed"))


@given(st.integers(2, 9), st.sampled_from([2, 3]), st.randoms(use_true_random=False))
def test_a_swiss_round_pairs_neighbours_that_have_not_met(
    players: int, seats: int, rng: random.Random
) -> None:
    """All play but those with a bye; byes are spread; with two at a table, nobody meets again without need."""
    seats = min(seats, players)
    made = spec(players, seats=seats, tables="mixed", format="swiss", rounds=3, bouts=1)
    points = dict.fromkeys(made.names, 0.0)
    former: list[list[tuple[str, ...]]] = []
    byes: Counter[str] = Counter()
    for number in range(3):
        bouts, free = swiss_round(made, number, points, former)
        groups = [tuple(sorted(bout.lineup)) for bout in bouts]
        assert sorted([*(name for group in groups for name in group), *free]) == sorted(made.names)
        assert all(bout.start == number for bout in bouts)
        byes.update(free)
        former.append([*groups, *((name,) for name in free)])
        for name in made.names:
            points[name] += rng.randint(0, 2) / 2
    assert max(byes.values(), default=0) - min(byes[name] for name in made.names) <= 1
    if seats == 2 and players >= 6:  # three rounds without a second meeting are possible
        assert (
            max(Counter(group for groups in former for group in groups if len(group) > 1).values())
            == 1
        )


def test_the_leaders_meet() -> None:
    made = spec(4, format="swiss", rounds=2, bouts=1)
    bouts, _ = swiss_round(made, 1, {"p0": 1, "p2": 1}, [[("p0", "p1"), ("p2", "p3")]])
    assert [set(bout.lineup) for bout in bouts] == [{"p0", "p2"}, {"p1", "p3"}]
