"""My games: a person's own tables, with whose turn it is, and how to take one off the list."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stampede.core.errors import StampedeError
from stampede.core.json import Json, JsonObject
from stampede.matches.callers import Caller, players_of
from stampede.matches.state import TableState
from stampede.matches.views import awaited_now
from stampede.server.http.problems import Problem, unknown
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.listing import join_summaries
from stampede.server.tables.memory import Holder
from stampede.server.tables.registry import TableRegistry
from stampede.store.accounts.my_tables import MyTables

__all__ = ["MyTablesService"]

MOST_READ: Final = 20
"""Running tables of one answer that are read from the log to find out whose turn it is."""
REMOVABLE: Final = ("over", "closed")


@dataclass(frozen=True, slots=True)
class MyTablesService:
    """Lists a caller's own tables."""

    store: MyTables
    registry: TableRegistry
    now: Callable[[], int]

    async def listed(
        self, caller: Caller, limit: int, before: int, address: str
    ) -> tuple[list[Json], int | None]:
        """Returns a page of own tables, the latest first, and the time before which the next page begins."""
        if caller.guest is None:
            return [], None
        found = await self.store.listed(caller.guest, limit, before)
        lines: list[JsonObject] = json.loads(join_summaries(item.summary for item in found))
        read = 0
        tables: list[Json] = []
        for line in lines:
            is_running = line["status"] == "running"
            turn = None
            if is_running and read < MOST_READ:
                read += 1
                turn = await self._turn(str(line["table"]), caller, address)
            tables.append({**line, "turn": turn})
        return tables, found[-1].updated if len(found) == limit else None

    async def remove(self, caller: Caller, table_id: str) -> None:
        """Takes a table off the caller's list; the table stays. Raises a Problem while it isn't over."""
        status = None
        if caller.guest is not None:
            status = await self.store.status(caller.guest, table_id)
        if caller.guest is None or status is None:
            raise unknown("table")
        if status not in REMOVABLE:
            raise Problem(
                409, "not_over", f"expected a table that is over, got one that is {status}"
            )
        await self.store.hide(caller.guest, table_id, self.now())

    async def _turn(self, table_id: str, caller: Caller, address: str) -> JsonObject | None:
        """Whose turn it is at a table; None if it can't be read now."""
        try:
            async with (
                self.registry.lease(
                    table_id, Holder(address)
                ) as actor,  # a look isn't a guest's use
                actor.reading() as table,
            ):
                return turn_of(table.state, caller)
        except (Problem, StampedeError):
            return None


def turn_of(state: TableState, caller: Caller) -> JsonObject:
    """What one of a table's players may know of the moment; every spectator may know the same."""
    spec = CATALOGUE.games[state.settings.game]
    clocks, match = state.clocks, state.match
    game_round = None
    if spec.round_of is not None and match is not None:
        game_round = spec.round_of(match.state)
    return {
        "players": list(players_of(state, caller)),
        "awaited": list(awaited_now(spec, state)),
        "round": game_round,
        "since": state.at if match is None else match.decision_at,
        "deadline": None if clocks is None else clocks.deadline,
    }
