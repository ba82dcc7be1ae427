"""A database of an earlier day is brought up to date, and its tables go on where they were.

`old/schema-0001.db` was written by the server of commit 3824a0d, the last with the first schema: a finished game of
each kind, also brought in as records, a running one, and a table in the lobby.
"""

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

from stampede.server.http.identity import Signer
from stampede.server.ops.check import check_database
from stampede.store import Store
from stampede.store.ops.backup import backup, restore
from tests.server.clients import guests
from tests.server.servers import running, settings_for

OLD = Path(__file__).with_name("old") / "schema-0001.db"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The old database, where it may be changed."""
    return Path(shutil.copyfile(OLD, tmp_path / "tables.db"))


def rows_of(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    query = "SELECT table_id, seq, mark, payload FROM entries ORDER BY table_id, seq"
    rows = connection.execute(query).fetchall()
    connection.close()
    return rows


def test_every_table_of_an_old_database_is_sound_after_the_migrations(copied: Path) -> None:
    async def scenario() -> None:
        store = await Store.open(f"sqlite:///{copied}")
        assert len(await store.imported_ids()) == 2
        assert len(await store.contested("buffalo")) == 1, "the running game between people"
        assert await store.contested("zoff") == {}
        await store.close()
        report = await check_database(f"sqlite:///{copied}", list)
        assert (report.tables, report.findings, report.notes) == (4, [], [])

    before = rows_of(copied)
    asyncio.run(scenario())
    assert rows_of(copied) == before


def test_an_old_backup_restores_into_today_s_schema(copied: Path, tmp_path: Path) -> None:
    async def scenario() -> None:
        await backup(f"sqlite:///{copied}", tmp_path / "copy.db")
        count = await restore(tmp_path / "copy.db", f"sqlite:///{tmp_path / 'new.db'}")
        assert count == len(rows_of(OLD))

    asyncio.run(scenario())
    assert rows_of(tmp_path / "new.db") == rows_of(copied)


def test_a_game_that_was_running_then_goes_on_today(copied: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(copied)
    table, summary = connection.execute(
        "SELECT table_id, summary FROM listings WHERE status = 'running'"
    ).fetchone()
    key = connection.execute("SELECT value FROM store_values WHERE name = 'signing_key'").fetchone()
    sitting = connection.execute("SELECT guest FROM players WHERE table_id = ?", [table]).fetchall()
    connection.close()
    assert "Änne" in summary

    async def scenario(base: str) -> None:
        async with guests(base, 2) as people:
            moved = 0
            for person, (guest,) in zip(people, sitting, strict=True):
                person.client.cookies.clear()
                person.client.cookies.set("stampede_guest", Signer(key[0].encode()).sign(guest))
                async with person.socket(table) as socket:
                    await socket.next()
                    assert socket.view["phase"] == "playing", "its clock stood still since then"
                    if socket.asked:
                        moves = socket.view["view"]["legal"]["moves"]
                        start = min(moves)
                        assert (await socket.act(start + moves[start][0]))["type"] == "ack"
                        moved += 1
            assert moved >= 1

    with running(settings_for(tmp_path)) as base:
        asyncio.run(scenario(base))
