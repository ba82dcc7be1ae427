"""Names at a table: nobody is called "You", and everyone who brings no name gets one of their own."""

from __future__ import annotations

import pytest

from stampede.core.errors import InputError
from stampede.matches import Caller, digest_of
from stampede.matches.commands import Claim, Rename
from stampede.matches.names import MOST_TRIES, WORDS, is_guest_name, name_guest
from tests.matches.sitting import Sitting, person, token_of, zoff


def claim(sitting: Sitting, player: int, name: str, guest: str | None = None) -> str:
    """Takes a chair; returns the name that everyone sees then."""
    caller = Caller(guest or f"guest-{player}", "invitation")
    sitting.do(Claim(player, name, digest_of(token_of(player))), caller)
    return sitting.table.view_for(None).players[player].name


@pytest.mark.parametrize("name", ["", "You", "Du", "Vous", "Toi", "Tu", "Jij", "YOU"])
def test_a_guest_without_a_name_gets_one(name: str) -> None:
    sitting = zoff(3)
    given = claim(sitting, 0, name)
    assert is_guest_name(given)
    assert given == name_guest(person(0).who)
    assert sitting.table.messages(None)[-1].data["name"] == given
    sitting.check_log()


def test_a_name_that_a_client_sends_stays() -> None:
    assert claim(zoff(3), 0, "Ada") == "Ada"


def test_two_players_at_a_table_never_get_the_same_name() -> None:
    """On a shared device, all players are the same guest."""
    sitting = zoff(6, hot_seat=True)
    names = [claim(sitting, player, "", "guest-0") for player in range(6)]
    assert len(set(names)) == 6


def test_a_guest_has_the_same_name_at_every_table() -> None:
    assert claim(zoff(3), 0, "", "guest-7") == claim(zoff(3), 1, "", "guest-7")


def test_a_retry_gets_the_same_answer() -> None:
    sitting = zoff(3)
    caller = Caller("guest-0", "invitation")
    command = Claim(0, "", digest_of(token_of(0)))
    assert sitting.do(command, caller, "mine") == sitting.do(command, caller, "mine")


def test_no_player_renames_themselves_to_you() -> None:
    sitting = zoff(3)
    sitting.sit(0)
    with pytest.raises(InputError, match="name: expected one that others can call you by"):
        sitting.do(Rename(0, "You"), person(0))
    sitting.do(Rename(0, "Ada"), person(0))
    assert sitting.table.view_for(None).players[0].name == "Ada"


def test_names_are_spread_over_all_words() -> None:
    drawn = {name_guest(str(number)) for number in range(2000)}
    assert {name.split()[0] for name in drawn} == set(WORDS)
    assert len(drawn) > 1000
    assert max(map(len, drawn)) <= 12


def test_when_everything_is_taken_a_name_is_used_twice() -> None:
    class Everything(list[str]):
        def __contains__(self, name: object) -> bool:
            return True

    assert is_guest_name(name_guest("x", Everything()))
    assert MOST_TRIES > 6


@pytest.mark.parametrize("name", ["Yucca", "Ada 7", "Yucca seven", ""])
def test_other_names_are_no_guests_names(name: str) -> None:
    assert not is_guest_name(name)
