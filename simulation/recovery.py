"""What must work again after the faults have ended: every command is answered, and every table takes a new one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from simulation.client import Disconnected

if TYPE_CHECKING:
    from simulation.people import Device, KnownTable, Pending, TableSocket
    from simulation.simulation import Simulation

__all__ = ["Recovery"]

ATTEMPTS: Final = 12
"""How often a request is sent until its answer must have come."""
PAUSE: Final = 2.0
"""Seconds between two attempts: a server that is asked too often says that it needs a moment."""
WELCOME_SECONDS: Final = 12.0
TELLING_SECONDS: Final = 8.0
"""Seconds after which everyone at a table must have heard of a command."""
TRANSIENT: Final = (429, 500, 502, 503, 504)
NEXT_COMMANDS: Final[dict[str, dict[str, Any]]] = {
    "lobby": {"type": "rename", "name": "Back"},
    "over": {"type": "rename", "name": "Back"},
    "playing": {"type": "vote", "on": "pause", "agree": True},
    "paused": {"type": "vote", "on": "resume", "agree": True},
}
"""By the phase of a table: a command that a player can always give."""


class Recovery:
    """Goes from table to table when everything works again.

    Attributes:
        is_over: Whether all tables have been visited.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.is_over = False
        self._simulation = simulation
        self._city = simulation.city
        self._world = simulation.world

    async def run(self) -> None:
        """Sends again what wasn't answered, then reconnects everyone to each table and gives it a command.

        Everyone has disconnected, as there may be room for one table only.
        """
        for device in self._city.devices:
            for pending in list(device.pending.values()):
                await self._resend(device, pending)
        for table in list(self._city.tables):
            await self._visit(table)
        self.is_over = True

    async def _resend(self, device: Device, pending: Pending) -> None:
        if pending.answer is not None:
            return
        if pending.identity != device.identity(pending.identity.token):
            return  # the device has signed in or out: its command is another's now
        (table,) = [found for found in self._city.tables if found.table_id == pending.table]
        await self._insist(partial(device.send_pending, table, pending), lambda: pending.answer)
        if pending.answer is None:
            self._world.violate(
                f"{device.name}: {pending.key} isn't answered after everything healed"
            )

    async def _insist(self, send: Callable[[], Any], answer: Callable[[], Any]) -> None:
        """Sends until there is an answer that isn't about the moment."""
        for _ in range(ATTEMPTS):
            try:
                await send()
            except Disconnected:
                self._world.counts["requests without an answer"] += 1
            if answer() is not None:
                return
            await asyncio.sleep(PAUSE)

    # --- a table ---

    async def _visit(self, table: KnownTable) -> None:
        """Everyone connects; one who has a chair gives a command; everyone hears of it."""
        found: list[TableSocket] = []
        refused: list[Device] = []
        for device in self._city.devices:
            self._city.spawn(partial(self._connect, device, table, found, refused))
        everyone = len(self._city.devices)
        await self._wait(WELCOME_SECONDS, lambda: len(found) + len(refused) >= everyone)
        if not found:
            self._world.counts["recovery: tables that nobody may watch"] += 1
            return
        seq = await self._command(found)
        if seq is not None:
            self._world.counts["recovery: tables that took a command"] += 1
            there = [socket for socket in found if socket.is_open]
            await self._wait(
                TELLING_SECONDS, lambda: all(one.seq >= seq for one in there if one.is_open)
            )
            for socket in there:
                if socket.is_open and socket.seq < seq:
                    self._world.violate(
                        f"{socket.device.name} isn't told of entry {seq} of {table.table_id[:6]}"
                        f" and stays at {socket.seq}"
                    )
        for socket in found:
            socket.raw.line.close()

    async def _connect(
        self,
        device: Device,
        table: KnownTable,
        found: list[TableSocket],
        refused: list[Device],
    ) -> None:
        """Connects a device by its seat, or by the invitation."""
        seats = [seat for seat in self._city.seats[device.person] if seat.table is table]
        token = seats[-1].token if seats else table.invite
        try:
            await device.watch(table, None, token, welcomed=found.append)
        finally:
            refused.append(device)  # or it has ended meanwhile

    async def _command(self, found: list[TableSocket]) -> int | None:
        """Gives a command through a chair; returns its number, or None when nobody has a chair any more."""
        refused: list[str] = []
        for _ in range(ATTEMPTS):
            seated = [one for one in found if one.is_open and one.view["you"] is not None]
            if not seated or seated[0].view["phase"] not in NEXT_COMMANDS:
                kind = "without players" if not seated else "closed"
                self._world.counts[f"recovery: tables {kind}"] += 1
                return None
            socket = seated[0]
            command = {**NEXT_COMMANDS[socket.view["phase"]], "player": socket.view["you"]}
            try:
                answer = await socket.device.command(socket.table, command, socket.identity.token)
            except Disconnected:
                answer = None
            if answer is not None:
                return int(answer["seq"])
            refused.append(f"{command['type']} in phase {socket.view['phase']}")
            await asyncio.sleep(PAUSE)
        self._world.violate(f"{found[0].table.table_id[:6]} takes no command any more: {refused}")
        return None

    async def _wait(self, seconds: float, until: Callable[[], bool]) -> None:
        loop = self._city.loop
        deadline = loop.time() + seconds
        while not until() and loop.time() < deadline:
            await asyncio.sleep(0.1)
