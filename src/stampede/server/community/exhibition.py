"""Exhibition games: one table of bots for each game, for visitors of the start page to watch.

It costs nothing while nobody looks: bots among themselves play only while they are watched (`Driver`), and the next
table is opened only when someone asks for it after the last game is over. At most one exhibition of a game runs at a
time, and at most one begins in each `PERIOD_MS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stampede.core.spec import GameSpec
from stampede.matches.callers import SYSTEM
from stampede.matches.commands import Open, Start
from stampede.matches.settings import Catalogue, ChairPlan, TableSettings
from stampede.matches.state import Phase
from stampede.server.http.identity import Identities
from stampede.server.http.problems import Problem, unknown
from stampede.server.tables.registry import TableRegistry
from stampede.store import Store

__all__ = ["PERIOD_MS", "Exhibitions"]

PERIOD_MS: Final = 5 * 60_000
"""Exhibitions of one game begin at least this far apart, as each is kept in the log."""
PACE_MS: Final = 2500
"""How long its bots seem to think, so that visitors can follow."""
SECRET_BYTES: Final = 32
CROWDED: Final = 0.5
"""From this share of all WebSockets on, they are left to players."""


@dataclass(frozen=True, slots=True)
class Exhibitions:
    """Finds the exhibition table of a game, and opens the next one when it is due."""

    registry: TableRegistry
    store: Store
    identities: Identities
    catalogue: Catalogue
    now: Callable[[], int]
    entropy: Callable[[int], bytes]
    max_sockets: int

    async def find(self, game: str) -> str:
        """Returns the id of the table to watch; the last one until the next is due.

        Raises:
            Problem: There is none now, as the server has enough to do.
        """
        if self.registry.sockets >= self.max_sockets * CROWDED:
            raise unknown("exhibition")
        period = self.now() // PERIOD_MS
        name = f"exhibition.{game}"
        began, _, table_id = (await self.store.value(name, "")).partition(" ")
        if table_id and (int(began) == period or await self._is_running(table_id)):
            return table_id
        table_id = await self._open(self.catalogue.game_named(game), period)
        await self.store.set_value(name, f"{period} {table_id}")
        return table_id

    async def _is_running(self, table_id: str) -> bool:
        try:
            async with self.registry.lease(table_id) as actor, actor.reading() as table:
                return table.state.phase is Phase.PLAYING
        except Problem as problem:
            if problem.status == 404:  # it has been deleted
                return False
            raise

    async def _open(self, spec: GameSpec, period: int) -> str:
        """Opens the table of a period. Workers that do so at once open the same one."""
        key = f"exhibition.{spec.name}.{period}"
        table_id = self.identities.table_id(SYSTEM, key)
        seats = spec.seats[len(spec.seats) // 2]
        bot = ChairPlan(self.catalogue.usual_level(spec.name))
        settings = TableSettings(
            spec.name, spec.new_rules(seats, {}), (bot,) * seats, pace_ms=PACE_MS
        )
        secret = self.entropy(SECRET_BYTES).hex()
        await self.registry.open(Open(table_id, settings, None, secret), SYSTEM, key)
        async with self.registry.lease(table_id) as actor:
            await actor.command(Start(), SYSTEM, f"{key}.start")
        return table_id
