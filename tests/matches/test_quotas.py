"""What one table takes: its log and its views stay small, whatever its players do."""

from __future__ import annotations

import pytest

from stampede.core.json import canonical
from stampede.matches import quotas
from stampede.matches.commands import Rename, Resign, VoteTopic
from stampede.matches.errors import TableFull, TooOften
from stampede.matches.state import Phase
from tests.matches.sitting import Sitting, buffalo, person


def play_short_game(sitting: Sitting) -> None:
    sitting.act(0, sitting.any_action(0))
    sitting.do(Resign(0), person(0))


def test_a_table_has_a_bounded_number_of_games_and_short_views() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    play_short_game(sitting)
    for _ in range(quotas.MOST_GAMES - 1):
        sitting.vote(VoteTopic.NEXT, 0, 1)
        play_short_game(sitting)
    with pytest.raises(TableFull, match="open another one"):
        sitting.vote(VoteTopic.NEXT, 0)
    assert sitting.table.state.match is not None
    assert sitting.table.state.match.number == quotas.MOST_GAMES
    assert len(canonical(sitting.table.snapshot(0))) < 64 * 1024
    sitting.check_log()


def test_a_long_log_grows_by_no_undo_and_by_no_game_but_the_present_one_is_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Taking a move back and making it again would grow a log for ever."""
    monkeypatch.setattr(quotas, "MOST_ENTRIES", 60)
    sitting = buffalo()
    sitting.sit(0, 1)
    while len(sitting.log) < 60:
        sitting.act(0, "a7a6")
        sitting.vote(VoteTopic.UNDO, 0, 1)
    sitting.act(0, "a7a6")
    with pytest.raises(TableFull, match="finish the game"):
        sitting.vote(VoteTopic.UNDO, 0)
    sitting.play_out()
    assert sitting.table.state.phase is Phase.OVER
    with pytest.raises(TableFull):
        sitting.vote(VoteTopic.NEXT, 0)
    sitting.check_log()


def test_a_long_log_takes_fewer_commands_that_lead_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MOST_ENTRIES", 10)
    sitting = buffalo()
    sitting.sit(0, 1)
    play_short_game(sitting)
    while len(sitting.log) < quotas.MOST_ENTRIES:
        sitting.do(Rename(0, f"Ann {len(sitting.log)}"), person(0))
    for number in range(quotas.FEW_COMMANDS):
        sitting.do(Rename(1, f"Ben {number}"), person(1))
    with pytest.raises(TooOften, match="at most 10 commands"):
        sitting.do(Rename(1, "Ben"), person(1))
