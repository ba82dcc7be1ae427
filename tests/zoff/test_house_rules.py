"""House rules: how some tables read a clause on which the sheets disagree (Z5.2, Z6.3, Z10.5, Z11.1)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import IllegalAction, RecordError, RuleSetError
from stampede.core.json import canonical
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.replay import replay
from stampede.zoff import PlaceBonus, ZoffPhase, ZoffRules
from stampede.zoff.describe import describe
from stampede.zoff.events import (
    BidsTied,
    BonusPlaced,
    Placed,
    Precedence,
    Ranked,
    Revealed,
    ZoffEnded,
)
from stampede.zoff.herds import bonus_placements, most_placeable
from stampede.zoff.legal import choice_options
from stampede.zoff.legal_view import BonusLegal, ChooseLegal, PlaceLegal
from stampede.zoff.rules import HOUSE_RULES
from tests.zoff.arranged import (
    GAME,
    HOUSE_RULE_SETS,
    Table,
    arranged,
    choice,
    cows_of,
    filled,
    rules_id,
    with_house_rules,
)
from tests.zoff.late_games import late
from tests.zoff.other_secrets import with_other_secrets
from tests.zoff.test_bonuses import FIRE_FIELDS
from tests.zoff.test_end import ALL_BUT_TWO
from tests.zoff.test_two_players import ALL_BUT_LAST
from tests.zoff.test_variants import bidding

MUST = ZoffRules(3, must_place=True)
ONE_CARD = ZoffRules(2, one_last_card=True)


# --- rule sets ---


def test_a_rule_set_names_a_house_rule_only_where_it_is_on() -> None:
    """Z5.2, Z6.3, Z10.5, Z11.1: absent means off, as in records of before they existed."""
    assert not set(ZoffRules(3).to_json()) & set(HOUSE_RULES)
    for name in HOUSE_RULES:
        rules = with_house_rules(ZoffRules(3), name)
        data = rules.to_json()
        assert data[name] is True
        assert ZoffRules.from_json(data) == rules
        assert ZoffRules.from_json({**data, name: False}) == ZoffRules(3)
        with pytest.raises(RuleSetError, match=f"rules.{name}: expected true or false, got 1"):
            ZoffRules.from_json({**data, name: 1})


# --- must_place (Z5.2) ---


def paying(rules: ZoffRules, **reserves: int) -> Table:
    """Orange has filled Fire-Fields; bonuses of 1, 2 and 1 are due to orange, pink and green."""
    table = Table(arranged(rules, {"Fire-Fields": FIRE_FIELDS}, reserves=reserves))
    table.choose(0, "Fire-Fields 2B", "Buzzard-Bluff 2M")
    table.choose(1, "Lucky-Lake 2D", "Buzzard-Bluff 2J")
    return table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H").place(1)


def test_a_bonus_must_be_used_as_far_as_it_can_be() -> None:
    """Z5.2, `must_place`: fewer cows are refused; where they go stays free."""
    table = paying(MUST)
    with pytest.raises(IllegalAction, match=r"expected 1 cows, as many as can .* got 0 \(Z5.2\)"):
        table.bonus()
    table.bonus("Lucky-Lake")
    with pytest.raises(IllegalAction, match=r"expected 2 cows, .* got 1 \(Z5.2\)"):
        table.bonus("Coffee-Canyon")
    assert {len(action.on) for action in table.actions if isinstance(action, PlaceBonus)} == {2}
    legal = GAME.legal(table.state, 1).describe()
    assert isinstance(legal, BonusLegal)
    assert (legal.least, legal.cows) == (2, 2)
    assert legal.below is not None
    assert (legal.below.code, legal.below.clause) == ("must_place", "Z5.2")
    table.bonus("Coffee-Canyon", "Coffee-Canyon")
    assert table.herd("Coffee-Canyon", "pink") == 2


def test_without_the_house_rule_a_bonus_may_be_left() -> None:
    """Z5.2, ruling: none is fine, and nothing is due."""
    table = paying(ZoffRules(3))
    legal = GAME.legal(table.state, 0).describe()
    assert isinstance(legal, BonusLegal)
    assert (legal.least, legal.below) == (0, None)
    assert table.bonus().of(BonusPlaced)[0].on == ()


def test_a_bonus_that_must_be_used_is_bounded_by_the_reserve() -> None:
    """Z5.2, Z5.3: one cow in reserve is all that a bonus of two asks for; the last one ends the game (Z6.3)."""
    table = paying(MUST, pink=1).bonus("Lucky-Lake").bonus("Coffee-Canyon")
    lost = table.of(BonusPlaced)[-1].lost
    assert lost is not None
    assert lost.code == "reserve_empty"
    assert table.state.ending is not None


def test_a_bonus_with_a_single_way_to_be_used_is_placed_by_the_program() -> None:
    """Z5.2, Z4.6: one open pasture and one cow to place there leave no decision."""
    herds = {
        **ALL_BUT_TWO,
        "Lone-Star-Valley": {"orange": 3, "pink": 2},
        "Buzzard-Bluff": {"pink": 5, "green": 3},
    }
    table = Table(arranged(MUST, herds, reserves={"orange": 9, "pink": 9, "green": 9}))
    for seat, cards in enumerate(("5B 2M", "2D 2J", "2E 2H")):
        low, high = cards.split()
        table.choose(seat, f"Lone-Star-Valley {low}", f"Buzzard-Bluff {high}")
    table.place(1)
    orange, pink = table.of(BonusPlaced)[:2]
    assert (orange.on, orange.forced, orange.lost) == (("Buzzard-Bluff",), True, None)
    assert (pink.on, pink.forced) == (("Buzzard-Bluff",), True)
    assert "Buzzard-Bluff" in describe(orange)


def test_cows_that_the_law_of_herds_forbids_need_not_be_placed() -> None:
    """Z5.2, Z5.3: as many as can be placed at all."""
    herds = {
        **ALL_BUT_TWO,
        "Lone-Star-Valley": {"orange": 3, "pink": 2},
        "Buzzard-Bluff": {"pink": 2, "green": 1},
    }
    table = Table(arranged(MUST, herds, reserves={"orange": 9, "pink": 9, "green": 9}))
    for seat, cards in enumerate(("5B 2M", "2D 2J", "2E 2H")):
        low, high = cards.split()
        table.choose(seat, f"Lone-Star-Valley {low}", f"Buzzard-Bluff {high}")
    table.place(1)
    first = table.of(BonusPlaced)[0]
    assert (first.colour, first.on, first.forced) == ("orange", (), True)
    assert first.lost is not None
    assert first.lost.code == "law_of_herds"


def test_the_fair_bonus_must_be_used_too() -> None:
    """Z5.2, Z11.2, ruling: `must_place` is for every bonus."""
    table = paying(replace(MUST, fair=True))
    assert table.state.payments[0].kind == "fair"
    with pytest.raises(IllegalAction, match=r"expected 1 cows"):
        table.bonus()


@given(st.integers(0, 1_000_000), st.integers(1, 4))
def test_the_most_cows_that_can_be_placed_are_those_of_the_longest_way(
    seed: int, cows: int
) -> None:
    """Z5.2, Z5.3: by listing all ways; those that `must_place` leaves are the longest ones."""
    state = late(ZoffRules(4), random.Random(seed))
    ways = list(bonus_placements(state.herds, state.free, 0, cows))
    most = most_placeable(state.herds, state.free, 0, cows)
    assert most == max(len(way) for way in ways)
    kept = list(bonus_placements(state.herds, state.free, 0, cows, most))
    assert kept == [way for way in ways if len(way) == most]


# --- last_cow_counts (Z6.3) ---


@pytest.mark.parametrize(("counts", "winner"), [(False, 0), (True, 1)])
def test_after_the_last_cow_the_most_cows_win_by_the_house_rule(
    counts: bool,
    winner: int,
) -> None:
    """Z6.3, `last_cow_counts`: it ends at once, without the bonuses due; but Z8.1 decides."""
    herds = {"Lone-Star-Valley": {"orange": 3, "pink": 1}, "Lucky-Pickle": {"pink": 20}}
    table = Table(arranged(ZoffRules(3, last_cow_counts=counts), herds, reserves={"orange": 2}))
    table.choose(0, "Lone-Star-Valley 5B", "Buzzard-Bluff 2M")
    table.choose(1, "Lucky-Lake 2D", "Buzzard-Bluff 2J")
    table.choose(2, "Lucky-Lake 2E", "Buzzard-Bluff 2H").place(2)
    ending = table.state.ending
    assert ending is not None
    assert (ending.reason, ending.winners, ending.placed) == ("exhausted", (winner,), (5, 21, 0))
    assert table.of(BonusPlaced) == []
    (ended,) = table.of(ZoffEnded)
    assert ended.reason.clause == "Z6.3"
    assert ended.decided_by.code == ("most_cows" if counts else "last_cow")


def test_two_players_count_both_colours_after_the_last_cow() -> None:
    """Z6.3, Z10.7, Z10.8: both reserves are empty; the other has more cows of both colours together."""
    herds = {"Lucky-Lake": {"blue": 2, "pink": 8}, "Buzzard-Bluff": {"orange": 9}}
    rules = ZoffRules(2, last_cow_counts=True)
    table = Table(arranged(rules, herds, reserves={"blue": 1, "green": 0}))
    table.choose(0, "Lucky-Lake 2F blue", "Buzzard-Bluff 2P green")
    table.choose(1, "Coffee-Canyon 2D pink", "Dead-Bull-Desert 2J orange")
    while table.phase() is ZoffPhase.PLACE:
        table.place(max(map(cows_of, table.actions)))
    ending = table.state.ending
    assert ending is not None
    assert (ending.reason, ending.winners) == ("exhausted", (1,))


# --- one_last_card (Z10.5) ---


def last_pasture(herds: dict[str, int], rules: ZoffRules = ONE_CARD, **reserves: int) -> Table:
    """Two players choose for Buzzard-Bluff, which holds these herds; all else is full."""
    return Table(arranged(rules, {**ALL_BUT_LAST, "Buzzard-Bluff": herds}, reserves=reserves))


def test_one_card_is_laid_for_both_colours_on_the_last_pasture() -> None:
    """Z10.5, `one_last_card`: no colour is named, one card leaves each hand, both colours are in line."""
    table = last_pasture({})
    options = choice_options(table.state, 0)
    assert len(options) == len(list(options)) == 12
    legal = options.describe()
    assert isinstance(legal, ChooseLegal)
    assert (legal.pairs, legal.colours, set(legal.forecast["Buzzard-Bluff"])) == (
        1,
        (),
        {"blue", "green"},
    )
    for wrong, reason in (
        (choice("Buzzard-Bluff 2F blue", "Buzzard-Bluff 3F green"), r"expected 1 pair, got 2"),
        (choice("Buzzard-Bluff 2F blue"), r"the card stands for both colours: name none"),
    ):
        with pytest.raises(IllegalAction, match=rf"{reason} \(Z10.5\)"):
            table.act(0, wrong)
    table.choose(0, "Buzzard-Bluff 3F").choose(1, "Buzzard-Bluff 2D")
    assert [event.choice.to_json()["pairs"] for event in table.of(Revealed) if event.choice] == [
        [["Buzzard-Bluff", "3F"]],
        [["Buzzard-Bluff", "2D"]],
    ]
    assert [len(hand) for hand in table.state.hands] == [11, 11]
    (order,) = table.of(Precedence)
    assert [turn.colour for turn in order.turns] == ["pink", "orange", "blue", "green"]
    assert {turn.reason.code for turn in order.turns} == {"card_value"}


def test_each_colour_places_up_to_what_is_left_of_the_card() -> None:
    """Z10.5, Z4.3: three of five cows go to blue, so two are left for green; the view says so."""
    table = last_pasture({"blue": 3, "pink": 1})
    table.choose(0, "Buzzard-Bluff 5H").choose(1, "Buzzard-Bluff 2D")
    table.place(3).place(0)
    asked = GAME.legal(table.state, 0).describe()
    assert isinstance(asked, PlaceLegal) is False  # orange is asked first: its card is lower
    table.place(0)
    legal = GAME.legal(table.state, 0).describe()
    assert isinstance(legal, PlaceLegal)
    assert (legal.colour, str(legal.card), legal.left, legal.cows) == ("green", "5H", 2, (0, 2))
    used = next(refused for refused in legal.refused if refused.reason.code == "card_used")
    assert (used.cows, used.reason.clause) == ((3, 4, 5), "Z10.5")
    assert legal.ranks[3:] == (None, None, None)
    view = GAME.view(table.state, 1)
    assert [(pair.colour, pair.left) for pair in view.line] == [("green", 2)]
    with pytest.raises(IllegalAction, match=r"expected 0, 2 cows, got 3 \(Z4.3\)"):
        table.place(3)
    table.place(2)
    placed = [event for event in table.of(Placed) if event.colour == "green"]
    assert placed[0].cows == 2
    assert "the other colour left 2 of the card" in describe(placed[0])


def test_a_used_up_card_leaves_its_second_colour_nothing() -> None:
    """Z10.5, Z4.6: the second colour's turn has one answer, which the program gives and the record holds."""
    table = last_pasture({"blue": 3, "pink": 1, "orange": 2})
    table.choose(0, "Buzzard-Bluff 2F").choose(1, "Buzzard-Bluff 2D").place(2)
    while table.phase() is ZoffPhase.PLACE:
        table.place(0)
    (green,) = [event for event in table.of(Placed) if event.colour == "green"]
    assert (green.cows, green.forced) == (0, True)
    assert [len(cards) for cards in table.state.discards] == [1, 1]


def test_one_card_lasts_only_where_a_single_pasture_is_open() -> None:
    """Z10.4, Z10.5: with two open pastures each colour needs a pair; without the house rule always."""
    two_open = {name: herd for name, herd in ALL_BUT_LAST.items() if name != "Lucky-Lake"}
    assert choice_options(arranged(ONE_CARD, two_open), 0).colours == ("blue", "green")
    assert choice_options(arranged(ZoffRules(2), ALL_BUT_LAST), 0).colours == ("blue", "green")


# --- rebid_among_tied (Z11.1) ---

AMONG_TIED = ZoffRules(3, auction=True, rebid_among_tied=True)


def bids(rules: ZoffRules, *rounds: str, tie_order: tuple[int, ...] | None = None) -> Table:
    """An auction whose rounds of bids are these."""
    deal = GAME.draw(rules, random.Random(1))
    if tie_order is not None:
        deal = replace(deal, tie_order=tie_order)
    table = Table(GAME.initial(rules, deal))
    for given_bids in rounds:
        bidding(*given_bids.split(), table=table)
    return table


def test_a_rebid_ranks_only_the_tied_by_the_house_rule() -> None:
    """Z11.1, `rebid_among_tied`: the second bids of 2.5 and 3 don't overtake the 2 that can't answer."""
    table = bids(AMONG_TIED, "2 1 1", "2.5 3")
    assert table.of(Ranked)[0].order == (0, 2, 1)
    assert [bid.text for bid in table.state.bids if bid] == ["2", "2.5", "3"]  # and are paid
    without = bids(replace(AMONG_TIED, rebid_among_tied=False), "2 1 1", "2.5 3")
    assert without.of(Ranked)[0].order == (2, 1, 0)


def test_a_rebid_equal_to_an_others_bid_is_no_tie() -> None:
    """Z11.1: seat 0 isn't asked again, though a tied seat now bids what it bid."""
    table = bids(AMONG_TIED, "2 1 1", "2 1.5")
    assert [event.seats for event in table.of(BidsTied)] == [(1, 2)]
    assert table.of(Ranked)[0].order == (0, 1, 2)


def test_two_ties_are_settled_each_for_itself() -> None:
    """Z11.1: the lower pair stays behind the upper one, whatever it bids; a tie of a tie is bid once more."""
    rules = ZoffRules(5, auction=True, rebid_among_tied=True)
    table = bids(rules, "3 1 3 1 2", "3 9 3 8", "3 4")
    assert [event.seats for event in table.of(BidsTied)] == [(0, 1, 2, 3), (0, 2)]
    assert table.of(Ranked)[0].order == (2, 0, 4, 1, 3)


def test_a_tie_that_outlasts_three_rounds_goes_by_the_seed_among_the_tied() -> None:
    """Z11.1, ruling: the tied only; a third seat keeps its place."""
    table = bids(AMONG_TIED, "1 2 1", "5 5", "6 6", tie_order=(2, 1, 0))
    assert table.of(BidsTied)[-1].reason.code == "seed_decides"
    assert table.of(Ranked)[0].order == (1, 2, 0)


# --- records and views ---


@pytest.mark.parametrize("rules", HOUSE_RULE_SETS, ids=rules_id)
def test_a_record_of_each_house_rule_replays(rules: ZoffRules) -> None:
    """Z5.2, Z6.3, Z10.5, Z11.1: through text and back to the same result."""
    game = filled(rules, 9)
    record = game.record(tuple(SeatInfo(f"{seat}") for seat in range(rules.players)))
    read = GameRecord.loads(record.dumps())
    assert read.rules == rules.to_json()
    assert replay(GAME, read).record(record.seats) == record


def test_the_record_of_one_last_card_has_one_pair_and_names_colours_where_cows_go() -> None:
    """Z10.5: `[[pasture, card]]`; the same record by the other rule is refused at that step."""
    game = filled(replace(ONE_CARD, fair=True), 9)
    record = replace(game.record((SeatInfo("a"), SeatInfo("b"))), meta={})
    steps = [step for step in record.actions if isinstance(step, dict)]
    single = [step for step in steps if step["type"] == "choose" and len(step["pairs"]) == 1]
    assert len(single) == 2
    assert all(len(pair) == 2 for step in single for pair in step["pairs"])
    after = steps[steps.index(single[1]) + 1 :]
    assert {step["colour"] for step in after if step["type"] == "place"} > {"blue"}
    other = {key: value for key, value in record.rules.items() if key != "one_last_card"}
    with pytest.raises(RecordError, match=rf"{steps.index(single[0])}.*expected 2 pairs, got 1"):
        replay(GAME, replace(record, rules=other))


def test_a_record_that_leaves_a_bonus_is_refused_where_it_must_be_placed() -> None:
    """Z5.2: the same steps with `must_place` fail at the first bonus that isn't used."""
    game = filled(ZoffRules(4, fair=True), 1)
    record = replace(game.record(tuple(SeatInfo(f"{s}") for s in range(4))), meta={})
    actions = list(record.actions)
    index = next(
        i
        for i, step in enumerate(actions)
        if isinstance(step, dict) and step["type"] == "bonus" and step["on"]
    )
    step = actions[index]
    assert isinstance(step, dict)
    actions[index] = {**step, "on": []}
    rules = {**record.rules, "must_place": True}
    with pytest.raises(RecordError, match=r"as many as can be placed, got 0"):
        replay(GAME, replace(record, rules=rules, actions=tuple(actions[: index + 1]), result=None))


@given(st.sampled_from(HOUSE_RULE_SETS), st.integers(0, 100_000), st.data())
def test_late_states_that_differ_in_secrets_only_have_equal_views(
    rules: ZoffRules, seed: int, data: st.DataObject
) -> None:
    """Z3.4, Z6.1, Z9.1: also where house rules change what is chosen and placed."""
    rng = random.Random(seed)
    state = late(rules, rng)
    for _ in range(rng.randrange(2 * rules.players)):
        seat = rng.choice(GAME.to_act(state))
        following = GAME.apply(state, seat, GAME.legal(state, seat).sample(rng)).state
        if following.ending is not None:
            break
        state = following
    viewer = data.draw(st.sampled_from([None, *range(rules.players)]))
    other = with_other_secrets(state, viewer, rng)
    own = canonical(GAME.view(state, viewer).to_json())
    assert canonical(GAME.view(other, viewer).to_json()) == own
