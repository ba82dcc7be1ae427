"""The author's variants (Z11): auction, fair, six players, and all of them together."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from stampede.core.errors import IllegalAction, NotToAct, ParseError
from stampede.core.record import SeatInfo
from stampede.core.replay import replay
from stampede.zoff import Bid, Pick, Settle, TakeBack, ZoffPhase, ZoffRules
from stampede.zoff.events import BidShown, BidsTied, BonusPlaced, Picked, Ranked
from stampede.zoff.legal import BidOptions
from tests.zoff.arranged import GAME, Table, arranged, played, seated
from tests.zoff.test_end import pass_round

AUCTION = ZoffRules(3, auction=True)


def bidding(*bids: str, table: Table | None = None) -> Table:
    """All seats bid at once."""
    table = table or Table(seated(AUCTION))
    for seat, bid in zip(GAME.to_act(table.state), bids, strict=True):
        table.act(seat, Bid(bid))
    return table


def test_nobody_owns_a_colour_before_the_auction() -> None:
    """Z11.1: the preliminary cows are down, in colours that are for sale."""
    state = seated(AUCTION)
    assert state.phase is ZoffPhase.BID
    assert state.owners == (None, None, None)
    assert sum(map(sum, state.herds)) == 9
    assert "colours" not in GAME.write_setup(state)


def test_the_highest_bid_picks_a_colour_first() -> None:
    """Z11.1: and so on down; the last colour goes by itself."""
    table = bidding("1.0895", "0", "2.5")
    assert [event.bid for event in table.of(BidShown)] == ["1.0895", "0", "2.5"]
    assert table.of(Ranked)[0].order == (2, 0, 1)
    with pytest.raises(NotToAct, match="expected a pick of seat 2"):
        table.act(0, Pick("pink"))
    table.act(2, Pick("pink"))
    with pytest.raises(IllegalAction, match="pink is taken"):
        table.act(0, Pick("pink"))
    with pytest.raises(ParseError, match="expected one of orange, pink, green"):
        table.act(0, Pick("purple"))
    table.act(0, Pick("green"))
    assert table.of(Picked)[-1] == Picked(1, "orange", forced=True)
    assert table.phase() is ZoffPhase.CHOOSE
    assert GAME.write_setup(table.state)["colours"] == ["green", "orange", "pink"]


def test_bids_are_secret_and_can_be_changed_until_the_last_is_in() -> None:
    """Z11.1, Z3.4."""
    table = Table(seated(AUCTION))
    table.act(0, Bid("3")).act(1, Bid("1")).act(0, TakeBack()).act(0, Bid("2"))
    assert table.of(BidShown) == []
    table.act(2, Bid("0"))
    assert [event.bid for event in table.of(BidShown)] == ["2", "1", "0"]


def test_equal_bids_are_bid_again_and_not_lower() -> None:
    """Z11.1: only by those who are tied."""
    table = bidding("2", "1", "1")
    assert table.of(BidsTied)[0].seats == (1, 2)
    assert GAME.to_act(table.state) == (1, 2)
    with pytest.raises(NotToAct):
        table.act(0, Bid("5"))
    with pytest.raises(IllegalAction, match=r"expected a bid of at least 1, got 0.9999 \(Z11.1\)"):
        table.act(1, Bid("0.9999"))
    bidding("1", "1.5", table=table)
    assert table.of(Ranked)[0].order == (0, 2, 1)


def test_a_rebid_stands_against_all_bids() -> None:
    """Z11.1: the highest bid picks first, whenever it was made."""
    table = bidding("2", "1", "1")
    bidding("2.5", "2", table=table)
    assert table.of(BidsTied)[1].seats == (0, 2)
    bidding("2", "3", table=table)
    assert table.of(Ranked)[0].order == (2, 1, 0)


def test_after_three_rounds_of_ties_the_seed_decides() -> None:
    """Z11.1, ruling."""
    deal = replace(GAME.draw(AUCTION, random.Random(1)), tie_order=(2, 0, 1))
    table = Table(GAME.initial(AUCTION, deal))
    for _ in range(3):
        bidding("1", "1", "1", table=table)
    assert [event.reason.code for event in table.of(BidsTied)] == [
        "bid_again",
        "bid_again",
        "seed_decides",
    ]
    assert table.of(Ranked)[0].order == (2, 0, 1)


def test_the_bid_is_deducted_at_the_end() -> None:
    """Z11.1: scores are exact to the fourth decimal, and can turn the result round."""
    game = played(AUCTION, 11)
    ending = game.state.ending
    assert ending is not None
    bids = [bid.units for bid in game.state.bids if bid is not None]
    pairs = zip(ending.placed, bids, strict=True)
    assert list(ending.scores) == [placed * 10_000 - bid for placed, bid in pairs]
    assert [ending.scores[seat] for seat in ending.winners] == [max(ending.scores)]
    result = game.record(tuple(SeatInfo(f"{i}") for i in range(3))).result
    assert result is not None
    assert result["bids"] == [bid.text for bid in game.state.bids if bid is not None]
    assert result["scores"] == [score / 10_000 for score in ending.scores]


@pytest.mark.parametrize(
    "text", ["", "-1", "1.", ".5", "1.00005", "1,5", "1e3", "12345", "NaN", "٣", "1.٢"]
)
def test_a_wrong_bid_is_refused(text: str) -> None:
    """Z11.1: a decimal number ≥ 0 with up to four decimals."""
    with pytest.raises(ParseError, match=r"such as 1\.0895"):
        Bid(text)


def test_bids_are_exact_in_ten_thousandths() -> None:
    """Z11.1."""
    for text, units in (("0", 0), ("1.0895", 10895), ("9999.9999", 99_999_999), ("2.5", 25_000)):
        assert Bid(text).units == units
        assert Bid.of_units(units).text == text
    assert Bid("1.50").units == Bid("1.5").units
    options = BidOptions(10_000)
    assert Bid("1") in options
    assert Bid("0.9999") not in options
    assert next(iter(options)) == Bid("1")
    assert len(options) == 99_990_000


def test_two_players_settle_and_then_buy_their_colours() -> None:
    """Z11.1, Z11.3, ruling: the preliminary round with its settling comes first, seat by seat; then the bids."""
    table = Table(seated(ZoffRules(2, auction=True)))
    assert table.phase() is ZoffPhase.SETTLE
    for seat, group in ((0, {"blue", "green"}), (1, {"pink", "orange"})):
        settle = next(iter(GAME.legal(table.state, seat)))
        assert isinstance(settle, Settle)
        assert {colour for _, colour in settle.colours} == group
        table.act(seat, settle)
    assert table.phase() is ZoffPhase.BID
    assert sum(map(sum, table.state.herds)) == 6
    bidding("0.5", "0.25", table=table).act(0, Pick("pink"))
    assert GAME.write_setup(table.state)["colours"] == [["pink", "orange"], ["blue", "green"]]
    assert table.phase() is ZoffPhase.CHOOSE


@pytest.mark.parametrize(
    ("pasture", "free", "cows"), [("Fire-Fields", 14, 1), ("Drunk'n-Creek", 16, 2)]
)
def test_the_player_who_fills_a_pasture_gets_the_fair_bonus_first(
    pasture: str, free: int, cows: int
) -> None:
    """Z11.2: one cow up to a capacity of 14, two from 16; before the ranks."""
    herds = {pasture: {"orange": free - 2, "pink": 1}}
    table = Table(arranged(ZoffRules(3, fair=True), herds))
    table.choose(0, f"{pasture} 2B", "Buzzard-Bluff 2M")
    table.choose(1, "Lucky-Lake 2D", "Buzzard-Bluff 2J").choose(
        2, "Lucky-Lake 2E", "Buzzard-Bluff 2H"
    )
    table.place(1)
    fair, first, *_ = table.state.payments
    assert (fair.kind, fair.rank, fair.cows, fair.colour) == ("fair", 0, cows, 0)
    assert (first.kind, first.rank) == ("rank", 1)
    table.bonus("Lucky-Lake")
    assert table.of(BonusPlaced)[0].bonus == "fair"


def test_a_pasture_filled_in_a_cascade_pays_its_fair_bonus_in_its_turn() -> None:
    """Z11.2, Z5.4: to the colour that covered the last space, before that pasture's ranks."""
    herds = {
        "Fire-Fields": {"orange": 6, "pink": 4, "green": 3},
        "Lone-Star-Valley": {"green": 5},
    }
    table = Table(arranged(ZoffRules(3, fair=True), herds))
    table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M").choose(
        1, "Lucky-Lake 2D", "Buzzard-Bluff 2J"
    )
    table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H").place(1)
    table.bonus("Lone-Star-Valley")
    while table.state.payments:
        table.bonus()
    paid = [(event.source, event.bonus, event.colour) for event in table.of(BonusPlaced)]
    assert paid == [
        ("Fire-Fields", "fair", "orange"),
        ("Fire-Fields", "rank", "orange"),
        ("Fire-Fields", "rank", "pink"),
        ("Fire-Fields", "rank", "green"),
        ("Lone-Star-Valley", "fair", "orange"),
        ("Lone-Star-Valley", "rank", "green"),
        ("Lone-Star-Valley", "rank", "orange"),
    ]


def test_the_final_bonus_knows_no_fair_bonus() -> None:
    """Z11.2: not in Z7."""
    table = Table(arranged(ZoffRules(3, fair=True), {"Lone-Star-Valley": {"orange": 5}}, round_=5))
    pass_round(table)
    assert table.herd("Lone-Star-Valley", "orange") == 6
    assert table.of(BonusPlaced) == []


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_both_variants_may_be_on_at_once(players: int) -> None:
    """Z11.3: with any number of players, to a record that replays."""
    rules = ZoffRules(players, auction=True, fair=True)
    game = played(rules, 3)
    record = game.record(tuple(SeatInfo(f"seat {seat}") for seat in range(players)))
    kinds = {event.bonus for event in game.events if isinstance(event, BonusPlaced)}
    assert replay(GAME, record).state.ending == game.state.ending
    assert kinds <= {"rank", "fair"}
    assert [event for event in game.events if isinstance(event, BidShown)]


def test_six_players_have_a_twelfth_pasture_and_a_sixth_colour() -> None:
    """Z11.4: Farmer's Land and yellow; two pasture cards each, none left over."""
    state = seated(ZoffRules(6))
    assert state.setup.colours[-1] == "yellow"
    assert state.setup.pastures[-1].name == "Farmer's-Land"
    assert [sum(herd) for herd in state.herds] == [1] * 12
