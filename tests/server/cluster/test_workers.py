"""Several workers, one PostgreSQL, the same tables; SIGKILL among them: nothing lost, nothing doubled, all go on."""

import asyncio
import json
import os
import random
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from stampede.store import Store
from tests.server.clients import Guest, guests
from tests.server.ops.test_kills import KINDS, check_acked, check_once, check_records
from tests.server.servers import ServerProcess
from tests.server.stubborn import Stubborn, insist, open_and_sit
from tests.store.databases import PostgresServer
from tests.waiting import until

GAMES = 4
HASTE = {"kind": "move", "limit_ms": 1500, "expiry": "forfeit", "grace": False}
Logs = dict[str, list[dict[str, Any]]]


async def logs_of(address: str) -> Logs:
    """Every table's log, checked for gaps."""
    store = await Store.open(address)
    logs: Logs = {}
    async for table in store.table_ids():
        entries = await store.read(table)
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        logs[table] = [json.loads(entry.payload) for entry in entries]
    await store.close()
    return logs


async def seated(base: str, others: list[str], number: int, crowd: list[Guest]) -> list[Stubborn]:
    """A table for a crowd whose members use different servers."""
    game, _, bots, more = KINDS[number % len(KINDS)]
    table = await open_and_sit(crowd, game, bots, pace_ms=20, **more)
    bases = [base, *others]
    players = []
    for seat, person in enumerate(crowd):
        person.base = bases[(number + seat) % len(bases)]
        players.append(Stubborn(person, table, seat, random.Random(f"{number} {seat}"), pause=0.1))
    return players


async def play_on(
    bases: list[str], kill: Callable[[], Awaitable[None]], elsewhere: Callable[[str], str]
) -> list[Stubborn]:
    """Plays all games on all servers while something is killed, as soon as everybody has played a little."""
    sizes = [KINDS[number % len(KINDS)][1] for number in range(GAMES)]
    async with guests(bases[0], sum(sizes)) as people:
        crowds = [[people.pop() for _ in range(size)] for size in sizes]
        tables = await asyncio.gather(
            *(seated(bases[0], bases[1:], number, crowd) for number, crowd in enumerate(crowds))
        )
        players = [player for table in tables for player in table]
        for player in players:
            player.elsewhere = elsewhere
        killed = players[0].hold = asyncio.Event()  # one game at least goes on until then
        playing = [asyncio.create_task(player.play()) for player in players]
        await until(
            "everybody has played a little",
            lambda: all(player.acked for player in players),
            lambda: [len(player.acked) for player in players],
        )
        await kill()
        killed.set()
        await asyncio.gather(*playing)
        return players


def check(players: list[Stubborn], logs: Logs) -> None:
    acked = [ack for player in players for ack in player.acked]
    check_acked(acked, logs)
    for table in {player.table for player in players}:
        check_once(logs[table])


async def hasty_tables(base: str, number: int) -> list[str]:
    """Tables at which a player's clock runs out, as no one ever moves."""
    async with guests(base, 2) as crowd:
        return [await open_and_sit(crowd, "buffalo", 0, clock=HASTE) for _ in range(number)]


async def wait_until_over(base: str, tables: list[str]) -> list[Any]:
    async with guests(base, 1) as (watcher,):
        views: dict[str, Any] = {}

        async def is_over() -> bool:
            views[table] = (await insist(watcher, "GET", f"/api/tables/{table}"))["view"]
            return bool(views[table]["phase"] == "over")

        for table in tables:
            await until(f"table {table} is over", is_over, lambda: views)
        return [result for view in views.values() for result in view["results"]]


@pytest.mark.slow
def test_players_at_two_servers_go_on_at_the_other_when_one_is_killed(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """Whichever of the two saw to a table's bots and clocks: they go on, and each answers once."""
    address = postgres.new_database()
    environment = {"STAMPEDE_DATABASE_URL": address}
    victim = ServerProcess(tmp_path / "one", environment)
    survivor = ServerProcess(tmp_path / "two", environment)

    async def kill() -> None:
        await asyncio.to_thread(victim.kill)

    async def scenario() -> list[Stubborn]:
        hasty = await hasty_tables(victim.base, 4)
        players = await play_on([victim.base, survivor.base], kill, lambda _: survivor.base)
        results = await wait_until_over(survivor.base, hasty)
        assert [result["reason"] for result in results] == ["time"] * 4
        await check_records(survivor.base, {player.table for player in players})
        return players

    try:
        players = asyncio.run(scenario())
    finally:
        victim.kill()
        survivor.stop()
    logs = asyncio.run(logs_of(address))
    check(players, logs)
    assert any(player.cuts for player in players), "the kill was felt"


@pytest.mark.slow
def test_a_killed_worker_is_replaced_and_no_action_is_lost(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """`stampede serve --workers 2`: one address, and clients that don't know of workers."""
    address = postgres.new_database()
    server = ServerProcess(tmp_path, {"STAMPEDE_DATABASE_URL": address}, "--workers", "2")

    async def started(number: int) -> None:
        what = f"{number} workers have started, one after the other"
        await until(what, lambda: len(server.workers) == number, lambda: server.workers)

    async def kill() -> None:
        for number, victim in enumerate(server.workers, start=3):
            os.kill(victim, signal.SIGKILL)
            await started(number)

    try:
        # One worker answers as soon as it is there; the other one may need longer.
        asyncio.run(started(2))
        players = asyncio.run(play_on([server.base], kill, lambda base: base))
        asyncio.run(check_records(server.base, {player.table for player in players}))
    finally:
        server.stop()
    check(players, asyncio.run(logs_of(address)))
    assert len(server.workers) == 4
