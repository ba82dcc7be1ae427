"""What a review says of a better choice: what playing rounds out with it and without it shows."""

from __future__ import annotations

import random

import pytest

from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import decode_choice
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.resolve import count_cows, reveal
from stampede.search.zoff.review.choices import review_choices
from stampede.search.zoff.review.foresight import (
    OF_THE_CHOICE,
    draw_rounds,
    explain_outcome,
    play_out,
    say_mostly,
)
from stampede.search.zoff.value import load_net
from stampede.zoff import ZoffRules
from tests.search.zoff.review.test_choices import EFFORT, any_choices
from tests.search.zoff.test_search import played_to


@pytest.mark.parametrize(("players", "round_"), [(2, 3), (4, 2), (6, 4)])
def test_reasons_hold_in_the_rounds_that_they_come_from(players: int, round_: int) -> None:
    """Z4, Z5: cows and ranks that are told of a better choice are counted again, round by round."""
    state, setup, record = played_to(ZoffRules(players=players), round_, 7)
    laid = any_choices(setup, record, 7)
    found = review_choices(setup, record, laid, load_net(players), EFFORT, new_rng(7))
    rounds = draw_rounds(setup, found.predicted, random.Random(7))
    codes = set()
    for seat, one in enumerate(found.by_seat):
        cows = []
        for choice in (one.best, laid[seat]):
            total = 0
            for others in rounds:
                end = record.copy()
                choices = laid.copy()
                for player, theirs in enumerate(others):
                    choices[player] = choice if player == seat else theirs
                reveal(setup, end, choices)
                finish_round(setup, end)
                total += int(count_cows(setup, end, seat))
            cows.append(total / len(rounds))
        first, *ranks = explain_outcome(state, setup, record, seat, laid[seat], one.best, rounds)
        if cows[0] - cows[1] >= 0.2:
            assert first.code == "usually_more"
            assert first.values["cows"] == f"{cows[0] - cows[1]:.1f}"
        else:
            assert first.code == "usually_later"
        named = {pair.pasture for pair in decode_choice(state, seat, one.best).pairs}
        for remark in ranks:
            assert remark.code in OF_THE_CHOICE
            assert remark.values["pasture"] in named
        codes |= {first.code, *(remark.code for remark in ranks)}
    assert codes & set(OF_THE_CHOICE)


def test_the_same_choice_brings_nothing_more_and_changes_no_rank() -> None:
    state, setup, record = played_to(ZoffRules(players=3), 2, 4)
    laid = any_choices(setup, record, 4)
    found = review_choices(setup, record, laid, load_net(3), EFFORT, new_rng(4))
    rounds = draw_rounds(setup, found.predicted, random.Random(4))
    said = explain_outcome(state, setup, record, 0, laid[0], laid[0], rounds)
    assert [remark.code for remark in said] == ["usually_later"]


def test_a_pasture_that_nobody_else_can_reach_is_told_as_such() -> None:
    """Rounds in which all others lay elsewhere leave the seat alone there."""
    state, setup, record = played_to(ZoffRules(players=3), 1, 5)
    laid = any_choices(setup, record, 5)
    pasture = int(laid[0][0])
    elsewhere = [one for one in range(int(setup.pastures)) if one not in {pasture, int(laid[0][2])}]
    rounds = []
    for _ in range(3):
        others = [one.copy() for one in laid[:3]]
        for other in others[1:]:
            other[0], other[2] = elsewhere[0], elsewhere[1]
        rounds.append(others)
    ends = play_out(setup, record, 0, laid[0], rounds)
    said = [one.code for one in say_mostly(state, setup, 0, pasture, ends, rounds, OF_THE_CHOICE)]
    assert said[-1] == "usually_alone"
