"""Bots as seats: asked the same after a restart, paced, harmless when they answer twice or too late."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stampede.matches import SYSTEM, ChairPlan, TableSettings
from stampede.matches.commands import Leave, Open, VoteTopic
from stampede.matches.errors import Forbidden, StaleDecision
from tests.matches.sitting import Sitting, buffalo, clock, person, zoff, zoff_rules


def test_every_bot_that_is_to_act_is_asked_with_its_view() -> None:
    sitting = zoff(4, 2, pace_ms=1500)
    sitting.sit(0, 1)
    requests = sitting.table.bot_requests()
    assert [(r.player, r.seat, r.level, r.decision) for r in requests] == [
        (2, 2, "random", "1.1"),
        (3, 3, "random", "1.1"),
    ]
    assert [r.view.to_json()["viewer"] for r in requests] == [2, 3]
    assert {r.ready_at for r in requests} == {sitting.now + 1500}
    assert requests[0].seed != requests[1].seed


def test_a_bot_is_told_what_everybody_saw_and_nothing_of_sealed_choices() -> None:
    """Z3.4: it may remember, but not look under others' cards."""
    sitting = zoff(3, 2, seed=9)
    sitting.sit(0)
    sitting.act(0)
    asked = sitting.table.bot_requests()
    assert [event.to_json() for event in asked[0].events] == [
        {"kind": "sealed", "seat": 0, "open_again": False}
    ]
    for request in asked:
        sitting.do(request.command(sitting.table.fallback(request)), SYSTEM, request.key)
    while not (later := sitting.table.bot_requests()):
        sitting.act(0)
    assert "revealed" in {event.kind for event in later[0].events}


def test_after_a_restart_the_same_is_asked_and_an_answer_that_comes_twice_is_harmless() -> None:
    sitting = zoff(3, 2, seed=9)
    sitting.sit(0)
    before = sitting.table.bot_requests()
    answers = [sitting.table.fallback(request) for request in before]
    table = sitting.rebuilt()
    assert table.bot_requests() == before
    assert [table.fallback(request) for request in before] == answers
    ack = sitting.do(before[0].command(answers[0]), SYSTEM, before[0].key)
    decided = sitting.rebuilt().decide(
        before[0].command(answers[0]), SYSTEM, before[0].key, sitting.now
    )
    assert (decided.entries, decided.ack) == ((), ack)


def test_an_answer_that_comes_too_late_is_stale() -> None:
    sitting = zoff(3, 2, seed=9)
    sitting.sit(0)
    requests = sitting.table.bot_requests()
    sitting.act(0)
    sitting.bots_act()
    with pytest.raises(StaleDecision):
        sitting.do(requests[0].command({"type": "take_back"}), SYSTEM, "another-key")


def test_no_bot_is_asked_in_a_pause() -> None:
    sitting = zoff(3, 2)
    sitting.sit(0)
    sitting.vote(VoteTopic.PAUSE, 0)
    assert sitting.table.bot_requests() == ()
    sitting.vote(VoteTopic.RESUME, 0)
    assert len(sitting.table.bot_requests()) == 2


def test_people_do_not_act_for_bots() -> None:
    sitting = buffalo(1)
    sitting.sit(0)
    sitting.act(0, "a7a6")
    (request,) = sitting.table.bot_requests()
    with pytest.raises(Forbidden):
        sitting.do(request.command("d2d3"), person(0))


def test_a_stand_in_whose_answer_was_taken_back_is_asked_again() -> None:
    """The same decision, but another question: under the first answer's key it would never be answered."""
    sitting = zoff(3, clock=clock("move", 5_000))
    sitting.sit(0, 1, 2)
    sitting.act(0)
    sitting.wait(6_000)
    first = next(request for request in sitting.table.bot_requests() if request.player == 1)
    sitting.do(first.command(sitting.table.fallback(first)), SYSTEM, first.key)
    sitting.act(1, {"type": "take_back"})
    sitting.wait(11_000)
    second = next(request for request in sitting.table.bot_requests() if request.player == 1)
    assert second.decision == first.decision
    sitting.do(second.command(sitting.table.fallback(second)), SYSTEM, second.key)
    assert 1 not in sitting.awaited()
    sitting.check_log()


@pytest.mark.parametrize("substitute", ["", "random", "easy"])
def test_in_a_rated_game_nobody_is_played_for_above_the_weakest_level(substitute: str) -> None:
    """Also at tables of old logs, which may name any level and let a bot stand in when time runs out."""
    sitting = zoff(3, clock=clock("move", 5_000))
    sitting.sit(0, 1, 2)
    first = sitting.log[0]
    assert isinstance(first.command, Open)
    named = replace(first.command.settings, substitute=substitute, rated=True)
    old = first._replace(command=replace(first.command, settings=named))
    sitting.log[0] = old
    sitting.table = sitting.rebuilt()
    sitting.do(Leave(0), person(0))
    sitting.wait(6_000)
    assert [(r.player, r.level) for r in sitting.table.bot_requests()] == [
        (player, "random") for player in range(3)
    ]


def test_a_casual_table_keeps_the_substitute_that_it_was_opened_with() -> None:
    sitting = zoff(3, substitute="easy")
    sitting.sit(0, 1, 2)
    sitting.do(Leave(0), person(0))
    (request,) = sitting.table.bot_requests()
    assert request.level == "easy"


def tempered(temperament: str = "", seed: int = 0) -> Sitting:
    """A table of one person and five bots, the last of a level without temperaments."""
    easy, plain = ChairPlan(bot="easy"), ChairPlan(bot="random")
    chairs = (ChairPlan(), *[easy] * 4, plain)
    settings = TableSettings("zoff", zoff_rules(6), chairs, temperament=temperament)
    return Sitting(settings, seed=seed)


def test_a_table_says_what_all_its_bots_want() -> None:
    sitting = tempered("wild")
    sitting.sit(0)
    assert [r.level for r in sitting.table.bot_requests()] == ["easy-wild"] * 4 + ["random"]
    told = [player.temperament for player in sitting.table.view_for(None).players]
    assert told == [None, "wild", "wild", "wild", "wild", None]


def test_otherwise_each_bot_has_a_temperament_of_its_own_that_stays() -> None:
    asked: set[str] = set()
    for seed in range(1, 5):
        sitting = tempered(seed=seed)
        sitting.sit(0)
        requests = sitting.table.bot_requests()
        assert sitting.rebuilt().bot_requests() == requests
        shown = sitting.table.view_for(None).players
        for request in requests[:4]:
            assert request.level == f"easy-{shown[request.player].temperament}"
            asked.add(request.level)
    assert asked == {"easy-calm", "easy-wild"}


def test_a_bot_that_plays_on_for_a_person_has_no_temperament() -> None:
    sitting = zoff(3, 1, substitute="easy")
    sitting.sit(0, 1)
    sitting.do(Leave(1), person(1))
    assert [r.level for r in sitting.table.bot_requests() if r.player == 1] == ["easy"]
    assert sitting.table.view_for(None).players[1].temperament is None
