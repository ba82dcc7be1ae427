"""Read and write transactions for everything but the log's hot path. They are short, and errors hold no values."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.store.asyncpg_connection import CONNECTION_ERRORS
from stampede.store.errors import LogDamaged, StoreError, StoreUnavailable
from stampede.store.files.side_files import side_files

__all__ = ["DATABASE_ERRORS", "begin_read", "begin_write", "count_write", "to_store_error"]

DATABASE_ERRORS = (DBAPIError, UnicodeDecodeError, *CONNECTION_ERRORS)
"""What SQLAlchemy and the drivers below it raise when the database doesn't do what it is asked."""

DAMAGE = ("Could not decode to UTF-8", "database disk image is malformed")
"""How SQLite says that a page isn't what was written."""
COUNT_WRITE = text(
    "INSERT INTO writes (counter, number) VALUES (1, 1)"
    " ON CONFLICT (counter) DO UPDATE SET number = number + 1 RETURNING number"
)


@asynccontextmanager
async def begin_read(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Opens a connection for reading.

    Raises:
        StoreUnavailable: The database doesn't answer.
    """
    try:
        async with engine.connect() as connection:
            yield connection
    except DATABASE_ERRORS as error:
        raise to_store_error(error) from error


@asynccontextmanager
async def begin_write(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Opens a transaction, which commits when the block ends without an exception.

    Raises:
        IntegrityError: A unique row exists already.
        StoreUnavailable: The database doesn't answer.
    """
    try:
        side, number = side_files(engine), 0
        async with engine.execution_options(writes=True).begin() as connection:
            yield connection
            if side is not None:
                number = await count_write(connection)
        if side is not None:
            await asyncio.to_thread(side.note, writes=number)
    except IntegrityError:
        raise
    except DATABASE_ERRORS as error:
        raise to_store_error(error) from error


async def count_write(connection: AsyncConnection) -> int:
    """Counts a write to a SQLite database, within its transaction; returns the new number, for the mark."""
    counted = await connection.execute(COUNT_WRITE)
    return int(counted.scalar_one())


def to_store_error(error: Exception, expected: str = "an answer of the database") -> StoreError:
    """Wraps an error of the database. The message never holds the statement and its values, which can be secret."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(error, UnicodeDecodeError) or any(sign in str(cause) for sign in DAMAGE):
        return LogDamaged(f"expected the database as it was written, got: {str(cause)[:60]}")
    return StoreUnavailable(f"expected {expected}, got: {cause}")
