"""Before the first game: a table that asks for it begins when everyone is ready."""

from __future__ import annotations

import pytest

from stampede.core.errors import InputError
from stampede.matches import Caller
from stampede.matches.commands import Claim, Leave, Ready, SetChair, Start
from stampede.matches.errors import Forbidden, WrongPhase
from tests.matches.sitting import HOST, Sitting, buffalo, person, zoff


def ready(sitting: Sitting) -> list[bool]:
    return [player.ready for player in sitting.table.view_for(None).players]


def test_a_full_table_begins_when_everyone_is_ready() -> None:
    sitting = zoff(3, ready_check=True)
    sitting.sit(0, 1, 2)
    assert (sitting.phase, ready(sitting)) == ("lobby", [False, False, True])
    sitting.do(Ready(0), person(0))
    sitting.do(Ready(1), person(1))
    assert (sitting.phase, ready(sitting)) == ("playing", [False] * 3)
    sitting.check_log()


def test_without_the_check_a_full_table_begins_at_once() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    assert sitting.phase == "playing"


def test_one_person_with_bots_begins_at_once() -> None:
    sitting = zoff(3, 2, ready_check=True)
    sitting.sit(0)
    assert sitting.phase == "playing"


def test_people_on_one_device_begin_at_once() -> None:
    sitting = zoff(3, 1, ready_check=True, hot_seat=True)
    for player in range(2):
        sitting.do(Claim(player, f"P{player}"), Caller("guest-0", "invitation"))
    assert sitting.phase == "playing"


def test_programs_are_always_ready() -> None:
    sitting = buffalo(ready_check=True)
    sitting.sit(1, program=True)
    sitting.sit(0)
    assert sitting.phase == "playing"


def test_a_player_can_say_that_they_are_not_ready_any_more() -> None:
    sitting = zoff(3, ready_check=True)
    sitting.sit(0, 1, 2)
    sitting.do(Ready(2, ready=False), person(2))
    sitting.do(Ready(0), person(0))
    sitting.do(Ready(1), person(1))
    assert (sitting.phase, ready(sitting)) == ("lobby", [True, True, False])
    message = sitting.table.messages(None)[-3]
    assert (message.kind, message.player, message.data) == ("ready", 2, {"ready": False})
    sitting.do(Ready(2), person(2))
    assert sitting.phase == "playing"


def test_everyone_is_asked_again_when_the_players_change() -> None:
    sitting = zoff(3, ready_check=True)
    sitting.sit(0, 1, 2)
    sitting.do(Ready(0), person(0))
    sitting.do(Leave(2), person(2))
    assert ready(sitting) == [False] * 3
    sitting.sit(2)
    assert ready(sitting) == [False, False, True]


def test_a_host_who_fills_the_table_with_a_bot_is_ready() -> None:
    sitting = Sitting(zoff(3, ready_check=True).table.state.settings, host="guest-0")
    sitting.sit(0, 1)
    sitting.do(SetChair(2, "random"), person(0))
    assert (sitting.phase, ready(sitting)) == ("lobby", [True, False, False])
    sitting.do(Ready(1), person(1))
    assert sitting.phase == "playing"


def test_the_host_can_begin_without_waiting() -> None:
    sitting = zoff(3, ready_check=True)
    sitting.sit(0, 1, 2)
    sitting.do(Start(), HOST)
    assert sitting.phase == "playing"


def test_a_rated_game_begins_only_when_everyone_is_ready() -> None:
    sitting = buffalo(ready_check=True, rated=True)
    sitting.sit(0, 1)
    with pytest.raises(WrongPhase, match="expected everyone to be ready"):
        sitting.do(Start(), HOST)
    sitting.do(Ready(0), person(0))
    assert sitting.phase == "playing"


def test_ready_is_for_full_tables_that_ask_for_it() -> None:
    sitting = zoff(3, ready_check=True)
    sitting.sit(0)
    with pytest.raises(WrongPhase, match="expected every chair to be taken"):
        sitting.do(Ready(0), person(0))
    with pytest.raises(Forbidden):
        sitting.do(Ready(0), person(1))
    other = zoff(3)
    other.sit(0)
    with pytest.raises(InputError, match="expected a table that asks"):
        other.do(Ready(0), person(0))


def test_where_the_host_begins_being_ready_is_only_told() -> None:
    sitting = zoff(3, ready_check=True, auto_start=False)
    sitting.sit(0, 1, 2)
    for player in range(2):
        sitting.do(Ready(player), person(player))
    assert (sitting.phase, ready(sitting)) == ("lobby", [True] * 3)
    sitting.do(Start(), HOST)
    assert sitting.phase == "playing"
