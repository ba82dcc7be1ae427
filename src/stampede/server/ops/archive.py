"""All games of a database as records, out and in; and whether its log is sound. For whoever runs the server."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from stampede.core.errors import RecordError
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.matches.entries import Entry
from stampede.matches.table import Table
from stampede.server.tables.games import CATALOGUE
from stampede.store import LogEntry, Store
from stampede.store.ops.check import TableCheck, check_log

__all__ = ["Imported", "check_record", "check_tables", "export_records", "import_record", "rebuilt"]


def rebuilt(entries: Sequence[LogEntry]) -> Table:
    """A table from its log."""
    return Table.rebuild(CATALOGUE, (Entry.from_json(json.loads(kept.payload)) for kept in entries))


async def export_records(store: Store, *, running: bool) -> AsyncIterator[GameRecord]:
    """Every game that has ended, and those brought in from elsewhere; running ones too if asked for.

    Records of running games hold what nobody at the table may know yet.
    """
    async for table_id in store.table_ids():
        table = rebuilt(await store.read(table_id))
        state = table.state
        for match in (*state.past, *((state.match,) if state.match else ())):
            if not match.aborted and (running or match.ended_at is not None):
                yield table.log_record(match.number)
    for record_id in await store.imported_ids():
        text = await store.imported(record_id)
        if text is not None:
            yield GameRecord.loads(text)


class Imported(NamedTuple):
    """A record that was brought in: under which id, and whether it is new."""

    record_id: str
    new: bool


def check_record(record: GameRecord) -> None:
    """RecordError when it isn't a finished game by the rules."""
    if record.result is None:
        raise RecordError("result: expected a finished game, got a running one")
    replay(game_named(record.game).game, record)


async def import_record(store: Store, record: GameRecord) -> Imported:
    """Keeps a record that was made elsewhere, if the rules agree with every step; RecordError if not."""
    check_record(record)
    text = record.dumps()
    record_id = hashlib.sha256(text.encode()).hexdigest()[:32]
    return Imported(record_id, await store.import_record(record_id, record.game, text))


async def check_tables(store: Store) -> AsyncIterator[TableCheck]:
    """Goes through all tables: the log without gaps, the table comes back, every finished game's record replays."""

    def rebuild(entries: Sequence[LogEntry]) -> None:
        table = rebuilt(entries)
        state = table.state
        for match in (*state.past, *((state.match,) if state.match else ())):
            if match.ended_at is not None and not match.aborted:
                record = table.log_record(match.number)
                replay(game_named(record.game).game, record)

    async for finding in check_log(store, rebuild):
        yield finding
