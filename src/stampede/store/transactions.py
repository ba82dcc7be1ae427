"""Read and write transactions for everything but the log's hot path. They are short, and errors hold no values."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.store.asyncpg_connection import CONNECTION_ERRORS
from stampede.store.errors import StoreUnavailable

__all__ = ["DATABASE_ERRORS", "begin_read", "begin_write", "to_store_error"]

DATABASE_ERRORS = (DBAPIError, *CONNECTION_ERRORS)
"""What SQLAlchemy and the drivers below it raise when the database doesn't do what it is asked."""


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
        async with engine.execution_options(writes=True).begin() as connection:
            yield connection
    except IntegrityError:
        raise
    except DATABASE_ERRORS as error:
        raise to_store_error(error) from error


def to_store_error(
    error: Exception, expected: str = "an answer of the database"
) -> StoreUnavailable:
    """Wraps an error of the database. The message never holds the statement and its values, which can be secret."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return StoreUnavailable(f"expected {expected}, got: {cause}")
