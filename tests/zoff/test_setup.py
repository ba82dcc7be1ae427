"""Set-up and preliminary round (Z2)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import ParseError, RuleSetError
from stampede.zoff import ZoffPhase, ZoffRules
from stampede.zoff.setup import Deal
from tests.zoff.arranged import GAME, seated


@pytest.mark.parametrize(
    ("players", "number", "largest"),
    [
        (2, 7, "Buzzard-Bluff"),
        (3, 9, "Buzzard-Bluff"),
        (4, 10, "Dynamite-Mine"),
        (5, 11, "Hang-Man-Mountains"),
        (6, 12, "Farmer's-Land"),
    ],
)
def test_pastures_in_play_depend_on_the_number_of_players(
    players: int, number: int, largest: str
) -> None:
    """Z2.1, Z10.1, Z11.4: fewer players leave out the largest pastures; two have seven of their own."""
    pastures = seated(ZoffRules(players)).setup.pastures
    assert len(pastures) == number
    assert pastures[-1].name == largest
    capacities = [pasture.capacity for pasture in pastures]
    assert capacities == sorted(capacities)


def test_every_player_holds_ten_cow_cards_and_48_cows() -> None:
    """Z2.2: 5 5 4 4 3 3 3 2 2 2, and the rest of the cows as reserve."""
    state = seated(ZoffRules(5))
    for hand in state.hands:
        assert [card.value for card in hand] == [2, 2, 2, 3, 3, 3, 4, 4, 5, 5]
    assert state.reserves == (46,) * 5


@given(st.integers(0, 10_000), st.sampled_from([3, 4, 5, 6]))
def test_the_preliminary_round_puts_single_cows_on_different_pastures(
    seed: int, players: int
) -> None:
    """Z2.3: dealt evenly, so no pasture starts with two herds."""
    state = seated(ZoffRules(players), seed=seed)
    each = 3 if players == 3 else 2
    for colour in range(players):
        assert sum(herd[colour] for herd in state.herds) == each
    assert all(sorted(herd)[-2:] in ([0, 0], [0, 1]) for herd in state.herds)


@pytest.mark.parametrize(("players", "cows", "pastures"), [(5, 10, 11), (4, 8, 10), (3, 9, 9)])
def test_the_sheets_own_count_of_preliminary_cows(players: int, cows: int, pastures: int) -> None:
    """Z12.4: five players 10 cows on 10 of 11 pastures, four 8 on 8 of 10, three 9 on 9."""
    state = seated(ZoffRules(players))
    assert len(state.herds) == pastures
    assert [sum(herd) for herd in state.herds].count(1) == cows
    assert sum(map(sum, state.herds)) == cows
    assert state.phase is ZoffPhase.CHOOSE


def test_a_deal_comes_from_its_seed_alone() -> None:
    rules = ZoffRules(4, auction=True)
    again = [GAME.draw(rules, random.Random(7)) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0] != GAME.draw(rules, random.Random(8))


def test_seats_may_ask_for_their_colours() -> None:
    state = seated(ZoffRules(3), ("purple", "blue", "pink"))
    assert GAME.write_setup(state)["colours"] == ["purple", "blue", "pink"]
    assert state.setup.colours == ("pink", "blue", "purple")


def _deal() -> Deal:
    return GAME.draw(ZoffRules(3), random.Random(1))


def _with(deal: Deal, index: int, cards: tuple[str, ...]) -> Deal:
    rows = list(deal.pastures)
    rows[index] = (rows[index][0], cards)
    return replace(deal, pastures=tuple(rows))


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (_with(_deal(), 0, ("Lucky-Lake",)), "expected 3 pastures"),
        (_with(_deal(), 0, _deal().pastures[1][1]), "dealt twice"),
        (_with(_deal(), 0, ("A", "B", "C")), "isn't a pasture in play"),
        (replace(_deal(), seats=("orange", "pink", "pink")), "each of orange, pink, green once"),
        (replace(_deal(), seats=None), "one a seat"),
        (replace(_deal(), pastures=_deal().pastures[:2]), "expected 3 colours"),
        (replace(_deal(), tie_order=(0, 1)), "every seat once"),
    ],
)
def test_a_wrong_deal_says_what_was_expected(deal: Deal, message: str) -> None:
    """Z2.3: an explicit deal is checked like a drawn one."""
    with pytest.raises(ParseError, match=message):
        GAME.initial(ZoffRules(3), deal)


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_no_other_number_of_players_is_played(players: int) -> None:
    """Z2.1: two to six."""
    with pytest.raises(RuleSetError, match="expected 2 to 6"):
        ZoffRules(players)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": "four"}, "rules.players: expected a whole number"),
        ({"fair": 1}, "rules.fair: expected true or false"),
        ({"edition": None}, "rules.edition: expected a text"),
        ({"edition": "unheard-of"}, "expected one of fx-schmid-1998-r1"),
    ],
)
def test_a_wrong_rule_set_says_which_key(change: dict[str, object], message: str) -> None:
    data = {**ZoffRules(4).to_json(), **change}
    with pytest.raises(RuleSetError, match=message):
        GAME.read_rules(data)  # type: ignore[arg-type]


def test_a_rule_set_reads_back() -> None:
    rules = ZoffRules(6, auction=True, fair=True, open_discards=True)
    assert GAME.read_rules(GAME.write_rules(rules)) == rules
