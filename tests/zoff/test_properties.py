"""What holds in every game of Zoff, whatever is played."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from stampede.core.events import Event
from stampede.core.playthrough import Playthrough
from stampede.zoff import Deal, State, ZoffAction, ZoffPhase, ZoffRules
from stampede.zoff.describe import describe
from stampede.zoff.events import BonusLapsed, BonusPlaced, Filled, FinalBonus, ZoffEnded
from stampede.zoff.rules import COWS
from stampede.zoff.state import free_spaces
from tests.zoff.arranged import ALL_RULES, GAME, HOUSE_RULE_SETS, played

Game = Playthrough[ZoffRules, State, ZoffAction, Deal]
games = st.builds(
    played, st.sampled_from([*ALL_RULES, *HOUSE_RULE_SETS]), st.integers(0, 1_000_000)
)


@given(games)
def test_cows_are_conserved(game: Game) -> None:
    """Z2.2: on pastures and in reserve, every colour has its 48."""
    for turn in game.turns:
        state = turn.state
        for colour, reserve in enumerate(state.reserves):
            assert reserve >= 0
            assert reserve + sum(herd[colour] for herd in state.herds) == COWS


@given(games)
def test_no_pasture_is_above_its_capacity(game: Game) -> None:
    """Z4.3, Z5.3, Z7.1."""
    for turn in game.turns:
        assert min(turn.state.free) >= 0
        assert turn.state.free == free_spaces(turn.state.setup, turn.state.herds)


@given(games)
def test_no_two_herds_are_equal_after_a_decision(game: Game) -> None:
    """Z4.4, Z5.3: except by the final bonus."""
    for turn in game.turns:
        if any(isinstance(event, FinalBonus) for event in turn.events):
            continue
        for herds in turn.state.herds:
            sizes = [herd for herd in herds if herd]
            assert len(sizes) == len(set(sizes))


@given(games)
def test_every_filled_pasture_pays_each_bonus_exactly_once(game: Game) -> None:
    """Z5.1, Z11.2: to a herd, or it lapses; unless the last cow ended the game."""
    ended = [event for event in game.events if isinstance(event, ZoffEnded)]
    if ended[0].reason.code == "exhausted":
        return
    filled = [event.pasture for event in game.events if isinstance(event, Filled)]
    assert len(filled) == len(set(filled))
    bonuses = {pasture.name: pasture.bonus for pasture in game.state.setup.pastures}
    for name in filled:
        told = [rank_of(event) for event in game.events if source_of(event) == name]
        expected = [rank for rank, cows in enumerate(bonuses[name], start=1) if cows]
        fair = [0] if game.rules.fair else []
        assert sorted(told) == fair + expected


def source_of(event: Event) -> str | None:
    """The pasture whose bonus an event tells."""
    match event:
        case BonusPlaced():
            return event.source
        case BonusLapsed():
            return event.pasture
        case _:
            return None


def rank_of(event: Event) -> int:
    """The rank of a bonus event."""
    assert isinstance(event, BonusPlaced | BonusLapsed)
    return event.rank


@given(games)
def test_pastures_pay_one_after_another_in_the_order_of_filling(game: Game) -> None:
    """Z5.4: the running pasture's bonuses are finished first, then the queue goes on."""
    paying = [source for source in map(source_of, game.events) if source is not None]
    order = [name for index, name in enumerate(paying) if index == 0 or paying[index - 1] != name]
    filled = [event.pasture for event in game.events if isinstance(event, Filled)]
    assert order == [name for name in filled if name in order]


@given(games)
def test_bonus_cows_go_elsewhere_and_within_the_number_due(game: Game) -> None:
    """Z5.2."""
    for event in game.events:
        if isinstance(event, BonusPlaced):
            assert event.source not in event.on
            assert len(event.on) <= event.due
            assert (event.lost is None) == (len(event.on) == event.due)


@given(games)
def test_rounds_are_counted_and_hands_shrink(game: Game) -> None:
    """Z6.1, Z6.2: at most five rounds, six with two players, two cards a round at most."""
    rounds = [turn.state.round for turn in game.turns]
    assert all(0 <= later - earlier <= 1 for earlier, later in pairwise(rounds))
    assert max(rounds) <= game.rules.rounds
    for state in (turn.state for turn in game.turns if turn.state.phase is ZoffPhase.CHOOSE):
        full = 12 if game.rules.players == 2 else 10
        assert all(len(hand) >= full - 2 * (state.round - 1) for hand in state.hands)
        assert all(
            sorted((*hand, *gone)) == list(group.hand)
            for hand, gone, group in zip(
                state.hands, state.discards, state.setup.groups, strict=True
            )
        )


@given(games)
def test_the_winners_have_the_best_score(game: Game) -> None:
    """Z8.1, Z6.3."""
    ending = game.state.ending
    assert ending is not None
    if ending.reason != "exhausted":
        best = max(ending.scores)
        assert all(ending.scores[seat] == best for seat in ending.winners)
    assert sum(ending.placed) == sum(map(sum, game.state.herds))


@given(games)
def test_every_event_can_be_told_in_english_and_as_json(game: Game) -> None:
    """Z4.6: what the program decides is shown, with its reason."""
    for event in game.events:
        assert describe(event).strip()
        assert event.to_json()["kind"] == event.kind
    for event in GAME.redact(game.events, game.turns[-2].state, None):
        assert describe(event).strip()


@given(games)
def test_told_with_names_no_seat_is_called_by_its_number(game: Game) -> None:
    names = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")
    for event in game.events:
        plain, told = describe(event), describe(event, names)
        assert not re.search(r"[Ss]eats? [0-9]", told)
        assert (told == plain) == (not re.search(r"[Ss]eats? [0-9]", plain))
