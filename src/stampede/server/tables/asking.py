"""Small questions that the server asks of a table, and what it writes of one."""

from __future__ import annotations

from stampede.core.series import Player
from stampede.matches.callers import Caller
from stampede.matches.state import Phase, TableState
from stampede.matches.table import Table
from stampede.server.http.encode import encode
from stampede.server.tables.viewers import Viewer

__all__ = ["Updates", "is_live", "may_look", "short"]


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


class Updates:
    """What is new at a table: one text for each pair of eyes, however many look through them.

    Args:
        table: What has changed.
        after: The last entry that everybody knows.
    """

    __slots__ = ("_after", "_head", "_table", "_texts")

    def __init__(self, table: Table, after: int) -> None:
        self._table = table
        self._after = after
        self._texts: dict[tuple[Player | None, bool], bytes] = {}
        self._head: bytes | None = None

    def text(self, viewer: Viewer) -> bytes:
        """What this viewer is told."""
        eyes = (viewer.player, viewer.changes)
        text = self._texts.get(eyes)
        if text is None:
            text = self._texts[eyes] = self._made(viewer.player, changes=viewer.changes)
        return text

    def _made(self, player: Player | None, *, changes: bool) -> bytes:
        table = self._table
        if changes and (head := self._common()):
            own = table.own_news_json(player)
            if own is not None:
                return head + (b"," + encode(own)[1:] if own else b"}") + b"}}"
        news = table.news_json(player, self._after, changes=changes)
        return encode({"type": "update", "seq": table.seq, **news})

    def _common(self) -> bytes:
        """What all are told alike, written once: all but the end of what is new in the game."""
        if self._head is None:
            news = self._table.common_news_json(self._after)
            self._head = b""
            if news is not None:
                self._head = encode({"type": "update", "seq": self._table.seq, **news})[:-3]
        return self._head
