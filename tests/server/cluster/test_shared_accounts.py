"""Names, talk and ratings with two workers on one PostgreSQL: whatever is done at one holds at the other."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from stampede.server.ratings.rating_system import recompute
from stampede.server.ratings.service import compare, read_rated_games
from stampede.store import Store
from stampede.store.ratings.ratings import RatingStore
from tests.server.clients import Guest, guests
from tests.server.people import PASSPHRASE, new_name
from tests.server.servers import running, settings_for
from tests.store.databases import PostgresServer
from tests.waiting import until


async def kept(guest: Guest) -> str:
    """Keeps a name."""
    name = new_name()
    body = {"name": name, "passphrase": PASSPHRASE}
    assert (await guest.request("POST", "/api/accounts", body)).status_code == 201
    return name


def test_what_one_worker_does_holds_at_the_other(postgres: PostgresServer, tmp_path: Path) -> None:
    address = postgres.new_database()
    with ExitStack() as stack:
        one, two = (
            stack.enter_context(running(settings_for(tmp_path, database_url=address)))
            for _ in range(2)
        )
        asyncio.run(scenario(one, two))
    assert asyncio.run(differences(address)) == []


async def scenario(one: str, two: str) -> None:
    async with guests(one, 1) as (ann,), guests(two, 2) as (bob, phone):
        names = [await kept(ann), await kept(bob)]
        table = (await ann.open("buffalo", [{}, {}], public=True, rated=True))["table"]
        await ann.claim(table, 0, "-")
        await bob.claim(table, 1, "-")

        # Talk is heard at the other worker, every word of it.
        async with bob.socket(table) as socket:
            await socket.next()
            for phrase in ("hello", "good_luck", "have_fun"):
                await ann.request("POST", f"/api/tables/{table}/chat", {"phrase": phrase})
            heard = [await socket.until(lambda frame: frame["type"] == "chat") for _ in range(3)]
            assert sorted(frame["number"] for frame in heard) == [1, 2, 3]

        # A session ends everywhere at once.
        body = {"name": names[0], "passphrase": PASSPHRASE}
        assert (await phone.request("POST", "/api/sessions", body)).status_code == 201
        async with phone.socket(table) as socket:
            await socket.next()
            assert (await ann.request("DELETE", "/api/sessions")).json() == {"count": 1}
            with pytest.raises(Exception, match="4008"):
                await socket.until(lambda _: False)
        assert (await phone.request("GET", "/api/account")).json() == {"account": None}

        # A game counts once, whichever worker is asked.
        await bob.send(table, {"type": "resign", "player": 1})
        path = "/api/ratings?board=buffalo-buffalo-0"
        boards = await asyncio.gather(*(guest.request("GET", path) for guest in (ann, bob)))
        assert [board.json()["lines"][0]["games"] for board in boards] == [1, 1]

        # A name that is taken out of the log is gone at the other worker, too.
        assert names[0] in (await bob.request("GET", f"/api/tables/{table}/record")).text
        assert (await ann.request("DELETE", "/api/account")).json() == {"done": True}

        async def is_gone() -> bool:
            return names[0] not in (await bob.request("GET", f"/api/tables/{table}/record")).text

        await until("the name is gone from the record", is_gone, lambda: bob.got[-1])
        lines = (await bob.request("GET", path)).json()["lines"]
        assert lines == []


async def differences(address: str) -> list[object]:
    store = await Store.open(address)
    try:
        fresh = recompute(await read_rated_games(store, list))
        assert len(fresh.games) == 1
        return list(await compare(RatingStore(store.engine), fresh))
    finally:
        await store.close()
