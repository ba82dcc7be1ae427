"""Small questions that the server asks of a table, and what it writes of one."""

from __future__ import annotations

from stampede.matches.callers import Caller
from stampede.matches.playable import Player
from stampede.matches.state import Phase, TableState
from stampede.matches.table import Table
from stampede.server.encode import encode
from stampede.server.viewers import Viewer

__all__ = ["is_live", "may_look", "short", "update_for"]


def is_live(state: TableState) -> bool:
    """Whether bots or clocks have something to do at a table, now or later."""
    if state.phase is not Phase.PLAYING:
        return False
    if state.clocks is not None:
        return True
    for chair in state.chairs:  # noqa: SIM110 - every action asks: a generator would take as long as the answer
        if chair.by_bot:
            return True
    return False


def may_look(table: Table, caller: Caller, player: Player | None) -> bool:
    """Whether a caller may look through a player's eyes, or watch."""
    return table.may_watch(caller) if player is None else player in table.players_of(caller)


def short(table_id: str) -> str:
    """Enough of a table's id for a log, too little to find the table."""
    return f"{table_id[:6]}…"


def update_for(table: Table, viewer: Viewer, after: int) -> bytes:
    """What is new, for a viewer and all who see with the same eyes."""
    news = table.news_json(viewer.player, after, changes=viewer.changes)
    return encode({"type": "update", "seq": table.seq, **news})
