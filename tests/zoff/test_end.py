"""The end of a round and of the game (Z6, Z7, Z8)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from stampede.core.errors import GameOver
from stampede.zoff import Place, ZoffPhase, ZoffRules
from stampede.zoff.events import BonusPlaced, FinalBonus, RoundEnded, ZoffEnded
from tests.zoff.arranged import GAME, Table, arranged

THREE = ZoffRules(3)
ALL_BUT_TWO = {
    "Powder-Prairie": {"pink": 8},
    "Coffee-Canyon": {"pink": 10},
    "Dead-Bull-Desert": {"pink": 12},
    "Fire-Fields": {"green": 14},
    "Drunk'n-Creek": {"green": 16},
    "Lucky-Lake": {"orange": 18},
    "Lucky-Pickle": {"orange": 21},
}


def pass_round(table: Table) -> Table:
    """Everyone lays two low pairs on two pastures, and places nothing."""
    names = [table.state.setup.pastures[index].name for index in table.state.open_pastures()][-2:]
    for seat in range(table.state.setup.rules.players):
        low, other = table.state.hands[table.state.owners.index(seat)][:2]
        table.choose(seat, f"{names[0]} {low}", f"{names[1]} {other}")
    while table.state.phase is ZoffPhase.PLACE:
        table.place(0)
    return table


def last_round(herds: Mapping[str, Mapping[str, int]], **reserves: int) -> Table:
    """The end of a three-player game whose last round changes nothing."""
    return pass_round(Table(arranged(THREE, herds, reserves=reserves, round_=5)))


def test_played_cow_cards_leave_the_game_and_pasture_cards_return() -> None:
    """Z6.1: the cards are in no hand any more, the pastures can all be chosen again."""
    table = pass_round(Table(arranged(THREE, {})))
    assert [len(hand) for hand in table.state.hands] == [8, 8, 8]
    assert [len(cards) for cards in table.state.discards] == [2, 2, 2]
    assert table.state.round == 4
    assert len(table.state.open_pastures()) == 9
    assert table.of(RoundEnded) == [RoundEnded(3)]


def test_the_game_ends_after_the_fifth_round() -> None:
    """Z6.2."""
    table = last_round({})
    assert table.state.phase is ZoffPhase.OVER
    assert GAME.to_act(table.state) == ()
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.reason == "rounds"
    with pytest.raises(GameOver):
        table.act(0, Place(0))
    assert len(GAME.legal(table.state, 0)) == 0


def test_the_game_ends_early_when_every_pasture_is_full() -> None:
    """Z6.2: the bonuses of the last pasture are gone through, though nobody can place them."""
    herds = {
        **ALL_BUT_TWO,
        "Lone-Star-Valley": {"green": 6},
        "Buzzard-Bluff": {"pink": 12, "green": 11},
    }
    table = Table(arranged(THREE, herds, reserves={"green": 9, "pink": 9, "orange": 9}, round_=2))
    for seat, card in enumerate(("2B", "2D", "2E")):
        table.choose(seat, f"Buzzard-Bluff {card}")
    table.place(1)
    assert [event.on for event in table.of(BonusPlaced)] == [(), ()]
    assert [event.lost.code for event in table.of(BonusPlaced) if event.lost] == ["all_full"] * 2
    assert table.state.ending is not None
    assert table.state.ending.reason == "full"
    assert table.state.ending.final == ()


def test_the_last_cow_ends_the_game_at_once_and_wins_it() -> None:
    """Z6.3: bonuses still due and the final bonus are not paid, and nobody counts cows."""
    herds = {"Lone-Star-Valley": {"orange": 3, "pink": 1}, "Lucky-Pickle": {"pink": 20}}
    table = Table(arranged(THREE, herds, reserves={"orange": 2}))
    table.choose(0, "Lone-Star-Valley 5B", "Buzzard-Bluff 2M")
    table.choose(1, "Lucky-Lake 2D", "Buzzard-Bluff 2J").choose(
        2, "Lucky-Lake 2E", "Buzzard-Bluff 2H"
    )
    table.place(2)
    ending = table.state.ending
    assert ending is not None
    assert (ending.reason, ending.winners) == ("exhausted", (0,))
    assert ending.placed[1] > ending.placed[0]
    assert table.of(BonusPlaced) == []
    assert table.of(FinalBonus) == []
    (ended,) = table.of(ZoffEnded)
    assert (ended.reason.clause, ended.decided_by.code) == ("Z6.3", "last_cow")


def test_a_last_bonus_cow_ends_the_game_too() -> None:
    """Z6.3: in the middle of a payment; the bonuses behind it lapse with the game."""
    herds = {"Fire-Fields": {"orange": 6, "pink": 4, "green": 3}}
    table = Table(arranged(THREE, herds, reserves={"orange": 2, "pink": 2}))
    table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M").choose(
        1, "Lucky-Lake 2D", "Buzzard-Bluff 2J"
    )
    table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H").place(1).bonus()
    table.bonus("Lucky-Lake", "Coffee-Canyon")
    assert table.state.ending is not None
    assert table.state.ending.winners == (1,)
    assert table.state.payments == ()


def test_open_pastures_pay_on_themselves_at_the_end() -> None:
    """Z7.1: by the ranks before it, up to free spaces and reserves, equal herds allowed, nothing triggered."""
    table = last_round(
        {
            "Lone-Star-Valley": {"orange": 3, "pink": 2},  # 1-1, one space: the second gets nothing
            "Powder-Prairie": {"pink": 3, "green": 1},  # 1-2: green comes close
            "Fire-Fields": {
                "orange": 4,
                "pink": 3,
            },  # 1-2-1: equal herds of 5; the third rank lapses
            "Lucky-Lake": {"green": 6},  # 1-2-1: alone
            "Drunk'n-Creek": {
                "orange": 7,
                "pink": 6,
                "green": 2,
            },  # 1-1-2: full, and pays nothing more
        },
        green=2,
    )
    paid = [(event.pasture, event.colour, event.cows) for event in table.of(FinalBonus)]
    assert paid == [
        ("Lone-Star-Valley", "orange", 1),
        ("Lone-Star-Valley", "pink", 0),
        ("Powder-Prairie", "pink", 1),
        ("Powder-Prairie", "green", 2),
        ("Fire-Fields", "orange", 1),
        ("Fire-Fields", "pink", 2),
        ("Drunk'n-Creek", "orange", 1),
        ("Drunk'n-Creek", "pink", 0),
        ("Drunk'n-Creek", "green", 0),
        ("Lucky-Lake", "green", 0),
    ]
    assert table.herd("Fire-Fields", "orange") == table.herd("Fire-Fields", "pink") == 5
    lost = [event.lost.code for event in table.of(FinalBonus) if event.lost is not None]
    assert lost == ["no_space", "no_space", "reserve_empty", "reserve_empty"]
    assert table.of(BonusPlaced) == []
    ending = table.state.ending
    assert ending is not None
    assert all(cows for _, _, cows in ending.final)
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    told = GAME.write_result(table.state, outcome)["final_bonus"]
    assert isinstance(told, list)
    assert told[0] == {"pasture": "Lone-Star-Valley", "colour": "orange", "cows": 1}


def test_most_cows_on_pastures_win() -> None:
    """Z8.1."""
    table = last_round({"Lucky-Lake": {"orange": 5}, "Lucky-Pickle": {"pink": 7}})
    assert table.state.ending is not None
    assert table.state.ending.winners == (1,)
    assert table.of(ZoffEnded)[0].decided_by.code == "most_cows"


def test_a_tie_goes_to_the_herd_on_the_largest_pasture_before_the_final_bonus() -> None:
    """Z8.1: green has as many cows as pink in the end, but on Buzzard-Bluff pink had more."""
    table = last_round({"Buzzard-Bluff": {"pink": 4, "green": 3}})
    ending = table.state.ending
    assert ending is not None
    assert ending.scores[1] == ending.scores[2]
    assert ending.winners == (1,)
    assert table.of(ZoffEnded)[0].decided_by.code == "largest_pasture"


def test_a_tie_that_stays_shares_the_victory() -> None:
    """Z8.1, ruling."""
    table = last_round({"Lucky-Lake": {"orange": 5}, "Fire-Fields": {"pink": 5}})
    assert table.state.ending is not None
    assert table.state.ending.winners == (0, 1)
    assert table.of(ZoffEnded)[0].decided_by.code == "shared"
