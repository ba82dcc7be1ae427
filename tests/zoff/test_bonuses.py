"""Bonuses and cascades (Z5), with the sheets' examples (Z12.2, Z12.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import IllegalAction
from stampede.zoff import PlaceBonus, ZoffRules
from stampede.zoff.events import BonusLapsed, BonusPlaced, Filled
from stampede.zoff.herds import bonus_placements, breaks_law
from tests.zoff.arranged import GAME, Table, arranged

FIRE_FIELDS = {"orange": 6, "pink": 4, "green": 3}


def test_a_full_pasture_pays_its_bonuses_by_rank() -> None:
    """Z5.1: the largest herd first, the moment the last space is covered."""
    table = Table(arranged(ZoffRules(3), {"Fire-Fields": FIRE_FIELDS}))
    table.choose(0, "Lucky-Lake 2B", "Buzzard-Bluff 2M").choose(
        1, "Lucky-Lake 2D", "Buzzard-Bluff 2J"
    )
    table.choose(2, "Fire-Fields 2E", "Buzzard-Bluff 2H").place(0)
    assert table.of(Filled) == []
    table = Table(arranged(ZoffRules(3), {"Fire-Fields": FIRE_FIELDS}))
    table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M").choose(
        1, "Lucky-Lake 2D", "Buzzard-Bluff 2J"
    )
    table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H").place(1)
    assert [(due.kind, due.rank, due.cows) for due in table.state.payments] == [
        ("rank", 1, 1),
        ("rank", 2, 2),
        ("rank", 3, 1),
    ]
    assert table.asked == 0
    table.bonus("Lucky-Lake")
    assert table.asked == 1
    table.bonus("Lucky-Pickle", "Coffee-Canyon")
    assert table.asked == 2
    table.bonus("Powder-Prairie")
    paid = [(event.colour, event.rank, event.on) for event in table.of(BonusPlaced)]
    assert paid == [
        ("orange", 1, ("Lucky-Lake",)),
        ("pink", 2, ("Lucky-Pickle", "Coffee-Canyon")),
        ("green", 3, ("Powder-Prairie",)),
    ]


def test_one_player_alone_gets_only_the_first_bonus() -> None:
    """Z12.2, Z5.1: the second bonus lapses; it never moves to another rank."""
    table = Table(arranged(ZoffRules(3), {"Dead-Bull-Desert": {"orange": 8}}))
    table.choose(0, "Dead-Bull-Desert 5B", "Buzzard-Bluff 2M")
    table.choose(1, "Lucky-Lake 2D", "Buzzard-Bluff 2J").choose(
        2, "Lucky-Lake 2E", "Buzzard-Bluff 2H"
    )
    table.place(4)
    assert [(due.colour, due.cows) for due in table.state.payments] == [(0, 1)]
    (lapsed,) = table.of(BonusLapsed)
    assert (lapsed.pasture, lapsed.rank, lapsed.cows) == ("Dead-Bull-Desert", 2, 2)
    assert lapsed.reason.code == "no_herd_of_rank"


def test_a_rank_without_a_bonus_is_passed_over() -> None:
    """Z5.1: on Hang-Man-Mountains (0-1-2-3) the largest herd gets nothing."""
    herds = {"Hang-Man-Mountains": {"orange": 12, "pink": 9, "green": 7, "blue": 4}}
    table = Table(arranged(ZoffRules(5), herds))
    table.choose(0, "Hang-Man-Mountains 2B", "Dynamite-Mine 2M")
    for seat, cards in ((1, "DJ"), (2, "EH"), (3, "FP"), (4, "GI")):
        table.choose(seat, f"Dynamite-Mine 2{cards[0]}", f"Buzzard-Bluff 2{cards[1]}")
    while table.state.line[0].pasture != 10:
        table.place(0)
    table.place(1)
    assert [(due.rank, due.cows) for due in table.state.payments] == [(2, 1), (3, 2), (4, 3)]


def test_a_bonus_may_be_split_used_in_part_or_not_at_all() -> None:
    """Z5.2: up to n cows, on other pastures, as the player likes; what isn't used is lost."""
    table = Table(arranged(ZoffRules(3), {"Fire-Fields": FIRE_FIELDS}))
    table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M").choose(
        1, "Lucky-Lake 2D", "Buzzard-Bluff 2J"
    )
    table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H").place(1).bonus()
    unused = table.of(BonusPlaced)[0]
    assert unused.lost is not None
    assert (unused.on, unused.forced, unused.lost.code) == ((), False, "declined")
    on = [action.on for action in table.actions if isinstance(action, PlaceBonus)]
    assert () in on
    assert ("Lucky-Lake",) in on
    assert ("Lucky-Lake", "Lucky-Lake") in on
    assert ("Coffee-Canyon", "Lucky-Lake") in on
    assert len(on) == 1 + 8 + 8 + 8 * 7 // 2
    with pytest.raises(IllegalAction, match=r"expected up to 2 cows, got 3 \(Z5.2\)"):
        table.bonus("Lucky-Lake", "Lucky-Lake", "Lucky-Lake")
    with pytest.raises(IllegalAction, match=r"Fire-Fields has 0 free spaces \(Z5.3\)"):
        table.bonus("Fire-Fields")


def test_the_law_of_herds_is_judged_when_the_whole_bonus_is_placed() -> None:
    """Z5.3: one cow would equal another herd, two pass over it."""
    herds = {"Fire-Fields": FIRE_FIELDS, "Lucky-Lake": {"green": 1}}
    table = Table(arranged(ZoffRules(3), herds))
    table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M").choose(
        1, "Coffee-Canyon 2D", "Buzzard-Bluff 2J"
    )
    table.choose(2, "Coffee-Canyon 2E", "Buzzard-Bluff 2H")
    while table.of(Filled) == []:
        table.place(1 if table.state.line[0].pasture == 4 else 0)
    table.bonus()
    with pytest.raises(IllegalAction, match=r"another herd on Lucky-Lake has 1 cows \(Z5.3\)"):
        table.bonus("Lucky-Lake")
    table.bonus("Lucky-Lake", "Lucky-Lake")
    assert table.herd("Lucky-Lake", "pink") == 2


def test_a_bonus_that_fits_nowhere_is_lost_by_itself() -> None:
    """Z5.3, Z4.6: nobody is asked, and the event says why."""
    full = {
        "Powder-Prairie": {"pink": 8},
        "Coffee-Canyon": {"pink": 10},
        "Dead-Bull-Desert": {"pink": 12},
        "Fire-Fields": {"green": 14},
        "Drunk'n-Creek": {"green": 16},
        "Lucky-Lake": {"green": 18},
        "Lucky-Pickle": {"orange": 21},
        "Buzzard-Bluff": {"green": 1, "pink": 2},
        "Lone-Star-Valley": {"orange": 5},
    }
    table = Table(arranged(ZoffRules(3), full, reserves={"green": 20}))
    table.choose(0, "Lone-Star-Valley 2B", "Buzzard-Bluff 2M")
    table.choose(1, "Lone-Star-Valley 2D", "Buzzard-Bluff 2J")
    table.choose(2, "Lone-Star-Valley 2E", "Buzzard-Bluff 2H").place(1)
    (lost,) = table.of(BonusPlaced)
    assert lost.lost is not None
    assert (lost.on, lost.forced, lost.lost.code) == ((), True, "law_of_herds")


def test_the_sheets_example_of_a_cascade() -> None:
    """Z12.3, Z5.4: Fire-Fields' bonuses first, then 1-1-2 of the one filled first, then 1-1, then the round."""
    herds = {
        "Fire-Fields": FIRE_FIELDS,
        "Drunk'n-Creek": {"purple": 9, "blue": 6},
        "Coffee-Canyon": {"purple": 6, "blue": 3},
    }
    table = Table(arranged(ZoffRules(5), herds))
    table.choose(0, "Fire-Fields 2B", "Dynamite-Mine 2M")
    for seat, cards in ((1, "DJ"), (2, "EH"), (3, "FP"), (4, "GI")):
        table.choose(seat, f"Dynamite-Mine 2{cards[0]}", f"Hang-Man-Mountains 2{cards[1]}")
    table.place(1).bonus("Drunk'n-Creek").bonus("Lucky-Lake", "Coffee-Canyon").bonus()
    assert [event.pasture for event in table.of(Filled)] == [
        "Fire-Fields",
        "Drunk'n-Creek",
        "Coffee-Canyon",
    ]
    assert table.of(Filled)[2].waits_behind == ("Fire-Fields", "Drunk'n-Creek")
    while table.state.payments:
        table.bonus()
    paid = [(event.source, event.colour, event.due) for event in table.of(BonusPlaced)]
    assert paid == [
        ("Fire-Fields", "orange", 1),
        ("Fire-Fields", "pink", 2),
        ("Fire-Fields", "green", 1),
        ("Drunk'n-Creek", "purple", 1),
        ("Drunk'n-Creek", "blue", 1),
        ("Drunk'n-Creek", "orange", 2),
        ("Coffee-Canyon", "purple", 1),
        ("Coffee-Canyon", "blue", 1),
    ]
    assert table.state.setup.pastures[table.state.line[0].pasture].name == "Dynamite-Mine"


def test_the_order_of_bonus_cows_is_listed_only_where_it_decides_what_fills_first() -> None:
    """Z5.2, Z5.4."""
    herds = ((0, 5), (0, 7), (0, 3))
    ways = list(bonus_placements(herds, (1, 1, 7), 0, 2))
    assert ways.count((0, 1)) == ways.count((1, 0)) == 1
    assert (0, 2) in ways
    assert (2, 0) not in ways
    assert len(ways) == len(set(ways))


@pytest.mark.parametrize(
    ("on", "first"),
    [(("Lone-Star-Valley", "Powder-Prairie"), 0), (("Powder-Prairie", "Lone-Star-Valley"), 1)],
)
def test_pastures_pay_in_the_order_in_which_they_were_filled(
    on: tuple[str, ...], first: int
) -> None:
    """Z5.4: the player's order decides which of two comes first."""
    herds = {
        "Fire-Fields": FIRE_FIELDS,
        "Lone-Star-Valley": {"green": 5},
        "Powder-Prairie": {"green": 7},
    }
    table = Table(arranged(ZoffRules(3), herds))
    table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M").choose(
        1, "Lucky-Lake 2D", "Buzzard-Bluff 2J"
    )
    table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H").place(1).bonus().bonus(*on)
    assert [filling.pasture for filling in table.state.queue] == [first, 1 - first]


herd_rows = st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=1, max_size=5)


@given(herd_rows, st.lists(st.integers(0, 4), min_size=5, max_size=5), st.integers(0, 3))
def test_listed_bonus_placements_are_exactly_the_legal_ones(
    rows: list[list[int]], rooms: list[int], most: int
) -> None:
    """Z5.2, Z5.3: compared with a plain search over every sequence of pastures."""
    herds = tuple(tuple(row) for row in rows)
    free = tuple(rooms[: len(herds)])
    ways = list(bonus_placements(herds, free, 0, most))
    assert len(ways) == len(set(ways))
    effects = {_effect(way, free) for way in ways}
    assert len(effects) == len(ways)
    brute = {_effect(way, free) for way in _sequences(len(herds), most) if _legal(way, herds, free)}
    assert effects == brute


def _sequences(pastures: int, most: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for _ in range(most):
        found += [(*way, p) for way in found for p in range(pastures)]
    return list(dict.fromkeys(found))


def _legal(way: tuple[int, ...], herds: tuple[tuple[int, ...], ...], free: tuple[int, ...]) -> bool:
    return all(
        way.count(pasture) <= free[pasture]
        and not breaks_law(herds[pasture], 0, way.count(pasture))
        for pasture in way
    )


def _effect(way: tuple[int, ...], free: tuple[int, ...]) -> tuple[object, ...]:
    """What a way leads to: how many cows where, and which pastures fill in which order."""
    counts = tuple(way.count(pasture) for pasture in range(len(free)))
    last = {pasture: place for place, pasture in enumerate(way)}
    filled = sorted((p for p in last if counts[p] == free[p]), key=lambda p: last[p])
    return (counts, tuple(filled))


def test_a_bonus_in_any_order_has_the_same_effect_as_the_listed_one() -> None:
    """Z5.2: the order that a player gives is kept in the record."""
    table = Table(arranged(ZoffRules(3), {"Fire-Fields": FIRE_FIELDS}))
    table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M").choose(
        1, "Lucky-Lake 2D", "Buzzard-Bluff 2J"
    )
    table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H").place(1).bonus()
    table.bonus("Lucky-Pickle", "Coffee-Canyon")
    step = GAME.write_steps(table.events)[-1]
    assert isinstance(step, dict)
    assert step["on"] == ["Lucky-Pickle", "Coffee-Canyon"]
