"""Whatever is sent, the server answers sensibly: never a 500, never another player's seat, never without bounds."""

import asyncio
import json
import random
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)
from websockets.exceptions import ConnectionClosed

from stampede.server.app import create_app
from tests.server.clients import Guest, guests
from tests.server.servers import running, settings_for
from tests.waiting import PATIENCE

schema = schemathesis.openapi.from_dict(create_app(settings_for(Path())).openapi())


@pytest.fixture(scope="module")
def abused(
    tmp_path_factory: pytest.TempPathFactory,
    compiled: None,  # noqa: ARG001 - some of what is asked for is analysed
) -> Iterator[httpx.Client]:
    """A guest at a server that nobody else uses."""
    with (
        running(settings_for(tmp_path_factory.mktemp("abused"))) as base,
        httpx.Client(base_url=base, timeout=PATIENCE) as client,
    ):
        client.get("/api/me")
        yield client


@schema.parametrize()
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: schemathesis.Case[Any], abused: httpx.Client) -> None:
    """Requests made from the OpenAPI description, well formed and not: the answers are those it promises."""
    cookie = abused.cookies["stampede_guest"]
    cookies = {"stampede_guest": cookie}
    response = case.call(base_url=str(abused.base_url), cookies=cookies, timeout=PATIENCE)
    assert response.status_code < 500, response.text
    # Whether there is a bot of that name, say, no description can tell.
    excluded: list[Any] = [positive_data_acceptance]
    if response.status_code == 413:  # refused before anybody looked into it, which isn't foreseen
        excluded.append(negative_data_rejection)
    case.validate_response(response, excluded_checks=excluded)


NASTY: list[Any] = [
    "",
    "x" * 20_000,
    "\x00",
    "\ud800",
    "null",
    "[]",
    "{}",
    '{"type":"command"}',
    '{"type":"command","key":"","command":{"type":"act"}}',
    '{"type":"command","key":"k","command":{"type":"claim","name":"<script>alert(1)</script>"}}',
    '{"type":"command","key":"k","command":{"type":"act","player":0,"decision":"1.1","action":NaN}}',
    '{"type":"command","key":"k","command":{"type":"act","player":1e999,"decision":"1","action":1}}',
    '{"type":"command","key":"k","command":{"type":"downtime","since":0}}',
    '{"type":"command","key":"k","command":{"type":"open"}}',
    "[" * 5000 + "]" * 5000,
    '{"type":"command","key":"k","command":{"type":"act","player":0,"decision":"1.1","action":'
    + "[" * 2000
    + "]" * 2000
    + "}}",
    b"\x00\xff\xfe binary",
]


@given(st.lists(st.sampled_from(NASTY) | st.text(max_size=50) | st.binary(max_size=50), max_size=8))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_frame_breaks_a_socket_or_a_table(base: str, frames: list[Any]) -> None:
    asyncio.run(throw(base, frames))


async def throw(base: str, frames: list[Any]) -> None:
    """Throws frames at a table; afterwards it answers as before."""
    async with guests(base, 2) as (ann, eve):
        opened = await ann.open("buffalo", [{}, {"bot": "random"}])
        await ann.claim(opened["table"], 0, "Ann")
        before = await ann.look(opened["table"])
        async with eve.socket(opened["table"]) as socket:
            for frame in frames:
                try:
                    text = frame if isinstance(frame, bytes) else frame.encode("utf-8", "replace")
                    await socket.raw.send(text, text=not isinstance(frame, bytes))
                except ConnectionClosed:
                    break
        assert (await ann.look(opened["table"]))["view"] == before["view"]


def test_mutated_commands_are_refused_or_carried_out_but_never_break(base: str) -> None:
    """Good commands with a part replaced, taken away or added, from the right player and from a wrong one."""

    async def scenario() -> None:
        rng = random.Random(11)
        async with guests(base, 2) as (ann, eve):
            opened = await ann.open("zoff", [{}, {}, {}], public=True)
            await ann.claim(opened["table"], 0, "Ann")
            for _ in range(150):
                body = mutated(rng)
                person: Guest = rng.choice([ann, eve])
                path = f"/api/tables/{opened['table']}/commands"
                response = await person.client.post(path, content=json.dumps(body))
                assert response.status_code < 500, (body, response.text)
                assert "message" in response.json() or "seq" in response.json()

    asyncio.run(scenario())


def mutated(rng: random.Random) -> Any:
    """A command with something wrong."""
    good: list[dict[str, Any]] = [
        {"type": "act", "player": 0, "decision": "1.1", "action": {"type": "choose", "pairs": []}},
        {"type": "claim", "player": 1, "name": "Eve", "salt": "x"},
        {"type": "vote", "player": 0, "on": "next", "choice": ["a"], "agree": True},
        {"type": "set_chair", "player": 2, "level": "random"},
        {"type": "call_bot", "player": 0, "missing": 1},
        {"type": "seat_link", "player": 0},
        {"type": "rename", "player": 0, "name": "Eve"},
    ]
    body: dict[str, Any] = {"key": "".join(rng.sample(string.ascii_letters, 8))}
    body["command"] = dict(rng.choice(good))
    odd: list[Any] = [
        None,
        -1,
        10**30,
        1.5,
        "",
        "\x00",
        "x" * 5000,
        [],
        {},
        [[[]]],
        "'; DROP TABLE",
    ]
    for _ in range(rng.randrange(1, 3)):
        part = rng.choice([body, body["command"]]) if isinstance(body["command"], dict) else body
        name = rng.choice([*part, "extra", "digest", "secret", "system"])
        if rng.random() < 0.2:
            part.pop(name, None)
        else:
            part[name] = rng.choice(odd)
        body.setdefault("command", {})
    return body


def test_guessed_ids_and_foreign_tokens_open_nothing(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, eve):
            opened = await ann.open("buffalo", [{}, {"bot": "random"}], watch=False)
            ack = await ann.claim(opened["table"], 0, "Ann")
            other = await eve.open("buffalo", [{}, {"bot": "random"}])
            foreign = await eve.claim(other["table"], 0, "Eve")
            move = {"type": "act", "player": 0, "decision": "1.1", "action": "f7f6"}
            near = ack["token"][:-1] + ("x" if ack["token"][-1] != "x" else "y")
            for token in (foreign["token"], other["invite"], near, "A" * 32):
                response = await eve.send(opened["table"], move, token=token)
                assert response.status_code == 403
                seen = await eve.request("GET", f"/api/tables/{opened['table']}", token=token)
                assert seen.status_code == 404
            rng = random.Random(1)
            letters = string.ascii_letters + string.digits
            for _ in range(50):
                guess = "".join(rng.choices(letters, k=22))
                assert (await eve.request("GET", f"/api/tables/{guess}")).status_code == 404

    asyncio.run(scenario())


def test_sockets_and_tables_are_bounded(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            tables = []
            for number in range(6):
                opened = await ann.open("buffalo", [{}, {}], key=f"t{number}")
                tables.append(opened["table"])
            async with ann.socket(tables[0]) as one, ann.socket(tables[1]) as two:
                await asyncio.gather(one.next(), two.next())
                async with ann.socket(tables[2]) as three:
                    assert (await three.next())["status"] == 503
            for table in tables:
                assert (await ann.look(table))["view"]["phase"] == "lobby", "all are still there"

    with running(settings_for(tmp_path, max_sockets=2, max_tables=3)) as base:
        asyncio.run(scenario(base))
