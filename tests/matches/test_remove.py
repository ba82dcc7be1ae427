"""A host removes a player: before a game the chair is open again, in a game a bot plays on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stampede.core.errors import InputError
from stampede.matches import Caller
from stampede.matches.commands import Remove
from stampede.matches.errors import Forbidden
from stampede.matches.state import ChairKind
from tests.matches.sitting import HOST, Sitting, buffalo, person, zoff


@pytest.mark.parametrize("make", [zoff, buffalo])
def test_before_the_game_the_chair_is_open_again(make: Callable[[], Sitting]) -> None:
    sitting = make()
    sitting.sit(0)
    sitting.do(Remove(0), HOST)
    assert sitting.table.state.chairs[0].kind is ChairKind.OPEN
    sitting.check_log()


def test_in_a_game_of_buffalo_a_bot_plays_on_and_nobody_has_resigned() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.play_until(lambda: len(sitting.table.state.running.actions) > 4)
    sitting.do(Remove(1), HOST)
    chair = sitting.table.state.chairs[1]
    assert (sitting.phase, chair.kind, chair.left) == ("playing", ChairKind.BOT, True)
    assert sitting.table.players_of(person(1)) == ()
    sitting.play_out()
    assert sitting.phase == "over"
    (result,) = sitting.table.view_for(None).results
    assert result.reason not in ("", "resigned")
    sitting.check_log()


def test_in_a_game_of_zoff_a_bot_plays_on() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.do(Remove(2), HOST)
    sitting.play_out()
    record = sitting.table.record()
    assert record.result is not None
    assert record.meta["left"] == [2]
    sitting.check_log()


def test_only_the_host_removes_players_and_never_themselves_or_an_empty_chair() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1)
    for caller in (person(1), Caller("guest-x", "invitation"), Caller()):
        with pytest.raises(Forbidden):
            sitting.do(Remove(0), caller)
    with pytest.raises(InputError):
        sitting.do(Remove(2), HOST)
    with pytest.raises(InputError):
        sitting.do(Remove(3), HOST)


def test_no_one_is_removed_from_a_rated_game_but_before_it_they_are() -> None:
    sitting = buffalo(rated=True)
    sitting.sit(0)
    sitting.do(Remove(0), HOST)
    sitting.sit(0, 1)
    with pytest.raises(Forbidden):
        sitting.do(Remove(1), HOST)


def test_a_table_that_the_last_person_was_sent_away_from_ends_its_game() -> None:
    sitting = buffalo(bots=1)
    sitting.sit(0)
    sitting.do(Remove(0), HOST)
    assert sitting.phase == "over"
    assert sitting.table.view_for(None).results[0].aborted
    sitting.check_log()
