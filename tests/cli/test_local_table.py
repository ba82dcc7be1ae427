"""The hot-seat table of a terminal: the authority says what can be done, and who has done what."""

import random

import pytest

from stampede.buffalo import Move
from stampede.cli.play.local_table import LocalTable
from stampede.cli.terminal import AnyGameTerminal, BuffaloTerminal, ZoffTerminal
from stampede.core.errors import InputError, StampedeError
from stampede.core.events import Event
from stampede.core.record import SeatInfo
from stampede.matches.errors import MatchError

PEOPLE = (SeatInfo("Anna"), SeatInfo("Ben"))
BOT = SeatInfo("Hunter", "bot", "random")


def opened(*seats: SeatInfo, terminal: AnyGameTerminal | None = None) -> LocalTable:
    """A table of Buffalo, or of another game, with these players."""
    shown = terminal or BuffaloTerminal()
    rules = shown.rule_set(len(seats), {})
    deal = shown.game.draw(shown.game.read_rules(rules), random.Random("s/deal"))
    return LocalTable(shown, rules, seats, deal, "s")


def moved(table: LocalTable, *moves: str) -> LocalTable:
    """The table after these moves of people, each in turn."""
    for move in moves:
        table.play(table.awaited[0], Move.parse(move))
    return table


def test_checking_an_action_changes_nothing() -> None:
    table = opened(*PEOPLE)
    before = table.record({})
    entry = table.check(0, Move.parse("a7a6"))
    assert table.record({}) == before
    table.commit(entry)
    assert list(table.record({}).actions) == ["a7a6"]


def test_only_the_seat_that_is_awaited_can_act() -> None:
    table = opened(*PEOPLE)
    assert table.awaited == (0,)
    with pytest.raises(MatchError):
        table.play(1, Move.parse("f2f3"))
    assert table.record({}).actions == ()


def test_an_undo_goes_back_to_the_last_person_and_takes_bots_along() -> None:
    table = opened(PEOPLE[0], BOT)
    with pytest.raises(InputError, match="none yet"):
        table.undo()
    moved(table, "a7a6")
    assert table.play_bot()
    assert not table.play_bot(), "a person is to move"
    table.undo()
    assert table.record({}).actions == ()
    assert table.awaited == (0,)


def test_two_people_undo_one_move_at_a_time() -> None:
    table = moved(opened(*PEOPLE), "a7a6", "f2f3", "b7b6")
    for left in (["a7a6", "f2f3"], ["a7a6"], []):
        table.undo()
        assert list(table.record({}).actions) == left
    with pytest.raises(InputError, match="none yet"):
        table.undo()


def test_what_was_undone_is_no_longer_told() -> None:
    table = moved(opened(*PEOPLE), "a7a6", "f2f3")
    table.undo()
    moved(table, "e2e3")
    told = [event.to_json().get("move") for event in table.events(None, 0, table.seq)]
    assert [move for move in told if move] == ["a7a6", "e2e3"]


def test_resigning_ends_the_game_for_the_other_side() -> None:
    table = moved(opened(*PEOPLE), "a7a6")
    table.resign(1)
    assert table.outcome is not None
    assert (table.outcome.winners, table.outcome.reason) == ((0,), "resigned")
    assert table.awaited == ()
    assert not table.play_bot()


def test_names_are_free_and_a_record_has_them() -> None:
    long = SeatInfo("A" * 90), SeatInfo("Ben")
    assert opened(*long).record({"seed": "s"}).seats == long


def test_bots_play_a_game_to_its_end_the_same_for_the_same_seed() -> None:
    records = []
    for _ in range(2):
        table = opened(
            *(SeatInfo(f"{n}", "bot", "random") for n in range(3)), terminal=ZoffTerminal()
        )
        while table.play_bot():
            pass
        assert table.outcome is not None
        records.append(table.record({}))
    assert records[0] == records[1]


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(StampedeError, match="buffalo-10"):
        opened(PEOPLE[0], SeatInfo("Hunter", "bot", "buffalo-11"))


def test_the_people_present_see_cards_that_are_hidden_later() -> None:
    """Z6.1: the cards are turned over in front of everybody, and may not be looked at after the round."""
    terminal = ZoffTerminal()
    table = opened(*(SeatInfo(f"{n}", "bot", "random") for n in range(3)), terminal=terminal)
    seen: list[Event] = []
    while table.view(None).round < 3:
        before = table.seq
        table.play_bot()
        seen += table.witnessed(before)
    later = table.events(None, 0, table.seq)
    told = " ".join(terminal.explain(later, table.names))
    assert [event.kind for event in seen] == [event.kind for event in later]
    for event in seen:
        if event.kind == "revealed" and event.to_json()["round"] == 1:
            (line,) = terminal.explain([event], table.names)
            assert line not in told
    assert any(event.kind == "revealed" for event in seen)
