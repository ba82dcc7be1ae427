"""Running games between people are known from the log alone: by a worker that has none of them in its memory."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from stampede.matches.commands import Act
from stampede.server.http.problems import Problem
from stampede.server.ops.check import check_database
from stampede.server.study import running_games
from stampede.server.study.fair_play import LIKENESS, OPENING
from stampede.server.study.running_games import ABANDONED_MS, RunningGames
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.registry import TableRegistry
from stampede.store import Store
from stampede.store.schema import ENTRIES, LISTINGS
from tests.server.study.logs import START, WrittenTable, id_of, write
from tests.server.study.test_fair_play import MOVES
from tests.server.tables.live import ANN, BEN, IDLE_MS, Now, opened, tables


@asynccontextmanager
async def following(folder: Path) -> AsyncIterator[tuple[Store, RunningGames]]:
    """A worker without any table in memory; its store is written to past it, as by another one."""
    async with tables(folder, Now()) as registry:
        store = store_of(registry)
        yield store, RunningGames(store, registry, CATALOGUE, lambda: START)


def store_of(registry: TableRegistry) -> Store:
    return registry._context.store


def shape_after(moves: list[str]) -> object:
    match = WrittenTable("any", "buffalo").play(moves).table.state.running
    return LIKENESS["buffalo"].shape(match.state)


async def act(registry: TableRegistry, table_id: str, player: int, move: str) -> None:
    async with registry.lease(table_id) as actor:
        async with actor.reading() as table:
            decision = table.state.running.decision_id
        await actor.command(Act(player, decision, move), (ANN, BEN)[player], f"{decision} {move}")


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scenario())


def test_a_game_is_followed_from_the_end_of_its_opening_to_its_end(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with following(tmp_path) as (store, games):
            table = WrittenTable("one", "buffalo").play(MOVES[: OPENING - 1])
            await write(store, table)
            assert await games.traces("buffalo") == [], "an opening is free"
            for end in range(OPENING, len(MOVES) + 1):
                await write(store, table.play(MOVES[end - 1 : end]))
                (trace,) = await games.traces("buffalo")
                assert (trace.actions, trace.shape) == (end, shape_after(MOVES[:end]))
            assert await games.traces("zoff") == []
            assert await games.traces("chess") == []
            table.close()
            await write(store, table)
            assert await games.traces("buffalo") == []

    run(scenario)


def test_games_of_one_person_are_not_followed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with following(tmp_path) as (store, _):
            alone = WrittenTable("alone", "buffalo", 1, bots=1)
            await write(store, alone)
            assert await store.contested("buffalo") == {}
            await write(store, WrittenTable("one", "buffalo").play(MOVES))
            assert list(await store.contested("buffalo")) == [id_of("one")]

    run(scenario)


def test_an_abandoned_game_counts_until_it_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now) as registry:
            store = store_of(registry)
            games = RunningGames(store, registry, CATALOGUE, now)
            table = WrittenTable("one", "buffalo").play(MOVES[:-1])
            await write(store, table)
            now.ms = table.table.state.at + ABANDONED_MS
            assert len(await games.traces("buffalo")) == 1
            now.ms += 1
            assert await games.traces("buffalo") == []
            await write(store, table.play(MOVES[-1:]))
            assert len(await games.traces("buffalo")) == 1

    run(scenario)


def test_only_what_is_new_in_a_log_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with following(tmp_path) as (store, games):
            written = [
                WrittenTable(f"t{number}", "buffalo").play(MOVES[:-2]) for number in range(3)
            ]
            for table in written:
                await write(store, table)
            assert len(await games.traces("buffalo")) == 3
            asked: list[tuple[str, int]] = []
            read = store.read

            async def counting(table_id: str, after: int = 0, *, unchecked: bool = False) -> Any:
                asked.append((table_id, after))
                return await read(table_id, after, unchecked=unchecked)

            monkeypatch.setattr(store, "read", counting)
            seq = len(written[1].entries)
            await write(store, written[1].play(MOVES[-2:]))
            assert len(await games.traces("buffalo")) == 3
            assert asked == [(id_of("t1"), seq)]

    run(scenario)


def test_what_is_not_read_in_time_is_refused_and_read_by_the_next_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with following(tmp_path) as (store, games):
            for number in range(3):
                await write(store, WrittenTable(f"t{number}", "buffalo").play(MOVES))
            read = store.read

            async def stuck_at_the_second(*asked: Any, **more: Any) -> Any:
                if asked[0] == id_of("t1"):
                    await asyncio.Event().wait()
                return await read(*asked, **more)

            monkeypatch.setattr(running_games, "PATIENCE_SECONDS", 0.5)
            monkeypatch.setattr(store, "read", stuck_at_the_second)
            with pytest.raises(Problem) as refused:
                await games.traces("buffalo")
            assert (refused.value.status, refused.value.retry_after) == (503, 2)
            monkeypatch.setattr(running_games, "PATIENCE_SECONDS", 600)
            monkeypatch.setattr(store, "read", read)
            assert len(await games.traces("buffalo")) == 3

    run(scenario)


def test_a_damaged_log_hides_no_other_game(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with following(tmp_path) as (store, games):
            for name in ("bad", "good"):
                await write(store, WrittenTable(name, "buffalo").play(MOVES))
            bad = ENTRIES.c.table_id == id_of("bad"), ENTRIES.c.seq == 5
            async with store.engine.begin() as connection:
                await connection.execute(update(ENTRIES).where(*bad).values(payload="{}"))
            assert len(await games.traces("buffalo")) == 1

    run(scenario)


def test_a_table_in_memory_and_one_that_has_left_it_are_known_alike(tmp_path: Path) -> None:
    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now) as registry:
            actor = await opened(registry)
            games = RunningGames(store_of(registry), registry, CATALOGUE, now)
            for number, move in enumerate(MOVES):
                await act(registry, actor.table_id, number % 2, move)
            in_memory = await games.traces("buffalo")
            assert len(in_memory) == 1
            now.ms += 10 * IDLE_MS
            await registry._sweep()
            assert registry.live == 0
            fresh = RunningGames(store_of(registry), registry, CATALOGUE, now)
            assert await fresh.traces("buffalo") == in_memory
            assert await games.traces("buffalo") == in_memory

    run(scenario)


def test_the_check_of_a_database_finds_a_listing_that_hides_a_game(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with following(tmp_path) as (store, _):
            table = WrittenTable("one", "buffalo").play(MOVES)
            await write(store, table)
        address = f"sqlite:///{tmp_path}/tables.db"
        assert (await check_database(address, lambda ids: ids)).findings == []
        store = await Store.open(address)
        async with store.engine.begin() as connection:
            await connection.execute(update(LISTINGS).values(contested=False))
        await store.close()
        findings = (await check_database(address, lambda ids: ids)).findings
        assert (id_of("one"), "its listing isn't what the log says") in findings

    run(scenario)
