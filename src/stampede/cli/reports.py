"""`stampede db reports` and `stampede db close-report`: what guests have reported."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from stampede.cli.db import with_store
from stampede.cli.options import AsJson
from stampede.cli.output import write_json
from stampede.cli.serve import Database
from stampede.core.errors import InputError
from stampede.core.json import Json

if TYPE_CHECKING:
    from stampede.store import Store
    from stampede.store.moderation import Report

__all__ = ["app"]

app = typer.Typer()


@app.command("reports")
def reports(
    database: Database = None,
    every: Annotated[bool, typer.Option("--all", help="Closed ones, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Shows what guests have reported, the oldest first, with what the reported one had said.

    Example: stampede db reports
    """

    async def work(store: Store) -> list[Report]:
        from stampede.store.moderation import ModerationStore  # noqa: PLC0415 - an extra

        return await ModerationStore(store.engine).reports(closed=every)

    found = with_store(database, work)
    if as_json:
        write_json({"reports": [_json(report) for report in found]})
        return
    for report in found:
        print(_text(report))
    print(f"{len(found)} reports")


@app.command("close-report")
def close_report(
    report: Annotated[str, typer.Argument(metavar="ID", help="As `stampede db reports` shows it.")],
    database: Database = None,
) -> None:
    """Closes a report that has been seen to.

    Example: stampede db close-report Zk3VbX1m8qYcT0aS
    """

    async def work(store: Store) -> bool:
        from stampede.store.moderation import ModerationStore  # noqa: PLC0415 - an extra

        return await ModerationStore(store.engine).close(report)

    if not with_store(database, work):
        raise InputError(f"report: expected the id of an open one, got {report!r}")
    print(f"{report} is closed")


def _json(report: Report) -> Json:
    from stampede.server.moderation import chat_of  # noqa: PLC0415 - an extra

    said: list[Json] = [list(item) for item in chat_of(report)]
    return {
        "id": report.report_id,
        "at": report.at,
        "status": report.status,
        "table": report.table_id,
        "player": report.player,
        "name": report.name,
        "reported": report.reported,
        "reporter": report.reporter,
        "reason": report.reason,
        "note": report.note,
        "chat": said,
    }


def _text(report: Report) -> str:
    from stampede.server.moderation import chat_of  # noqa: PLC0415 - an extra

    when = datetime.fromtimestamp(report.at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    lines = [
        f"{report.report_id}  {when}  {report.status}  {report.reason}",
        f"  {report.name!r}, player {report.player} of table {report.table_id}",
    ]
    if report.note:
        lines.append(f"  note: {report.note}")
    lines += [f"  said: {words}" for _, kind, words in chat_of(report) if kind == "text"]
    return "\n".join(lines)
