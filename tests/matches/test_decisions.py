"""Answers to decisions: all at once, changed until the last one is in, never lost, never to the wrong question."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stampede.core.errors import IllegalAction, ParseError
from stampede.core.json import JsonObject
from stampede.matches import SYSTEM, Caller
from stampede.matches.commands import Act, Claim
from stampede.matches.errors import Forbidden, NotAwaited, StaleDecision, WrongPhase
from tests.matches.sitting import Sitting, buffalo, person, zoff, zoff_rules

TAKE_BACK: JsonObject = {"type": "take_back"}


def test_all_who_choose_at_once_answer_the_same_decision() -> None:
    """Z3.1: nobody's answer changes the question for the others."""
    sitting = zoff(4)
    sitting.sit(0, 1, 2, 3)
    commands = [Act(p, sitting.decision, sitting.any_action(p)) for p in range(4)]
    for player, command in enumerate(commands):
        assert sitting.decision == "1.1"
        sitting.do(command, person(player))
    assert sitting.decision == "1.2"


@settings(max_examples=10)
@given(order=st.permutations(range(3)), retries=st.lists(st.integers(0, 2), max_size=4))
def test_choices_at_once_are_never_lost_in_whatever_order(
    order: list[int], retries: list[int]
) -> None:
    """Z3.4: with any order, and with clients that send again."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    chosen = {player: sitting.any_action(player) for player in range(3)}
    decision = sitting.decision
    for player in order:
        for again in [player, *retries]:
            if again in order[: order.index(player) + 1]:
                sitting.do(Act(again, decision, chosen[again]), person(again), f"once-{again}")
    events = [e.to_json() for m in sitting.table.messages(None) for e in m.events]
    revealed = {e["seat"]: e["choice"] for e in events if e["kind"] == "revealed"}
    assert revealed == chosen
    sitting.check_log()


def test_a_choice_can_be_changed_until_the_last_one_is_in() -> None:
    """Z3.4: taken back, given anew, changed; the last one given counts."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.act(0)
    sitting.act(0, TAKE_BACK)
    assert sitting.awaited() == (0, 1, 2)
    sitting.act(0)
    sitting.act(1)
    last = sitting.any_action(0)
    while last == TAKE_BACK:
        last = sitting.any_action(0)
    sitting.act(0, last)
    assert sitting.decision == "1.1"
    sitting.act(2)
    events = [e.to_json() for m in sitting.table.messages(None) for e in m.events]
    assert [e["choice"] for e in events if e["kind"] == "revealed" and e["seat"] == 0] == [last]


def test_a_change_that_comes_after_the_last_choice_is_stale() -> None:
    """Z3.4: and it says what is asked now."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    late = Act(0, sitting.decision, sitting.any_action(0))
    for player in range(3):
        sitting.act(player)
    log = len(sitting.log)
    with pytest.raises(StaleDecision) as caught:
        sitting.do(late, person(0))
    assert caught.value.decision == sitting.decision
    assert caught.value.awaited == sitting.awaited()
    assert caught.value.to_json()["phase"] == "playing"
    assert len(sitting.log) == log


@pytest.mark.parametrize("make", [lambda: zoff(2), buffalo])
def test_no_decision_id_ever_comes_again(make: Callable[[], Sitting]) -> None:
    sitting = make()
    sitting.sit(0, 1)
    sitting.play_out()
    ids = [message.decision for message in sitting.table.messages(None) if message.decision]
    runs = [key for key, _ in itertools.groupby(ids)]
    assert len(runs) == len(set(runs))


def test_bids_and_first_cows_are_decisions_of_all_too() -> None:
    """Z10.2, Z11.1: settle, then bid, then pick, each answered at once where it is asked at once."""
    sitting = zoff(2, rules=zoff_rules(2, auction=True))
    sitting.sit(0, 1)
    decisions = []
    for _ in range(2):
        decisions.append(sitting.decision)
        sitting.act(1)
        assert sitting.decision == decisions[-1]
        sitting.act(0)
    assert decisions == ["1.1", "1.2"]


def test_tied_bids_are_asked_anew_of_the_tied_only() -> None:
    """Z11.1: a player who isn't tied isn't asked, and can't answer."""
    sitting = zoff(3, rules=zoff_rules(3, auction=True))
    sitting.sit(0, 1, 2)
    for player, bid in enumerate(("1.5", "1.5", "2")):
        sitting.act(player, {"type": "bid", "bid": bid})
    assert (sitting.decision, sitting.awaited()) == ("1.2", (0, 1))
    with pytest.raises(NotAwaited) as caught:
        sitting.act(2, {"type": "bid", "bid": "3"})
    assert caught.value.awaited == (0, 1)


def test_a_player_who_is_not_to_move_is_told_who_is() -> None:
    """B2.1."""
    sitting = buffalo()
    sitting.sit(0, 1)
    with pytest.raises(NotAwaited) as caught:
        sitting.act(1, "d2d3")
    assert (caught.value.decision, caught.value.awaited) == ("1.1", (0,))


def test_the_rules_refuse_with_their_clause() -> None:
    """B2.2, Z3.1: what the rules say comes through, and nothing has changed."""
    sitting = buffalo()
    sitting.sit(0, 1)
    before = sitting.table.state
    with pytest.raises(IllegalAction, match=r"B2\.2"):
        sitting.act(0, "a7a5")
    with pytest.raises(ParseError):
        sitting.act(0, {"type": "choose"})
    assert sitting.table.state is before


@pytest.mark.parametrize("caller", [person(1), Caller(), Caller(None, "invitation"), SYSTEM])
def test_no_one_acts_for_another_seat(caller: Caller) -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    with pytest.raises(Forbidden):
        sitting.do(Act(0, "1.1", "a7a6"), caller)


def test_there_is_nothing_to_answer_before_and_after_the_game() -> None:
    sitting = buffalo()
    sitting.sit(0)
    with pytest.raises(WrongPhase, match="lobby"):
        sitting.do(Act(0, "1.1", "a7a6"), person(0))
    sitting.sit(1)
    sitting.play_out()
    with pytest.raises(WrongPhase, match="over"):
        sitting.act(0, "a7a6")


def test_several_seats_on_one_device() -> None:
    """Hot-seat: one guest, three chairs, the same authority; each seat keeps its secrets."""
    sitting = zoff(3, hot_seat=True)
    one = Caller("guest-family", "invitation")
    for name in ("Ada", "Ben", "Cleo"):
        sitting.do(Claim(None, name, ""), one)
    assert sitting.table.players_of(one) == (0, 1, 2)
    sitting.do(Act(1, "1.1", sitting.any_action(1)), one)
    mine, other = (sitting.table.view_for(player).view for player in (1, 0))
    assert mine is not None
    assert other is not None
    assert mine["answer"] is not None
    assert other["answer"] is None
