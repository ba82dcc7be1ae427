"""Damage to the database's files is found, told, kept from spreading, and repaired as far as anything is left."""

import asyncio
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from stampede.core.errors import InputError
from stampede.server.ops.check import check_database
from stampede.server.ops.repair import repair
from stampede.store import Store
from stampede.store.files.side_files import accept
from stampede.store.ops.backup import restore
from tests.cli.helpers import invoke
from tests.server.clients import guests
from tests.server.ops.damage import make_databases, try_damage
from tests.server.servers import ServerProcess, running, settings_for

COUNT = int(os.environ.get("STAMPEDE_DAMAGE", "100"))
"""How often each database is damaged; `STAMPEDE_DAMAGE=5000` is the long form."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return asyncio.run(make_databases(tmp_path_factory.mktemp("databases")))


@pytest.fixture
def path(made: dict[str, Path], tmp_path: Path) -> Path:
    """A sound database, where it may be damaged."""
    for file in made["closed"].iterdir():
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / "tables.db"


def change(path: Path, statement: str) -> None:
    """Changes a database past the server, and accepts the change in its mark."""
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    accept(path)


def findings(path: Path) -> list[tuple[str, str]]:
    report = asyncio.run(check_database(f"sqlite:///{path}", list))
    return [(finding.where, finding.what) for finding in report.findings]


@pytest.mark.parametrize("state", ["closed", "killed"])
def test_no_harmful_damage_is_missed(made: dict[str, Path], state: str) -> None:
    found = try_damage(made[state], COUNT, seed=7)
    assert found["missed"] == 0, found
    assert sum(count for what, count in found.items() if what.startswith("found")) > COUNT // 5


@pytest.mark.parametrize("state", ["closed", "killed"])
def test_an_undamaged_database_is_sound_and_checking_changes_no_byte(
    made: dict[str, Path], state: str
) -> None:
    folder = made[state]
    before = {file.name: file.read_bytes() for file in folder.iterdir() if "-shm" not in file.name}
    report = asyncio.run(check_database(f"sqlite:///{folder / 'tables.db'}", list))
    assert (report.tables, report.entries, report.findings, report.notes) == (10, 587, [], [])
    after = {file.name: file.read_bytes() for file in folder.iterdir() if "-shm" not in file.name}
    assert after == before


@pytest.mark.parametrize(
    ("statement", "where", "what"),
    [
        ("UPDATE entries SET payload = '{}' WHERE rowid = 200", "table-11", "its digest differs"),
        ("DELETE FROM entries WHERE rowid = 300", "file", "expected entries 1 to"),
        ("UPDATE listings SET status = 'open' WHERE table_id = 'table-12'", "table-12", "listing"),
        ("DELETE FROM listings WHERE table_id = 'table-12'", "table-12", "isn't listed"),
        ("DELETE FROM players WHERE table_id = 'table-13'", "table-13", "list of its players"),
        ("INSERT INTO players VALUES ('eve', 'nowhere')", "nowhere", "the log has no such table"),
        ("INSERT INTO ratings VALUES ('a1','b','p',1.0,1.0,1,1,1)", "ratings", "by the log None"),
        ("UPDATE imported SET record = '{'", "imported", "JSON"),
        ("UPDATE accounts SET created = 'x' WHERE account_id = 'a1'", "accounts", "BIGINT"),
    ],
)
def test_a_change_past_the_log_is_found_even_when_the_mark_accepts_it(
    path: Path, statement: str, where: str, what: str
) -> None:
    change(path, statement)
    found = findings(path)
    assert any(place == where and what in text for place, text in found), found


def test_what_a_server_writes_during_a_check_is_no_finding(path: Path) -> None:
    names = ("entries", "listings", "players")
    with closing(sqlite3.connect(path, isolation_level=None)) as server:
        server.execute("PRAGMA journal_mode=WAL")
        query = "SELECT * FROM {} WHERE table_id = 'table-15' ORDER BY rowid"
        kept = {name: server.execute(query.format(name)).fetchall() for name in names}
        assert all(kept.values())
        for name in names:
            server.execute(f"DELETE FROM {name} WHERE table_id = 'table-15'")  # noqa: S608
        status = "UPDATE listings SET public = 1 - public WHERE table_id = 'table-12'"
        server.execute(status)

        def track(tables: Sequence[str]) -> Iterator[str]:
            yield from tables
            for name, rows in kept.items():  # the logs are read, the listings aren't
                marks = ", ".join("?" * len(rows[0]))
                server.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608
            server.execute(status)

        report = asyncio.run(check_database(f"sqlite:///{path}", track))
    assert {finding.where for finding in report.findings} <= {"file", "ratings"}, report.findings
    assert report.tables == 9


def test_a_changed_account_is_found_by_the_digests_of_pages(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE accounts SET name = 'Eve' WHERE account_id = 'a1'")
        database.commit()
    assert findings(path)[0][1].startswith("pages that aren't what was written")


def test_a_wrong_path_is_an_error_and_makes_no_file(tmp_path: Path) -> None:
    for command in ("check", "repair", "mark", "export x.jsonl", "reports"):
        result = invoke("db", *command.split(), "--database", f"sqlite:///{tmp_path}/none.db")
        assert (result.exit_code, "expected a database, got no file" in result.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_is_wrong_and_what_was_kept(path: Path) -> None:
    address = f"sqlite:///{path}"
    sound = invoke("db", "check", "--database", address)
    assert (sound.exit_code, sound.stdout) == (0, "10 tables, 587 entries: all sound\n")
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE entries SET mark = 'x' WHERE table_id = 'table-12' AND seq = 9")
        database.commit()
    wrong = invoke("db", "check", "--database", address, "--json")
    assert wrong.exit_code == 1
    assert {item["table"] for item in json.loads(wrong.stdout)["wrong"]} == {"file", "table-12"}
    mended = invoke("db", "repair", "--database", address)
    assert mended.exit_code == 1
    assert (
        "table-12: entry 9 isn't what was written: its digest differs: kept 8 of" in mended.stderr
    )
    fresh = path.with_name("tables.repaired.db")
    assert invoke("db", "check", "--database", f"sqlite:///{fresh}").exit_code == 0
    again = invoke("db", "repair", "--database", address)
    assert (again.exit_code, "expected no such file" in again.stderr) == (2, True)


def test_what_isn_t_damaged_survives_a_repair_row_by_row(path: Path) -> None:
    target = path.with_name("new.db")
    before = rows(path)
    report = asyncio.run(repair(path, target, list))
    assert (report.tables, report.entries, report.lost) == (10, 587, [])
    assert rows(target) == before


def test_a_repair_reads_around_broken_pages(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT pageno FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf'"
        leaves = [page for (page,) in database.execute(query)]
    with path.open("r+b") as stream:
        stream.seek((leaves[len(leaves) // 2] - 1) * 4096)
        stream.write(b"\xff" * 4096)
    assert findings(path)
    target = path.with_name("new.db")
    report = asyncio.run(repair(path, target, list))
    assert 0 < len({finding.where for finding in report.lost if "table-1" in finding.where}) <= 3
    assert report.entries > 400
    assert findings(target) == []


def test_a_repair_says_that_acknowledged_entries_are_gone(
    made: dict[str, Path], tmp_path: Path
) -> None:
    for file in made["killed"].iterdir():
        shutil.copy(file, tmp_path / file.name)
    path = tmp_path / "tables.db"
    path.with_name("tables.db-wal").unlink()
    report = asyncio.run(repair(path, tmp_path / "new.db", list))
    assert report.entries < 587
    lost = [f"{finding.where}: {finding.what}" for finding in report.lost]
    assert any(text.startswith("file: expected at least 587 entries") for text in lost), lost
    assert f"log: kept {report.entries} of 587 entries that were acknowledged" in lost


@pytest.mark.parametrize("number", ["seq - 1", "NULL", "'x'", "0"])
def test_a_repair_keeps_no_row_whose_number_is_wrong(path: Path, number: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "ALTER TABLE entries RENAME TO old;"  # the copy has no primary key
            "CREATE TABLE entries AS SELECT * FROM old ORDER BY rowid; DROP TABLE old;"
        )
        database.execute(
            f"UPDATE entries SET seq = {number} WHERE table_id = 'table-12' AND seq = 9"  # noqa: S608
        )
        database.commit()
    target = path.with_name("new.db")
    report = asyncio.run(repair(path, target, list))
    assert any(finding.where == "table-12" for finding in report.lost)
    assert findings(target) == []
    with closing(sqlite3.connect(target)) as database:
        query = "SELECT count(*) FROM entries WHERE table_id = 'table-12'"
        assert database.execute(query).fetchone() == (8,)


def rows(path: Path) -> dict[str, object]:
    with closing(sqlite3.connect(path)) as database:
        names = ("entries", "players", "accounts", "passkeys", "sessions", "blocks", "chat")
        found: dict[str, object] = {
            name: sorted(database.execute(f"SELECT * FROM {name}"), key=repr)  # noqa: S608
            for name in names
        }
        query = "SELECT table_id, game, status, public FROM listings ORDER BY table_id"
        return {**found, "listings": database.execute(query).fetchall()}


def test_an_accepted_restore_starts_and_a_stale_one_doesn_t(
    made: dict[str, Path], tmp_path: Path
) -> None:
    shutil.copy(made["older"].parent / "tables.db-mark", tmp_path / "tables.db-mark")
    path = Path(shutil.copy(made["older"] / "tables.db", tmp_path / "tables.db"))
    assert "older copy" in findings(path)[0][1]
    marked = invoke("db", "mark", "--database", f"sqlite:///{path}")
    assert (marked.exit_code, marked.stdout) == (0, f"{path}: marked with 587 entries\n")
    assert findings(path) == []
    asyncio.run(close(f"sqlite:///{path}"))


async def close(address: str) -> None:
    await (await Store.open(address)).close()


def test_a_damaged_table_refuses_commands_and_the_others_go_on(tmp_path: Path) -> None:
    async def open_two(base: str) -> list[str]:
        async with guests(base, 1) as (ann,):
            opened = [await ann.open("buffalo", [{}, {}]) for _ in range(2)]
            for item in opened:
                await ann.claim(item["table"], 0, "Ann")
            return [item["table"] for item in opened]

    async def look(base: str, tables: list[str]) -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=base) as client:
            return [await client.get(f"/api/tables/{table}") for table in tables]

    settings = settings_for(tmp_path)
    with running(settings) as base:
        tables = asyncio.run(open_two(base))
    change(
        tmp_path / "tables.db",
        f"UPDATE entries SET payload = replace(payload, 'Ann', 'Eve') WHERE table_id = '{tables[0]}'",  # noqa: S608
    )
    with running(settings) as base:
        damaged, sound = asyncio.run(look(base, tables))
        assert (damaged.status_code, damaged.json()["error"]) == (503, "damaged")
        assert sound.status_code in (200, 401, 403)
        assert httpx.get(f"{base}/readyz").status_code == 200


def test_a_second_server_on_the_same_file_names_the_first(tmp_path: Path) -> None:
    server, umask = ServerProcess(tmp_path), os.umask(0)
    address = f"sqlite:///{tmp_path / 'tables.db'}"
    try:
        result = invoke("serve", "--no-warmup", "--port", "0", "--database", address)
        assert result.exit_code == 2
        assert f"but process {server.pid} serves it" in result.stderr
        rights = {file.name: file.stat().st_mode & 0o077 for file in tmp_path.glob("tables.db*")}
        assert rights
        assert not any(rights.values()), rights
    finally:
        os.umask(umask)
        server.stop()


def test_a_newer_schema_is_one_line(path: Path) -> None:
    change(path, "UPDATE alembic_version SET version_num = '0999'")
    for command in (("serve", "--no-warmup"), ("db", "check"), ("db", "export", "x.jsonl")):
        result = invoke(*command, "--database", f"sqlite:///{path}")
        assert result.exit_code in (1, 2)
        assert re.search(r"expected a database of schema 0\d{3} or older, got 0999", result.stderr)


def test_a_backup_that_has_changed_isn_t_restored(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert invoke("db", "backup", str(copy), "--database", f"sqlite:///{path}").exit_code == 0
    assert findings(copy) == []
    data = bytearray(copy.read_bytes())
    data[-5] ^= 1
    copy.write_bytes(data)
    with pytest.raises(InputError, match="has changed"):
        asyncio.run(restore(copy, f"sqlite:///{tmp_path / 'new.db'}"))
