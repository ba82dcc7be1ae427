"""Repairs a damaged SQLite database: a new file with all that is sound. The old one isn't touched."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from stampede.core.errors import InputError
from stampede.server.ops.archive import rebuild_table
from stampede.server.ops.check import Finding, Track, check_table, find_wrong_value
from stampede.server.ratings.rating_system import rated_games, recompute
from stampede.server.tables.listing import listing_of
from stampede.store import Listing, LogEntry, Store
from stampede.store.files.lock import find_server
from stampede.store.files.mark import read_mark
from stampede.store.files.side_files import DAMAGE_ERRORS
from stampede.store.ops.file_check import check_file
from stampede.store.ops.salvage import open_copy, read_rows
from stampede.store.ratings.ratings import RatedGame, RatingStore
from stampede.store.schema import (
    ALL,
    ENTRIES,
    LISTINGS,
    PLAYERS,
    RATED_GAMES,
    RATING_CHANGES,
    RATING_QUEUE,
    RATINGS,
)
from stampede.store.transactions import begin_write

__all__ = ["RepairReport", "repair"]

DERIVED = (LISTINGS, PLAYERS, RATING_QUEUE, RATED_GAMES, RATING_CHANGES, RATINGS)
"""What is computed from the log, not taken over."""
CHUNK = 500

Row = dict[str, Any]


@dataclass(slots=True)
class RepairReport:
    """What a repair has kept.

    Attributes:
        tables: How many tables were kept, whole or up to their last sound entry.
        entries: How many entries they have.
        lost: What couldn't be kept, by table or by part of the database.
    """

    tables: int = 0
    entries: int = 0
    lost: list[Finding] = field(default_factory=list)


@dataclass(slots=True)
class _Salvaged:
    """What was read from a damaged file: the sound entries in the order of writing, and the rows of other tables."""

    entries: list[Row] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    games: list[RatedGame] = field(default_factory=list)
    rows: dict[str, list[Row]] = field(default_factory=dict)


async def repair(path: Path, target: Path, track: Track) -> RepairReport:
    """Writes what is sound of a damaged database into a new one.

    Raises:
        InputError: There is no such file, a server uses it, or the new one exists already.
    """
    if not path.is_file():
        raise InputError(f"{path}: expected a database, got no file")
    if target.exists():
        raise InputError(f"{target}: expected no such file, so that nothing is lost")
    if find_server(path):
        raise InputError(f"{path}: expected a database that no server uses; stop it first")
    report, mark = RepairReport(), read_mark(path)
    found = await asyncio.to_thread(check_file, path)
    report.lost += [Finding("file", problem) for problem in found.problems]
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".repair-") as folder:
        salvaged = await asyncio.to_thread(_read, path, Path(folder), report, track)
    if mark is not None and mark.counts is not None and report.entries < mark.counts.entries:
        what = f"kept {report.entries} of {mark.counts.entries} entries that were acknowledged"
        report.lost.append(Finding("log", what))
    store = await Store.open(f"sqlite:///{target.absolute().as_posix()}")
    try:
        async with begin_write(store.engine) as connection:
            await _write(connection, salvaged)
        fresh = recompute(salvaged.games)
        await RatingStore(store.engine).replace(fresh.games, fresh.changes, fresh.book)
        await store.note_present()
    finally:
        await store.close()
    return report


def _read(path: Path, folder: Path, report: RepairReport, track: Track) -> _Salvaged:
    salvaged = _Salvaged()
    try:
        with open_copy(path, folder) as database:
            for table in ALL:
                if table in DERIVED:
                    continue
                rows, broken = read_rows(database, table)
                if table is ENTRIES:
                    known = _known_tables(database)
                    broken += _sort_out(rows, known, salvaged, report, track)
                else:
                    kept = [row for row in rows if find_wrong_value(table, row) is None]
                    broken += len(rows) - len(kept)
                    salvaged.rows[table.name] = kept
                if broken:
                    report.lost.append(Finding(table.name, f"{broken} rows can't be read"))
    except DAMAGE_ERRORS as error:
        report.lost.append(Finding("file", f"SQLite can't read on: {error}"))
    return salvaged


def _known_tables(database: sqlite3.Connection) -> set[str]:
    """The tables that are listed, so that those without an entry are named."""
    rows, _ = read_rows(database, LISTINGS)
    return {row["table_id"] for row in rows if isinstance(row["table_id"], str)}


def _sort_out(
    rows: Sequence[Row], known: set[str], salvaged: _Salvaged, report: RepairReport, track: Track
) -> int:
    """Keeps each table up to its last sound entry; returns how many rows have wrong values."""
    logs: dict[str, list[tuple[LogEntry, int]]] = {}
    wrong = 0
    for place, row in enumerate(rows):
        if find_wrong_value(ENTRIES, row) is None and row["seq"] > 0:
            entry = LogEntry(row["seq"], row["payload"], row["mark"], row["chain"])
            logs.setdefault(row["table_id"], []).append((entry, place))
        else:
            wrong += 1
    sound: set[int] = set()  # places of rows: a damaged row may have the number of a sound one
    for table_id in track(sorted(logs)):
        found = sorted(logs[table_id], key=lambda pair: pair[0].seq)
        entries = [entry for entry, _ in found]
        checked = check_table(table_id, entries)
        kept = entries[: checked.sound]
        if checked.problem is not None:
            what = f"{checked.problem}: kept {len(kept)} of {len(entries)} entries"
            report.lost.append(Finding(table_id, what))
        if not kept:
            continue
        report.tables += 1
        sound.update(place for _, place in found[: len(kept)])
        salvaged.listings.append(listing_of(rebuild_table(kept).state))
        salvaged.games += rated_games(kept)
    for table_id in sorted(known - logs.keys()):
        report.lost.append(Finding(table_id, "no entry of it is left"))
    salvaged.entries = [row for place, row in enumerate(rows) if place in sound]
    report.entries = len(salvaged.entries)
    return wrong


async def _write(connection: AsyncConnection, salvaged: _Salvaged) -> None:
    listings = [
        {
            "table_id": item.table_id,
            "game": item.game,
            "status": item.status,
            "public": item.public,
            "updated": item.updated,
            "summary": item.summary,
            "contested": item.contested,
        }
        for item in salvaged.listings
    ]
    players = [
        {"guest": guest, "table_id": item.table_id}
        for item in salvaged.listings
        for guest in item.guests or ()
    ]
    derived = {ENTRIES.name: salvaged.entries, LISTINGS.name: listings, PLAYERS.name: players}
    for table in ALL:
        rows = derived.get(table.name, salvaged.rows.get(table.name, []))
        await connection.execute(table.delete())
        for start in range(0, len(rows), CHUNK):
            await connection.execute(insert(table), rows[start : start + CHUNK])
