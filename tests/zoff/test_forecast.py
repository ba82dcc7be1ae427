"""What the rules tell a seat before it acts: forecasts, ranks, and reasons for what isn't legal."""

import random
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import IllegalAction
from stampede.zoff import (
    Bid,
    Choose,
    Pair,
    Place,
    PlaceBonus,
    Settle,
    State,
    ZoffPhase,
    ZoffRules,
)
from stampede.zoff.describe import REASONS, describe_reason
from stampede.zoff.forecast import Landscape
from stampede.zoff.legal_view import (
    BidLegal,
    BonusLegal,
    ChooseLegal,
    PickLegal,
    PlaceLegal,
    SettleLegal,
)
from stampede.zoff.reasons import ZoffReason, ZoffReasonCode
from stampede.zoff.view import view_of
from tests.zoff.arranged import ALL_RULES, GAME, HOUSE_RULE_SETS

SEEDS = st.integers(0, 2**32)
RULES = st.sampled_from([*ALL_RULES, *HOUSE_RULE_SETS])


def random_states(rules: ZoffRules, seed: int) -> list[State]:
    """The states of a random game in which someone is asked."""
    rng = random.Random(seed)
    state = GAME.initial(rules, GAME.draw(rules, rng))
    states = []
    while seats := GAME.to_act(state):
        states.append(state)
        seat = rng.choice(seats)
        state = GAME.apply(state, seat, GAME.legal(state, seat).sample(rng)).state
    return states


def placed_by(state: State, seat: int, choice: Choose) -> bool:
    """Whether the rules take a choice."""
    try:
        GAME.apply(state, seat, choice)
    except IllegalAction:
        return False
    return True


@given(SEEDS, RULES)
def test_a_forecast_tells_the_order_on_every_open_pasture(seed: int, rules: ZoffRules) -> None:
    for state in random_states(rules, seed)[::5]:
        seat = GAME.to_act(state)[0]
        legal = GAME.legal(state, seat).describe()
        if not isinstance(legal, ChooseLegal):
            continue
        own = view_of(state, seat).seats[seat].colours
        pastures = {pasture.name: pasture for pasture in view_of(state, None).pastures}
        assert tuple(legal.forecast) == legal.pastures
        for name, forecasts in legal.forecast.items():
            herds = pastures[name].herds
            assert tuple(forecasts) == own
            for colour, forecast in forecasts.items():
                rest = () if colour in herds else (colour,)
                assert forecast.order == (*herds, *rest)
                assert forecast.by == ("herd" if colour in herds else "card")
                assert all(herds[other] == size for other, size in forecast.taken.items())
                assert all(size > herds.get(colour, 0) for size in forecast.taken.values())
                assert colour not in forecast.taken


@given(SEEDS, RULES)
def test_each_number_of_cows_is_allowed_or_has_a_reason(seed: int, rules: ZoffRules) -> None:
    for state in random_states(rules, seed):
        if state.phase is not ZoffPhase.PLACE:
            continue
        seat = GAME.to_act(state)[0]
        legal = GAME.legal(state, seat).describe()
        assert isinstance(legal, PlaceLegal)
        refused = {cows: group.reason for group in legal.refused for cows in group.cows}
        for cows in range(legal.card.value + 1):
            assert (cows in legal.cows) is (cows not in refused)
            assert (legal.ranks[cows] is None) is (cows in refused)
            if cows in refused:
                with pytest.raises(IllegalAction) as caught:
                    GAME.apply(state, seat, Place(cows))
                assert caught.value.clause == refused[cows].clause
            else:
                after = GAME.apply(state, seat, Place(cows)).events[0]
                assert after.to_json()["herd"] or not legal.ranks[cows]


@given(SEEDS, RULES)
def test_where_a_bonus_cow_cannot_go_has_a_reason(seed: int, rules: ZoffRules) -> None:
    for state in random_states(rules, seed):
        if state.phase is not ZoffPhase.BONUS:
            continue
        seat = GAME.to_act(state)[0]
        legal = GAME.legal(state, seat).describe()
        assert isinstance(legal, BonusLegal)
        refused = {
            (name, cows): group.reason
            for group in legal.refused
            for name in group.pastures
            for cows in group.cows
        }
        for name in state.setup.pasture_names:
            for cows in range(1, legal.cows + 1):
                legal_way = (name,) * cows in legal.on
                fits = (name, cows) not in refused
                assert legal_way is (fits and cows >= legal.least)
                if not legal_way:
                    with pytest.raises(IllegalAction) as caught:
                        GAME.apply(state, seat, PlaceBonus((name,) * cows))
                    reason = legal.below if fits else refused[name, cows]
                    assert reason is not None
                    assert caught.value.clause == reason.clause == ("Z5.2" if fits else "Z5.3")


@given(SEEDS, RULES)
def test_choices_that_are_refused_have_a_reason(seed: int, rules: ZoffRules) -> None:
    for state in random_states(rules, seed)[::5]:
        seat = GAME.to_act(state)[0]
        options = GAME.legal(state, seat)
        legal = options.describe()
        if not isinstance(legal, ChooseLegal):
            continue
        refused = {name for group in legal.refused for name in group.names}
        assert refused == {*state.setup.pasture_names} - {*legal.pastures}
        any_choice = options.sample(random.Random(seed))
        assert isinstance(any_choice, Choose)
        for pasture in refused:
            first, *rest = any_choice.pairs
            wrong = Choose((Pair(pasture, first.card, first.colour), *rest))
            assert not placed_by(state, seat, wrong)


def hide_differently(state: State, seat: int, rng: random.Random) -> State:
    """The same state for one seat's eyes: others hold other cards, have sealed other answers, the seed ranks anew."""
    hands, discards = list(state.hands), list(state.discards)
    for group, owner in enumerate(state.owners):
        if owner == seat:
            continue
        laid = {pair.card for pair in state.laid if state.setup.group_of[pair.colour] == group}
        rest = [card for card in state.setup.groups[group].hand if card not in laid]
        rng.shuffle(rest)
        held = len(hands[group])
        hands[group] = tuple(sorted(rest[:held]))
        discards[group] = tuple(rest[held:])
    sealed = list(state.sealed)
    for other, answer in enumerate(sealed):
        if other != seat and answer is not None:
            opened = replace(state, sealed=(None,) * len(sealed), hands=tuple(hands))
            another = GAME.legal(opened, other).sample(rng)
            assert isinstance(another, Settle | Bid | Choose)
            sealed[other] = another
    order = list(state.setup.deal.tie_order)
    rng.shuffle(order)
    deal = replace(state.setup.deal, tie_order=tuple(order))
    return replace(
        state,
        setup=replace(state.setup, deal=deal),
        hands=tuple(hands),
        discards=tuple(discards),
        sealed=tuple(sealed),
    )


@given(SEEDS, RULES)
def test_nothing_hidden_is_told(seed: int, rules: ZoffRules) -> None:
    """Two states that differ only in secrets give equal views, forecasts included."""
    rng = random.Random(seed)
    rules = replace(rules, open_discards=False)
    differing = 0
    for state in random_states(rules, seed)[::3]:
        seat = rng.randrange(rules.players)
        other = hide_differently(state, seat, rng)
        differing += other != state
        assert GAME.legal(other, seat).to_json() == GAME.legal(state, seat).to_json()
        assert view_of(other, seat).to_json() == view_of(state, seat).to_json()
    assert differing


def test_a_landscape_holds_public_information_only() -> None:
    assert set(Landscape._fields) == {"pastures", "colours", "herds", "free", "reserves"}


def test_two_players_are_told_their_groups_colours() -> None:
    """Z10.1, Z10.2, Z11.1: the pairs of colours come with the choice."""
    rules = ZoffRules(players=2, auction=True)
    states = random_states(rules, 1)
    settle = GAME.legal(states[0], 0).describe()
    assert isinstance(settle, SettleLegal)
    assert [(group.names, group.reason.clause) for group in settle.refused] == [
        (("blue", "green"), "Z10.2")
    ]
    picking = next(state for state in states if state.phase is ZoffPhase.PICK)
    pick = GAME.legal(picking, GAME.to_act(picking)[0]).describe()
    assert isinstance(pick, PickLegal)
    assert pick.groups == {"blue": ("blue", "green"), "pink": ("pink", "orange")}


def test_a_rebid_is_told_why_it_cannot_be_lower() -> None:
    """Z11.1."""
    state = GAME.initial(
        rules := ZoffRules(players=3, auction=True), GAME.draw(rules, random.Random(1))
    )
    first = GAME.legal(state, 0).describe()
    assert isinstance(first, BidLegal)
    assert (first.least, first.below) == ("0", None)
    for seat in range(3):
        state = GAME.apply(state, seat, Bid("1.5")).state
    again = GAME.legal(state, 0).describe()
    assert isinstance(again, BidLegal)
    assert (again.least, again.below) == ("1.5", ZoffReason("lower_bid", "Z11.1"))


def test_a_taken_colour_is_told() -> None:
    """Z11.1."""
    states = random_states(ZoffRules(players=4, auction=True), 3)
    picking = [state for state in states if state.phase is ZoffPhase.PICK][1]
    pick = GAME.legal(picking, GAME.to_act(picking)[0]).describe()
    assert isinstance(pick, PickLegal)
    ((names, reason),) = [(group.names, group.reason) for group in pick.refused]
    assert len(names) == 1
    assert not set(names) & set(pick.colours)
    assert reason == ZoffReason("colour_taken", "Z11.1")


def test_every_reason_is_described_and_every_description_is_a_reason() -> None:
    assert set(REASONS) == set(get_args(ZoffReasonCode))
    assert describe_reason(ZoffReason("lower_bid", "Z11.1")).endswith("[Z11.1]")
