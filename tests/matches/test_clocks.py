"""Clocks: run-outs, bots that stand in and hand back, pauses, and a server that was down."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import InputError
from stampede.matches import SYSTEM
from stampede.matches.clocks import RETURN_GRACE_MS, Clocks
from stampede.matches.commands import Act, CallBot, Downtime, Expire, Leave, Return, VoteTopic
from stampede.matches.errors import Forbidden, NotAwaited, WrongPhase
from tests.matches.sitting import Sitting, buffalo, clock, person, zoff

MINUTE = 60_000


def left(sitting: Sitting, player: int) -> int:
    """What a player's clock shows now."""
    clocks = sitting.table.state.clocks
    assert clocks is not None
    return clocks.stop(sitting.now).left[player]


def test_a_player_who_runs_out_of_time_forfeits_where_a_game_can_be() -> None:
    sitting = buffalo(clock=clock("move", MINUTE, "forfeit"))
    sitting.sit(0, 1)
    sitting.act(0, "a7a6")
    sitting.wait(MINUTE - 1)
    assert sitting.awaited() == (1,)
    sitting.wait(1)
    assert sitting.phase == "over"
    assert sitting.table.record().result == {"winner": 0, "reason": "time"}
    assert sitting.table.deadline is None
    sitting.check_log()


def test_a_move_clock_is_full_for_every_decision() -> None:
    sitting = buffalo(clock=clock("move", MINUTE, "forfeit"))
    sitting.sit(0, 1)
    for player, move in enumerate(("a7a6", "d2d3")):
        sitting.wait(MINUTE - 1)
        sitting.act(player, move)
    assert sitting.table.deadline == sitting.now + MINUTE


def test_a_round_clock_is_for_all_of_a_players_decisions_in_a_round() -> None:
    """Z3, Z4: what was spent on choosing is missing when placing; a new round brings new time."""
    sitting = zoff(3, clock=clock("round", MINUTE), seed=2)
    sitting.sit(0, 1, 2)
    sitting.wait(40_000)
    for player in range(3):
        sitting.act(player)
    assert sitting.game_state.round == 1
    assert [left(sitting, player) for player in range(3)] == [20_000] * 3
    while sitting.game_state.round == 1:
        sitting.act(sitting.awaited()[0])
    assert [left(sitting, player) for player in range(3)] == [MINUTE] * 3


def test_a_bot_stands_in_for_a_late_player_and_hands_back() -> None:
    sitting = zoff(3, clock=clock("move", MINUTE), pace_ms=3_000)
    sitting.sit(0, 1, 2)
    sitting.act(1)
    sitting.wait(MINUTE)
    chairs = sitting.table.view_for(None).players
    assert [chair.absent for chair in chairs] == [True, False, True]
    requests = sitting.table.bot_requests()
    assert [request.player for request in requests] == [0, 2]
    assert all(request.ready_at <= sitting.now for request in requests), (
        "nobody waits for a stand-in"
    )
    sitting.bots_act()
    assert sitting.decision != "1.1"
    sitting.do(Return(0), person(0))
    assert not sitting.table.view_for(None).players[0].absent
    sitting.play_until(lambda: 0 in sitting.awaited())
    assert 0 not in [request.player for request in sitting.table.bot_requests()]
    sitting.check_log()


def test_acting_is_coming_back_and_the_bots_late_answer_is_refused() -> None:
    sitting = zoff(3, clock=clock("move", MINUTE))
    sitting.sit(0, 1, 2)
    sitting.wait(MINUTE)
    request = sitting.table.bot_requests()[0]
    sitting.act(0)
    assert not sitting.table.view_for(None).players[0].absent
    with pytest.raises(Forbidden):
        sitting.do(request.command({"type": "take_back"}), SYSTEM, request.key)


def test_a_player_who_comes_back_has_a_moment() -> None:
    sitting = zoff(3, clock=clock("round", MINUTE))
    sitting.sit(0, 1, 2)
    sitting.wait(MINUTE)
    sitting.do(Return(0), person(0))
    assert left(sitting, 0) == RETURN_GRACE_MS
    assert sitting.table.deadline == sitting.now + RETURN_GRACE_MS


def test_a_player_who_has_answered_and_a_bot_have_no_clock_running() -> None:
    """Z3.4: and taking back starts it again, with what was left."""
    sitting = zoff(3, 1, clock=clock("move", MINUTE))
    sitting.sit(0, 1)
    sitting.wait(10_000)
    sitting.act(0)
    sitting.wait(10_000)
    assert left(sitting, 0) == 50_000
    assert left(sitting, 2) == MINUTE
    assert sitting.table.view_for(None).players[2].clock is None, "a bot's clock says nothing"
    sitting.act(0, {"type": "take_back"})
    sitting.wait(10_000)
    assert left(sitting, 0) == 40_000


def test_clocks_stand_in_a_pause() -> None:
    sitting = buffalo(clock=clock("days", MINUTE, "forfeit"))
    sitting.sit(0, 1)
    sitting.wait(20_000)
    sitting.vote(VoteTopic.PAUSE, 0, 1)
    assert (sitting.phase, sitting.table.deadline) == ("paused", None)
    with pytest.raises(WrongPhase, match="paused"):
        sitting.act(0, "a7a6")
    sitting.wait(50 * MINUTE)
    sitting.vote(VoteTopic.RESUME, 0, 1)
    assert sitting.table.deadline == sitting.now + 40_000
    sitting.check_log()


def test_clocks_stand_while_the_server_is_down() -> None:
    sitting = buffalo(clock=clock("move", MINUTE, "forfeit"))
    sitting.sit(0, 1)
    sitting.wait(10_000)
    alive = sitting.now
    sitting.now += 500 * MINUTE
    sitting.do(Downtime(alive), SYSTEM)
    assert left(sitting, 0) == 50_000
    sitting.wait(49_999)
    assert sitting.table.deadline == sitting.now + 1
    sitting.wait(1)
    assert sitting.phase == "over"
    sitting.check_log()


def test_only_the_system_speaks_for_clocks_and_only_the_truth() -> None:
    sitting = buffalo(clock=clock("move", MINUTE, "forfeit"))
    sitting.sit(0, 1)
    with pytest.raises(Forbidden):
        sitting.do(Expire((1,)), person(0))
    with pytest.raises(InputError, match="whose time is up"):
        sitting.do(Expire((0,)), SYSTEM)
    with pytest.raises(Forbidden):
        sitting.do(Downtime(0), person(0))
    with pytest.raises(InputError, match="since"):
        sitting.do(Downtime(sitting.now + 1), SYSTEM)


def test_an_answer_that_is_in_the_log_before_the_run_out_counts() -> None:
    """The log's order decides, not the wall clock."""
    sitting = buffalo(clock=clock("move", MINUTE, "forfeit"))
    sitting.sit(0, 1)
    sitting.now += MINUTE + 5
    sitting.act(0, "a7a6")
    assert sitting.table.expire(sitting.now) is None
    assert sitting.phase == "playing"


def test_without_a_clock_patience_ends_too() -> None:
    """A player who never comes back doesn't keep the table for ever, though they still can come back."""
    sitting = zoff(3, patience_ms=MINUTE)
    sitting.sit(0, 1, 2)
    sitting.act(0)
    with pytest.raises(WrongPhase, match="patience"):
        sitting.do(CallBot(0, 1), person(0))
    sitting.wait(MINUTE)
    with pytest.raises(NotAwaited):
        sitting.do(CallBot(1, 0), person(1))
    sitting.do(CallBot(0, 1), person(0))
    assert [request.player for request in sitting.table.bot_requests()] == [1]
    sitting.do(Act(1, sitting.decision, sitting.any_action(1)), person(1))
    assert not sitting.table.state.chairs[1].absent
    sitting.check_log()


def test_nobody_calls_a_bot_to_play_for_oneself() -> None:
    sitting = zoff(3, patience_ms=MINUTE)
    sitting.sit(0, 1, 2)
    sitting.wait(MINUTE)
    with pytest.raises(InputError, match="missing: expected another player"):
        sitting.do(CallBot(0, 0), person(0))


def test_in_a_rated_game_a_thinking_player_has_an_hour_whatever_an_old_table_says() -> None:
    sitting = zoff(3, rated=True)
    sitting.sit(0, 1, 2)
    state = sitting.table.state
    sitting.table.state = replace(state, settings=replace(state.settings, patience_ms=1_000))
    sitting.wait(59 * MINUTE)
    with pytest.raises(WrongPhase, match="3600000 ms of patience"):
        sitting.do(CallBot(0, 1), person(0))
    sitting.wait(MINUTE)
    sitting.do(CallBot(0, 1), person(0))


def test_where_there_are_clocks_nobody_calls_bots() -> None:
    sitting = zoff(3, clock=clock("move", MINUTE))
    sitting.sit(0, 1, 2)
    with pytest.raises(InputError, match="without clocks"):
        sitting.do(CallBot(0, 1), person(0))


def test_a_pause_that_nobody_ends_can_be_ended_alone_in_the_end() -> None:
    sitting = zoff(3, patience_ms=MINUTE)
    sitting.sit(0, 1, 2)
    sitting.vote(VoteTopic.PAUSE, 0, 1, 2)
    sitting.vote(VoteTopic.RESUME, 2)
    assert sitting.phase == "paused"
    sitting.wait(MINUTE)
    sitting.vote(VoteTopic.RESUME, 1)
    assert sitting.phase == "playing"


def test_a_game_with_everybody_away_is_played_out_by_bots() -> None:
    sitting = zoff(3, clock=clock("round", MINUTE))
    sitting.sit(0, 1, 2)
    while sitting.phase == "playing":
        sitting.wait(MINUTE)
        sitting.bots_act()
    assert sitting.table.record().result is not None
    assert [chair.absent for chair in sitting.table.view_for(None).players] == [False] * 3
    sitting.check_log()


def test_a_player_who_has_left_has_no_clock() -> None:
    sitting = zoff(3, clock=clock("move", MINUTE))
    sitting.sit(0, 1, 2)
    sitting.do(Leave(0), person(0))
    sitting.wait(MINUTE)
    assert [chair.absent for chair in sitting.table.view_for(None).players] == [False, True, True]


@given(
    spans=st.lists(st.tuples(st.integers(0, 1000), st.booleans()), max_size=20),
    limit=st.integers(1, 5000),
)
def test_a_clock_loses_exactly_the_time_that_it_ran(
    spans: list[tuple[int, bool]], limit: int
) -> None:
    clocks, now, ran = Clocks.full(2, limit), 0, 0
    for span, runs in spans:
        clocks = clocks.stop(now).start({0} if runs else set(), now)
        now += span
        ran += span if runs else 0
    assert clocks.stop(now).left == (max(0, limit - ran), limit)
    assert (0 in clocks.run_out(now)) == (bool(spans) and spans[-1][1] and ran >= limit)
