"""The engine says nothing about a game between people that another worker serves."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server.clients import guests
from tests.server.servers import running, settings_for
from tests.server.study.test_analysis import asked
from tests.server.study.test_fair_play import MOVES, forged, played, set_up
from tests.store.databases import PostgresServer

pytestmark = pytest.mark.usefixtures("compiled")


def test_a_game_at_another_worker_is_known_at_once_until_it_is_over(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    address = postgres.new_database()

    async def scenario(one: str, two: str) -> None:
        async with guests(one, 2) as (ann, ben), guests(two, 1) as (eve,):
            ways = (
                {"fen": set_up(MOVES, "")["record"]["start"]},
                forged(MOVES),
                {"fen": set_up(MOVES[:-2], "")["record"]["start"]},
            )
            assert [(await asked(eve, **way))[0] for way in ways] == [200] * 3
            table = await played(ann, ben, MOVES)
            for way in ways:
                status, problem = await asked(eve, **way)
                assert (status, problem["error"]) == (403, "no_hints"), way
            await ben.send(table, {"type": "resign", "player": 1})
            assert [(await asked(eve, **way))[0] for way in ways] == [200] * 3

    with ExitStack() as stack:
        one, two = (
            stack.enter_context(running(settings_for(tmp_path, database_url=address)))
            for _ in range(2)
        )
        asyncio.run(scenario(one, two))
