"""Clocks as new tables have them: grace, increments, lapses, stand-ins, and time-outs that lose."""

from __future__ import annotations

import pytest

from stampede.core.json import Json
from stampede.matches import SYSTEM
from stampede.matches.clocks import MOST_GRACE_MS, RETURN_GRACE_MS, START_GRACE_MS
from stampede.matches.commands import Downtime, Leave, Return, SeatLink, VoteTopic, read_command
from stampede.matches.errors import Forbidden
from stampede.matches.settings import (
    Catalogue,
    Clock,
    ClockKind,
    Expiry,
    TableSettings,
    check_settings,
    fill_settings,
)
from stampede.matches.state import Chair
from stampede.zoff.story import story_ms
from tests.matches.adapters import CATALOGUE
from tests.matches.sitting import Sitting, buffalo, clock, person, zoff
from tests.matches.test_clocks import left

MINUTE = 60_000


def lapsing(kind: str = "move", expiry: str = "bot") -> Clock:
    """A clock whose first lapse costs one decision, without grace, so that the figures are plain."""
    return clock(kind, MINUTE, expiry, lapses=2)


def chair(sitting: Sitting, player: int) -> Chair:
    return sitting.table.state.chairs[player]


def expiries(sitting: Sitting) -> list[Json]:
    return [m.to_json()["data"] for m in sitting.table.messages(None) if m.kind == "expire"]


# --- lapses and stand-ins ---


def test_a_first_lapse_costs_one_decision_and_a_second_one_in_a_row_calls_a_stand_in() -> None:
    sitting = zoff(3, clock=lapsing(), seed=3)
    sitting.sit(0, 1, 2)
    sitting.act(1)
    sitting.act(2)
    sitting.wait(MINUTE)
    assert chair(sitting, 0).absent, "a bot takes this decision"
    sitting.bots_act()
    assert not chair(sitting, 0).absent, "and the player has the next one"
    assert sitting.table.view_for(None).players[0].lapses == 1
    sitting.play_until(lambda: 0 in sitting.awaited())
    assert left(sitting, 0) == MINUTE
    while 0 in sitting.awaited():
        others = [player for player in sitting.awaited() if player]
        if others:
            sitting.act(others[0])
        else:
            sitting.wait(MINUTE)
            sitting.bots_act()
    assert chair(sitting, 0).absent, "the second lapse in a row"
    assert expiries(sitting) == [
        {"players": [0], "once": [0]},
        {"players": [0], "once": []},
    ]
    sitting.check_log()


def test_the_stand_in_hands_back_at_once_when_the_player_acts_and_lapses_start_anew() -> None:
    sitting = zoff(3, clock=lapsing(), seed=3)
    sitting.sit(0, 1, 2)
    while chair(sitting, 0).lapses < 2:
        sitting.bots_act()
        others = [player for player in sitting.awaited() if player]
        if others:
            sitting.act(others[0])
        else:
            sitting.wait(MINUTE)
    assert (chair(sitting, 0).absent, chair(sitting, 0).lapses) == (True, 2)
    sitting.act(0)
    assert (chair(sitting, 0).absent, chair(sitting, 0).lapses) == (False, 0)
    sitting.check_log()


def test_returning_forgets_the_lapses() -> None:
    sitting = zoff(3, clock=clock("move", MINUTE))
    sitting.sit(0, 1, 2)
    sitting.wait(MINUTE)
    sitting.do(Return(0), person(0))
    assert (chair(sitting, 0).absent, chair(sitting, 0).lapses) == (False, 0)


def test_the_result_says_how_many_decisions_stand_ins_took() -> None:
    sitting = zoff(3, clock=lapsing("round"), seed=4)
    sitting.sit(0, 1, 2)
    sitting.do(Leave(2), person(2))
    acted = 0
    while sitting.phase == "playing":
        sitting.bots_act()
        if 0 in sitting.awaited() and not chair(sitting, 0).by_bot:
            sitting.act(0)
            acted += 1
        elif sitting.phase == "playing":
            sitting.wait(MINUTE)
    (result,) = sitting.table.view_for(None).results
    taken = [len([a for a in sitting.table.state.running.actions if a.seat == s]) for s in range(3)]
    assert result.stand_ins == (taken[0] - acted, taken[1], taken[2])
    assert result.stand_ins[1] > 0 < result.stand_ins[2]
    assert result.out == ()
    assert sitting.table.record().meta["stand_ins"] == list(result.stand_ins)
    sitting.check_log()


def test_a_game_without_stand_ins_says_so() -> None:
    sitting = buffalo(seed=5)
    sitting.sit(0, 1)
    sitting.play_out()
    assert sitting.table.view_for(None).results[0].stand_ins == (0, 0)
    assert "stand_ins" not in sitting.table.record().meta


# --- time-outs that lose ---


def test_a_time_out_that_loses_leaves_a_game_of_several_to_the_others() -> None:
    sitting = zoff(3, clock=lapsing(expiry="forfeit"), substitute="easy", rated=False, seed=6)
    sitting.sit(0, 1, 2)
    sitting.act(0)
    sitting.act(1)
    sitting.wait(MINUTE)
    assert sitting.phase == "playing"
    assert sitting.table.view_for(None).players[2].out
    (request,) = sitting.table.bot_requests()
    assert (request.player, request.level) == (2, "random"), (
        "the weakest level, whatever the table says"
    )
    with pytest.raises(Forbidden, match="your time ran out"):
        sitting.act(2)
    with pytest.raises(Forbidden, match="your time ran out"):
        sitting.do(Return(2), person(2))
    sitting.do(SeatLink(2, "0" * 64), person(2))
    assert chair(sitting, 2).absent
    sitting.play_out()
    (result,) = sitting.table.view_for(None).results
    assert result.out == (2,)
    assert sitting.table.state.running.left == (2,), "ratings place those who left last"
    assert not chair(sitting, 2).out, "the next game is a new one"
    sitting.check_log()


def test_those_who_have_lost_by_time_have_no_say_in_the_rest_of_the_game() -> None:
    sitting = zoff(3, clock=lapsing(expiry="forfeit"), seed=6)
    sitting.sit(0, 1, 2)
    sitting.act(0)
    sitting.act(1)
    sitting.wait(MINUTE)
    sitting.vote(VoteTopic.ABORT, 0, 1)
    assert sitting.phase == "over"


def test_a_rated_table_is_lost_by_time_whatever_the_request_says() -> None:
    settings = TableSettings(
        "zoff", zoff().table.state.settings.rules, zoff().table.state.settings.chairs, rated=True
    )
    timed = Clock(ClockKind.MOVE, MINUTE)
    filled = fill_settings(CATALOGUE, _with_clock(settings, timed))
    assert filled.clock.expiry is Expiry.FORFEIT
    check_settings(CATALOGUE, filled)
    assert fill_settings(CATALOGUE, settings).clock == Clock(), "without a clock there is none"


def _with_clock(settings: TableSettings, timed: Clock) -> TableSettings:
    return TableSettings(
        settings.game, settings.rules, settings.chairs, clock=timed, rated=settings.rated
    )


# --- clocks for a game ---


def test_a_game_clock_lasts_for_the_game_and_every_move_brings_the_increment() -> None:
    timed = clock("game", 5 * MINUTE, "forfeit", increment_ms=3_000)
    sitting = buffalo(clock=timed)
    sitting.sit(0, 1)
    sitting.wait(20_000)
    sitting.act(0, "a7a6")
    assert left(sitting, 0) == 5 * MINUTE - 17_000
    sitting.wait(60_000)
    sitting.act(1, "d2d3")
    sitting.wait(10_000)
    assert [left(sitting, p) for p in (0, 1)] == [5 * MINUTE - 27_000, 5 * MINUTE - 57_000]
    sitting.wait(5 * MINUTE - 27_000 - 1)
    assert sitting.phase == "playing"
    sitting.wait(1)
    assert sitting.table.record().result == {"winner": 1, "reason": "time"}
    sitting.check_log()


def test_a_new_game_has_full_clocks() -> None:
    sitting = buffalo(clock=clock("game", MINUTE, "forfeit"), seed=7)
    sitting.sit(0, 1)
    sitting.wait(40_000)
    sitting.act(0)
    sitting.play_out()
    sitting.vote(VoteTopic.NEXT, 0, 1)
    assert [left(sitting, p) for p in (0, 1)] == [MINUTE] * 2


def test_sealing_again_and_again_brings_one_increment() -> None:
    """Z3.4: a choice may be changed; the increment comes once, when the decision is over."""
    sitting = zoff(3, clock=clock("game", 5 * MINUTE, increment_ms=3_000), seed=2)
    sitting.sit(0, 1, 2)
    for _ in range(3):
        sitting.act(0)
        sitting.act(0, {"type": "take_back"})
    sitting.act(0)
    assert left(sitting, 0) == 5 * MINUTE
    sitting.act(1)
    sitting.act(2)
    assert [left(sitting, p) for p in range(3)] == [5 * MINUTE + 3_000] * 3


def test_an_undo_brings_no_increment() -> None:
    sitting = buffalo(clock=clock("game", 5 * MINUTE, increment_ms=3_000))
    sitting.sit(0, 1)
    sitting.act(0, "a7a6")
    before = [left(sitting, p) for p in (0, 1)]
    sitting.vote(VoteTopic.UNDO, 0, 1)
    assert [left(sitting, p) for p in (0, 1)] == before


def test_a_player_whose_game_time_is_up_has_a_moment_for_every_decision_until_a_bot_stands_in() -> (
    None
):
    sitting = zoff(3, clock=lapsing("game"), seed=3)
    sitting.sit(0, 1, 2)
    sitting.act(1)
    sitting.act(2)
    sitting.wait(MINUTE)
    sitting.bots_act()
    sitting.play_until(lambda: 0 in sitting.awaited())
    assert left(sitting, 0) == RETURN_GRACE_MS


# --- grace ---


def test_clocks_wait_for_the_beginning_of_a_game_and_for_what_is_told() -> None:
    sitting = zoff(3, clock=clock("move", MINUTE, grace=True), seed=2)
    sitting.sit(0, 1, 2)
    assert sitting.table.deadline == sitting.now + START_GRACE_MS + MINUTE
    view = sitting.table.view_for(None).players[0].clock
    assert view is not None
    assert (view.left_ms, view.running_since) == (MINUTE, sitting.now + START_GRACE_MS)
    sitting.wait(START_GRACE_MS + 10_000)
    sitting.act(0)
    sitting.act(1)
    assert left(sitting, 2) == MINUTE - 10_000
    sitting.act(2)
    told = story_ms(sitting.table.state.running.actions[-1].events)
    assert 0 < told <= MOST_GRACE_MS
    assert sitting.table.deadline == sitting.now + told + MINUTE
    asked = sitting.awaited()[0]
    sitting.wait(told)
    assert left(sitting, asked) == MINUTE, "the player has lost nothing so far"
    sitting.wait(1_000)
    assert left(sitting, asked) == MINUTE - 1_000
    sitting.check_log()


def test_a_player_who_acts_during_the_grace_loses_nothing_and_the_others_keep_theirs() -> None:
    sitting = zoff(3, clock=clock("game", MINUTE, grace=True), seed=2)
    sitting.sit(0, 1, 2)
    sitting.wait(2_000)
    sitting.act(0)
    assert left(sitting, 0) == MINUTE
    sitting.wait(START_GRACE_MS - 2_000)
    assert left(sitting, 1) == MINUTE
    sitting.wait(500)
    assert left(sitting, 1) == MINUTE - 500


def test_the_grace_is_bounded_however_much_is_told() -> None:
    sitting = zoff(6, clock=clock("move", MINUTE, grace=True), seed=9)
    sitting.sit(*range(6))
    longest = 0
    while sitting.phase == "playing":
        sitting.act(sitting.awaited()[0])
        clocks = sitting.table.state.clocks
        assert clocks is not None
        longest = max(longest, clocks.grace)
    assert longest == MOST_GRACE_MS
    sitting.check_log()


def test_the_grace_stands_still_in_a_pause_and_while_the_server_is_down() -> None:
    sitting = zoff(3, clock=clock("move", MINUTE, grace=True), seed=2)
    sitting.sit(0, 1, 2)
    sitting.wait(1_000)
    sitting.vote(VoteTopic.PAUSE, 0, 1, 2)
    sitting.wait(50 * MINUTE)
    sitting.vote(VoteTopic.RESUME, 0, 1, 2)
    assert sitting.table.deadline == sitting.now + 4_000 + MINUTE
    sitting.wait(1_000)
    alive = sitting.now
    sitting.now += 500 * MINUTE
    sitting.do(Downtime(alive), SYSTEM)
    assert sitting.table.deadline == sitting.now + 3_000 + MINUTE
    sitting.check_log()


def test_a_server_that_was_down_while_clocks_stood_changes_nothing() -> None:
    sitting = buffalo(clock=clock("move", MINUTE))
    sitting.sit(0, 1)
    sitting.vote(VoteTopic.PAUSE, 0, 1)
    before = sitting.table.state.clocks
    sitting.do(Downtime(sitting.now), SYSTEM)
    assert sitting.table.state.clocks == before


# --- old tables ---


def test_a_table_from_before_keeps_its_rules_of_clocks() -> None:
    """Entries that don't say so have neither grace nor a second lapse."""
    sitting = zoff(3, clock=clock("move", MINUTE))
    opened = sitting.log[0].command.to_json()
    settings = opened["settings"]
    assert isinstance(settings, dict)
    old = {"kind": "move", "limit_ms": MINUTE, "expiry": "bot"}
    for given in ({**settings, "clock": old}, {k: v for k, v in settings.items() if k != "clock"}):
        read = read_command({**opened, "settings": given})
        clocks = read.settings.clock  # type: ignore[union-attr] # it opens a table
        assert (clocks.lapses, clocks.grace, clocks.increment_ms) == (1, False, 0)


def test_games_say_which_clocks_and_time_outs_they_know() -> None:
    catalogue: Catalogue = CATALOGUE
    assert catalogue.games["zoff"].clock_kinds == ("none", "move", "round", "game", "days")
    assert catalogue.games["buffalo"].clock_kinds == ("none", "move", "game", "days")
    assert catalogue.games["zoff"].expiries == ("bot", "forfeit")
    assert catalogue.games["buffalo"].expiries == ("forfeit", "bot")
