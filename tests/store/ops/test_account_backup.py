"""A backup brings people along, too: every row of every table, from SQLite to either database."""

import asyncio
from pathlib import Path
from typing import Any

from sqlalchemy import select

from stampede.server.ratings.rating_system import rate
from stampede.store import Append, Listing, Store
from stampede.store.accounts.accounts import Account, AccountStore, AccountTable
from stampede.store.accounts.lessons import LessonProgress
from stampede.store.accounts.my_tables import MyTables
from stampede.store.accounts.profiles import Profiles
from stampede.store.accounts.push import PushStore, Subscription
from stampede.store.accounts.puzzle_days import PuzzleDays
from stampede.store.accounts.puzzles import PuzzleRatings, Solvers
from stampede.store.accounts.sessions import Passkey, PasskeyStore, Session, SessionStore
from stampede.store.community.chat import ChatMessage, ChatStore
from stampede.store.community.moderation import ModerationStore, PlayerBlock, PlayerReport
from stampede.store.ops.backup import backup, restore
from stampede.store.ratings.ratings import (
    QueuedTable,
    RatedGame,
    RatedPlayer,
    Rating,
    RatingStore,
)
from stampede.store.schema import ALL
from tests.store.databases import sqlite_address

NOW = 1_700_000_000_000


async def peopled(address: str) -> None:
    """Fills every table with something."""
    store = await Store.open(address)
    try:
        engine = store.engine
        listing = Listing("t1", "buffalo", "over", True, NOW, "{}", ("a1",), 1)
        await store.append(Append("t1", 1, ("{}",), listing))
        await store.import_record("r1", "buffalo", "{}")
        await store.value("signing_key", "s")
        accounts = AccountStore(engine)
        await accounts.create(Account("a1", "Zoë", "zoë", "$argon2id$x", NOW), ["d1", "d2"])
        await accounts.add_tables("a1", [AccountTable("t1", "a1")], NOW)
        session = Session("d" * 64, "s1", "a1", "Zoë", NOW, NOW, NOW, "phone")
        await SessionStore(engine).begin(session, None)
        passkeys = PasskeyStore(engine)
        await passkeys.add(Passkey("p" * 64, "a1", "id", "key", 2**40, "localhost", "phone", NOW))
        await passkeys.add_challenge("c1", "get", "", NOW)
        players = (
            RatedPlayer(0, "a1", "buffalo-buffalo-0", 1),
            RatedPlayer(1, "bot:random", "buffalo-hunter-0", 2),
        )
        await MyTables(engine).hide("a1", "t1", NOW)
        await LessonProgress(engine).add("a1", ["zoff/first-round"], NOW)
        rated = Rating(25.0, 8.0, 1, 1, NOW), Rating(20.0, 4.0, 1, 0, NOW)
        puzzles = PuzzleRatings(engine)
        await puzzles.count(Solvers.BUFFALO, "a1", "puzzle:x", solved=True, rate=lambda *_: rated)
        await PuzzleDays(engine).add("a1", {"zoff": {"2026-11-10": "solved"}}, NOW)
        await Profiles(engine).show("a1", shown=True)
        browser = Subscription("https://push.example/x", "key", "auth", "en")
        await PushStore(engine).add("a1", browser, NOW, session.session_id)
        game = RatedGame("t1", 1, "buffalo-0", NOW, players)
        await RatingStore(engine).count(QueuedTable("t1", 0), [game], rate)
        moderation = ModerationStore(engine)
        await moderation.add_block(PlayerBlock("a1", "g2", "b1", "Eve", NOW))
        await moderation.add_removal("t1", "guest:g2")
        report = PlayerReport(
            "r1", NOW, "open", "guest:a1", "guest:g2", "t1", 1, "Eve", "spam", "", "[]"
        )
        await moderation.add_report(report)
        chat = ChatStore(engine)
        await chat.add("t1", ChatMessage(0, NOW, "guest:a1", 0, "phrase", "hello"))
        await chat.set_consent("t1", "guest:a1", agree=True)
    finally:
        await store.close()


async def rows(address: str) -> dict[str, list[dict[str, Any]]]:
    """Everything that a database holds."""
    store = await Store.open(address)
    try:
        async with store.engine.connect() as connection:
            return {
                table.name: sorted(
                    (dict(row) for row in (await connection.execute(select(table))).mappings()),
                    key=repr,
                )
                for table in ALL
            }
    finally:
        await store.close()


def test_a_backup_brings_everything_about_people(address: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        source = sqlite_address(tmp_path)
        await peopled(source)
        await backup(source, tmp_path / "copy.db")
        await restore(tmp_path / "copy.db", address)
        kept = await rows(source)
        assert all(kept.values()), [name for name, found in kept.items() if not found]
        assert await rows(address) == kept

    asyncio.run(scenario())
