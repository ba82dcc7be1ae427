"""A table's entry in the lobby. It is public, so it holds nothing that is hidden from anyone."""

from __future__ import annotations

from stampede.core.json import JsonObject, canonical
from stampede.matches.state import Chair, Phase, TableState
from stampede.store import Listing

__all__ = ["STATUS", "listing_of"]

STATUS = {
    Phase.LOBBY: "open",
    Phase.PLAYING: "running",
    Phase.PAUSED: "running",
    Phase.OVER: "over",
    Phase.CLOSED: "closed",
}


def listing_of(state: TableState, *, same_guests: bool = False) -> Listing:
    """A table's entry in the lobby.

    Args:
        state: The table.
        same_guests: Whether the same people sit there as in the entry before.
    """
    # The host is listed even without a chair, so that their tables are found when they register an account.
    holders = {chair.holder for chair in state.chairs} | {state.host}
    return Listing(
        table_id=state.table,
        game=state.settings.game,
        status=STATUS[state.phase],
        public=state.settings.public,
        updated=state.at,
        summary=canonical(_summary(state)),
        guests=None if same_guests else tuple(sorted(filter(None, holders))),
        ended=state.seq if _has_ended(state) else 0,
    )


def _has_ended(state: TableState) -> bool:
    """Whether there is a rated game that counts, and has just ended."""
    match = state.match
    if match is None or not state.settings.rated:
        return False
    return match.ended_at is not None and not match.aborted


def _summary(state: TableState) -> JsonObject:
    return {
        "table": state.table,
        "game": state.settings.game,
        "status": STATUS[state.phase],
        "phase": state.phase.value,
        "rules": state.settings.rules,
        "series": state.settings.series,
        "clock": state.settings.clock.to_json(),
        "rated": state.settings.rated,
        "public": state.settings.public,
        "watch": state.settings.watch,
        "games": 0 if state.match is None else state.match.number,
        "updated": state.at,
        "players": [_player(chair) for chair in state.chairs],
    }


def _player(chair: Chair) -> JsonObject:
    return {"kind": chair.kind.value, "name": chair.name, "level": chair.level}
