"""Restarts, a database that is busy, gone or full, jumping clocks: nothing false is acknowledged, games go on."""

import asyncio
import itertools
import random
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from simulation.choices import choose_action
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from tests.server.clients import guests
from tests.server.servers import ServerProcess, running, settings_for
from tests.server.stubborn import open_and_sit
from tests.store.databases import PostgresServer
from tests.waiting import until

BOT = {"bot": "random"}


def test_a_game_goes_on_after_a_restart_bots_included(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, secret="s" * 32)

    async def begin(base: str) -> tuple[str, dict[str, str]]:
        async with guests(base, 1) as (ann,):
            # The bots would take a minute for their answer: the server is gone before that.
            opened = await ann.open("zoff", [{}, BOT, BOT], pace_ms=60_000)
            await ann.claim(opened["table"], 0, "Ann")
            async with ann.socket(opened["table"]) as socket:
                await socket.next()
                await socket.act(choose_action(socket.view["view"]["legal"], random.Random(1)))
                assert not socket.asked
            return opened["table"], dict(ann.client.cookies)

    async def go_on(base: str, table: str, cookies: dict[str, str]) -> None:
        async with guests(base, 1) as (ann,):
            ann.client.cookies.clear()
            ann.client.cookies.update(cookies)
            async with ann.socket(table) as socket:
                await socket.until(lambda frame: frame.get("view", {}).get("seq", 0) >= 5)
                assert socket.view["view"]["laid"], "both bots have answered"

    with running(settings, now=lambda: 1_000_000) as base:
        table, cookies = asyncio.run(begin(base))
    with running(settings, now=lambda: 1_000_000 + 70_000) as base:
        asyncio.run(go_on(base, table, cookies))


def test_clocks_stand_still_while_the_server_is_down(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, secret="s" * 32)
    minute = 60_000

    async def begin(base: str) -> tuple[str, dict[str, str]]:
        async with guests(base, 1) as (ann,):
            clock = {"kind": "move", "limit_ms": minute, "expiry": "forfeit"}
            opened = await ann.open("buffalo", [{}, BOT], clock=clock)
            await ann.claim(opened["table"], 0, "Ann")
            return opened["table"], dict(ann.client.cookies)

    async def look(base: str, table: str, cookies: dict[str, str]) -> None:
        async with guests(base, 1) as (ann,):
            ann.client.cookies.clear()
            ann.client.cookies.update(cookies)
            async with ann.socket(table, since=0) as socket:
                await socket.next()
                if "downtime" not in [message["kind"] for message in socket.messages]:
                    await socket.until(lambda frame: frame["type"] == "update")
                assert socket.view["phase"] == "playing", (
                    "an hour without a server isn't the player's"
                )
                assert socket.asked

    with running(settings, now=lambda: 10_000_000) as base:
        table, cookies = asyncio.run(begin(base))
    with running(settings, now=lambda: 10_000_000 + 60 * minute) as base:
        asyncio.run(look(base, table, cookies))


def test_time_runs_out_by_the_server_s_clock_and_never_backwards(tmp_path: Path) -> None:
    """The machine's clock jumps an hour back, then two ahead: steady time counts, and the forfeit comes once."""
    jumps = {"now": 10_000_000}

    async def scenario(base: str) -> None:
        async with guests(base, 2) as (ann, ben):
            clock = {"kind": "move", "limit_ms": 2000, "expiry": "forfeit", "grace": False}
            opened = await ann.open("buffalo", [{}, {}], clock=clock)
            await ann.claim(opened["table"], 0, "Ann")
            await ben.claim(opened["table"], 1, "Ben", opened["invite"])
            async with ann.socket(opened["table"], since=0) as one:
                await one.next()
                jumps["now"] -= 3_600_000
                await one.act("f7f6")
                jumps["now"] += 2 * 3_600_000
                await one.until(lambda frame: frame.get("view", {}).get("phase") == "over")
                (result,) = one.view["results"]
                assert (result["winners"], result["reason"]) == ([0], "time")
                times = [message["at"] for message in one.messages]
                assert times == sorted(times)
                assert times[-1] - times[0] < 3_600_000, "the jumps weren't counted"

    with running(settings_for(tmp_path), now=lambda: jumps["now"]) as base:
        asyncio.run(scenario(base))


def test_a_busy_database_is_told_as_such_and_a_retry_succeeds(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, BOT])
            await ann.claim(opened["table"], 0, "Ann")
            before = await ann.look(opened["table"])
            act = {"type": "act", "player": 0, "decision": "1.1", "action": "f7f6"}
            other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            refused = await ann.send(opened["table"], act, key="mine")
            assert (refused.status_code, refused.json()["error"]) == (503, "unavailable")
            assert refused.headers["retry-after"]
            assert (await ann.look(opened["table"]))["view"] == before["view"], "it isn't durable"
            other.execute("ROLLBACK")
            other.close()
            done = await ann.send(opened["table"], act, key="mine")
            assert done.status_code == 200
            again = await ann.send(opened["table"], act, key="mine")
            assert again.json() == done.json()

    with running(settings_for(tmp_path, write_timeout=2)) as base:
        asyncio.run(scenario(base))


@contextmanager
def small_disk(folder: Path) -> Iterator[tuple[ServerProcess, Path]]:
    """A server whose database is on a disk of two megabytes, and that disk as we see it."""
    disk = folder / "disk"
    disk.mkdir()
    mount = f'mount -t tmpfs -o size=2m none {disk} && exec "$@"'
    prefix = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
    try:
        subprocess.run([*prefix, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"expected to be allowed a small disk, got: {error}")
    environment = {"STAMPEDE_DATABASE_URL": f"sqlite:///{disk / 'tables.db'}"}
    server = ServerProcess(folder, environment, prefix=prefix)
    try:
        yield server, Path(f"/proc/{server.pid}/root{disk}")
    finally:
        server.stop()


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    """The disk is really full, and after a while there is room again."""

    async def scenario(base: str, disk: Path) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, {}])
            await ann.claim(opened["table"], 0, "Ann")
            fill(disk / "ballast")
            answers: list[httpx.Response] = []
            while not answers or answers[-1].status_code == 200:  # until its last page is full
                name = f"Ann {len(answers)}".ljust(40, ".")
                rename = {"type": "rename", "player": 0, "name": name}
                answers.append(await ann.send(opened["table"], rename))
            assert (answers[-1].status_code, answers[-1].json()["error"]) == (507, "full")
            await until_ready(base, 503)
            seen = (await ann.look(opened["table"]))["view"]["players"][0]["name"]
            assert seen.startswith(f"Ann {len(answers) - 2}" if len(answers) > 1 else "Ann")
            (disk / "ballast").unlink()
            await until_ready(base, 200)
            last = await ann.send(opened["table"], {"type": "rename", "player": 0, "name": "Anna"})
            assert last.status_code == 200
            view = (await ann.look(opened["table"]))["view"]
            assert (view["players"][0]["name"], view["seq"]) == ("Anna", 2 + len(answers))

    with small_disk(tmp_path) as (server, disk):
        asyncio.run(scenario(server.base, disk))


async def until_ready(base: str, status: int) -> None:
    """Waits until the server says whether it is ready; it looks once a second."""
    async with httpx.AsyncClient(base_url=base) as client:

        async def is_so() -> bool:
            return (await client.get("/readyz")).status_code == status

        await until(f"readyz is {status}", is_so)


def fill(ballast: Path) -> None:
    """Writes until nothing more fits."""
    with ballast.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        file.writelines(itertools.repeat(b"x" * 4096))


def test_whole_games_on_postgresql(tmp_path: Path, postgres: PostgresServer) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 2) as (ann, ben):
            opened = await ann.open("zoff", [{}, {}, BOT])
            table = opened["table"]
            await ann.claim(table, 0, "Ann")
            await ben.claim(table, 1, "Ben", opened["invite"])
            async with ann.socket(table) as one, ben.socket(table) as two:
                await asyncio.gather(one.play(random.Random(1)), two.play(random.Random(2)))
            response = await ann.request("GET", f"/api/tables/{table}/record")
            replay(game_named("zoff").game, GameRecord.loads(response.text))
            mine = (await ben.request("GET", "/api/tables/mine")).json()["tables"]
            assert [item["status"] for item in mine] == ["over"]
            assert (await ann.request("GET", "/api/tables/%00")).status_code == 404

    with running(settings_for(tmp_path, database_url=postgres.new_database())) as base:
        asyncio.run(scenario(base))


def test_two_servers_on_one_postgresql_never_both_win(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """Both think that it's the first move; the log takes one, and the other server decides on the second anew."""
    settings = settings_for(tmp_path, database_url=postgres.new_database(), secret="s" * 32)

    async def scenario(first: str, second: str) -> None:
        async with guests(first, 1) as (here,), guests(second, 1) as (there,):
            there.client.cookies.clear()
            there.client.cookies.update(here.client.cookies)
            opened = await here.open("buffalo", [{}, {}], hot_seat=True)
            for player in range(2):
                await here.claim(opened["table"], player, f"P{player}")
            await there.look(opened["table"])
            act = {"type": "act", "player": 0, "decision": "1.1"}
            one = await here.send(opened["table"], {**act, "action": "a7a6"}, key="one")
            assert one.status_code == 200
            two = await there.send(opened["table"], {**act, "action": "b7b6"}, key="two")
            assert (two.status_code, two.json()["error"]) == (409, "stale")
            seen = (await there.look(opened["table"]))["view"]["view"]["last_move"]
            assert seen == "a7a6"

    with running(settings) as first, running(settings) as second:
        asyncio.run(scenario(first, second))


def test_clocks_stand_still_once_however_many_workers_come_back(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """An hour without any server is noted once; a worker that comes later while others serve notes nothing."""
    settings = settings_for(tmp_path, database_url=postgres.new_database())
    minute = 60_000
    clock = {"kind": "move", "limit_ms": minute, "expiry": "forfeit"}

    async def begin(base: str) -> list[str]:
        async with guests(base, 2) as crowd:
            return [await open_and_sit(crowd, "buffalo", 0, clock=clock) for _ in range(4)]

    async def check(bases: list[str], tables: list[str]) -> None:
        async with guests(bases[0], 1) as (watcher,):
            for number, table in enumerate(tables):
                watcher.base = bases[number % len(bases)]
                async with watcher.socket(table, since=0) as socket:
                    kinds: list[str] = []
                    while "downtime" not in kinds:  # a table may be looked at while it wakes up
                        await socket.next()
                        kinds = [message["kind"] for message in socket.messages]
                    assert kinds.count("downtime") == 1
                    assert socket.view["phase"] == "playing"

    # The hosts' clocks differ by hours; the database's counts.
    with running(settings, now=lambda: 10_000_000) as base:
        tables = asyncio.run(begin(base))
    later = 10_000_000 + 60 * minute
    with running(settings, now=lambda: later) as one, running(settings, now=lambda: 0) as two:
        asyncio.run(check([one, two], tables))
        with running(settings, now=lambda: later + 600 * minute) as three:
            asyncio.run(check([three, two, one], tables))
