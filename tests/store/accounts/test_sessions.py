"""Sessions, passkeys and challenges: each belongs to one account, and a challenge is used once."""

from dataclasses import replace

import pytest

from stampede.store import Store
from stampede.store.accounts import sessions as sessions_module
from stampede.store.accounts.accounts import Account, AccountStore
from stampede.store.accounts.sessions import Passkey, PasskeyStore, Session, SessionStore
from tests.store.opened import with_store

NOW = 1_700_000_000_000


def session(digest: str, account: str = "a1", seen: int = NOW) -> Session:
    name = {"a1": "Ann", "a2": "Ben"}[account]
    return Session(digest, f"s-{digest}", account, name, NOW, NOW, seen, "phone")


def passkey(digest: str, account: str = "a1", created: int = NOW) -> Passkey:
    return Passkey(digest, account, f"id {digest}", "key", 0, "localhost", "phone", created)


async def add_people(store: Store) -> None:
    accounts = AccountStore(store.engine)
    await accounts.create(Account("a1", "Ann", "ann", None, NOW), [])
    await accounts.create(Account("a2", "Ben", "ben", "hash", NOW), [])


def test_a_new_session_replaces_the_one_that_the_browser_had(address: str) -> None:
    async def scenario(store: Store) -> None:
        await add_people(store)
        sessions = SessionStore(store.engine)
        await sessions.begin(session("d1"), None)
        await sessions.begin(session("d2"), "d1")
        assert await sessions.find("d1") is None
        assert await sessions.find("d2") == session("d2")

    with_store(address, scenario)


def test_beyond_the_limit_the_session_unused_for_longest_goes(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_module, "MAX_SESSIONS", 3)

    async def scenario(store: Store) -> None:
        await add_people(store)
        sessions = SessionStore(store.engine)
        await sessions.begin(session("other", "a2", seen=NOW - 9), None)
        for digest, seen in (("d1", 5), ("d2", 1), ("d3", 3), ("d4", 4)):
            await sessions.begin(session(digest, seen=NOW + seen), None)
        assert [each.digest for each in await sessions.of("a1")] == ["d1", "d4", "d3"]
        assert [each.digest for each in await sessions.of("a2")] == ["other"]

    with_store(address, scenario)


def test_a_session_is_ended_by_its_own_account_alone(address: str) -> None:
    async def scenario(store: Store) -> None:
        await add_people(store)
        sessions = SessionStore(store.engine)
        for digest in ("d1", "d2", "d3"):
            await sessions.begin(session(digest), None)
        await sessions.begin(session("d4", "a2"), None)
        assert not await sessions.end("a2", "s-d1")
        assert await sessions.end("a1", "s-d1")
        assert not await sessions.end("a1", "s-d1")
        assert await sessions.end_others("a1", "d2") == 1
        assert [each.digest for each in await sessions.of("a1")] == ["d2"]
        assert [each.digest for each in await sessions.of("a2")] == ["d4"]

    with_store(address, scenario)


def test_use_and_confirmation_are_stored_and_unused_sessions_are_deleted(address: str) -> None:
    async def scenario(store: Store) -> None:
        await add_people(store)
        sessions = SessionStore(store.engine)
        await sessions.begin(session("d1"), None)
        await sessions.begin(session("d2"), None)
        await sessions.touch("d1", seen=NOW + 5)
        assert await sessions.find("d1") == replace(session("d1"), seen=NOW + 5)
        await sessions.touch("d1", seen=NOW + 7, confirmed=NOW + 6)
        assert await sessions.find("d1") == replace(session("d1"), seen=NOW + 7, confirmed=NOW + 6)
        await sessions.delete_unused(NOW + 7)
        assert await sessions.find("d2") is None
        assert await sessions.find("d1") is not None

    with_store(address, scenario)


def test_the_last_passkey_stays_unless_there_is_a_passphrase(address: str) -> None:
    async def scenario(store: Store) -> None:
        await add_people(store)
        passkeys = PasskeyStore(store.engine)
        assert await passkeys.add(passkey("p2", created=NOW + 1))
        assert await passkeys.add(passkey("p1"))
        assert not await passkeys.add(passkey("p1", "a2"))
        assert await passkeys.of("a1") == [passkey("p1"), passkey("p2", created=NOW + 1)]
        assert not await passkeys.remove("a2", "p1")  # another account's
        assert await passkeys.remove("a1", "p1")
        assert not await passkeys.remove("a1", "p2")  # without it there is no way in
        assert await passkeys.find("p2") == passkey("p2", created=NOW + 1)
        assert await passkeys.add(passkey("p3", "a2"))
        assert await passkeys.remove("a2", "p3")  # has a passphrase
        assert await passkeys.find("p3") is None

    with_store(address, scenario)


def test_the_use_of_a_passkey_is_stored(address: str) -> None:
    async def scenario(store: Store) -> None:
        await add_people(store)
        passkeys = PasskeyStore(store.engine)
        await passkeys.add(passkey("p1"))
        await passkeys.note_use("p1", 41, NOW + 3)
        assert await passkeys.find("p1") == replace(passkey("p1"), sign_count=41, used=NOW + 3)

    with_store(address, scenario)


def test_a_challenge_works_once_in_time_and_for_its_purpose(address: str) -> None:
    async def scenario(store: Store) -> None:
        passkeys = PasskeyStore(store.engine)
        for challenge in ("c1", "c2", "c3"):
            await passkeys.add_challenge(challenge, "create", "a1", NOW)
        assert await passkeys.use_challenge("c1", "create", NOW) == "a1"
        assert await passkeys.use_challenge("c1", "create", NOW) is None
        assert await passkeys.use_challenge("c2", "create", NOW + 1) is None  # too late
        assert await passkeys.use_challenge("c3", "get", NOW) is None
        assert await passkeys.use_challenge("c3", "create", NOW) is None  # a wrong use counts, too
        assert await passkeys.use_challenge("unknown", "get", NOW) is None

    with_store(address, scenario)


def test_a_session_begins_only_while_the_verified_passphrase_holds(address: str) -> None:
    async def scenario(store: Store) -> None:
        await add_people(store)
        sessions = SessionStore(store.engine)
        assert not await sessions.begin(session("d1", "a2"), None, passphrase="old hash")  # noqa: S106 - a digest
        assert await sessions.find("d1") is None
        assert await sessions.begin(session("d2", "a2"), None, passphrase="hash")  # noqa: S106 - a digest
        assert await sessions.find_present(["d1", "d2", "d3"]) == {"d2"}
        assert await sessions.find_present([]) == set()

    with_store(address, scenario)
