"""Sessions that end, and passphrases that change, while a request that was let in is under way."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from stampede.core.json import JsonObject
from stampede.server.accounts.passphrases import Passphrases
from stampede.server.accounts.session_watch import SessionWatch
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import Viewer
from tests.server.clients import guests
from tests.server.people import PASSPHRASE, account, browser, keep, new_name, sign_in
from tests.server.servers import running, settings_for

NEW = "another passphrase of hers"


def end_in_database(folder: Path) -> None:
    """What this worker sees of a session that another worker has ended, when the signal is lost."""
    with sqlite3.connect(folder / "tables.db", timeout=30) as database:
        database.execute("DELETE FROM sessions")
    database.close()


@pytest.mark.parametrize("way", ["signed out elsewhere", "ended by another worker"])
def test_a_session_that_ends_while_its_socket_enters_sees_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """It ends after the caller was identified, before the viewer is in the room, where a signal would find it."""
    enter = TableActor.enter
    end: list[Callable[[], Awaitable[object]]] = []

    async def enter_late(self: TableActor, viewer: Viewer, since: int | None) -> JsonObject:
        if end:
            await end.pop()()
        return await enter(self, viewer, since)

    async def scenario(base: str) -> None:
        async with guests(base, 2) as (phone, laptop):
            name = new_name()
            body = {"name": name, "passphrase": PASSPHRASE}
            assert (await phone.request("POST", "/api/accounts", body)).status_code == 201
            assert (await laptop.request("POST", "/api/sessions", body)).status_code == 201
            table = (await laptop.open("buffalo", [{}, {}], watch=False))["table"]
            await laptop.claim(table, 0, name)
            cookies = dict(laptop.client.cookies)

            def sign_out() -> object:
                return httpx.delete(
                    f"{base}/api/sessions", cookies=cookies, headers={"Origin": base}
                )

            chosen = sign_out if way.startswith("signed") else lambda: end_in_database(tmp_path)
            end.append(lambda: asyncio.to_thread(chosen))
            async with phone.socket(table) as socket:
                frame = await socket.next()
            assert (frame["type"], frame["status"], frame["error"]) == ("error", 401, "signed_out")

    monkeypatch.setattr(TableActor, "enter", enter_late)
    with running(settings_for(tmp_path)) as base:
        asyncio.run(scenario(base))


def test_sockets_of_sessions_that_ended_without_a_signal_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stampede.server.accounts.session_watch.CHECK_SECONDS", 0.05)

    async def scenario(base: str) -> None:
        async with guests(base, 2) as (phone, stranger):
            body = {"name": new_name(), "passphrase": PASSPHRASE}
            assert (await phone.request("POST", "/api/accounts", body)).status_code == 201
            table = (await phone.open("buffalo", [{}, {}]))["table"]
            async with phone.socket(table) as socket, stranger.socket(table) as other:
                await asyncio.gather(socket.next(), other.next())
                await asyncio.to_thread(end_in_database, tmp_path)
                with pytest.raises(Exception, match="4008"):
                    await socket.until(lambda _: False)
                await other.raw.send('{"type": "ping"}')
                assert (await other.next())["type"] == "pong", "a guest has no session to end"

    assert SessionWatch.run is not None
    with running(settings_for(tmp_path)) as base:
        asyncio.run(scenario(base))


def interleaved(monkeypatch: pytest.MonkeyPatch, name: str, between: Callable[[], object]) -> None:
    """Does something once, after a passphrase was hashed or verified, and before that is used."""
    plain = getattr(Passphrases, name)
    left = [between]

    async def slow(self: Passphrases, *arguments: str) -> object:
        found = await plain(self, *arguments)
        if (left and PASSPHRASE in arguments) or (left and NEW in arguments):
            await asyncio.to_thread(left.pop())
        return found

    monkeypatch.setattr(Passphrases, name, slow)


def test_a_session_that_ends_while_it_changes_the_passphrase_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thief is thrown out while the new passphrase is hashed: the account stays its owner's."""
    with running(settings_for(tmp_path)) as base, browser(base) as owner, browser(base) as thief:
        name = new_name()
        keep(owner, name)
        assert sign_in(thief, name).status_code == 201
        interleaved(monkeypatch, "hash", lambda: owner.delete("/api/sessions"))
        changed = thief.post("/api/account/passphrase", json={"passphrase": NEW})
        assert (changed.status_code, changed.json()["error"]) == (401, "signed_out")
        assert account(owner) is not None, "the owner's session goes on"
        assert sign_in(thief, name, NEW).status_code == 401
        assert sign_in(thief, name).status_code == 201


def test_a_passphrase_that_is_changed_while_it_is_verified_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All other sessions end with the change; one by the old passphrase doesn't begin after it."""
    with running(settings_for(tmp_path)) as base, browser(base) as owner, browser(base) as thief:
        name = new_name()
        keep(owner, name)

        def change() -> None:
            body = {"passphrase": NEW}
            owner.post("/api/account/passphrase", json=body).raise_for_status()

        interleaved(monkeypatch, "verify", change)
        assert sign_in(thief, name).status_code == 401
        assert account(thief) is None
        assert sign_in(thief, name, NEW).status_code == 201
