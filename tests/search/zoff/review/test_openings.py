"""Bids that nobody can profit from changing, and what is told of settling, bids and picks."""

from __future__ import annotations

import random
from bisect import bisect

import pytest

from stampede.search.zoff.auction import bid_at, highest_bid, promise_of
from stampede.search.zoff.review.openings import review_bid, review_pick
from stampede.zoff import ZoffGame, ZoffPhase, ZoffRules
from stampede.zoff.actions import Bid, Pick

WORTHS = (21.0, 24.5, 22.0, 20.0, 23.0)


def test_bids_grow_with_the_quantile_from_nothing_to_the_highest() -> None:
    bids = [bid_at(WORTHS, step / 20) for step in range(21)]
    assert bids[0] == pytest.approx(0.0)
    assert bids == sorted(bids)
    assert bids[-1] == pytest.approx(highest_bid(WORTHS)) == pytest.approx(4.5 * 5 / 4)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_among_good_bidders_every_bid_up_to_the_highest_promises_the_same(share: float) -> None:
    """Z11.1, played out: the lead over the others' mean, all bids paid, colours picked from the best down."""
    rng = random.Random(1)
    players, games = len(WORTHS), 6_000
    best_first = sorted(WORTHS, reverse=True)
    bid = share * highest_bid(WORTHS)
    lead = 0.0
    for _ in range(games):
        others = sorted(bid_at(WORTHS, rng.random()) for _ in range(players - 1))
        place = players - 1 - bisect(others, bid)
        own = best_first[place] - bid
        rest = sum(best_first) - best_first[place] - sum(others)
        lead += (own - rest / (players - 1)) / games
    assert lead == pytest.approx(0.0, abs=0.12)


def test_colours_of_equal_worth_are_worth_no_bid() -> None:
    assert highest_bid([20.0, 20.0, 20.0]) == 0.0
    assert promise_of([20.0, 20.0, 20.0], 1.5) == pytest.approx(-1.5)


def test_a_bid_beyond_the_highest_gives_the_rest_away() -> None:
    worths = dict(zip(("a", "b", "c", "d", "e"), WORTHS, strict=True))
    fine, much = review_bid(Bid("3"), worths), review_bid(Bid("7"), worths)
    assert fine.value == fine.best_value == 0.0
    assert fine.best == Bid("3")
    assert much.best_value - much.value == pytest.approx(7 - 4.5 * 5 / 4)
    assert "b is worth 4.5 cows more than d" in much.reasons[0].text
    assert "too much" in much.reasons[0].text


def test_a_worse_pick_is_told_from_the_best_one() -> None:
    game, rng = ZoffGame(), random.Random(2)
    rules = ZoffRules(players=3, auction=True)
    state = game.initial(rules, game.draw(rules, rng))
    while state.phase is not ZoffPhase.PICK:
        seat = game.to_act(state)[0]
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    free = [way for way in game.legal(state, game.to_act(state)[0]) if isinstance(way, Pick)]
    worths = {way.colour: 20.0 + 2 * index for index, way in enumerate(free)}
    poor, good = (review_pick(state, way, free, worths) for way in (free[0], free[-1]))
    assert poor.best == good.best == free[-1]
    assert good.value == good.best_value == poor.best_value
    assert poor.best_value - poor.value == pytest.approx(4.0 * 3 / 2)
    assert f"{free[-1].colour} is worth 4.0 cows more" in poor.reasons[0].text
