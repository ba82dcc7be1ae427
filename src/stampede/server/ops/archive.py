"""The archive: exports all games as records and imports records. For operators."""

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

__all__ = [
    "ImportedRecord",
    "check_record",
    "export_records",
    "import_record",
    "rebuild_table",
]


def rebuild_table(entries: Sequence[LogEntry]) -> Table:
    """Rebuilds a table from its log."""
    return Table.rebuild(CATALOGUE, (Entry.from_json(json.loads(kept.payload)) for kept in entries))


async def export_records(store: Store, *, running: bool) -> AsyncIterator[GameRecord]:
    """Yields the records of all games that have ended and of all imported ones; of running ones, too, if asked for.

    Records of running games contain hidden information.
    """
    async for table_id in store.table_ids():
        table = rebuild_table(await store.read(table_id))
        state = table.state
        for match in (*state.past, *((state.match,) if state.match else ())):
            if not match.aborted and (running or match.ended_at is not None):
                yield table.log_record(match.number)
    for record_id in await store.imported_ids():
        text = await store.find_imported(record_id)
        if text is not None:
            yield GameRecord.loads(text)


class ImportedRecord(NamedTuple):
    """An imported record's id, and whether it is new."""

    record_id: str
    new: bool


def check_record(record: GameRecord) -> None:
    """Raises RecordError unless the record is a finished game that follows the rules."""
    if record.result is None:
        raise RecordError("result: expected a finished game, got a running one")
    replay(game_named(record.game).game, record)


async def import_record(store: Store, record: GameRecord) -> ImportedRecord:
    """Stores a record from elsewhere; raises RecordError unless it follows the rules."""
    check_record(record)
    text = record.dumps()
    record_id = hashlib.sha256(text.encode()).hexdigest()[:32]
    return ImportedRecord(record_id, await store.import_record(record_id, record.game, text))
