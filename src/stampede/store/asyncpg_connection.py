"""PostgreSQL without a layer between: connections of asyncpg that somebody keeps for himself.

The log's writer and the channel between workers need one statement or one round trip where a general library takes
several, and things that belong to a session: LISTEN and advisory locks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Protocol, cast

import asyncpg  # type: ignore[import-untyped] # it ships no annotations
from sqlalchemy.ext.asyncio import AsyncEngine

__all__ = ["FAILURES", "Direct", "connected"]

FAILURES: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # when the end of the line and a statement of ours meet
    OSError,
    TimeoutError,
)
"""What a connection raises when the database refuses, or is away."""
PATIENCE: Final = 10.0
"""Seconds for a connection and for each statement: a host that vanished doesn't say so."""
SESSION: Final = {
    "application_name": "stampede",
    # A session's locks go when its host has vanished without a word; by default that would take hours.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}


class Direct(Protocol):
    """The part of asyncpg's connection that is used here."""

    async def execute(self, query: str, *values: object) -> str:
        """Runs a statement."""

    async def fetch(self, query: str, *values: object) -> Sequence[Mapping[str, Any]]:
        """Runs a statement, and returns its rows."""

    async def fetchval(self, query: str, *values: object) -> object:
        """Runs a statement, and returns its first value."""

    def transaction(self) -> AbstractAsyncContextManager[object]:
        """What runs inside is done together or not at all."""

    async def add_listener(self, channel: str, callback: Callable[..., None]) -> None:
        """Calls back with (connection, process, channel, text) whenever the channel is told something."""

    def is_closed(self) -> bool:
        """Whether the connection is gone."""

    def terminate(self) -> None:
        """Drops the connection at once."""


async def connected(engine: AsyncEngine) -> Direct:
    """A new connection to the engine's database; one of FAILURES when there is none to be had."""
    _, options = engine.dialect.create_connect_args(engine.url)
    connection = await asyncpg.connect(
        **options, timeout=PATIENCE, command_timeout=PATIENCE, server_settings=SESSION
    )
    return cast("Direct", connection)
