"""Who sat where in each game of a table: told by the log alone, so that it can be told again at any time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from stampede.matches.entries import Entry
from stampede.matches.state import Chair, Play
from stampede.matches.table import Table
from stampede.server.tables.games import CATALOGUE
from stampede.store import Entry as Kept

__all__ = ["Sat", "Told", "told"]


@dataclass(frozen=True, slots=True)
class Sat:
    """A game and its people.

    Attributes:
        play: The game.
        chairs: By player: who sat there when it began.
        holders: Every guest or account who held a chair while it ran.
    """

    play: Play
    chairs: tuple[Chair, ...]
    holders: frozenset[str]


@dataclass(frozen=True, slots=True)
class Told:
    """A table and its games, in order."""

    table: Table
    games: tuple[Sat, ...]


def told(entries: Sequence[Kept]) -> Told:
    """Builds a table from its log, and notes who sat there in each game."""
    rest = (Entry.from_json(json.loads(kept.payload)) for kept in entries)
    table = Table(CATALOGUE, next(rest))
    began: dict[int, tuple[Chair, ...]] = {}
    holders: dict[int, set[str]] = {}
    for entry in rest:
        before = table.state
        table.apply(entry)
        play = table.state.play
        if play is None:
            continue
        if play.number not in began:
            began[play.number] = table.state.chairs
            holders[play.number] = _holders(table.state.chairs)
        elif before.in_game:
            holders[play.number] |= _holders(table.state.chairs)
    state = table.state
    games = tuple(
        Sat(play, began[play.number], frozenset(holders[play.number]))
        for play in (*state.past, *(() if state.play is None else (state.play,)))
    )
    return Told(table, games)


def _holders(chairs: tuple[Chair, ...]) -> set[str]:
    return {chair.holder for chair in chairs if chair.holder is not None}
