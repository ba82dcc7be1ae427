"""Live tables in process, on a real SQLite store, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from stampede.core.json import JsonObject
from stampede.matches import Caller, ChairPlan, Clock, ClockKind, TableSettings, digest_of
from stampede.matches.commands import Act, Claim, Open
from stampede.server.cluster.membership import membership_for
from stampede.server.tables.actor import TableActor
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.broadcast import Viewer
from stampede.server.tables.context import TableContext
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.interpreter import Interpreter
from stampede.server.tables.memory import TableLimits
from stampede.server.tables.registry import TableRegistry
from stampede.store import Store

IDLE_MS = 3_000
ANN, BEN = Caller(guest="ann"), Caller(guest="ben")
RULES: JsonObject = {"removed": [], "opening_moves": 1}
INVITATION = "i" * 40
DAY = Clock(ClockKind.DAYS, 86_400_000, grace=False)
MOVE = Act(0, "1.1", "f7f6")


class Now:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@asynccontextmanager
async def tables(
    folder: Path,
    now: Callable[[], int],
    most: int = 100,
    mine: int = 50,
    guest: int = 10,
    interpreter: Interpreter | None = None,
) -> AsyncIterator[TableRegistry]:
    store = await Store.open(f"sqlite:///{folder}/tables.db")
    pool = BotPool(1, 10)
    cluster = membership_for(store)
    context = TableContext(CATALOGUE, store, pool, now, cluster, interpreter=interpreter)
    registry = TableRegistry(context, limits=TableLimits(most, mine, guest), idle_ms=IDLE_MS)
    try:
        yield registry
    finally:
        await registry.close()
        await pool.close()
        await store.close()


async def opened(registry: TableRegistry, number: int = 0, **settings: Any) -> TableActor:
    """A running game of Buffalo between Ann and Ben."""
    wanted = TableSettings("buffalo", RULES, (ChairPlan(), ChairPlan()), public=True, **settings)
    command = Open(f"{number:022d}", wanted, "ann", "ab" * 32, digest_of(INVITATION))
    async with registry.lease(await registry.open(command, ANN, "open")) as actor:
        await actor.command(Claim(0, "Ann"), ANN, "claim")
        await actor.command(Claim(1, "Ben"), BEN, "claim")
        return actor


class Outlet:
    """A socket that notes what it is sent, and how it is closed."""

    backpressure = False
    waiting = 0

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed: list[int] = []

    def write_texts(self, *texts: bytes) -> None:
        self.sent += texts

    def request_close(self, frame: tuple[int, str], /) -> None:
        self.closed.append(frame[0])


async def watch(actor: TableActor, caller: Caller = ANN) -> Outlet:
    """Enters as a viewer of chair 0."""
    outlet, viewer = Outlet(), Viewer(caller, 0, 1 << 20)
    await actor.enter(viewer, None)
    viewer.connect(outlet)
    return outlet


async def open_tables(registry: TableRegistry, count: int, first: int = 0) -> list[str]:
    """Opens tables for two people; none is in memory."""
    wanted = TableSettings("buffalo", RULES, (ChairPlan(), ChairPlan()), public=True)
    return [
        await registry.open(Open(f"{number:022d}", wanted, "ann", "ab" * 32), ANN, "open")
        for number in range(first, first + count)
    ]
