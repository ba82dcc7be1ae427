"""The shipped migrations lead to the schema that the code speaks of, from nothing and from an older database."""

import asyncio

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from stampede.store import Store
from stampede.store.engine import database_url, make_engine, migrate
from stampede.store.schema import METADATA
from tests.store.chains import Chains


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), METADATA))


def test_migrations_make_exactly_the_schema(address: str) -> None:
    async def scenario() -> None:
        engine = make_engine(database_url(address))
        await migrate(engine)
        await migrate(engine)  # again: nothing to do
        async with engine.connect() as connection:
            assert await connection.run_sync(differences) == []
        await engine.dispose()

    asyncio.run(scenario())


def test_many_processes_may_open_a_new_database_at_once(address: str) -> None:
    async def scenario() -> None:
        stores = await asyncio.gather(*(Store.open(address) for _ in range(4)))
        chains = Chains()
        for store in stores:
            await store.append(chains.following("a", "1"))
        assert len(await stores[0].read("a")) == 4
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(scenario())
