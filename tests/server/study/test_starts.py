"""Playing on from a point of a finished game: against bots, and never as an engine for a running one."""

import asyncio
import random

import pytest

from tests.server.clients import Frame, Guest, guests
from tests.server.study.test_fair_play import MOVES, played, set_up
from tests.server.study.test_replays import BOT, finished

pytestmark = pytest.mark.usefixtures("compiled")


async def start_of(guest: Guest, **body: object) -> tuple[int, Frame]:
    response = await guest.request("POST", "/api/starts", dict(body))
    return response.status_code, response.json()


@pytest.mark.parametrize(("game", "chairs"), [("buffalo", 2), ("zoff", 3)])
def test_a_game_is_played_on_from_a_point_of_a_record(base: str, game: str, chairs: int) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = await finished(ann, game, chairs)
            record = (await ann.request("GET", f"/api/tables/{table}/record")).json()
            status, found = await start_of(ann, table=table, turn=9)
            assert status == 200
            assert found == (await start_of(ann, record=record, turn=9))[1]
            steps = found["start"]["actions"]
            assert steps == record["actions"][: len(steps)]
            others = [BOT] * (found["seats"] - 1)
            opened = await ann.open(game, [{}, *others], rules=found["rules"], start=found["start"])
            await ann.claim(opened["table"], 0, "Ann")
            async with ann.socket(opened["table"]) as socket:
                await socket.play(random.Random(4))
            again = (await ann.request("GET", f"/api/tables/{opened['table']}/record")).json()
            assert again["actions"][: len(steps)] == steps
            assert again["rules"] == record["rules"], "by the same rules"
            replay = await ann.request("POST", "/api/replay", again)
            assert replay.status_code == 200
            status, problem = await start_of(ann, table=table, turn=len(record["actions"]))
            assert (status, problem["error"]) == (422, "invalid")

    asyncio.run(scenario())


def test_no_table_begins_close_to_a_game_that_people_are_playing(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            table = await played(ann, ben, MOVES)
            assert (await start_of(ann, table=table, turn=3))[0] == 403
            ways: list[Frame] = [
                {"setup": {}, "actions": MOVES},
                {"setup": {"start": set_up(MOVES, "")["record"]["start"]}, "actions": []},
                {"setup": {}, "actions": [*MOVES, "f2f3"]},
            ]
            for key, start in enumerate(ways):
                body = {"game": "buffalo", "chairs": [BOT, {}], "key": f"start-key-{key:04}"}
                response = await ann.request("POST", "/api/tables", {**body, "start": start})
                assert response.status_code == 403, response.text
                assert response.json()["error"] == "no_hints"
            await ann.send(table, {"type": "resign", "player": 0})
            opened = await ann.open("buffalo", [BOT, {}], start=ways[0])
            assert opened["table"]

    asyncio.run(scenario())
