"""`stampede db`: backs up, restores, checks, repairs, exports and imports a server's database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from stampede.cli.common.files import read_text, whole_file
from stampede.cli.common.guard import WRONG
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import tracked, write_json
from stampede.cli.server.serve import Database, need_server, read_settings
from stampede.core.errors import InputError, RecordError, StampedeError
from stampede.core.record import read_records

if TYPE_CHECKING:
    from stampede.server.ops.check import Finding
    from stampede.store import Store

__all__ = ["app", "with_store"]

app = typer.Typer(no_args_is_help=True, help="Maintains the server's database.")

T = TypeVar("T")
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="A backup: one SQLite file.")]
RecordsFile = Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines of game records.")]


def _address(database: str | None) -> str:
    need_server()
    return database if database is not None else read_settings({}).database_url


def with_store(
    database: str | None, work: Callable[[Store], Awaitable[T]], *, create: bool = False
) -> T:
    """Opens the store at an address, runs work on it, and closes it.

    Args:
        database: The address; None for that of the settings.
        work: What to do.
        create: Whether to make a database where there is none.

    Raises:
        InputError: There is no database.
    """
    address = _address(database)
    from stampede.store import Store  # noqa: PLC0415 - an extra
    from stampede.store.engine import database_url, sqlite_path  # noqa: PLC0415 - an extra

    path = sqlite_path(database_url(address))
    if not create and path is not None and not path.is_file():
        raise InputError(f"{path}: expected a database, got no file")

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

    Example:
    stampede db backup monday.db
    """
    address = _address(database)
    from stampede.store.ops.backup import backup as copy  # noqa: PLC0415 - an extra

    count = asyncio.run(copy(address, file))
    print(f"{file}: {count} entries")


@app.command("restore")
def restore(file: BackupFile, database: Database = None) -> None:
    """Restores a backup into an empty database, SQLite or PostgreSQL, whichever it was made from.

    Example:
    stampede db restore monday.db --database sqlite:///new.db
    """
    address = _address(database)
    from stampede.store.ops.backup import restore as bring  # noqa: PLC0415 - an extra

    count = asyncio.run(bring(file, address))
    print(f"{file}: {count} entries restored")


@app.command("check")
def check(database: Database = None, as_json: AsJson = False) -> None:
    """Checks everything and changes nothing: the file, every log and game, and what is derived from them.

    Exit code 0: all is sound; 1: something is wrong; 2: there is no database to check.

    Example:
    stampede db check --database sqlite:///tables.db
    """
    address = _address(database)
    from stampede.server.ops.check import check_database  # noqa: PLC0415 - an extra

    report = asyncio.run(check_database(address, _track))
    if as_json:
        write_json(
            {
                "valid": not report.findings,
                "tables": report.tables,
                "entries": report.entries,
                "wrong": [{"table": item.where, "error": item.what} for item in report.findings],
                "notes": list(report.notes),
            }
        )
    else:
        _tell(report.findings)
        for note in report.notes:
            typer.echo(f"note: {note}", err=True)
        verdict = f"{len(report.findings)} wrong" if report.findings else "all sound"
        print(f"{report.tables} tables, {report.entries} entries: {verdict}")
    if report.findings:
        raise typer.Exit(WRONG)


@app.command("repair")
def repair(
    database: Database = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="The new file.")
    ] = None,
) -> None:
    """Writes what is sound of a damaged SQLite file into a new one beside it, and says what isn't.

    Each table is kept up to its last sound entry. The damaged file isn't touched. Exit code 0: nothing was lost;
    1: something was.

    Example:
    stampede db repair --database sqlite:///tables.db --output tables.repaired.db
    """
    path = _sqlite_file(database)
    target = output or path.with_name(f"{path.stem}.repaired{path.suffix}")
    from stampede.server.ops.repair import repair as mend  # noqa: PLC0415 - an extra

    report = asyncio.run(mend(path, target, _track))
    _tell(report.lost)
    verdict = f"{len(report.lost)} losses" if report.lost else "nothing is lost"
    print(f"{target}: {report.tables} tables, {report.entries} entries: {verdict}")
    if report.lost:
        raise typer.Exit(WRONG)


@app.command("mark")
def mark(database: Database = None) -> None:
    """Accepts a SQLite file as it is: writes a new mark beside it, after you restored or changed it on purpose.

    Example:
    stampede db mark --database sqlite:///tables.db
    """
    path = _sqlite_file(database)
    from stampede.store.files.lock import find_server  # noqa: PLC0415 - an extra
    from stampede.store.files.side_files import accept  # noqa: PLC0415 - an extra

    if not path.is_file():
        raise InputError(f"{path}: expected a database, got no file")
    if find_server(path):
        raise InputError(f"{path}: expected a database that no server uses; stop it first")
    print(f"{path}: marked with {accept(path)} entries")


@app.command("migrate")
def migrate(database: Database = None) -> None:
    """Brings a database up to this version's schema, or makes an empty one. The server does so at its start, too.

    Example:
    stampede db migrate --database sqlite:///tables.db
    """

    async def work(_: Store) -> None:
        return

    with_store(database, work, create=True)
    print("the database has this version's schema")


def _tell(findings: Iterable[Finding]) -> None:
    for finding in findings:
        typer.echo(f"{finding.where}: {finding.what}", err=True)


def _track(tables: Sequence[str]) -> Iterable[str]:
    return tracked(tables, len(tables), "Checking tables")


def _sqlite_file(database: str | None) -> Path:
    address = _address(database)
    from stampede.store.engine import database_url, sqlite_path  # noqa: PLC0415 - an extra

    path = sqlite_path(database_url(address))
    if path is None:
        raise InputError("database: expected a SQLite file; PostgreSQL has its own tools for this")
    return path


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

    Example:
    stampede db export games.jsonl
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

    Example:
    stampede db import games.jsonl
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

    new = with_store(database, work, create=True)
    print(f"{file}: {new} of {len(records)} games are new")
