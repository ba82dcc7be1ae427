"""Room for everybody's tables: who is charged for one, and which make room."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from stampede.matches.commands import Claim
from stampede.server.http.problems import Problem
from stampede.server.tables.memory import SERVER, Holder
from tests.server.tables.live import ANN, Now, Outlet, open_tables, tables, watch
from tests.waiting import until


def test_an_address_uses_at_most_its_share_of_tables(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now(), most=100, mine=3) as registry, AsyncExitStack() as held:
            names = await open_tables(registry, 5)
            for name in names[:3]:
                await held.enter_async_context(registry.lease(name, Holder("greedy")))
            with pytest.raises(Problem) as refused:
                await held.enter_async_context(registry.lease(names[3], Holder("greedy")))
            assert (refused.value.status, refused.value.code) == (429, "too_many_tables")
            assert "at most 3" in refused.value.message
            await held.enter_async_context(registry.lease(names[3], Holder("modest")))
            await held.enter_async_context(
                registry.lease(names[0], Holder("greedy"))
            )  # in memory already

    asyncio.run(scenario())


def test_an_address_that_leaves_a_table_may_go_on_to_another(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now(), most=100, mine=3) as registry:
            for name in await open_tables(registry, 9):
                async with registry.lease(name, Holder("busy")) as actor, actor.reading():
                    pass
                await until("its driver has looked", lambda actor=actor: not actor.busy)  # type: ignore[misc]
            assert registry.live == 3

    asyncio.run(scenario())


def test_the_address_that_holds_most_makes_room_for_the_others(tmp_path: Path) -> None:
    """All tables are watched. A viewer of the greediest address is told to resume, and nobody else is."""

    async def scenario() -> None:
        async with tables(tmp_path, Now(), most=6) as registry, AsyncExitStack() as held:
            names = await open_tables(registry, 8)
            outlets: dict[str, Outlet] = {}
            for name, address in zip(names, ["greedy"] * 4 + ["ann", "ben"], strict=False):
                actor = await held.enter_async_context(registry.lease(name, Holder(address)))
                await actor.command(Claim(0, "Ann"), ANN, "claim")
                outlets[name] = await watch(actor)
                await until("its driver has looked", lambda a=actor: not a.has_pending_bots)  # type: ignore[misc]
            for name, address in zip(names[6:], ["cid", "ann"], strict=True):
                await held.enter_async_context(registry.lease(name, Holder(address)))
            assert [outlets[name].closed for name in names[:6]] == [[4008], [4008], [], [], [], []]
            assert registry.live == 6
            with pytest.raises(Problem) as refused:  # greedy and ann have two each, the others one
                await held.enter_async_context(registry.lease(names[0], Holder("ann")))
            assert refused.value.status == 503

    asyncio.run(scenario())


def test_nothing_makes_room_for_a_table_that_does_not_exist(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now(), most=2) as registry:
            known = await open_tables(registry, 2)
            for table_id in known:
                async with registry.lease(table_id, Holder("home")):
                    pass
            for missing in ("9" * 22, "no id"):
                with pytest.raises(Problem) as refused:
                    async with registry.lease(missing, Holder("elsewhere")):
                        pass
                assert refused.value.status == 404
            assert all(table_id in registry._loaded for table_id in known)

    asyncio.run(scenario())


def test_a_guest_uses_at_most_their_share_of_tables_from_all_addresses(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now(), guest=2) as registry, AsyncExitStack() as held:
            names = await open_tables(registry, 4)
            for name, address in zip(names, ("home", "work"), strict=False):
                await held.enter_async_context(registry.lease(name, Holder(address, "ann")))
            with pytest.raises(Problem) as refused:
                await held.enter_async_context(registry.lease(names[2], Holder("bus", "ann")))
            assert (refused.value.status, refused.value.code) == (429, "too_many_tables")
            assert "at most 2 tables in use by one guest" in refused.value.message
            await held.enter_async_context(registry.lease(names[2], Holder("home", "ben")))
            await held.enter_async_context(registry.lease(names[0], Holder("bus", "ann")))
            await held.enter_async_context(registry.lease(names[3], Holder("home")))

    asyncio.run(scenario())


@pytest.mark.parametrize("loaded_by", [SERVER, Holder("host", "host")])
def test_a_table_that_others_have_loaded_counts_for_everyone_who_uses_it(
    tmp_path: Path, loaded_by: Holder
) -> None:
    """Neither joining the tables of others nor tables that the server restored are free."""

    async def scenario() -> None:
        async with tables(tmp_path, Now(), mine=3) as registry, AsyncExitStack() as held:
            names = await open_tables(registry, 3)
            for name in names:
                await held.enter_async_context(registry.lease(name, loaded_by))
            (own,) = await open_tables(registry, 1, first=3)
            for name in (own, *names[:2]):
                await held.enter_async_context(registry.lease(name, Holder("greedy")))
            with pytest.raises(Problem) as refused:
                await held.enter_async_context(registry.lease(names[2], Holder("greedy")))
            assert refused.value.status == 429

    asyncio.run(scenario())


def test_a_table_is_no_longer_charged_to_an_address_that_has_left_it_to_others(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now(), mine=1) as registry, AsyncExitStack() as held:
            names = await open_tables(registry, 2)
            async with registry.lease(names[0], Holder("first", "ann")) as actor:
                await held.enter_async_context(registry.lease(names[0], Holder("second", "ben")))
                assert actor.address == "first"
            assert actor.address == "second"
            await held.enter_async_context(registry.lease(names[1], Holder("first", "ann")))

    asyncio.run(scenario())


def test_a_table_that_is_idle_is_charged_to_its_last_user_until_another_comes(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now(), mine=1) as registry:
            (name,) = await open_tables(registry, 1)
            async with registry.lease(name, Holder("first")) as actor:
                pass
            async with registry.lease(name):
                assert actor.address == "first", "the server's own looks don't take it over"
            async with registry.lease(name, Holder("second")):
                assert list(actor.holders) == [Holder("second")]

    asyncio.run(scenario())
