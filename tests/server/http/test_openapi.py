"""What is really sent is what the OpenAPI description says: answers, and the WebSocket's messages."""

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from stampede.server.app import create_app
from stampede.server.tables.answers import (
    EventsAnswer,
    LobbyAnswer,
    MyTablesAnswer,
    RecordAnswer,
    ServerFrame,
    TableAnswer,
)
from stampede.server.tables.games import GamesAnswer
from tests.server.clients import guests
from tests.server.servers import running, settings_for
from tests.waiting import PATIENCE

FRAMES: TypeAdapter[Any] = TypeAdapter(ServerFrame)
FILES = {"application/octet-stream", "image/png"}
"""What is served as it is: certificates and pictures."""


@pytest.mark.parametrize(("game", "players"), [("buffalo", 2), ("zoff", 4)])
def test_everything_that_a_game_sends_is_as_described(base: str, game: str, players: int) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open(game, [{}, *[{"bot": "random"}] * (players - 1)], public=True)
            table = opened["table"]
            ann.got.clear()
            async with ann.socket(table, since=0) as watcher:
                await watcher.next()
                resign = {"type": "resign", "player": 0}
                assert (await watcher.command(resign))["type"] == "error"
            await ann.claim(table, 0, "Ann")
            async with ann.socket(table, since=0) as socket:
                await socket.play(random.Random(1))
                await socket.command({"type": "vote", "player": 0, "on": "next"})
            frames = [text for text in ann.got if text.startswith('{"type"')]
            for text in frames:
                FRAMES.validate_json(text, strict=True)
            assert len(frames) > 10
            shapes: list[tuple[str, Any]] = [
                (f"/api/tables/{table}", TableAnswer),
                (f"/api/tables/{table}/events?after=2", EventsAnswer),
                (f"/api/tables/{table}/record?game=1", RecordAnswer),
                ("/api/tables/mine", MyTablesAnswer),
                ("/api/tables?status=running", LobbyAnswer),
                ("/api/games", GamesAnswer),
            ]
            for path, shape in shapes:
                response = await ann.request("GET", path)
                assert response.status_code == 200
                shape.model_validate_json(response.text)

    asyncio.run(scenario())


def test_the_description_is_complete() -> None:
    description = create_app(settings_for(Path())).openapi()
    schemas = description["components"]["schemas"]
    assert {"ServerFrame", "ClientFrame", "TableView", "ProblemAnswer"} <= set(schemas)
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            answers = operation["responses"]
            assert {"404", "422", "429"} <= set(answers), (method, path)
            good = answers.get("200") or answers["201"]
            kinds = good["content"]
            assert FILES & set(kinds) or kinds["application/json"]["schema"], (method, path)


def test_the_description_is_made_once_and_compressed(base: str) -> None:
    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        first = client.get("/api/openapi.json")
        assert first.headers["content-encoding"] == "gzip"
        assert len(client.get("/api/openapi.json", headers={"Accept-Encoding": ""}).content) == len(
            first.content
        )
        again = client.get("/api/openapi.json", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_the_description_counts_as_several_requests(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, rate=1e-6, burst=20)
    with running(settings) as base, httpx.Client(base_url=base, timeout=PATIENCE) as client:
        answers = [client.get("/api/openapi.json").status_code for _ in range(5)]
    assert answers == [200, 200, 200, 200, 429]
