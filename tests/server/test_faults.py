"""Restarts, a database that is busy, gone or full, jumping clocks: nothing false is acknowledged, games go on."""

import asyncio
import random
import sqlite3
from pathlib import Path

import httpx
import pytest

from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.store.sqlite import SqliteSink
from tests.server.clients import chosen, guests
from tests.server.servers import running, settings_for
from tests.store.databases import PostgresServer

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
                await socket.act(chosen(socket.view["view"]["legal"], random.Random(1)))
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
                assert socket.view["phase"] == "playing", "an hour without a server isn't his hour"
                assert socket.asked

    with running(settings, now=lambda: 10_000_000) as base:
        table, cookies = asyncio.run(begin(base))
    with running(settings, now=lambda: 10_000_000 + 60 * minute) as base:
        asyncio.run(look(base, table, cookies))


def test_time_runs_out_by_the_server_s_clock_and_never_backwards(tmp_path: Path) -> None:
    """The clock jumps an hour back, then far ahead: the log's times don't go back, and the forfeit comes once."""
    jumps = {"now": 10_000_000}

    async def scenario(base: str) -> None:
        async with guests(base, 2) as (ann, ben):
            clock = {"kind": "move", "limit_ms": 2000, "expiry": "forfeit"}
            opened = await ann.open("buffalo", [{}, {}], clock=clock)
            await ann.claim(opened["table"], 0, "Ann")
            await ben.claim(opened["table"], 1, "Ben", opened["invite"])
            async with ann.socket(opened["table"], since=0) as one:
                await one.next()
                jumps["now"] -= 3_600_000
                await one.act("f7f6")
                jumps["now"] += 3_600_000 + 5000
                await one.until(lambda frame: frame.get("view", {}).get("phase") == "over")
                assert one.view["results"] == [
                    {"game": 1, "winners": [0], "reason": "time", "aborted": False}
                ]
                times = [message["at"] for message in one.messages]
                assert times == sorted(times)

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
            assert await ann.look(opened["table"]) == before, "nobody sees what isn't durable"
            other.execute("ROLLBACK")
            other.close()
            done = await ann.send(opened["table"], act, key="mine")
            assert done.status_code == 200
            again = await ann.send(opened["table"], act, key="mine")
            assert again.json() == done.json()

    with running(settings_for(tmp_path, write_patience=0.3)) as base:
        asyncio.run(scenario(base))


def test_a_full_disk_refuses_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's page limit gives the very error of a full disk, without filling one."""
    sinks: list[SqliteSink] = []
    plain = SqliteSink.__init__

    def remember(self: SqliteSink, path: Path, *, busy: float = 1.0) -> None:
        plain(self, path, busy=busy)
        sinks.append(self)

    monkeypatch.setattr(SqliteSink, "__init__", remember)

    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, {}])
            await ann.claim(opened["table"], 0, "Ann")
            database = sinks[0]._connection()
            pages = database.execute("PRAGMA page_count").fetchone()[0]
            database.execute(f"PRAGMA max_page_count={pages}")
            answers: list[httpx.Response] = []
            while not answers or answers[-1].status_code == 200:  # until its last page is full
                name = f"Ann {len(answers)}".ljust(40, ".")
                rename = {"type": "rename", "player": 0, "name": name}
                answers.append(await ann.send(opened["table"], rename))
            assert (answers[-1].status_code, answers[-1].json()["error"]) == (507, "full")
            view = (await ann.look(opened["table"]))["view"]
            assert view["players"][0]["name"].startswith(f"Ann {len(answers) - 2}")
            database.execute("PRAGMA max_page_count=1000000")
            last = await ann.send(opened["table"], {"type": "rename", "player": 0, "name": "Ann"})
            assert last.status_code == 200

    with running(settings_for(tmp_path)) as base:
        asyncio.run(scenario(base))


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
