"""An open store for a test of one of its parts."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from stampede.store import Store


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    """Opens a store and closes it at the end."""
    store = await Store.open(address)
    try:
        yield store
    finally:
        await store.close()


def with_store(address: str, scenario: Callable[[Store], Awaitable[None]]) -> None:
    """Runs a scenario on an open store."""

    async def run() -> None:
        async with opened(address) as store:
            await scenario(store)

    asyncio.run(run())
