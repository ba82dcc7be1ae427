"""Dedicated asyncpg connections to PostgreSQL, without SQLAlchemy in between.

The log writer and the cluster channel need one statement or one round trip where a general library takes several, and
they use session state: LISTEN and advisory locks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Protocol, cast

import asyncpg  # type: ignore[import-untyped] # it ships no annotations
from sqlalchemy.ext.asyncio import AsyncEngine

__all__ = [
    "CONNECTION_ERRORS",
    "CONNECTION_TIMEOUT",
    "AsyncpgConnection",
    "ReconnectingConnection",
    "connect",
]

CONNECTION_ERRORS: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # when the connection ends while a statement of ours is sent
    OSError,
    TimeoutError,
)
"""What a connection raises when the database refuses a statement, or can't be reached."""
CONNECTION_TIMEOUT: Final = 10.0
"""Seconds for connecting and for each statement: a host that vanished never answers."""
SESSION: Final = {
    "application_name": "stampede",
    # Keepalives free the advisory locks of a host that vanished; by default that would take hours.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}


class AsyncpgConnection(Protocol):
    """The part of asyncpg's connection that the store uses."""

    async def execute(self, query: str, *values: object) -> str:
        """Runs a statement."""

    async def fetch(self, query: str, *values: object) -> Sequence[Mapping[str, Any]]:
        """Runs a statement and returns its rows."""

    async def fetchval(self, query: str, *values: object) -> object:
        """Runs a statement and returns the first value of its first row."""

    def transaction(self) -> AbstractAsyncContextManager[object]:
        """Runs the block in a transaction."""

    async def add_listener(self, channel: str, callback: Callable[..., None]) -> None:
        """Calls back with (connection, process, channel, payload) at every notification."""

    def is_closed(self) -> bool:
        """Whether the connection is closed."""

    def terminate(self) -> None:
        """Drops the connection at once."""


async def connect(engine: AsyncEngine) -> AsyncpgConnection:
    """Opens a new connection to the engine's database; raises one of `CONNECTION_ERRORS`."""
    _, options = engine.dialect.create_connect_args(engine.url)
    connection = await asyncpg.connect(
        **options,
        timeout=CONNECTION_TIMEOUT,
        command_timeout=CONNECTION_TIMEOUT,
        server_settings=SESSION,
    )
    return cast("AsyncpgConnection", connection)


class ReconnectingConnection:
    """A connection that is opened at first use, and again after it was lost or dropped."""

    def __init__(
        self,
        engine: AsyncEngine,
        connect: Callable[[AsyncEngine], Awaitable[AsyncpgConnection]] = connect,
    ) -> None:
        self._engine = engine
        self._connect = connect
        self._connection: AsyncpgConnection | None = None

    async def get(self) -> AsyncpgConnection:
        """Returns the open connection; raises one of `CONNECTION_ERRORS`."""
        if self._connection is None or self._connection.is_closed():
            self._connection = await self._connect(self._engine)
        return self._connection

    def drop(self) -> None:
        """Drops the connection, if there is one."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
