"""A round's choices (Z3)."""

from __future__ import annotations

import random

import pytest

from stampede.core.errors import IllegalAction, NotToAct
from stampede.zoff import Choose, Pick, Place, PlaceBonus, State, TakeBack, ZoffAction, ZoffRules
from stampede.zoff.events import Revealed, Sealed
from stampede.zoff.legal import ChoiceOptions, choice_options
from tests.zoff.arranged import GAME, Table, arranged, choice, seated

FULL = {
    "Lone-Star-Valley": {"orange": 6},
    "Powder-Prairie": {"orange": 8},
    "Coffee-Canyon": {"pink": 10},
    "Dead-Bull-Desert": {"pink": 12},
    "Fire-Fields": {"green": 14},
    "Drunk'n-Creek": {"green": 16},
    "Lucky-Lake": {"orange": 18},
    "Lucky-Pickle": {"pink": 21},
}


def one_open() -> State:
    """Three players, Buzzard-Bluff alone open."""
    return arranged(ZoffRules(3), FULL)


def test_a_choice_is_two_pairs_of_different_pastures_and_cards() -> None:
    """Z3.1: with all 11 pastures and 10 cards there are 55 × 90 of them."""
    options = choice_options(seated(ZoffRules(5)), 0)
    assert len(options) == 55 * 90
    listed = list(options)
    assert len(listed) == len(set(listed)) == 55 * 90
    for laid in listed:
        one, two = laid.pairs
        assert one.pasture != two.pasture
        assert one.card != two.card


@pytest.mark.parametrize(
    ("pairs", "clause"),
    [
        (("Lucky-Lake 2B",), "Z3.1"),
        (("Lucky-Lake 2B", "Lucky-Lake 3D"), "Z3.1"),
        (("Lucky-Lake 2B", "Fire-Fields 2B"), "Z3.1"),
        (("Lucky-Lake 2B", "Fire-Fields 2D"), "Z3.1"),
        (("Lucky-Lake 2B", "Hang-Man-Mountains 3D"), "Z3.2"),
        (("Lucky-Lake 2B", "Fire-Fields 3D orange"), "Z10.4"),
        (("Lucky-Lake 2B", "Fire-Fields 3D", "Coffee-Canyon 4M"), "Z3.1"),
    ],
)
def test_an_illegal_choice_is_refused_with_its_clause(pairs: tuple[str, ...], clause: str) -> None:
    """Z3.1, Z3.2: and nothing is changed by it."""
    table = Table(seated(ZoffRules(4)))
    before = table.state
    with pytest.raises(IllegalAction) as caught:
        table.choose(0, *pairs)
    assert caught.value.clause == clause
    assert table.state == before
    assert choice(*pairs) not in GAME.legal(before, 0)


def test_full_pastures_cannot_be_chosen() -> None:
    """Z3.2: cards of full pastures are out."""
    state = arranged(ZoffRules(3), {"Lucky-Lake": {"orange": 18}})
    options = choice_options(state, 1)
    assert "Lucky-Lake" not in options.pastures
    assert len(options.pastures) == 8
    with pytest.raises(IllegalAction, match="Lucky-Lake has no free space"):
        Table(state).choose(1, "Lucky-Lake 2D", "Fire-Fields 2J")


def test_a_single_open_pasture_takes_one_pair_each() -> None:
    """Z3.3."""
    state = one_open()
    options = choice_options(state, 0)
    assert options.pairs == 1
    assert len(options) == len(list(options)) == 10
    table = Table(state)
    table.choose(0, "Buzzard-Bluff 5B").choose(1, "Buzzard-Bluff 2D").choose(2, "Buzzard-Bluff 3B")
    assert len(table.state.laid) == 3
    with pytest.raises(IllegalAction, match=r"expected 1 pair, got 2 \(Z3.3\)"):
        Table(state).choose(0, "Buzzard-Bluff 5B", "Buzzard-Bluff 2B")


def test_choices_are_revealed_together_with_the_last_one() -> None:
    """Z3.4: before that only the fact that a seat has answered is told."""
    table = Table(seated(ZoffRules(3)))
    table.choose(2, "Lucky-Lake 2E", "Fire-Fields 3B").choose(0, "Lucky-Lake 2B", "Fire-Fields 3D")
    assert table.events == [Sealed(2), Sealed(0)]
    assert GAME.to_act(table.state) == (1,)
    table.choose(1, "Lucky-Lake 2D", "Fire-Fields 3E")
    assert [event.seat for event in table.of(Revealed)] == [0, 1, 2]
    assert all(answer is None for answer in table.state.sealed)


def test_a_choice_can_be_changed_or_taken_back_until_the_last_is_in() -> None:
    """Z3.4."""
    table = Table(seated(ZoffRules(3)))
    table.choose(0, "Lucky-Lake 2B", "Fire-Fields 3D")
    options = GAME.legal(table.state, 0)
    assert TakeBack() in options
    assert len(options) == 36 * 90 + 1
    table.choose(0, "Lucky-Lake 4M", "Fire-Fields 3D").act(0, TakeBack())
    assert table.of(Sealed)[-1] == Sealed(0, open_again=True)
    assert GAME.to_act(table.state) == (0, 1, 2)
    with pytest.raises(IllegalAction, match="none"):
        table.act(0, TakeBack())
    table.choose(0, "Lucky-Lake 5B", "Fire-Fields 3D")
    table.choose(1, "Lucky-Lake 2D", "Fire-Fields 3E").choose(2, "Lucky-Lake 2E", "Fire-Fields 3B")
    assert table.of(Revealed)[0].choice == choice("Lucky-Lake 5B", "Fire-Fields 3D")


@pytest.mark.parametrize("action", [Place(1), PlaceBonus(()), Pick("orange")])
def test_an_action_of_another_phase_is_refused(action: ZoffAction) -> None:
    """Z3.1: nothing but a choice answers a choice."""
    with pytest.raises(IllegalAction, match="expected an answer to: choose"):
        GAME.apply(seated(ZoffRules(3)), 0, action)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    with pytest.raises(NotToAct, match="expected a seat 0–2"):
        GAME.apply(seated(ZoffRules(3)), seat, choice("Lucky-Lake 2B", "Fire-Fields 3D"))


@pytest.mark.parametrize("state", [seated(ZoffRules(3)), one_open(), seated(ZoffRules(6))])
def test_drawn_choices_are_legal_and_reach_everything(state: State) -> None:
    """Z3.1: a drawn choice is one of those listed, and each listed one can be drawn."""
    options = choice_options(state, 0)
    rng = random.Random(5)
    drawn = {options.sample(rng) for _ in range(400)}
    assert drawn <= set(options)
    assert all(laid in options for laid in drawn)
    assert {pair.pasture for laid in drawn for pair in laid.pairs} == set(options.pastures)
    assert {pair.card for laid in drawn for pair in laid.pairs} == set(options.cards)


def test_the_compact_description_names_pastures_cards_and_pairs() -> None:
    """Z3.1: thousands of choices, told in a few words."""
    state = one_open()
    described = GAME.legal(state, 2).to_json()
    assert described["pastures"] == ["Buzzard-Bluff"]
    assert described["pairs"] == 1
    assert described["cards"] == ["2E", "2H", "2Z", "3B", "3R", "3S", "4D", "4W", "5F", "5U"]
    assert isinstance(GAME.legal(state, 2), ChoiceOptions)


def test_the_order_of_the_pairs_means_nothing() -> None:
    """Z3.1."""
    pairs = choice("Fire-Fields 3D", "Lucky-Lake 2B").pairs
    assert Choose(pairs) in GAME.legal(seated(ZoffRules(3)), 0)
    assert Choose(pairs[::-1]) in GAME.legal(seated(ZoffRules(3)), 0)
