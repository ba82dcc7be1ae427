"""Connections for what isn't the log: names, ratings, moderation. Transactions are short, errors hold no values."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.store.asyncpg_connection import FAILURES
from stampede.store.errors import StoreUnavailable

__all__ = ["reading", "writing"]


@asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection that looks only; StoreUnavailable when the database doesn't answer."""
    try:
        async with engine.connect() as connection:
            yield connection
    except (DBAPIError, *FAILURES) as error:
        raise _unavailable(error) from error


@asynccontextmanager
async def writing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction: committed when the block ends well, else nothing has happened.

    Raises:
        IntegrityError: Something is there already that may be there only once.
        StoreUnavailable: The database doesn't answer.
    """
    try:
        async with engine.execution_options(writes=True).begin() as connection:
            yield connection
    except IntegrityError:
        raise
    except (DBAPIError, *FAILURES) as error:
        raise _unavailable(error) from error


def _unavailable(error: Exception) -> StoreUnavailable:
    # Never the statement's text and values: they can hold secrets.
    cause = error.orig if isinstance(error, DBAPIError) else error
    return StoreUnavailable(f"expected an answer of the database, got: {cause}")
