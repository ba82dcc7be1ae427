"""Workers of one PostgreSQL: they hear each other, know who is there, and find each other again."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from stampede.store import Channel, Notification, Store
from stampede.store.asyncpg_connection import connect
from stampede.store.cluster.channel import LOCKS, NAME
from tests.store.chains import Chains
from tests.store.databases import PostgresServer
from tests.waiting import PATIENCE, until


class Listener:
    """A worker that notes what it hears."""

    def __init__(self, store: Store) -> None:
        self.heard: dict[str, Notification] = {}
        self.times = 0
        self.changes = 0
        self.channel = Channel(store.engine, self._hear, self._change)

    def _hear(self, news: Sequence[Notification]) -> None:
        self.times += 1
        self.heard.update({item.table_id: item for item in news})

    def _change(self) -> None:
        self.changes += 1


async def nothing() -> None:
    pass


@asynccontextmanager
async def workers(address: str, number: int, first: Callable[[], Awaitable[None]] = nothing) -> Any:
    store = await Store.open(address)
    found = [Listener(store) for _ in range(number)]
    await asyncio.gather(*(worker.channel.open(first) for worker in found))
    try:
        await until(
            "everybody knows of everybody",
            lambda: all(len(worker.channel.workers) == number for worker in found),
            lambda: [worker.channel.workers for worker in found],
        )
        yield store, found
    finally:
        await asyncio.gather(*(worker.channel.close() for worker in found))
        await store.close()


def test_the_others_hear_all_news_however_many_and_no_one_their_own(
    postgres: PostgresServer,
) -> None:
    async def scenario() -> None:
        async with workers(postgres.new_database(), 3) as (_, (one, two, three)):
            for number in range(1000):  # more than fits into one notification
                one.channel.publish(Notification(f"table{number:018d}", 1, live=False))
                one.channel.publish(
                    Notification(f"table{number:018d}", number + 1, live=number % 2 == 0)
                )
            await until(
                "both have heard all",
                lambda: len(two.heard) == len(three.heard) == 1000,
                lambda: (len(two.heard), len(three.heard)),
            )
            assert two.heard == three.heard
            assert two.heard[f"table{7:018d}"] == Notification(f"table{7:018d}", 8, live=False)
            assert two.times < 20, "gathered"
            assert one.heard == {}

    asyncio.run(scenario())


def test_only_the_first_of_those_who_start_together_is_the_first(postgres: PostgresServer) -> None:
    """And a worker that joins while another is there isn't, until all have gone."""
    firsts: list[str] = []

    async def first() -> None:
        firsts.append("began")
        await asyncio.sleep(0.2)
        firsts.append("done")

    async def scenario() -> None:
        address = postgres.new_database()
        async with workers(address, 4, first) as (store, _):
            assert firsts == ["began", "done"]
            late = Listener(store)
            await late.channel.open(first)
            await late.channel.close()
            assert firsts == ["began", "done"]
        async with workers(address, 1, first):
            assert len(firsts) == 4

    asyncio.run(scenario())


def test_a_worker_whose_line_is_cut_is_missed_and_joins_again(postgres: PostgresServer) -> None:
    """The database lets nobody in for a while: a worker that joins again at once may not be missed at all."""
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE objid = {} AND locktype = 'advisory'"
    )
    door = "ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}"

    async def scenario() -> None:
        async with workers(postgres.new_database(), 2) as (store, (one, two)):
            before, name = one.changes, store.engine.url.database
            postgres.run(door.format(name, "false"))
            postgres.run(cut.format(one.channel.number))
            await until("it is missed", lambda: two.channel.workers == {two.channel.number})
            postgres.run(door.format(name, "true"))
            # It may have missed something.
            await until("it is told of the gap", lambda: one.changes > before)
            await until(
                "both know of each other again",
                lambda: len(two.channel.workers) == len(one.channel.workers) == 2,
                lambda: (one.channel.workers, two.channel.workers),
            )
            assert one.channel.connected
            two.channel.publish(Notification("a", 1, live=True))
            await until("it hears again", lambda: "a" in one.heard, lambda: one.heard)

    asyncio.run(scenario())


def test_a_worker_leaves_also_in_the_moment_after_it_was_woken(postgres: PostgresServer) -> None:
    async def scenario() -> None:
        store = await Store.open(postgres.new_database())
        for moments in range(4):
            worker = Listener(store)
            await worker.channel.open(nothing)
            await asyncio.sleep(0.1)  # it has begun to wait
            worker.channel.publish(Notification("a", 1, live=True))
            for _ in range(moments):
                await asyncio.sleep(0)
            await asyncio.wait_for(worker.channel.close(), PATIENCE)
        await store.close()

    asyncio.run(scenario())


def test_a_worker_that_hangs_doesn_t_count(postgres: PostgresServer) -> None:
    """It holds its lock, as a stopped process does, but gives no sign of life."""

    async def scenario() -> None:
        async with workers(postgres.new_database(), 1) as (store, (one,)):
            line = await connect(store.engine)

            async def counts(*, yes: bool) -> None:
                await until(
                    f"the other counts: {yes}",
                    lambda: (12345 in one.channel.workers) == yes,
                    lambda: one.channel.workers,
                )

            await line.execute("SELECT pg_advisory_lock($1, $2)", LOCKS, 12345)
            await counts(yes=True)
            await counts(yes=False)
            await line.execute("SELECT pg_notify($1, $2)", NAME, "12345")
            await counts(yes=True)
            line.terminate()
            await counts(yes=False)

    asyncio.run(scenario())


def test_many_logs_are_read_on_at_once(address: str) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        chains = Chains()
        for table in ("a", "b", "c"):
            for number in range(1, 6):
                await store.append(chains.following(table, f'"{table}{number}"'))
        found = await store.read_many({"a": 3, "b": 5, "c": 0, "unknown": 0})
        seqs = {table: [entry.seq for entry in entries] for table, entries in found.items()}
        assert seqs == {"a": [4, 5], "c": [1, 2, 3, 4, 5]}
        assert found["a"] == await store.read("a", 3)
        assert await store.last_seqs(["a", "c", "unknown"]) == {"a": 5, "c": 5}
        await store.close()

    asyncio.run(scenario())
