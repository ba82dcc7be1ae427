"""Two players (Z10): two colours each, settling, six rounds."""

from __future__ import annotations

import pytest

from stampede.core.errors import IllegalAction
from stampede.zoff import Settle, ZoffPhase, ZoffRules
from stampede.zoff.events import BonusPlaced, Precedence, Settled, ZoffEnded
from stampede.zoff.legal import choice_options
from tests.zoff.arranged import GAME, Table, arranged, choice, seated

TWO = ZoffRules(2)
ALL_BUT_LAST = {
    "Lone-Star-Valley": {"blue": 6},
    "Powder-Prairie": {"blue": 8},
    "Coffee-Canyon": {"pink": 10},
    "Dead-Bull-Desert": {"pink": 12},
    "Drunk'n-Creek": {"green": 16},
    "Lucky-Lake": {"orange": 18},
}


def settled() -> Table:
    """A game after both have settled in the first listed way."""
    table = Table(seated(TWO))
    for seat in (0, 1):
        table.act(seat, next(iter(GAME.legal(table.state, seat))))
    return table


def test_two_players_have_seven_pastures_two_colours_and_twelve_cards() -> None:
    """Z10.1: six rounds; the bracketed cards are in, in blue's and pink's hands."""
    state = seated(TWO)
    assert [p.capacity for p in state.setup.pastures] == [6, 8, 10, 12, 16, 18, 24]
    hands = [{str(card) for card in hand} for hand in state.hands]
    assert [len(hand) for hand in hands] == [12, 12]
    assert {"2N", "4M"} <= hands[0] or {"2N", "4M"} <= hands[1]
    assert GAME.write_setup(state)["colours"] == [["blue", "green"], ["pink", "orange"]]
    assert TWO.rounds == 6
    assert state.reserves == (48,) * 4


def test_each_settles_three_cows_in_both_colours_at_once() -> None:
    """Z10.2: six ways each, sealed until both have answered."""
    table = Table(seated(TWO))
    assert table.phase() is ZoffPhase.SETTLE
    ways = list(GAME.legal(table.state, 0))
    assert len(ways) == 6
    table.act(0, ways[0])
    assert table.of(Settled) == []
    assert sum(map(sum, table.state.herds)) == 0
    table.act(1, next(iter(GAME.legal(table.state, 1))))
    assert [event.seat for event in table.of(Settled)] == [0, 1]
    assert sorted(sum(herd) for herd in table.state.herds) == [0, 1, 1, 1, 1, 1, 1]
    for colour in range(4):
        assert sum(herd[colour] for herd in table.state.herds) >= 1
        assert table.state.reserves[colour] == 48 - sum(herd[colour] for herd in table.state.herds)
    assert table.phase() is ZoffPhase.CHOOSE


def test_settling_in_one_colour_or_elsewhere_is_refused() -> None:
    """Z10.2."""
    state = seated(TWO)
    group = state.owners.index(0)
    names = [state.setup.pastures[index].name for index in state.setup.dealt[group]]
    other = [state.setup.pastures[index].name for index in state.setup.dealt[1 - group]]
    for wrong in (
        Settle(tuple((name, "blue") for name in names)),
        Settle(tuple((name, "pink") for name in names)),
        Settle(tuple(zip(other, ("blue", "green", "blue"), strict=True))),
        Settle(((names[0], "blue"), (names[1], "green"))),
        Settle((*zip(names, ("blue", "green", "blue"), strict=True), (names[0], "blue"))),
    ):
        with pytest.raises(IllegalAction, match=r"Z10.2"):
            GAME.apply(state, 0, wrong)


def test_a_players_colours_are_two_herds_in_every_respect() -> None:
    """Z10.3: order and law of herds hold between the colours of one player."""
    state = arranged(TWO, {"Lucky-Lake": {"blue": 2, "pink": 1}})
    table = Table(state)
    table.choose(0, "Lucky-Lake 5H green", "Buzzard-Bluff 2F blue")
    table.choose(1, "Lucky-Lake 2D pink", "Buzzard-Bluff 2J orange")
    assert [turn.colour for turn in table.of(Precedence)[0].turns] == ["pink", "green"]
    table.place(2)
    cows = [action.to_json()["cows"] for action in table.actions]
    assert cows == [0, 1, 4, 5]


def test_each_round_one_pair_is_laid_for_each_colour() -> None:
    """Z10.4: on two different pastures."""
    table = settled()
    options = choice_options(table.state, 0)
    assert len(options) == 7 * 6 * 12 * 11
    assert options.colours == ("blue", "green")
    for wrong in (
        choice("Lucky-Lake 2F blue", "Buzzard-Bluff 2P blue"),
        choice("Lucky-Lake 2F blue", "Buzzard-Bluff 2P pink"),
        choice("Lucky-Lake 2F", "Buzzard-Bluff 2P"),
    ):
        with pytest.raises(IllegalAction, match=r"Z10.4"):
            table.act(0, wrong)
    with pytest.raises(IllegalAction, match=r"Z3.1"):
        table.choose(0, "Lucky-Lake 2F blue", "Lucky-Lake 2P green")


def test_a_single_open_pasture_takes_both_colours() -> None:
    """Z10.5: one cow card for each colour, both go there."""
    state = arranged(TWO, ALL_BUT_LAST)
    options = choice_options(state, 0)
    assert len(options) == len(list(options)) == 12 * 11
    table = Table(state)
    table.choose(0, "Buzzard-Bluff 2F blue", "Buzzard-Bluff 3F green")
    table.choose(1, "Buzzard-Bluff 2D pink", "Buzzard-Bluff 3E orange")
    (order,) = table.of(Precedence)
    assert [turn.colour for turn in order.turns] == ["pink", "blue", "orange", "green"]


def test_a_bonus_is_placed_in_the_colour_that_earned_it() -> None:
    """Z10.6."""
    herds = {"Lone-Star-Valley": {"green": 3, "orange": 1}, "Lucky-Lake": {"blue": 1}}
    table = Table(arranged(TWO, herds))
    table.choose(0, "Lone-Star-Valley 2F green", "Buzzard-Bluff 2P blue")
    table.choose(1, "Lucky-Lake 2D pink", "Buzzard-Bluff 2J orange")
    table.place(2).bonus("Coffee-Canyon").bonus("Powder-Prairie")
    assert [(event.colour, event.on) for event in table.of(BonusPlaced)] == [
        ("green", ("Coffee-Canyon",)),
        ("orange", ("Powder-Prairie",)),
    ]
    assert table.herd("Coffee-Canyon", "green") == 1
    assert table.herd("Powder-Prairie", "orange") == 1


def test_the_winner_has_most_cows_of_both_colours() -> None:
    """Z10.7, Z6.2: after six rounds."""
    table = Table(arranged(TWO, {"Lucky-Lake": {"blue": 5}}, round_=6))
    pass_two(table)
    assert table.state.ending is not None
    assert table.state.ending.winners == (0,)


def pass_two(table: Table) -> Table:
    """Both lay low pairs and place nothing."""
    for seat, colours in ((0, ("blue", "green")), (1, ("pink", "orange"))):
        low, other = table.state.hands[table.state.owners.index(seat)][:2]
        table.choose(
            seat, f"Coffee-Canyon {low} {colours[0]}", f"Powder-Prairie {other} {colours[1]}"
        )
    while table.state.phase is ZoffPhase.PLACE:
        table.place(0)
    return table


def test_a_tie_goes_to_the_larger_single_herd_on_the_24() -> None:
    """Z10.7: before Z7, and one colour alone: blue 2 and green 3 there lose to pink's 4."""
    herds = {
        "Buzzard-Bluff": {"blue": 2, "green": 3, "pink": 4},
        "Lucky-Lake": {"orange": 1},
    }
    table = pass_two(Table(arranged(TWO, herds, round_=6)))
    ending = table.state.ending
    assert ending is not None
    # Buzzard-Bluff 1-2-2: pink +1, green +2, blue +2; Lucky-Lake: orange +1. 9 to 7: no tie yet.
    assert ending.placed == (9, 7)
    herds["Lucky-Lake"] = {"orange": 3}
    table = pass_two(Table(arranged(TWO, herds, round_=6)))
    ending = table.state.ending
    assert ending is not None
    assert ending.placed == (9, 9)
    assert ending.winners == (1,)
    assert table.of(ZoffEnded)[0].decided_by.clause == "Z10.7"


def test_both_reserves_must_be_empty_to_end_the_game() -> None:
    """Z10.8: one colour's last cow ends nothing; the other colour's does."""
    herds = {"Lucky-Lake": {"blue": 1}}
    table = Table(arranged(TWO, herds, reserves={"blue": 2, "green": 2}))
    table.choose(0, "Lucky-Lake 2F blue", "Buzzard-Bluff 2P green")
    table.choose(1, "Powder-Prairie 2D pink", "Coffee-Canyon 2J orange")
    table.place(0).place(0).place(2)
    assert table.phase() is not ZoffPhase.OVER
    table.place(2)
    assert table.state.ending is not None
    assert (table.state.ending.reason, table.state.ending.winners) == ("exhausted", (0,))
