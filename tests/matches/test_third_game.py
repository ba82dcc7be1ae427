"""A game that the package doesn't know is played at a table like the others: nothing asks for a game's name."""

from __future__ import annotations

import pytest

from stampede.core.conformance import check_game
from stampede.core.replay import replay
from stampede.matches import (
    Caller,
    Catalogue,
    ChairPlan,
    Clock,
    ClockKind,
    Table,
    TableSettings,
    digest_of,
    open_table,
    verify_deal,
)
from stampede.matches.commands import Act, Claim, Command, Open, Resign, Vote, VoteTopic
from tests.matches.nim import NIM, NIM_GAME, NimRules

CATALOGUE = Catalogue({"nim": NIM}, {"nim": ("random",)})
ANN, BEN = Caller("ann", "invitation"), Caller("ben", "invitation")


@pytest.mark.parametrize("players", NIM.seats)
def test_the_third_game_keeps_the_contract(players: int) -> None:
    for seed in range(5):
        check_game(NIM_GAME, NimRules(players, 5 + seed), seed)


def open_nim(clock: Clock | None = None) -> Table:
    settings = TableSettings(
        "nim", NIM.default_rules(2), (ChairPlan(), ChairPlan()), clock=clock or Clock()
    )
    command = Open("t", settings, "ann", "5e" * 32, digest_of("invitation"))
    table = Table.rebuild(CATALOGUE, open_table(CATALOGUE, command, ANN, "open", 0).entries)
    do(table, ANN, Claim(0, "Ann", digest_of("a")))
    do(table, BEN, Claim(1, "Ben", digest_of("b")))
    return table


def do(table: Table, caller: Caller, command: Command) -> None:
    decided = table.decide(command, caller, f"key-{table.seq}", table.seq)
    for entry in decided.entries:
        table.apply(entry)


def take(table: Table, caller: Caller, count: int) -> None:
    (player,) = table.players_of(caller)
    do(table, caller, Act(player, table.state.running.decision_id, count))


def test_it_is_played_undone_and_recorded() -> None:
    table = open_nim()
    take(table, ANN, 3)
    take(table, BEN, 2)
    decision = table.state.running.decision_id
    for player, caller in enumerate((ANN, BEN)):
        do(table, caller, Vote(player, VoteTopic.UNDO, decision=decision))
    assert table.state.running.state.left == 9, "Ann's move was taken back, and Ben's after it"
    for caller, count in ((ANN, 1), (BEN, 2), (ANN, 3), (BEN, 3)):
        take(table, caller, count)
    assert [result.winners for result in table.view_for(None).results] == [(1,)]
    record = table.record()
    assert replay(NIM_GAME, record).outcome == NIM_GAME.outcome(table.state.running.state)
    verify_deal(NIM_GAME, record)


def test_it_has_rematches_resignation_and_clocks() -> None:
    table = open_nim(Clock(ClockKind.MOVE, 5_000))
    assert table.deadline is not None
    do(table, BEN, Resign(1))
    for player, caller in enumerate((ANN, BEN)):
        do(table, caller, Vote(player, VoteTopic.NEXT))
    assert table.view_for(None).number == 2
    assert table.view_for(None).phase == "playing"
