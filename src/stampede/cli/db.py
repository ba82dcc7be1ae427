"""`stampede db`: backs up, restores, checks, exports and imports a server's database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from stampede.cli.files import read_text, whole_file
from stampede.cli.guard import WRONG
from stampede.cli.options import AsJson
from stampede.cli.output import write_json
from stampede.cli.serve import Database, need_server
from stampede.core.errors import InputError, RecordError, StampedeError
from stampede.core.json import Json
from stampede.core.record import read_records

if TYPE_CHECKING:
    from stampede.store import Store

__all__ = ["app", "with_store"]

app = typer.Typer(no_args_is_help=True, help="Maintains the server's database.")

T = TypeVar("T")
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="A backup: one SQLite file.")]
RecordsFile = Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines of game records.")]


def _address(database: str | None) -> str:
    need_server()
    from stampede.server.settings import ServerSettings  # noqa: PLC0415 - an extra

    return database if database is not None else ServerSettings().database_url


def with_store(database: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    """Opens the store at an address, runs work on it, and closes it."""
    address = _address(database)
    from stampede.store import Store  # noqa: PLC0415 - an extra

    async def run() -> T:
        store = await Store.open(address)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


@app.command("backup")
def backup(file: BackupFile, database: Database = None) -> None:
    """Copies everything into one file, even while the server runs. Keep the file safe: it holds all secrets.

    Example: stampede db backup monday.db
    """
    address = _address(database)
    from stampede.store.ops.backup import backup as copy  # noqa: PLC0415 - an extra

    count = asyncio.run(copy(address, file))
    print(f"{file}: {count} entries")


@app.command("restore")
def restore(file: BackupFile, database: Database = None) -> None:
    """Restores a backup into an empty database, SQLite or PostgreSQL, whichever it was made from.

    Example: stampede db restore monday.db --database sqlite:///new.db
    """
    address = _address(database)
    from stampede.store.ops.backup import restore as bring  # noqa: PLC0415 - an extra

    count = asyncio.run(bring(file, address))
    print(f"{file}: {count} entries restored")


@app.command("check")
def check(database: Database = None, as_json: AsJson = False) -> None:
    """Rebuilds every table from its log and replays every record; exit code 1 if one is wrong."""

    async def work(store: Store) -> tuple[int, int, list[tuple[str, str]]]:
        from stampede.server.ops.archive import check_tables  # noqa: PLC0415 - an extra

        findings = [finding async for finding in check_tables(store)]
        entries = sum(finding.entries for finding in findings)
        wrong = [(found.table_id, found.problem) for found in findings if found.problem is not None]
        return len(findings), entries, wrong

    tables, entries, wrong = with_store(database, work)
    if as_json:
        told: list[Json] = [{"table": table, "error": problem} for table, problem in wrong]
        write_json({"valid": not wrong, "tables": tables, "entries": entries, "wrong": told})
    else:
        for table, problem in wrong:
            typer.echo(f"{table}: {problem}", err=True)
        verdict = f"{len(wrong)} wrong" if wrong else "all sound"
        print(f"{tables} tables, {entries} entries: {verdict}")
    if wrong:
        raise typer.Exit(WRONG)


@app.command("export")
def export(
    file: RecordsFile,
    database: Database = None,
    running: Annotated[
        bool,
        typer.Option(
            "--running", help="Export running games, too: they hold secrets of the table."
        ),
    ] = False,
) -> None:
    """Writes every game as a record.

    Example: stampede db export games.jsonl
    """

    async def work(store: Store) -> int:
        from stampede.server.ops.archive import export_records  # noqa: PLC0415 - an extra

        count = 0
        with whole_file(file) as stream:
            async for record in export_records(store, running=running):
                stream.write(record.dumps() + "\n")
                count += 1
        return count

    print(f"{file}: {with_store(database, work)} games")


@app.command("import")
def import_(file: RecordsFile, database: Database = None) -> None:
    """Imports finished games after replaying each. If one is wrong, none is imported.

    Example: stampede db import games.jsonl
    """
    try:
        records = list(read_records(read_text(file).splitlines()))
    except RecordError as error:
        raise InputError(f"{file}: {error}") from error

    async def work(store: Store) -> int:
        from stampede.server.ops.archive import check_record, import_record  # noqa: PLC0415

        for line, record in records:
            try:
                check_record(record)
            except StampedeError as error:
                raise InputError(f"{file}:{line}: {error}") from error
        return sum([(await import_record(store, record)).new for _, record in records])

    print(f"{file}: {with_store(database, work)} of {len(records)} games are new")
