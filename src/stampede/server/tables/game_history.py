"""Game history: who sat where in each game of a table, derived by replaying the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from stampede.matches.entries import Entry
from stampede.matches.state import Chair, Match
from stampede.matches.table import Table
from stampede.server.tables.games import CATALOGUE
from stampede.store import LogEntry

__all__ = ["GameHistory", "TableGame", "read_history"]


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game and its players.

    Attributes:
        match: The game.
        chairs: The chairs when it began, by player.
        holders: Every guest or account that held a chair while it ran.
    """

    match: Match
    chairs: tuple[Chair, ...]
    holders: frozenset[str]


@dataclass(frozen=True, slots=True)
class GameHistory:
    """A table and its games, in order."""

    table: Table
    games: tuple[TableGame, ...]


def read_history(entries: Sequence[LogEntry]) -> GameHistory:
    """Rebuilds a table from its log, and notes who sat there in each game."""
    rest = (Entry.from_json(json.loads(entry.payload)) for entry in entries)
    table = Table(CATALOGUE, next(rest))
    first_chairs: dict[int, tuple[Chair, ...]] = {}
    holders: dict[int, set[str]] = {}
    for entry in rest:
        before = table.state
        table.apply(entry)
        match = table.state.match
        if match is None:
            continue
        if match.number not in first_chairs:
            first_chairs[match.number] = table.state.chairs
            holders[match.number] = _holders(table.state.chairs)
        elif before.in_game:
            holders[match.number] |= _holders(table.state.chairs)
    state = table.state
    games = tuple(
        TableGame(match, first_chairs[match.number], frozenset(holders[match.number]))
        for match in (*state.past, *(() if state.match is None else (state.match,)))
    )
    return GameHistory(table, games)


def _holders(chairs: tuple[Chair, ...]) -> set[str]:
    return {chair.holder for chair in chairs if chair.holder is not None}
