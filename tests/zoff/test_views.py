"""What a seat may know (Z3.4, Z6.1, Z9.1): nothing else is in the bytes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import ParseError
from stampede.core.json import canonical
from stampede.zoff import CowCard, State, ZoffRules
from stampede.zoff.events import Placed, Precedence, Revealed, Wasted
from stampede.zoff.state import SEALED_PHASES
from tests.zoff.arranged import ALL_RULES, GAME, HOUSE_RULE_SETS, Table, played, seated
from tests.zoff.other_secrets import with_other_secrets

CLOSED = [rules for rules in [*ALL_RULES, *HOUSE_RULE_SETS] if not rules.open_discards]


def random_moment(rules: ZoffRules, seed: int) -> State:
    """A state of a random game, as often as not with some answers sealed."""
    rng = random.Random(seed)
    state = GAME.initial(rules, GAME.draw(rules, rng))
    for _ in range(rng.randrange(60)):
        seats = GAME.to_act(state)
        if not seats:
            break
        seat = rng.choice(seats)
        following = GAME.apply(state, seat, GAME.legal(state, seat).sample(rng)).state
        if following.ending is not None:
            break
        state = following
    return state


@given(st.sampled_from(CLOSED), st.integers(0, 100_000), st.data())
def test_states_that_differ_in_secrets_only_have_equal_views(
    rules: ZoffRules, seed: int, data: st.DataObject
) -> None:
    """Z3.4, Z6.1, Z9.1: byte for byte, for each seat and for spectators."""
    state = random_moment(rules, seed)
    viewer = data.draw(st.sampled_from([None, *range(rules.players)]))
    other = with_other_secrets(state, viewer, random.Random(seed + 1))
    own = canonical(GAME.view(state, viewer).to_json()).encode()
    assert canonical(GAME.view(other, viewer).to_json()).encode() == own


def test_the_secrets_of_that_comparison_really_differ() -> None:
    """Z3.4: else the comparison above would prove nothing."""
    differing = 0
    for seed in range(60):
        state = random_moment(ZoffRules(4, auction=True), seed)
        other = with_other_secrets(state, 0, random.Random(seed + 1))
        differing += state.sealed != other.sealed or state.hands != other.hands
        if state.phase in SEALED_PHASES and any(state.sealed[1:]):
            seat = next(s for s in range(1, 4) if state.sealed[s])
            views = [canonical(GAME.view(s, seat).to_json()) for s in (state, other)]
            assert (views[0] == views[1]) == (state.sealed[seat] == other.sealed[seat])
    assert differing > 30


@given(st.sampled_from([*ALL_RULES, *HOUSE_RULE_SETS]), st.integers(0, 100_000))
def test_a_seat_sees_its_own_cards_and_answer(rules: ZoffRules, seed: int) -> None:
    """Z9.1: a player always sees their own remaining cow cards."""
    state = random_moment(rules, seed)
    for seat in range(rules.players):
        view = GAME.view(state, seat)
        if seat in state.owners:
            assert view.hand == state.hands[state.owners.index(seat)]
        assert view.answer == state.sealed[seat]
    spectator = GAME.view(state, None)
    assert (spectator.hand, spectator.answer, len(spectator.legal)) == ((), None, 0)


@pytest.mark.parametrize("open_discards", [False, True])
def test_discards_are_seen_only_with_the_option_or_after_the_end(open_discards: bool) -> None:
    """Z6.1, Z9.1: the option open_discards shows them; a finished game has no secrets."""
    game = played(ZoffRules(4, open_discards=open_discards), 5)
    running = next(turn.state for turn in game.turns if turn.state.round == 3)
    seen = GAME.view(running, 1).discards
    assert (seen is not None) == open_discards
    assert not open_discards or seen == tuple(running.discards)
    assert GAME.view(game.state, None).discards is not None


@given(st.sampled_from(CLOSED), st.integers(0, 10_000))
def test_earlier_rounds_events_are_told_without_their_cards(rules: ZoffRules, seed: int) -> None:
    """Z6.1: nobody may look at them again, so a history must not bring them back."""
    game = played(rules, seed)
    for turn in game.turns[:: max(1, len(game.turns) // 5)]:
        if turn.state.ending is not None:
            continue
        past = [e for t in game.turns for e in t.events if t.state.round <= turn.state.round]
        for event in GAME.redact(past, turn.state, None):
            if isinstance(event, Revealed | Precedence | Placed | Wasted):
                told = event.round >= turn.state.round
                assert told or not cards_in(event)


def cards_in(event: Revealed | Precedence | Placed | Wasted) -> list[CowCard]:
    """The cow cards that an event tells."""
    match event:
        case Revealed():
            return [] if event.choice is None else [pair.card for pair in event.choice.pairs]
        case Precedence():
            named = [turn.card for turn in event.turns if turn.card is not None]
            return named + [
                CowCard.parse(str(value))
                for turn in event.turns
                for name, value in turn.reason.values
                if name == "card"
            ]
        case _:
            return [] if event.card is None else [event.card]


def test_a_finished_games_events_are_told_in_full() -> None:
    """Z6.1: only a running game hides them."""
    game = played(ZoffRules(3), 9)
    assert GAME.redact(game.events, game.state, 0) == tuple(game.events)


@given(st.sampled_from([*ALL_RULES, *HOUSE_RULE_SETS]), st.integers(0, 10_000))
def test_a_view_counts_what_lies_on_the_table(rules: ZoffRules, seed: int) -> None:
    """Z9.1: reserves, cows and cards of every seat are open to all."""
    state = random_moment(rules, seed)
    view = GAME.view(state, None)
    on_pastures = sum(sum(pasture.herds.values()) for pasture in view.pastures)
    reserves = sum(sum(seat.reserves.values()) for seat in view.seats)
    free = sum(view.free_colours.values())
    assert on_pastures + reserves + free == 48 * len(state.setup.colours)
    assert view.to_act == GAME.to_act(state)


def test_a_viewer_who_is_not_there_is_refused() -> None:
    with pytest.raises(ParseError, match="expected a seat 0–2 or none"):
        GAME.view(seated(ZoffRules(3)), 3)


def test_a_sealed_answer_shows_only_that_it_was_given() -> None:
    """Z3.4."""
    table = Table(seated(ZoffRules(3))).choose(0, "Lucky-Lake 5B", "Fire-Fields 4M")
    for viewer in (1, 2, None):
        view = GAME.view(table.state, viewer)
        assert view.seats[0].answered
        assert view.seats[0].cards == 10
        assert "5B" not in canonical(view.to_json())
