"""Accounts: names are unique, a recovery code works once, deleting leaves nothing behind."""

from dataclasses import replace

from stampede.store import Append, Listing, Store
from stampede.store.accounts.accounts import Account, AccountStore, AccountTable
from stampede.store.accounts.sessions import Passkey, PasskeyStore, Session, SessionStore
from stampede.store.community.moderation import ModerationStore, PlayerBlock
from tests.store.opened import with_store

NOW = 1_700_000_000_000
ANN = Account("a1", "Ann", "ann", "hash 1", NOW)
BEN = Account("a2", "Ben", "ben", None, NOW)


def test_a_taken_name_is_refused_and_changes_nothing(address: str) -> None:
    async def scenario(store: Store) -> None:
        accounts = AccountStore(store.engine)
        assert await accounts.create(ANN, ["c1"])
        assert await accounts.create(BEN, [])
        assert not await accounts.create(replace(ANN, account_id="a3"), ["c2"])
        assert not await accounts.rename("a2", "ANN", "ann")
        assert await accounts.find("a2") == BEN
        assert await accounts.find("a3") is None
        assert await accounts.codes_left("a3") == 0
        assert await accounts.rename("a2", "Cleo", "cleo")
        assert await accounts.find_by_name("cleo") == replace(BEN, name="Cleo", folded="cleo")
        assert await accounts.find_by_name("ben") is None

    with_store(address, scenario)


def test_a_recovery_code_works_once_and_signs_every_device_out(address: str) -> None:
    async def scenario(store: Store) -> None:
        accounts, sessions = AccountStore(store.engine), SessionStore(store.engine)
        await accounts.create(ANN, ["c1", "c2"])
        await accounts.create(BEN, ["c3"])
        for account, digest in (("a1", "d1"), ("a2", "d2")):
            await sessions.begin(Session(digest, digest, account, "", NOW, NOW, NOW, "x"), None)
        assert not await accounts.use_code("a1", "c3", "hash 2")  # another account's code
        assert await accounts.find("a1") == ANN
        assert await sessions.find("d1") is not None
        assert await accounts.use_code("a1", "c1", "hash 2")
        assert not await accounts.use_code("a1", "c1", "hash 3")
        assert await accounts.find("a1") == replace(ANN, passphrase="hash 2")  # noqa: S106 - a digest
        assert await sessions.find("d1") is None
        assert await sessions.find("d2") is not None
        assert (await accounts.codes_left("a1"), await accounts.codes_left("a2")) == (1, 1)

    with_store(address, scenario)


def test_new_codes_replace_all_old_ones(address: str) -> None:
    async def scenario(store: Store) -> None:
        accounts = AccountStore(store.engine)
        await accounts.create(ANN, ["c1", "c2"])
        await accounts.set_codes("a1", ["c4"])
        assert await accounts.codes_left("a1") == 1
        assert not await accounts.use_code("a1", "c1", "hash 2")
        await accounts.set_codes("a1", [])
        assert await accounts.codes_left("a1") == 0
        await accounts.set_passphrase("a1", "hash 5")
        assert await accounts.find("a1") == replace(ANN, passphrase="hash 5")  # noqa: S106 - a digest

    with_store(address, scenario)


def test_a_deleted_account_leaves_nothing_and_its_name_is_free(address: str) -> None:
    async def scenario(store: Store) -> None:
        accounts, sessions = AccountStore(store.engine), SessionStore(store.engine)
        passkeys, moderation = PasskeyStore(store.engine), ModerationStore(store.engine)
        for account in (ANN, BEN):
            own = account.account_id
            await accounts.create(account, [f"code of {own}"])
            await accounts.add_tables(own, [AccountTable("t1", own)], NOW)
            await sessions.begin(Session(f"d{own}", own, own, "", NOW, NOW, NOW, ""), None)
            await passkeys.add(Passkey(f"p{own}", own, "id", "key", 0, "site", "", NOW))
        await moderation.add_block(PlayerBlock("a1", "a2", "b1", "Ben", NOW))
        await moderation.add_block(PlayerBlock("g1", "a1", "b2", "Ann", NOW))
        await moderation.add_block(PlayerBlock("g1", "a2", "b3", "Ben", NOW))
        await accounts.delete("a1")
        assert await accounts.find("a1") is None
        assert await accounts.tables("a1") == []
        assert await accounts.codes_left("a1") == 0
        assert await sessions.of("a1") == []
        assert await passkeys.of("a1") == []
        assert [block.block_id for block in await moderation.blocks("g1")] == ["b3"]
        assert await moderation.blocks("a1") == []
        assert await accounts.tables("a2") == [AccountTable("t1", "a2")]
        assert [passkey.digest for passkey in await passkeys.of("a2")] == ["pa2"]
        assert await accounts.create(replace(ANN, account_id="a9"), [])

    with_store(address, scenario)


def test_tables_are_remembered_once_and_listed_by_their_latest_change(address: str) -> None:
    async def scenario(store: Store) -> None:
        accounts = AccountStore(store.engine)
        await accounts.create(ANN, [])
        for number in (1, 2, 3):
            listing = Listing(f"t{number}", "zoff", "open", True, NOW + number, f'"{number}"')
            await store.append(Append(f"t{number}", 1, ("{}",), listing))
        one, two, three = (AccountTable(f"t{number}", "g1") for number in (1, 2, 3))
        await accounts.add_tables("a1", [one, one], NOW)
        await accounts.add_tables("a1", [one, AccountTable("t1", "a1"), two], NOW + 1)
        await accounts.add_tables("a1", [three], NOW + 2)
        tables = await accounts.tables("a1")
        assert tables[0] == three
        assert sorted(tables[1:3], key=str) == sorted([AccountTable("t1", "a1"), two], key=str)
        assert tables[3:] == [one]
        assert await accounts.summaries("a1", 2, NOW + 9) == ['"3"', '"2"']
        assert await accounts.summaries("a1", 9, NOW + 2) == ['"1"']
        assert await accounts.summaries("a2", 9, NOW + 9) == []

    with_store(address, scenario)


def test_a_passphrase_changes_only_from_the_one_and_by_the_session_that_were_seen(
    address: str,
) -> None:
    async def scenario(store: Store) -> None:
        accounts, sessions = AccountStore(store.engine), SessionStore(store.engine)
        await accounts.create(ANN, [])
        for digest in ("d1", "d2"):
            await sessions.begin(Session(digest, digest, "a1", "", NOW, NOW, NOW, "x"), None)
        assert not await accounts.set_passphrase("a1", "hash 2", before="another hash")
        assert not await accounts.set_passphrase("a1", "hash 2", session="ended")
        assert await accounts.find("a1") == ANN
        assert await accounts.set_passphrase("a1", "hash 2", before="hash 1", session="d2")
        assert await accounts.find("a1") == replace(ANN, passphrase="hash 2")  # noqa: S106 - a digest
        assert [each.digest for each in await sessions.of("a1")] == ["d2"]

    with_store(address, scenario)
