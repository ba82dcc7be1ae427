"""Exhibition games: bots play for visitors, only while they watch, and one game at a time."""

import asyncio
from pathlib import Path

import pytest

from stampede.games import GAMES
from tests.server.clients import guests
from tests.server.servers import running, settings_for


@pytest.mark.parametrize("game", GAMES)
def test_an_exhibition_is_one_table_of_bots_for_all_visitors(base: str, game: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            first = (await ann.request("GET", f"/api/exhibition?game={game}")).json()["table"]
            second = (await ben.request("GET", f"/api/exhibition?game={game}")).json()["table"]
            assert first == second
            found = await ann.look(first)
            assert found["player"] is None
            assert found["players"] == []
            view = found["view"]
            assert (view["game"], view["phase"]) == (game, "playing")
            assert {player["kind"] for player in view["players"]} == {"bot"}
            lobby = (await ann.request("GET", "/api/tables?status=running")).json()["tables"]
            assert first not in [table["table"] for table in lobby]

    asyncio.run(scenario())


def test_its_bots_play_once_it_is_watched(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = (await ann.request("GET", "/api/exhibition?game=buffalo")).json()["table"]
            before = (await ann.look(table))["seq"]
            async with ann.socket(table) as socket:
                welcome = await socket.next()
                assert welcome["seq"] == before, "nobody has watched"
                update = await socket.until(lambda frame: frame["type"] == "update")
                assert update["seq"] > before

    asyncio.run(scenario())


def test_a_crowded_server_offers_none(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, {}])
            async with ann.socket(opened["table"]) as socket:
                await socket.next()
                answer = await ann.request("GET", "/api/exhibition?game=buffalo")
                assert answer.status_code == 404
                assert answer.json()["error"] == "unknown_exhibition"

    with running(settings_for(tmp_path, max_sockets=2)) as base:
        asyncio.run(scenario(base))


def test_an_unknown_game_is_refused(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            assert (await ann.request("GET", "/api/exhibition?game=chess")).status_code == 422

    asyncio.run(scenario())
