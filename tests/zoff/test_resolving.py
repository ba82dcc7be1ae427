"""Resolving pairs: order, placements, the law of herds (Z4), and the sheets' first example (Z12.1)."""

from __future__ import annotations

import pytest

from stampede.core.errors import IllegalAction, NotToAct
from stampede.zoff import Place, ZoffPhase, ZoffRules
from stampede.zoff.events import Placed, Precedence, Wasted
from tests.zoff.arranged import GAME, Table, arranged

FIVE = ZoffRules(5)


def test_the_sheets_example_of_order_and_herds() -> None:
    """Z12.1, Z4.2, Z4.4: green first with its herd, pink can place only 1, orange nothing."""
    state = arranged(FIVE, {"Lucky-Lake": {"purple": 3, "blue": 2, "green": 1}}, round_=4)
    table = Table(state)
    table.choose(0, "Lucky-Lake 4M", "Dynamite-Mine 2B").choose(
        1, "Lucky-Lake 4G", "Dynamite-Mine 2D"
    )
    table.choose(2, "Lucky-Lake 3S", "Dynamite-Mine 2E")
    table.choose(3, "Dynamite-Mine 2F", "Hang-Man-Mountains 2P")
    table.choose(4, "Dynamite-Mine 2G", "Hang-Man-Mountains 2I")
    (order,) = table.of(Precedence)
    assert [turn.colour for turn in order.turns] == ["green", "pink", "orange"]
    assert [turn.reason.code for turn in order.turns] == ["has_herd", "letter", "letter"]
    table.place(3)
    assert table.herd("Lucky-Lake", "green") == 4
    assert table.actions == [Place(0), Place(1)]
    table.place(1)
    orange = table.of(Placed)[-1]
    assert (orange.colour, orange.cows, orange.forced) == ("orange", 0, True)
    refused = {cows: dict(reason.values)["colour"] for cows, reason in orange.refused}
    assert refused == {1: "pink", 2: "blue", 3: "purple", 4: "green"}


def test_pastures_are_resolved_from_the_smallest() -> None:
    """Z4.1."""
    table = Table(arranged(ZoffRules(3), {}))
    table.choose(0, "Buzzard-Bluff 2B", "Coffee-Canyon 3D")
    table.choose(1, "Lone-Star-Valley 2D", "Lucky-Lake 3E")
    table.choose(2, "Powder-Prairie 2E", "Fire-Fields 3B")
    while table.state.phase is ZoffPhase.PLACE:
        table.place(0)
    assert [event.pasture for event in table.of(Precedence)] == [
        "Lone-Star-Valley",
        "Powder-Prairie",
        "Coffee-Canyon",
        "Fire-Fields",
        "Lucky-Lake",
        "Buzzard-Bluff",
    ]


def test_larger_herds_go_first_then_lower_cards_then_earlier_letters() -> None:
    """Z4.2: and a herd, however small, goes before any card."""
    state = arranged(FIVE, {"Lucky-Lake": {"purple": 1, "blue": 4}})
    table = Table(state)
    table.choose(0, "Lucky-Lake 2X", "Dynamite-Mine 3D")
    table.choose(1, "Lucky-Lake 3E", "Dynamite-Mine 2D")
    table.choose(2, "Lucky-Lake 2E", "Dynamite-Mine 3B")
    table.choose(3, "Lucky-Lake 5S", "Dynamite-Mine 2F")
    table.choose(4, "Lucky-Lake 5K", "Dynamite-Mine 2G")
    turns = table.of(Precedence)[0].turns
    assert [turn.colour for turn in turns] == ["blue", "purple", "green", "orange", "pink"]
    codes = [turn.reason.code for turn in turns]
    assert codes == ["has_herd", "has_herd", "letter", "letter", "card_value"]
    assert all(turn.reason.clause == "Z4.2" for turn in turns)


def test_the_order_stands_once_the_pastures_turn_has_come() -> None:
    """Z4.2: a herd that grows past another while the pasture is resolved changes nothing."""
    state = arranged(ZoffRules(3), {"Lucky-Lake": {"orange": 3, "pink": 2}})
    table = Table(state)
    table.choose(0, "Lucky-Lake 2B", "Buzzard-Bluff 3D").choose(
        1, "Lucky-Lake 5L", "Buzzard-Bluff 2D"
    )
    table.choose(2, "Lucky-Lake 5F", "Buzzard-Bluff 2E")
    assert [turn.colour for turn in table.of(Precedence)[0].turns] == ["orange", "pink", "green"]
    table.place(0).place(5)
    assert table.asked == 2


def test_bonus_cows_that_came_before_its_turn_count_for_the_order() -> None:
    """Z4.2: the order is fixed when the pasture's turn comes, not at the reveal."""
    state = arranged(
        ZoffRules(3), {"Lone-Star-Valley": {"green": 5}, "Buzzard-Bluff": {"orange": 2}}
    )
    table = Table(state)
    table.choose(2, "Lone-Star-Valley 2E", "Buzzard-Bluff 5F")
    table.choose(0, "Buzzard-Bluff 2B", "Lucky-Lake 2M").choose(
        1, "Buzzard-Bluff 2D", "Lucky-Lake 2J"
    )
    table.place(1).bonus("Buzzard-Bluff")
    while table.of(Precedence)[-1].pasture != "Buzzard-Bluff":
        table.place(0)
    assert [turn.colour for turn in table.of(Precedence)[-1].turns] == ["orange", "green", "pink"]


def test_a_placement_is_bounded_by_card_space_and_reserve_and_may_be_zero() -> None:
    """Z4.3: fewer than the card allows is always allowed, zero too; cows not placed stay in the reserve."""
    state = arranged(
        ZoffRules(3),
        {"Lone-Star-Valley": {"pink": 3}, "Lucky-Lake": {"orange": 1}},
        reserves={"green": 2},
    )
    table = Table(state)
    table.choose(0, "Lone-Star-Valley 5B", "Lucky-Lake 2B")
    table.choose(1, "Fire-Fields 2D", "Drunk'n-Creek 2J").choose(
        2, "Fire-Fields 5F", "Coffee-Canyon 5U"
    )
    assert table.actions == [Place(0), Place(1), Place(2)]
    with pytest.raises(IllegalAction, match=r"got 3: another herd there has 3 \(Z4.4\)"):
        table.place(3)
    with pytest.raises(IllegalAction, match=r"expected 0, 1, 2 cows, got 4 \(Z4.3\)"):
        table.place(4)
    with pytest.raises(IllegalAction, match=r"Z4.3"):
        table.place(-1)
    reserve = table.state.reserves
    table.place(0)
    assert table.state.reserves == reserve
    assert table.actions == [Place(0), Place(1), Place(2)]
    reasons = [reason.code for _, reason in table.of(Placed)[0].refused]
    assert reasons == ["equal_herd", "no_space", "no_space"]


def test_passing_over_an_equal_size_is_fine() -> None:
    """Z4.4: only the result counts."""
    state = arranged(ZoffRules(3), {"Lucky-Lake": {"orange": 2, "pink": 3}})
    table = Table(state)
    table.choose(0, "Lucky-Lake 5B", "Buzzard-Bluff 2B")
    table.choose(1, "Buzzard-Bluff 2D", "Lucky-Pickle 2J").choose(
        2, "Buzzard-Bluff 2E", "Lucky-Pickle 2H"
    )
    assert table.actions == [Place(cows) for cows in (0, 2, 3, 4, 5)]
    table.place(2)
    assert table.herd("Lucky-Lake", "orange") == 4


def test_a_pair_on_a_pasture_that_filled_before_its_turn_is_wasted() -> None:
    """Z4.5: its card is spent, and it makes no step in the record."""
    state = arranged(ZoffRules(3), {"Lone-Star-Valley": {"orange": 4}})
    table = Table(state)
    table.choose(0, "Lone-Star-Valley 5B", "Buzzard-Bluff 2B")
    table.choose(1, "Lone-Star-Valley 2D", "Buzzard-Bluff 2J")
    table.choose(2, "Lucky-Pickle 2E", "Buzzard-Bluff 2H")
    table.place(2).bonus()
    (wasted,) = table.of(Wasted)
    assert (wasted.colour, wasted.pasture, wasted.reason.clause) == (
        "pink",
        "Lone-Star-Valley",
        "Z4.5",
    )
    assert wasted.card not in table.state.hands[1]
    steps = [step for step in GAME.write_steps(table.events) if isinstance(step, dict)]
    assert [step["seat"] for step in steps if step["type"] == "place"] == [0]


def test_a_decision_with_one_answer_is_made_by_the_program_and_shown() -> None:
    """Z4.6: no seat is asked, and the event says so."""
    state = arranged(ZoffRules(3), {"Lone-Star-Valley": {"orange": 4, "pink": 1}})
    table = Table(state)
    table.choose(0, "Buzzard-Bluff 5B", "Lucky-Pickle 2B")
    table.choose(1, "Buzzard-Bluff 2D", "Lucky-Pickle 2J")
    table.choose(2, "Lone-Star-Valley 5F", "Buzzard-Bluff 2H")
    (forced,) = table.of(Placed)
    assert (forced.colour, forced.cows, forced.forced) == ("green", 0, True)
    assert table.state.line[0].pasture != 0


def test_only_the_seat_whose_turn_it_is_may_place() -> None:
    """Z4.2: the error says who is awaited."""
    table = Table(arranged(ZoffRules(3), {}))
    table.choose(0, "Lone-Star-Valley 5B", "Buzzard-Bluff 2B")
    table.choose(1, "Lucky-Lake 2D", "Buzzard-Bluff 2J").choose(
        2, "Lucky-Pickle 2E", "Buzzard-Bluff 2H"
    )
    with pytest.raises(NotToAct, match="expected a place of seat 0, got seat 1"):
        table.act(1, Place(1))
    assert len(GAME.legal(table.state, 1)) == 0
