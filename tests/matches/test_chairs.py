"""Who sits where, and who may do what: claims, invitations, links, hosts, leaving, bots on chairs."""

from __future__ import annotations

import pytest

from stampede.core.errors import InputError
from stampede.matches import SYSTEM, Caller, digest_of
from stampede.matches.commands import (
    Act,
    Claim,
    Close,
    HandOver,
    Invite,
    Leave,
    MoveChair,
    Rename,
    Resign,
    SeatLink,
    SetChair,
    Start,
    Vote,
    VoteTopic,
)
from stampede.matches.errors import ChairTaken, Forbidden, WrongPhase
from tests.matches.sitting import BUFFALO_RULES, HOST, buffalo, person, token_of, zoff

STRANGER = Caller("guest-x", "guessed")
INVITED = Caller("guest-x", "invitation")


def test_a_table_is_entered_by_invitation() -> None:
    sitting = zoff(3)
    with pytest.raises(Forbidden):
        sitting.do(Claim(None, "Eve", ""), STRANGER)
    assert sitting.do(Claim(None, "Eve", ""), INVITED).player == 0
    assert sitting.do(Claim(None, "Host", ""), HOST).player == 1, "the host needs none"


def test_at_a_public_table_everybody_may_sit_down() -> None:
    sitting = zoff(3, public=True)
    assert sitting.do(Claim(2, "Eve", ""), STRANGER).player == 2
    assert sitting.table.may_watch(Caller())


def test_a_renewed_invitation_voids_the_old_one() -> None:
    sitting = zoff(3, watch=False)
    sitting.do(Invite(digest_of("fresh")), HOST)
    with pytest.raises(Forbidden):
        sitting.do(Claim(None, "Eve", ""), INVITED)
    assert not sitting.table.may_watch(INVITED)
    assert sitting.table.may_watch(Caller(None, "fresh"))


def test_a_chair_is_claimed_once() -> None:
    sitting = zoff(3)
    sitting.sit(0)
    with pytest.raises(ChairTaken, match="chair 0"):
        sitting.do(Claim(0, "Eve", ""), INVITED)
    with pytest.raises(Forbidden, match="already"):
        sitting.do(Claim(None, "Again", ""), Caller("guest-0", "invitation"))
    sitting.sit(1, 2)
    with pytest.raises(ChairTaken):
        sitting.do(Claim(None, "Eve", ""), INVITED)


def test_a_claim_that_is_sent_again_gets_the_same_chair() -> None:
    sitting = zoff(3)
    claim = Claim(None, "Eve", digest_of("t"))
    first = sitting.do(claim, INVITED, "claim")
    assert sitting.do(claim, INVITED, "claim") == first


@pytest.mark.parametrize("name", [" Ada", "a" * 41, "A\nB", "\u202eAda", "\ud800"])
def test_names_can_be_shown(name: str) -> None:
    with pytest.raises(InputError, match="name: expected"):
        zoff(3).do(Claim(None, name, ""), INVITED)


@pytest.mark.parametrize("name", ["Ada", "Zoë 🐂", "<script>", "'; drop table--", "李"])
def test_any_printable_name_is_a_name(name: str) -> None:
    sitting = zoff(3)
    sitting.do(Claim(0, name, ""), INVITED)
    assert sitting.table.view_for(None).players[0].name == name


def test_it_starts_when_the_last_chair_is_taken() -> None:
    sitting = zoff(3, 1)
    sitting.sit(0)
    assert sitting.phase == "lobby"
    assert sitting.table.view_for(0).view is None
    sitting.sit(1)
    assert sitting.phase == "playing"


def test_the_host_starts_and_bots_fill_the_open_chairs() -> None:
    sitting = zoff(4, auto_start=False)
    sitting.sit(0, 1)
    with pytest.raises(Forbidden):
        sitting.do(Start("easy"), person(0))
    with pytest.raises(WrongPhase, match="chairs 2, 3"):
        sitting.do(Start(), HOST)
    with pytest.raises(InputError, match="fill"):
        sitting.do(Start("godlike"), HOST)
    sitting.do(Start("easy"), HOST)
    kinds = [(chair.kind, chair.level) for chair in sitting.table.view_for(None).players]
    assert kinds == [("human", None)] * 2 + [("bot", "easy")] * 2
    sitting.play_out()
    info = [seat.to_json() for seat in sitting.table.record().seats]
    assert info[1:3] == [
        {"name": "Name1", "kind": "human"},
        {"name": "easy", "kind": "bot", "bot": "easy"},
    ]


def test_bots_can_play_among_themselves_when_the_host_says_so() -> None:
    sitting = zoff(3, 3)
    assert sitting.phase == "lobby"
    sitting.do(Start(), HOST)
    sitting.play_out()
    assert sitting.phase == "over"


def test_the_host_gives_and_takes_chairs_before_the_game() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1)
    sitting.do(SetChair(1, None), HOST)
    assert sitting.table.players_of(person(1)) == ()
    sitting.do(SetChair(1, "easy"), HOST)
    sitting.do(SetChair(2, "random"), HOST)
    assert sitting.phase == "playing"
    with pytest.raises(WrongPhase):
        sitting.do(SetChair(0, None), HOST)


def test_a_seat_is_held_by_its_token_too() -> None:
    """Programs from outside have no cookie."""
    sitting = buffalo()
    sitting.sit(0, 1, program=True)
    program = Caller(None, token_of(0))
    assert sitting.table.players_of(program) == (0,)
    sitting.do(Act(0, "1.1", "a7a6"), program)
    assert sitting.table.view_for(None).players[0].kind == "program"
    sitting.play_out()
    assert sitting.table.record().seats[0].to_json() == {
        "name": "Name0",
        "kind": "bot",
        "bot": "program",
    }


def test_a_seat_moves_to_another_device_by_link_once() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.do(SeatLink(0, digest_of("link")), person(0))
    phone = Caller("guest-phone", "link")
    with pytest.raises(Forbidden):
        sitting.do(MoveChair(0, digest_of("new")), Caller("guest-x", token_of(0)))
    first = sitting.do(MoveChair(0, digest_of("new")), phone, "move")
    assert sitting.table.players_of(Caller("guest-phone")) == (0,)
    assert sitting.table.players_of(person(0)) == ()
    assert sitting.do(MoveChair(0, digest_of("new")), phone, "move") == first
    with pytest.raises(Forbidden):
        sitting.do(MoveChair(0, digest_of("other")), Caller("guest-thief", "link"))
    sitting.do(Act(0, "1.1", "a7a6"), Caller("guest-phone"))


def test_an_opponents_seat_does_not_move_to_oneself() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    with pytest.raises(Forbidden, match="no hot-seat"):
        sitting.do(MoveChair(0, digest_of("new")), Caller("guest-1", token_of(0)))


def test_leaving_before_the_game_opens_the_chair() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1)
    sitting.do(Leave(0), person(0))
    assert [chair.kind for chair in sitting.table.view_for(None).players] == [
        "open",
        "human",
        "open",
    ]


def test_in_zoff_a_bot_plays_on_for_a_player_who_leaves() -> None:
    """No forfeits: the others' game goes on, and another person may take the seat over."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.act(1)
    with pytest.raises(InputError, match="resign"):
        sitting.do(Resign(0), person(0))
    sitting.do(Leave(0), person(0))
    chair = sitting.table.view_for(None).players[0]
    assert (chair.kind, chair.left, chair.free, chair.name) == ("bot", True, False, "Name0")
    with pytest.raises(Forbidden):
        sitting.act(0)
    sitting.bots_act()
    sitting.do(SetChair(0, None), HOST)
    sitting.do(Claim(None, "Newcomer", ""), INVITED)
    assert sitting.table.players_of(INVITED) == (0,)
    sitting.do(Leave(0), INVITED)
    sitting.play_out()
    record = sitting.table.record()
    assert record.meta["left"] == [0]
    assert record.seats[0].to_json() == {"name": "Newcomer", "kind": "human"}
    sitting.check_log()


def test_nobody_takes_a_seat_over_in_a_rated_game() -> None:
    sitting = zoff(3, rated=True)
    sitting.sit(0, 1, 2)
    sitting.do(Leave(0), person(0))
    sitting.do(SetChair(0, None), HOST)
    with pytest.raises(Forbidden, match="rated"):
        sitting.do(Claim(0, "Newcomer", ""), INVITED)


def test_leaving_a_game_that_can_be_forfeited_is_resigning() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.do(Leave(0), person(0))
    assert sitting.table.record().result == {"winner": 1, "reason": "resigned"}
    assert sitting.table.view_for(None).players[0].kind == "open"
    with pytest.raises(WrongPhase, match="every chair"):
        sitting.do(Vote(1, VoteTopic.NEXT), person(1))


def test_resigning_gives_the_game_to_the_other() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.do(Resign(1), person(1))
    assert sitting.table.record().result == {"winner": 0, "reason": "resigned"}
    view = sitting.table.view_for(0).view
    assert view is not None
    assert (view["to_act"], view["legal"]) == ([], None)
    with pytest.raises(WrongPhase):
        sitting.do(Resign(0), person(0))


def test_bots_do_not_play_on_when_the_last_person_has_gone() -> None:
    sitting = zoff(3, 1)
    sitting.sit(0, 1)
    for player in (0, 1):
        sitting.do(Leave(player), person(player))
    assert sitting.table.view_for(None).results[0].aborted
    assert sitting.table.bot_requests() == ()


def test_the_hosts_say_goes_to_the_next_person() -> None:
    sitting = zoff(3, auto_start=False)
    sitting.do(Claim(0, "Host", ""), HOST)
    sitting.sit(1)
    sitting.do(Leave(0), HOST)
    assert sitting.table.is_host(person(1))
    sitting.do(Leave(1), person(1))
    assert sitting.phase == "closed", "nobody is left"


def test_names_change_between_games_only() -> None:
    sitting = buffalo()
    sitting.sit(0)
    sitting.do(Rename(0, "Ada"), person(0))
    sitting.sit(1)
    with pytest.raises(WrongPhase):
        sitting.do(Rename(0, "Eve"), person(0))
    assert sitting.table.view_for(None).players[0].name == "Ada"


def test_only_the_host_hands_the_table_over() -> None:
    sitting = buffalo()
    sitting.sit(0)
    for caller in (person(0), Caller("a-stranger")):
        with pytest.raises(Forbidden):
            sitting.do(HandOver("a-stranger"), caller)
    with pytest.raises(InputError):
        sitting.do(HandOver(None), HOST)
    sitting.do(HandOver("kept-name"), HOST)
    assert sitting.table.is_host(Caller("kept-name"))
    assert not sitting.table.is_host(HOST)
    sitting.check_log()


def test_a_host_does_not_close_a_running_game() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    with pytest.raises(WrongPhase):
        sitting.do(Close(), HOST)
    with pytest.raises(Forbidden):
        sitting.do(Close(), person(0))
    sitting.do(Close(), SYSTEM)
    assert sitting.phase == "closed"


@pytest.mark.parametrize("player", [-1, 2, 99])
def test_there_are_only_so_many_chairs(player: int) -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    for command in (Act(player, "1.1", "a7a6"), Leave(player), MoveChair(player, "ab" * 32)):
        with pytest.raises(InputError, match="player: expected 0 to 1"):
            sitting.do(command, person(0))
    with pytest.raises(InputError, match="player: expected 0 to 1"):
        sitting.do(Act(player, "1.1", "a7a6"), SYSTEM)
    with pytest.raises(InputError):
        sitting.table.view_for(player)


def test_digests_are_digests_and_are_not_repeated() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    with pytest.raises(InputError) as caught:
        sitting.do(SeatLink(0, "a-token-by-mistake"), person(0))
    assert "a-token-by-mistake" not in str(caught.value)


def test_rules_of_the_table_are_those_of_the_game() -> None:
    assert buffalo().table.view_for(None).settings["rules"] == BUFFALO_RULES
