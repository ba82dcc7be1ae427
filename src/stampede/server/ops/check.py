"""Checks a whole database without changing it: the file, each table's log and games, and what is derived from them."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Boolean, Float, Integer, String, Table, select

from stampede.core.errors import InputError, StampedeError
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.matches.table import Table as MatchTable
from stampede.server.ops.archive import rebuild_table
from stampede.server.ratings.rating_system import rated_games, recompute
from stampede.server.ratings.service import compare
from stampede.server.tables.listing import listing_of
from stampede.store import Listing, LogEntry, Store
from stampede.store.engine import database_url, sqlite_path
from stampede.store.errors import OldSchema, UnknownSchema
from stampede.store.files.mark import mark_path
from stampede.store.log.chain import find_break
from stampede.store.ops.backup import copy_file
from stampede.store.ops.file_check import check_file
from stampede.store.ratings.ratings import RatedGame, RatingStore
from stampede.store.schema import ALL, ENTRIES, IMPORTED, LISTINGS, PLAYERS, RATING_QUEUE, REPORTS
from stampede.store.transactions import begin_read

__all__ = ["CheckReport", "CheckedTable", "Finding", "check_database", "check_table"]

Track = Callable[[Sequence[str]], Iterable[str]]
"""Wraps the list of tables, to show progress."""

BAD_LOG = (StampedeError, ValueError, LookupError, TypeError, AttributeError)
"""What a fold raises when entries aren't what a table has written."""

MAX_COMPARISONS: Final = 5
"""How often ratings are compared with a log that goes on meanwhile."""


class Finding(NamedTuple):
    """Something that is wrong, and where: the file, a table, or a part of the database."""

    where: str
    what: str


@dataclass(slots=True)
class CheckReport:
    """The result of checking a database.

    Attributes:
        tables: How many tables were checked.
        entries: How many entries they have.
        findings: What is wrong.
        notes: What couldn't be checked, though nothing is wrong.
    """

    tables: int = 0
    entries: int = 0
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class CheckedTable(NamedTuple):
    """A table whose log was checked.

    Attributes:
        table: The table; None if it can't be rebuilt.
        sound: How many entries are sound.
        problem: What is wrong; None if nothing is.
    """

    table: MatchTable | None
    sound: int
    problem: str | None


async def check_database(address: str, track: Track) -> CheckReport:
    """Checks a database; raises InputError if there is none."""
    path, report = sqlite_path(database_url(address)), CheckReport()
    if path is not None:
        if not path.is_file() and not mark_path(path).is_file():
            raise InputError(f"{path}: expected a database, got no file")
        found = await asyncio.to_thread(check_file, path)
        report.notes += found.notes
        report.findings += [Finding("file", problem) for problem in found.problems]
        if not path.is_file() or not path.stat().st_size:
            return report
    try:
        store = await Store.open_for_reading(address)
    except OldSchema as error:
        if path is None:
            raise
        report.notes.append(f"{error}; a copy was brought up to date and checked")
        await _check_copy(path, report, track)
        return report
    except UnknownSchema:
        raise
    except BAD_LOG as error:
        report.findings.append(Finding("database", str(error)))
        return report
    try:
        await _check_store(store, report, track)
    finally:
        await store.close()
    return report


async def _check_copy(path: Path, report: CheckReport, track: Track) -> None:
    """Checks a database of an earlier schema: a copy in a temporary folder is migrated."""
    with tempfile.TemporaryDirectory(prefix="stampede-check-") as folder:
        copy = Path(folder) / "copy.db"
        await asyncio.to_thread(copy_file, path, copy)
        store = await Store.open(f"sqlite:///{copy}")
        try:
            await _check_store(store, report, track)
        finally:
            await store.close()


async def _check_store(store: Store, report: CheckReport, track: Track) -> None:
    tables: dict[str, MatchTable] = {}
    games: list[RatedGame] = []
    try:
        table_ids = [table_id async for table_id in store.table_ids()]
    except StampedeError as error:
        report.findings.append(Finding("log", str(error)))
        return
    report.tables = len(table_ids)
    for table_id in track(table_ids):
        try:
            entries = await store.read(table_id, unchecked=True)
        except StampedeError as error:
            report.findings.append(Finding(table_id, str(error)))
            continue
        checked = await asyncio.to_thread(check_table, table_id, entries)
        report.entries += len(entries)
        if checked.problem is not None or checked.table is None:
            report.findings.append(Finding(table_id, checked.problem or "can't be rebuilt"))
        else:
            tables[table_id] = checked.table
            games += await asyncio.to_thread(rated_games, entries)
    whole = len(tables) == len(table_ids)
    for check in (_check_listings(store, tables), _check_rows(store, tables, whole=whole)):
        try:
            report.findings += [finding async for finding in check]
        except BAD_LOG as error:
            report.findings.append(Finding("database", str(error)))
    await _check_ratings(store, games, report, whole=whole)


# --- the log ---


def check_table(table_id: str, entries: Sequence[LogEntry]) -> CheckedTable:
    """Checks a table's log: its chain, that it can be rebuilt, and that the records of finished games replay."""
    found = find_break(table_id, entries)
    if found is not None:
        return CheckedTable(None, found.last_sound, found.problem)
    try:
        table = rebuild_table(entries)
        if table.state.table != table_id:
            return CheckedTable(None, 0, f"its log is that of table {table.state.table}")
        _replay_games(table)
    except BAD_LOG as error:
        return CheckedTable(None, _count_foldable(entries), f"can't be rebuilt: {error}")
    return CheckedTable(table, len(entries), None)


def _replay_games(table: MatchTable) -> None:
    state = table.state
    for match in (*state.past, *((state.match,) if state.match else ())):
        if match.ended_at is not None and not match.aborted:
            record = table.log_record(match.number)
            replay(game_named(record.game).game, record)


def _count_foldable(entries: Sequence[LogEntry]) -> int:
    """Returns how many entries from the beginning make a table whose games replay."""
    low, high = 0, len(entries)
    while low < high:
        middle = (low + high + 1) // 2
        try:
            _replay_games(rebuild_table(entries[:middle]))
        except BAD_LOG:
            high = middle - 1
        else:
            low = middle
    return low


# --- what is derived from the log ---


async def _check_listings(store: Store, tables: dict[str, MatchTable]) -> AsyncIterator[Finding]:
    async with begin_read(store.engine) as connection:
        listings = {row.table_id: row for row in await connection.execute(select(LISTINGS))}
        players: dict[str, set[str]] = {}
        for seat in await connection.execute(select(PLAYERS)):
            players.setdefault(seat.table_id, set()).add(seat.guest)
    for table_id, table in tables.items():
        if _compare_listing(table, listings.get(table_id), players.get(table_id, set())):
            for problem in await _compare_again(store, table_id):
                yield Finding(table_id, problem)


async def _compare_again(store: Store, table_id: str) -> list[str]:
    """Compares a table's log and its listing as of one moment: a server may have written in between."""
    async with begin_read(store.engine) as connection:
        log = select(ENTRIES).where(ENTRIES.c.table_id == table_id).order_by(ENTRIES.c.seq)
        entries = [
            LogEntry(row.seq, row.payload, row.mark, row.chain)
            for row in await connection.execute(log)
        ]
        row = (
            await connection.execute(select(LISTINGS).where(LISTINGS.c.table_id == table_id))
        ).first()
        seats = await connection.execute(select(PLAYERS).where(PLAYERS.c.table_id == table_id))
        players = {seat.guest for seat in seats}
    checked = await asyncio.to_thread(check_table, table_id, entries)
    if checked.table is None:
        return [checked.problem or "can't be rebuilt"]
    return _compare_listing(checked.table, row, players)


def _compare_listing(table: MatchTable, row: Any, players: set[str]) -> list[str]:
    """Returns how a table's listing and players differ from its log."""
    wanted = listing_of(table.state)
    if row is None:
        return ["it isn't listed"]
    problems = []
    if not _is_listed_so(row, wanted):
        problems.append("its listing isn't what the log says")
    if players != set(wanted.guests or ()):
        problems.append("the list of its players isn't what the log says")
    return problems


def _is_listed_so(row: Any, wanted: Listing) -> bool:
    """Whether a listing fits; its time and number of games may be older, and an earlier version wrote fewer fields."""
    columns = (row.game, row.status, row.public, row.contested) == (
        wanted.game,
        wanted.status,
        wanted.public,
        wanted.contested,
    )
    stored, log = json.loads(row.summary), json.loads(wanted.summary)
    same = stored.keys() & log.keys() - {"updated", "games", "rules", "clock"}
    return (
        columns
        and row.updated <= wanted.updated
        and {"table", "players"} <= same
        and all(stored[key] == log[key] for key in same)
    )


async def _check_ratings(
    store: Store, games: list[RatedGame], report: CheckReport, *, whole: bool
) -> None:
    if not whole:
        report.notes.append("ratings aren't compared, as tables can't be read")
        return
    try:
        for _ in range(MAX_COMPARISONS):
            async with begin_read(store.engine) as connection:
                waiting = (await connection.execute(select(RATING_QUEUE))).all()
            if waiting:
                report.notes.append("ratings aren't compared: rated games wait to be counted")
                return
            differences = await compare(RatingStore(store.engine), recompute(games))
            # A server may have ended rated games since their logs were read.
            known, games = games, await _read_rated_games(store) if differences else games
            if games == known:
                break
        else:
            report.notes.append("ratings aren't compared: rated games keep ending meanwhile")
            return
    except BAD_LOG as error:
        report.findings.append(Finding("ratings", str(error)))
        return
    for item in differences:
        text = f"{item.what}: stored {item.stored}, by the log {item.log}"
        report.findings.append(Finding("ratings", text))


async def _read_rated_games(store: Store) -> list[RatedGame]:
    games: list[RatedGame] = []
    async for table_id in store.table_ids():
        entries = await store.read(table_id, unchecked=True)
        games += await asyncio.to_thread(rated_games, entries)
    return games


# --- rows of all tables ---


async def _check_rows(
    store: Store, tables: dict[str, MatchTable], *, whole: bool
) -> AsyncIterator[Finding]:
    """Checks that values have their columns' types, that texts which are JSON can be read, and that tables exist."""
    for table in ALL:
        if table is ENTRIES:
            continue
        async with begin_read(store.engine) as connection:
            found = await connection.execute(select(table))
            rows = [dict(row) for row in found.mappings()]
        for row in rows:
            problem = find_wrong_value(table, row)
            if problem is not None:
                yield Finding(table.name, problem)
        if table in (LISTINGS, PLAYERS) and whole:
            for table_id in sorted({row["table_id"] for row in rows} - tables.keys()):
                if not await store.read(table_id, unchecked=True):  # or a server has just opened it
                    yield Finding(table_id, f"{table.name}: the log has no such table")


def find_wrong_value(table: Table, row: dict[str, Any]) -> str | None:
    """Returns what is wrong with a row; None if its values are of the right kinds."""
    for column in table.columns:
        value = row[column.name]
        if value is None:
            if not column.nullable:
                return f"{column.name}: expected a value, got none"
        elif not _fits(column.type, value):
            return f"{column.name}: expected {column.type}, got another value"
    try:
        if table is IMPORTED:
            GameRecord.loads(row["record"])
        elif table is REPORTS:
            json.loads(row["chat"])
    except (StampedeError, ValueError) as error:
        return str(error)
    return None


def _fits(kind: object, value: object) -> bool:
    match kind:
        case Boolean():
            return value in (True, False)
        case Integer():
            return isinstance(value, int)
        case Float():
            return isinstance(value, float | int)
        case String(length=length):
            return isinstance(value, str) and (length is None or len(value) <= length)
        case _:
            return True
