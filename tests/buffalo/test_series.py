"""B4: the ladder and the match on both sides."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import BothSidesSeries, BuffaloRules, BuffaloSeries, LadderSeries
from stampede.buffalo.series import BOTTOM_RUNG, TOP_RUNG
from stampede.core.errors import GameOver, InputError, RuleSetError
from stampede.core.json import canonical

BUFFALO, HUNTER = 0, 1
results = st.lists(st.sampled_from((BUFFALO, HUNTER)), max_size=40)


def test_the_ladder_moves_one_rung_up_or_down_a_game_and_roles_stay() -> None:
    """B4.1: the buffalo side's wins lead up, the hunter's down."""
    series = LadderSeries()
    rungs = [series.rung]
    for winner in (BUFFALO, BUFFALO, HUNTER, HUNTER, HUNTER, BUFFALO):
        series = series.after((winner,))
        rungs.append(series.rung)
        assert series.seating == (0, 1)
    assert rungs == [0, 1, 2, 1, 0, -1, 0]
    assert (series.game_number, series.is_over, series.winner) == (7, False, None)


def test_above_rung_0_the_buffalo_side_chooses_which_buffaloes_to_leave_out() -> None:
    """B4.2: exactly as many as the rung says."""
    series = LadderSeries((BUFFALO, BUFFALO))
    assert series.next_rules(removed=("k", "a")) == BuffaloRules(("a", "k"), opening_moves=1)
    for wrong in ("", "a", "abc"):
        with pytest.raises(RuleSetError, match=f"expected 2 .* on rung 2 .*got {len(wrong)}"):
            series.next_rules(wrong)
    with pytest.raises(RuleSetError, match="expected different files"):
        series.next_rules("aa")


def test_below_rung_0_the_buffalo_side_opens_with_more_steps() -> None:
    """B4.3: 1 + |h|; no buffalo is left out."""
    assert LadderSeries((HUNTER,)).next_rules() == BuffaloRules(opening_moves=2)
    assert LadderSeries((HUNTER,) * 3).next_rules() == BuffaloRules(opening_moves=4)
    with pytest.raises(RuleSetError, match="expected 0 buffaloes to be removed on rung -1"):
        LadderSeries((HUNTER,)).next_rules("a")


def test_the_ladder_stays_at_its_ends() -> None:
    """B4.2: one buffalo always plays. B4.3: there are eleven that can step first."""
    top = LadderSeries((BUFFALO,) * 12)
    assert top.rung == TOP_RUNG == 10
    assert top.next_rules("abcdefghij") == BuffaloRules(tuple("abcdefghij"))
    assert top.after((HUNTER,)).rung == 9
    bottom = LadderSeries((HUNTER,) * 12)
    assert bottom.rung == BOTTOM_RUNG == -10
    assert bottom.next_rules() == BuffaloRules(opening_moves=11)
    assert bottom.after((BUFFALO,)).rung == -9


@given(results)
def test_every_rung_has_a_game(winners: list[int]) -> None:
    """B4.1, B4.2, B4.3."""
    series = LadderSeries(tuple(winners))
    rules = series.next_rules("abcdefghijk"[: max(series.rung, 0)])
    assert len(rules.removed) - (rules.opening_moves - 1) == series.rung


def test_on_both_sides_roles_swap_after_every_game() -> None:
    """B4.4: player 0 begins with the buffaloes."""
    series = BothSidesSeries()
    seatings = [series.seating]
    for winner in (BUFFALO, BUFFALO, BUFFALO):
        series = series.after((winner,))
        seatings.append(series.seating)
    assert seatings == [(0, 1), (1, 0), (0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("winners", "champion"),
    [
        ((BUFFALO, HUNTER), 0),
        ((HUNTER, BUFFALO), 1),
        ((BUFFALO, BUFFALO, HUNTER), 1),
        ((BUFFALO, BUFFALO, BUFFALO, HUNTER), 0),
        ((HUNTER, HUNTER, BUFFALO), 0),
    ],
)
def test_a_win_on_each_side_takes_the_match(winners: tuple[int, ...], champion: int) -> None:
    """B4.4: of the first player who has both."""
    series = BothSidesSeries()
    for winner in winners:
        assert not series.is_over
        assert series.next_rules() == BuffaloRules()
        series = series.after((winner,))
    assert (series.is_over, series.winner) == (True, champion)
    assert {(champion, BUFFALO), (champion, HUNTER)} <= series.wins
    with pytest.raises(GameOver, match=f"player {champion} has won it"):
        series.after((BUFFALO,))


def test_on_both_sides_there_is_no_handicap() -> None:
    """B4.4."""
    with pytest.raises(RuleSetError, match=r"expected no buffalo to be removed \(B4.4\), got c"):
        BothSidesSeries().next_rules("c")


@given(results, st.sampled_from((LadderSeries, BothSidesSeries)))
def test_a_series_is_read_back_from_its_json(winners: list[int], kind: type[BuffaloSeries]) -> None:
    """B4.1, B4.4."""
    series: BuffaloSeries = kind()
    for winner in winners:
        if not series.is_over:
            series = series.after((winner,))
    assert BuffaloSeries.from_json(json.loads(canonical(series.to_json()))) == series


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "series: expected an object"),
        (
            {"series": "knockout", "winners": []},
            'expected "ladder" or "both_sides", got \'knockout\'',
        ),
        ({"series": ["ladder"], "winners": []}, 'expected "ladder" or "both_sides"'),
        ({"series": "ladder"}, "winners: expected a list, got nothing"),
        ({"series": "ladder", "winners": [0, 2]}, r"winners\[1\]: expected seat 0 or 1, got 2"),
        ({"series": "ladder", "winners": ["0"]}, r"winners\[0\]: expected a whole number"),
        ({"series": "both_sides", "winners": [0, 1, 0]}, "expected the decision last"),
    ],
)
def test_a_series_that_can_t_be_is_refused(data: object, message: str) -> None:
    """B4.4: nothing is played after the decision."""
    with pytest.raises(InputError, match=message):
        BuffaloSeries.from_json(json.loads(json.dumps(data)))
