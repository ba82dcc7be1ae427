"""The WebSocket: resume without a gap, signs of life, slow and silent peers, messages twice and out of order."""

import asyncio
import json
import random
import socket as sockets
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from simulation.choices import choose_action
from stampede.server.tables.socket import MISSED_BEATS
from tests.server.clients import Guest, Socket, closed, guests
from tests.server.servers import running, settings_for
from tests.server.stubborn import Stubborn
from tests.waiting import PATIENCE

BOT = {"bot": "random"}


async def seated(guest: Guest, game: str, players: int, **more: Any) -> str:
    """Opens a table and sits down first; bots have the other chairs."""
    opened = await guest.open(game, [{}, *[BOT] * (players - 1)], **more)
    await guest.claim(opened["table"], 0, "Ann")
    table: str = opened["table"]
    return table


def test_a_client_that_comes_back_gets_all_that_it_missed_and_nothing_twice(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, watcher):
            table = await seated(ann, "zoff", 4)
            rng, seen = random.Random(3), []
            last = 0
            while True:
                async with ann.socket(table, since=last) as socket:
                    await socket.next()
                    for _ in range(rng.randrange(1, 6)):  # then the line is cut
                        if socket.asked:
                            await socket.act(choose_action(socket.view["view"]["legal"], rng))
                        elif socket.view["phase"] != "over":
                            await socket.next()
                    seen += socket.messages
                    last = seen[-1]["seq"]
                    if socket.view["phase"] == "over" and last == socket.view["seq"]:
                        break
            assert [message["seq"] for message in seen] == list(range(1, last + 1))
            everything = (await watcher.request("GET", f"/api/tables/{table}/events")).json()
            assert [(m["seq"], m["kind"]) for m in everything["messages"]] == [
                (m["seq"], m["kind"]) for m in seen
            ]

    asyncio.run(scenario())


def test_a_stranger_to_the_numbers_gets_the_present_view(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = await seated(ann, "buffalo", 2, pace_ms=60_000)
            for query, messages in (({}, 0), ({"since": 0}, 2), ({"since": 10**6}, 0)):
                async with ann.socket(table, **query) as socket:
                    welcome = await socket.next()
                    assert (welcome["type"], len(welcome["messages"])) == ("welcome", messages)
                    assert welcome["view"]["decision"]["awaited"] == [0]

    asyncio.run(scenario())


def test_short_updates_make_the_same_views_as_whole_ones(base: str) -> None:
    """A game of Zoff through the eyes of two players and a spectator, each on two sockets; one joins late."""

    async def scenario() -> None:
        async with guests(base, 3) as (ann, ben, eve):
            opened = await ann.open("zoff", [{}, {}, BOT], watch=True)
            table = opened["table"]
            async with ann.socket(table, changes=1) as early:
                await early.next()
                await ann.claim(table, 0, "Ann")
                await ben.claim(table, 1, "Ben", opened["invite"])
                async with (
                    ann.socket(table, changes=1) as one,
                    ann.socket(table) as whole_one,
                    ben.socket(table, changes=1) as two,
                    ben.socket(table) as whole_two,
                    eve.socket(table, changes=1) as three,
                    eve.socket(table) as whole_three,
                ):
                    pairs = [(one, whole_one), (two, whole_two), (three, whole_three)]
                    for short, whole in pairs:
                        await asyncio.gather(short.next(), whole.next())
                    playing = [p.play(random.Random(i)) for i, p in enumerate((one, two))]
                    await asyncio.gather(*playing, *(_follow(s) for s in (three, early)))
                    last = one.view["seq"]
                    for short, whole in pairs:
                        for socket in (short, whole):
                            while socket.view["seq"] < last:
                                await socket.next()
                        assert short.view == whole.view
                    assert early.view == {**three.view, "you": None}

    asyncio.run(scenario())


async def _follow(socket: Socket) -> None:
    while socket.view.get("phase") != "over":
        await socket.next()


def test_messages_that_come_twice_or_out_of_order_are_done_once(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            opened = await ann.open("buffalo", [{}, {}])
            table = opened["table"]
            await ann.claim(table, 0, "Ann")
            await ben.claim(table, 1, "Ben", opened["invite"])

            def frame(player: int, number: int, move: str) -> str:
                act = {"type": "act", "player": player, "decision": f"1.{number}", "action": move}
                return json.dumps({"type": "command", "key": f"m{number}", "command": act})

            moves = [frame(0, 1, "a7a6"), frame(1, 2, "d2d3"), frame(0, 3, "b7b6")]
            async with ann.socket(table) as one, ben.socket(table) as two:
                await asyncio.gather(one.next(), two.next())
                order = [(one, 2), (one, 0), (one, 0), (two, 1), (two, 1), (one, 0), (one, 2)]
                for player, index in order:
                    await player.raw.send(moves[index])
                    key = f"m{index + 1}"
                    await player.until(lambda got, key=key: got.get("key") == key)  # type: ignore[misc]
            view = (await ann.look(table))["view"]
            assert view["decision"]["id"] == "1.4"
            assert view["view"]["fen"].startswith("2bbbbbbbbb/bb9/11/11/3D7/4DCDD3/11 w")

    asyncio.run(scenario())


def test_a_slow_viewer_is_dropped_and_can_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # They look at their connection when all games are over: until then they don't take the farewell either.
    monkeypatch.setattr("stampede.server.tables.socket.CLOSE_TIMEOUT", 2 * PATIENCE)

    async def scenario(base: str) -> None:
        async with guests(base, 2) as (ann, slow):
            table = await seated(ann, "zoff", 5)
            raw = sockets.socket()
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            raw.setblocking(False)
            where = urlsplit(base)
            await asyncio.get_running_loop().sock_connect(raw, (where.hostname, where.port))
            address = f"ws://{where.netloc}/api/tables/{table}/socket?since=0"
            # One message at a time is taken off the line, and then none at all.
            async with connect(
                address, sock=raw, max_queue=1, ping_interval=None, open_timeout=PATIENCE
            ) as lazy:
                for game in range(4):
                    # A line of hers may be too slow for so small a budget, too: then she resumes.
                    await Stubborn(ann, table, 0, random.Random(game), pause=0).play()
                    vote = {"type": "vote", "player": 0, "on": "next"}
                    assert (await ann.send(table, vote)).status_code == 200
                viewer = Socket(slow, lazy)
                assert await closed(viewer) == 4008
            got = [message["seq"] for message in viewer.messages]
            now = (await ann.look(table))["seq"]
            assert got == list(range(1, len(got) + 1))
            assert len(got) < now, "it was dropped before the end"
            async with slow.socket(table, since=got[-1]) as again:
                await again.next()
                rest = [message["seq"] for message in again.messages]
                assert rest == list(range(rest[0], now + 1)), "the latest that fit into a welcome"
            path = f"/api/tables/{table}/events?after={got[-1]}"
            missed = (await slow.request("GET", path)).json()["messages"]
            assert missed[0]["seq"] == got[-1] + 1
            assert len(missed) >= len(rest)

    settings = settings_for(tmp_path, max_waiting=80 * 1024)
    with running(settings, send_buffer=4096) as base:
        asyncio.run(scenario(base))


def test_a_half_open_socket_is_let_go(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            table = await seated(ann, "buffalo", 2)
            async with ann.socket(table) as lively, ann.socket(table) as silent:

                async def answers() -> None:
                    for _ in range(MISSED_BEATS + 2):
                        await lively.until(lambda frame: frame["type"] == "ping")

                async def only_takes() -> None:
                    while True:
                        await asyncio.wait_for(silent.raw.recv(), PATIENCE)

                async def is_let_go() -> None:
                    with pytest.raises(ConnectionClosed, match="1001"):
                        await only_takes()

                await asyncio.gather(answers(), is_let_go())

    # Slow beats: a peer that answers has seconds for it, and a busy machine may need them.
    with running(settings_for(tmp_path, heartbeat=1.0)) as base:
        asyncio.run(scenario(base))


def test_a_ping_is_answered(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = await seated(ann, "buffalo", 2)
            async with ann.socket(table) as socket:
                await socket.raw.send('{"type":"ping"}')
                await socket.until(lambda frame: frame["type"] == "pong" and frame["now"] > 0)

    asyncio.run(scenario())


def test_a_refused_socket_says_why(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, eve):
            table = await seated(ann, "buffalo", 2, watch=False)
            for where, query, code in (
                ("A" * 22, {}, 4404),
                (table, {}, 4404),
                (table, {"player": 0}, 4403),
            ):
                async with eve.socket(where, **query) as socket:
                    frame = await socket.next()
                    assert (frame["type"], 4000 + frame["status"]) == ("error", code)
                    assert await closed(socket) == code

    asyncio.run(scenario())


def test_a_refused_socket_takes_up_the_offered_subprotocol(base: str) -> None:
    """Browsers drop a connection whose offers nobody answers, and with it the reason."""

    async def scenario() -> None:
        address = f"{base.replace('http', 'ws')}/api/tables/{'A' * 22}/socket"
        offered = [Subprotocol("stampede")]
        async with connect(address, subprotocols=offered, open_timeout=PATIENCE) as raw:
            assert raw.subprotocol == "stampede"
            assert "unknown_table" in str(await raw.recv())

    asyncio.run(scenario())


def test_an_action_on_a_socket_survives_a_busy_database(tmp_path: Path) -> None:
    """It isn't acknowledged while the database refuses, and done once when the same is asked again."""

    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, BOT], pace_ms=60_000)
            await ann.claim(opened["table"], 0, "Ann")
            async with ann.socket(opened["table"]) as socket:
                await socket.next()
                seq = socket.view["seq"]
                other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
                other.execute("BEGIN IMMEDIATE")
                act = {"type": "act", "player": 0, "decision": "1.1", "action": "f7f6"}
                refused = await socket.command(act, key="mine")
                assert (refused["type"], refused["error"]) == ("error", "unavailable")
                other.execute("ROLLBACK")
                other.close()
                done = await socket.command(act, key="mine")
                assert (done["type"], done["seq"]) == ("ack", seq + 1)
                again = await socket.command(act, key="mine")
                assert again == done
                assert socket.view["seq"] == seq + 1

    with running(settings_for(tmp_path, write_timeout=2)) as base:
        asyncio.run(scenario(base))
