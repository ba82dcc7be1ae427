"""The rating fit: known strengths are found, rankings count as series of choices, and intervals hold the truth."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from stampede.lab.ratings import ELO, Contest, fit, rank_contests, rate_units


def _exact(true: dict[str, float], *among: str) -> Contest:
    """A thousand games with the very results that Luce's axiom expects."""
    weights = {name: among.count(name) * math.exp(true[name] / ELO) for name in among}
    total = sum(weights.values())
    return Contest(tuple(sorted(among)), {name: 1000 * w / total for name, w in weights.items()})


def test_the_fit_finds_the_strengths_behind_exact_results_at_mixed_tables() -> None:
    true = {"a": 0.0, "b": 120.0, "c": -300.0, "d": 250.0}
    tables = [_exact(true, "a", "b", "c"), _exact(true, "b", "d"), _exact(true, "d", "c", "c", "c")]
    found = fit(tables, {"a": 1000.0})
    for name, strength in true.items():
        assert found[name] == pytest.approx(1000 + strength, abs=1)


def test_without_an_anchor_ratings_have_a_mean_of_zero_and_all_won_stays_finite() -> None:
    found = fit([Contest(("a", "b"), {"a": 10.0})], {})
    assert found["a"] == pytest.approx(-found["b"])
    assert 200 < found["a"] < 2000
    assert fit([], {}) == {}


def test_a_ranking_is_a_series_of_choices_and_equal_places_are_shared() -> None:
    first, second = rank_contests([["b"], ["c"], ["a"]])
    assert first == Contest(("a", "b", "c"), {"b": 1.0})
    assert second == Contest(("a", "c"), {"c": 1.0})
    shared = rank_contests([["a", "b"], ["c"]])
    assert shared == [Contest(("a", "b", "c"), {"a": 0.5, "b": 0.5})] * 2
    assert rank_contests([["a", "a"], ["a"]]) == []


def test_the_whole_ranking_says_more_than_the_winner_alone() -> None:
    """Three equal players: the ratings of full rankings are nearer to each other than those of the wins."""
    rng = random.Random(3)
    orders = [rng.sample(["a", "b", "c"], 3) for _ in range(60)]
    whole = [c for order in orders for c in rank_contests([[name] for name in order])]
    wins = [Contest(("a", "b", "c"), {order[0]: 1.0}) for order in orders]
    spread = {
        kind: max(found.values()) - min(found.values())
        for kind, found in (("whole", fit(whole, {})), ("wins", fit(wins, {})))
    }
    assert spread["whole"] < spread["wins"]


def _pairs(true: dict[str, float], bouts: int, rng: random.Random) -> list[list[list[Contest]]]:
    """A round robin of pairs of games whose openings favour a side by 200 Elo."""
    strata = []
    for first, second in combinations(true, 2):
        units = []
        for _ in range(bouts):
            unit = []
            for tilt in (200, -200):
                chance = 1 / (1 + math.exp(-(true[first] - true[second] + tilt) / ELO))
                won = float(rng.random() < chance)
                unit.append(Contest((first, second), {first: won, second: 1 - won}))
            units.append(unit)
        strata.append(units)
    return strata


def test_intervals_hold_the_true_ratings_about_as_often_as_they_say() -> None:
    true, rng = {"a": -100.0, "b": 0.0, "c": 120.0}, random.Random(7)
    limit = _pairs(true, 4000, rng)  # what the fit tends to where openings favour a side
    truth = fit([c for stratum in limit for unit in stratum for c in unit], {})
    held = [
        rating.low <= truth[name] <= rating.high
        for _ in range(40)
        for name, rating in rate_units(_pairs(true, 12, rng), {}, rng, 80).items()
    ]
    assert 0.88 <= sum(held) / len(held) <= 0.99


def test_a_player_that_won_everything_has_a_lower_limit_only() -> None:
    unit = [Contest(("a", "b"), {"a": 1.0})] * 2
    found = rate_units([[unit] * 10], {}, random.Random(1))
    assert found["a"].high == math.inf
    assert found["b"].low == -math.inf
    assert 0 < found["a"].low < found["a"].value, "ten pairs don't prove that it never loses"
