"""A sealed answer is its holder's: when the seat changes hands it is void, and the next holder never sees it."""

from __future__ import annotations

import json
import random

import pytest

from stampede.core.json import JsonObject, canonical
from stampede.matches import SYSTEM, Caller, Entry, Table, digest_of
from stampede.matches.commands import (
    Act,
    Claim,
    Command,
    Leave,
    MoveChair,
    Remove,
    Return,
    SetChair,
)
from stampede.matches.entries import fingerprint_of
from tests.matches.adapters import CATALOGUE
from tests.matches.sitting import (
    HOST,
    Sitting,
    bytes_for,
    clock,
    person,
    token_of,
    zoff,
    zoff_rules,
)

FRIEND = Caller("guest-friend", "invitation")
VARIANTS = [zoff_rules(2), zoff_rules(3), zoff_rules(3, auction=True)]


def sealed_by(player: int, rules: JsonObject, seed: int = 0) -> Sitting:
    """A table where this player has sealed an answer, drawn by the seed, and others still think."""
    players = int(str(rules["players"]))
    sitting = zoff(players, rules=rules)
    sitting.sit(*range(players))
    sitting.rng = random.Random(seed)
    sitting.act(player)
    assert player not in sitting.awaited()
    return sitting


def reseat(sitting: Sitting, player: int, friend: Caller = FRIEND) -> None:
    """The host removes a player and lets a friend sit down."""
    sitting.do(Remove(player), HOST)
    sitting.do(SetChair(player), HOST)
    sitting.do(Claim(player, "Friend", digest_of("friend's token")), friend)


@pytest.mark.parametrize("rules", VARIANTS)
def test_a_friend_whom_the_host_seats_sees_no_byte_of_the_sealed_answer(rules: JsonObject) -> None:
    """Two tables that differ in the answer alone look the same to the friend, byte for byte."""
    one, two = (sealed_by(1, rules, seed) for seed in (1, 2))
    assert bytes_for(one.table, 1) != bytes_for(two.table, 1), "the answers differ"
    for sitting in (one, two):
        reseat(sitting, 1)
        assert 1 in sitting.awaited()
        sitting.check_log()
    assert bytes_for(one.table, 1) == bytes_for(two.table, 1)
    two.do(Act(1, two.decision, two.any_action(1)), FRIEND)
    two.check_log()


@pytest.mark.parametrize("command", [Remove(1), Leave(1)])
def test_a_bot_that_takes_over_answers_anew_and_is_not_shown_the_answer(command: Command) -> None:
    one, two = (sealed_by(1, zoff_rules(3), seed) for seed in (1, 2))
    for sitting in (one, two):
        sitting.do(command, HOST if isinstance(command, Remove) else person(1))
    (first,), (second,) = one.table.bot_requests(), two.table.bot_requests()
    assert first.player == 1
    assert first.view.to_json() == second.view.to_json()
    assert first.events == second.events
    one.play_out()
    one.check_log()


def test_a_bots_answer_is_void_when_a_person_takes_the_seat() -> None:
    sitting = sealed_by(1, zoff_rules(3))
    sitting.do(Remove(1), HOST)
    sitting.bots_act()
    assert 1 not in sitting.awaited()
    sitting.do(SetChair(1), HOST)
    sitting.do(Claim(1, "Friend", digest_of("friend's token")), FRIEND)
    assert 1 in sitting.awaited()
    view = sitting.table.view_for(1).view
    assert view is not None
    assert view["answer"] is None


def moved(caller: Caller) -> Sitting:
    sitting = sealed_by(1, zoff_rules(3))
    sitting.do(MoveChair(1, digest_of("moved")), caller)
    sitting.check_log()
    return sitting


def test_a_seat_that_moves_to_another_guest_is_asked_again() -> None:
    assert 1 in moved(Caller("guest-other", token_of(1))).awaited()
    assert 1 in moved(Caller(None, token_of(1))).awaited()


def test_a_person_who_stays_the_same_keeps_the_answer() -> None:
    assert 1 not in moved(Caller("guest-1", token_of(1))).awaited(), "a new link, the same guest"
    signed_in = Caller("account", token_of(1), former="guest-1")
    assert 1 not in moved(signed_in).awaited(), "a guest who registers a name"
    assert 1 in moved(Caller("account", token_of(1), former="guest-2")).awaited()


def test_a_player_who_comes_back_keeps_what_the_stand_in_answered() -> None:
    sitting = zoff(3, clock=clock("move", 5_000))
    sitting.sit(0, 1, 2)
    sitting.act(0)
    sitting.wait(6_000)
    request = next(item for item in sitting.table.bot_requests() if item.player == 1)
    action = sitting.table.fallback(request)
    sitting.do(request.command(action), SYSTEM, request.key)
    sitting.do(Return(1), person(1))
    assert 1 not in sitting.awaited()
    sitting.check_log()


def test_a_new_holder_gets_time_to_answer_and_a_moved_chair_none() -> None:
    sitting = zoff(3, clock=clock("round", 60_000))
    sitting.sit(0, 1, 2)
    sitting.wait(59_500)
    sitting.act(1)
    for _ in range(3):  # taking an answer back and sealing it again gains nothing
        sitting.act(1, {"type": "take_back"})
        sitting.act(1)
    clocks = sitting.table.state.clocks
    assert clocks is not None
    assert clocks.left[1] == 500
    sitting.do(MoveChair(1, digest_of("moved")), Caller("guest-other", token_of(1)))
    clocks = sitting.table.state.clocks
    assert clocks is not None
    assert clocks.left[1] == 500, "a chair can move again and again"
    reseat(sitting, 1)
    clocks = sitting.table.state.clocks
    assert clocks is not None
    assert clocks.left[1] == 10_000


def test_logs_from_before_fold_as_they_did() -> None:
    """An old entry doesn't say that it voids an answer, so it doesn't."""
    sitting = sealed_by(1, zoff_rules(3))
    before = sitting.table.view_for(1).view
    reseat(sitting, 1)
    old: list[Entry] = []
    for entry in sitting.log:
        data = json.loads(canonical(entry.to_json()))
        assert ("voids" in data["command"]) == (entry.command.type == "remove")
        data["command"].pop("voids", None)
        old.append(Entry.from_json(data))
    table = Table.rebuild(CATALOGUE, old)
    after = table.view_for(1).view
    assert before is not None
    assert after is not None
    assert before["answer"] == after["answer"] is not None


def test_a_retry_across_an_update_is_still_the_same_command() -> None:
    """The fingerprints of commands that void nothing are those of before."""
    kept: list[tuple[Command, str]] = [
        (Claim(0, "Ann", "d" * 64, salt="s"), "19625c5579c14de8"),
        (Leave(1), "a84842329b3405c7"),
        (Remove(1), "67bef6422b676dc9"),
        (MoveChair(1, "d" * 64), "a861295636aa48e1"),
    ]
    for command, fingerprint in kept:
        assert fingerprint_of(command) == fingerprint
