"""Bearers of one invitation, without cookies, who happen to use the same key: nobody gets another's seat."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest

from tests.server.clients import Frame, Guest, guests
from tests.waiting import PATIENCE

CLAIM = {"type": "claim", "name": "Robot", "program": True}
SECRETS = ("secret-of-the-first-bearer", "secret-of-the-second-one")


@asynccontextmanager
async def bearers(base: str, token: str, number: int) -> AsyncIterator[list[Guest]]:
    """Programs that have a token and no cookie."""
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=base, timeout=PATIENCE))
            for _ in range(number)
        ]
        yield [Guest(base, client, token) for client in clients]


async def ask(guest: Guest, table: str, command: Frame, secret: str | None = None) -> Frame:
    """Sends a command under the key that everybody uses."""
    body = {"key": "1", "command": command, **({} if secret is None else {"secret": secret})}
    response = await guest.request("POST", f"/api/tables/{table}/commands", body)
    answer: Frame = response.json()
    return answer


def test_two_bearers_with_the_same_key_never_get_the_same_seat(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("zoff", [{}, {}, {}])
            table = opened["table"]
            async with bearers(base, opened["invite"], 2) as (one, two):
                first = await ask(one, table, CLAIM)
                second = await ask(two, table, CLAIM)
                assert first["player"] == 0
                assert second["error"] == "key_reused"
                assert "secret" in second["message"]
                assert first["token"] not in "".join(two.got)
                third = await two.claim(table, None, "Robot")
                assert third["player"] == 1
                assert third["token"] != first["token"]

    asyncio.run(scenario())


def test_a_secret_tells_bearers_apart_and_makes_a_retry_harmless(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("zoff", [{}, {}, {}])
            table = opened["table"]
            async with bearers(base, opened["invite"], 2) as pair:
                answers = [
                    await ask(bearer, table, CLAIM, secret)
                    for bearer, secret in zip(pair, SECRETS, strict=True)
                    for _ in range(2)
                ]
            assert answers[0] == answers[1]
            assert answers[2] == answers[3]
            assert [answer["player"] for answer in answers] == [0, 0, 1, 1]
            assert answers[0]["token"] != answers[2]["token"]

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", ["move_chair", "seat_link"])
def test_an_old_seat_link_and_a_guessed_key_give_no_new_link(base: str, kind: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = (await ann.open("zoff", [{}, {}, {}]))["table"]
            old = (await ann.claim(table, 0, "Ann"))["token"]
            command = {"type": kind, "player": 0}
            async with bearers(base, old, 2) as (owner, thief):
                fresh = (await ask(owner, table, command))["token"]
                refused = await ask(thief, table, command)
                assert refused["error"] == "key_reused"
                assert fresh not in "".join(thief.got)
            async with bearers(base, fresh, 1) as (holder,):
                assert (await holder.look(table))["players"] == [0]

    asyncio.run(scenario())


def test_two_bearers_with_the_same_key_never_open_the_same_table(base: str) -> None:
    async def scenario() -> None:
        body = {"key": "1", "game": "buffalo", "chairs": [{}, {}]}
        async with bearers(base, "a-token-that-several-have", 2) as (one, two):
            first = await one.request("POST", "/api/tables", body)
            assert first.status_code == 201
            second = await two.request("POST", "/api/tables", body)
            assert (second.status_code, second.json()["error"]) == (409, "key_reused")
            assert first.json()["invite"] not in second.text
            own = [
                (await one.request("POST", "/api/tables", {**body, "secret": secret})).json()
                for secret in (*SECRETS, SECRETS[1])
            ]
            assert own[1] == own[2]
            assert len({answer["table"] for answer in (first.json(), *own)}) == 3

    asyncio.run(scenario())


def test_a_guest_needs_no_secret_for_a_retry(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = (await ann.open("zoff", [{}, {}, {}]))["table"]
            first, again, told = (
                await ask(ann, table, CLAIM),
                await ask(ann, table, CLAIM),
                await ask(ann, table, CLAIM, SECRETS[0]),
            )
            assert first == again == told

    asyncio.run(scenario())


@pytest.mark.parametrize("secret", ["short", "x" * 65, "with blanks in the middle", 16 * "é"])
def test_a_secret_is_long_and_printable(base: str, secret: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            table = (await ann.open("zoff", [{}, {}, {}]))["table"]
            assert "secret" in json.dumps(await ask(ann, table, CLAIM, secret))

    asyncio.run(scenario())
