"""Games one after another at one table: rematch, ladder, both sides (B4)."""

from __future__ import annotations

import pytest

from stampede.core.errors import InputError, RuleSetError
from stampede.core.json import JsonObject
from stampede.core.replay import replay
from stampede.matches import verify_deal
from stampede.matches.commands import Claim, Leave, Resign, SetChair, Vote, VoteTopic
from stampede.matches.errors import WrongPhase
from tests.matches.sitting import HOST, Sitting, buffalo, bytes_for, person, zoff


def lose(sitting: Sitting, player: int) -> None:
    sitting.do(Resign(player), person(player))


def rules_now(sitting: Sitting) -> JsonObject:
    rules: JsonObject = sitting.table.log_record().rules
    return rules


def test_a_ladder_of_three_games() -> None:
    """B4.1, B4.2, B4.3: up a rung, with the buffalo side's choice; down again; and below."""
    sitting = buffalo(series="ladder")
    sitting.sit(0, 1)
    lose(sitting, 1)
    series = sitting.table.view_for(None).series
    assert (series["rung"], series["due"], series["chooser"]) == (1, 1, 0)
    with pytest.raises(RuleSetError, match=r"B4\.2"):
        sitting.vote(VoteTopic.NEXT, 0)
    with pytest.raises(InputError, match="isn't yours"):
        sitting.vote(VoteTopic.NEXT, 1, choice=("f",))
    sitting.vote(VoteTopic.NEXT, 1)
    assert sitting.phase == "over"
    sitting.vote(VoteTopic.NEXT, 0, choice=("f",))
    assert rules_now(sitting) == {"removed": ["f"], "opening_moves": 1}
    for _ in range(2):
        lose(sitting, 0)
        sitting.vote(VoteTopic.NEXT, 0, 1)
    assert rules_now(sitting) == {"removed": [], "opening_moves": 2}
    sitting.act(0, "a7a6")
    assert sitting.awaited() == (0,), "the opening turn has two steps"
    assert [result.winners for result in sitting.table.view_for(None).results] == [(0,), (1,), (1,)]
    sitting.check_log()


def test_both_sides_until_a_player_has_won_on_each() -> None:
    """B4.4: players swap seats; a player who wins on both sides has the series, and the next one is a new one."""
    sitting = buffalo(series="both_sides")
    sitting.sit(0, 1)
    lose(sitting, 1)
    sitting.vote(VoteTopic.NEXT, 0, 1)
    assert [player.seat for player in sitting.table.view_for(None).players] == [1, 0]
    assert sitting.awaited() == (1,), "player 1 leads the buffaloes now"
    sitting.act(1, "a7a6")
    lose(sitting, 1)
    record = sitting.table.record()
    assert [seat.name for seat in record.seats] == ["Name1", "Name0"]
    assert record.result == {"winner": 1, "reason": "resigned"}
    assert record.meta["players"] == [1, 0]
    assert sitting.table.state.series.winner == 0
    sitting.vote(VoteTopic.NEXT, 0, 1)
    assert [player.seat for player in sitting.table.view_for(None).players] == [0, 1]
    assert sitting.table.view_for(None).series["winners"] == []
    sitting.check_log()


def test_a_bot_climbs_the_ladder_too() -> None:
    """B4.2: for a bot the table chooses which buffaloes stay away."""
    sitting = buffalo(1, series="ladder")
    sitting.do(SetChair(0, "random"), HOST)
    sitting.do(SetChair(1, None), HOST)
    sitting.sit(1)
    lose(sitting, 1)
    sitting.vote(VoteTopic.NEXT, 1)
    assert rules_now(sitting) == {"removed": ["a"], "opening_moves": 1}


def test_a_rematch_is_one_tap_of_everybody() -> None:
    sitting = zoff(3, 1, seed=4)
    sitting.sit(0, 1)
    sitting.play_out()
    first = sitting.table.view_for(None)
    sitting.vote(VoteTopic.NEXT, 0)
    assert sitting.phase == "over"
    sitting.vote(VoteTopic.NEXT, 1)
    second = sitting.table.view_for(None)
    assert (second.phase, second.number) == ("playing", 2)
    assert second.deal is not None
    assert first.next_deal["commitment"] == second.deal["commitment"], "committed before"
    assert "seed" not in second.deal
    sitting.play_out()
    for number in (1, 2):
        record = sitting.table.record(number)
        replay(sitting.table.spec.game, record)
        verify_deal(sitting.table.spec.game, record)
    assert sitting.table.record(1).setup != sitting.table.record(2).setup
    sitting.check_log()


def test_a_finished_game_can_be_looked_at_from_the_next_one() -> None:
    """Z6.1: cards of a game that is over are open; those of the running one aren't."""
    sitting = zoff(3, seed=4)
    sitting.sit(0, 1, 2)
    sitting.play_out()
    shown = len(sitting.table.messages(1))
    sitting.vote(VoteTopic.NEXT, 0, 1, 2)
    told = [m.to_json() for m in sitting.table.messages(1)[:shown]]
    assert '"card":"' in bytes_for(sitting.table, 1)
    assert told == [m.to_json() for m in sitting.rebuilt().messages(1)[:shown]]


def test_an_aborted_game_does_not_count_in_a_series() -> None:
    sitting = buffalo(series="ladder")
    sitting.sit(0, 1)
    sitting.vote(VoteTopic.ABORT, 0, 1)
    assert sitting.table.view_for(None).series["rung"] == 0
    sitting.vote(VoteTopic.NEXT, 0, 1)
    assert sitting.table.view_for(None).number == 2


def test_an_empty_chair_is_taken_before_the_next_game() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    sitting.do(Leave(1), person(1))
    with pytest.raises(WrongPhase, match="every chair"):
        sitting.vote(VoteTopic.NEXT, 0)
    sitting.do(SetChair(1, "random"), HOST)
    sitting.vote(VoteTopic.NEXT, 0)
    assert sitting.phase == "playing"


def test_a_bot_that_took_over_stays_under_its_own_name() -> None:
    sitting = zoff(3, seed=8)
    sitting.sit(0, 1, 2)
    sitting.do(Leave(2), person(2))
    sitting.play_out()
    sitting.vote(VoteTopic.NEXT, 0, 1)
    chair = sitting.table.view_for(None).players[2]
    assert (chair.name, chair.kind, chair.left, chair.free) == ("random", "bot", False, True)
    sitting.do(Claim(2, "Back", ""), person(2) if sitting.table.may_join(person(2)) else HOST)
    sitting.check_log()


def test_a_choice_is_only_for_the_next_game() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    with pytest.raises(InputError, match="choice"):
        sitting.do(Vote(0, VoteTopic.ABORT, choice=("a",)), person(0))
    sitting.vote(VoteTopic.ABORT, 0, 1)
    with pytest.raises(InputError, match="choice"):
        sitting.vote(VoteTopic.NEXT, 0, choice=("a",))
