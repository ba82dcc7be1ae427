"""`stampede db reports`, `close-report` and `rename-player`: moderation for server operators."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from stampede.cli.common.options import AsJson
from stampede.cli.common.output import write_json
from stampede.cli.server.db import with_store
from stampede.cli.server.serve import Database
from stampede.core.errors import InputError
from stampede.core.json import Json

if TYPE_CHECKING:
    from stampede.store import Store
    from stampede.store.community.moderation import PlayerReport

__all__ = ["app"]

app = typer.Typer()


@app.command("reports")
def reports(
    database: Database = None,
    every: Annotated[bool, typer.Option("--all", help="Show closed reports, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Shows the reports of players, oldest first, with the chat of the reported player.

    Example:
    stampede db reports
    """

    async def work(store: Store) -> list[PlayerReport]:
        from stampede.store.community.moderation import ModerationStore  # noqa: PLC0415 - an extra

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
    """Closes a report that has been dealt with.

    Example:
    stampede db close-report Zk3VbX1m8qYcT0aS
    """

    async def work(store: Store) -> bool:
        from stampede.store.community.moderation import ModerationStore  # noqa: PLC0415 - an extra

        return await ModerationStore(store.engine).close(report)

    if not with_store(database, work):
        raise InputError(f"report: expected the id of an open one, got {report!r}")
    print(f"{report} is closed")


@app.command("rename-player")
def rename_player(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The player's account name.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")],
    database: Database = None,
) -> None:
    """Renames an account whose name can't stay. The player signs in with the new name.

    Example:
    stampede db rename-player "Some insult" "Player 17"
    """

    async def work(store: Store) -> str:
        from stampede.server.accounts.names import check_name, fold_name  # noqa: PLC0415
        from stampede.server.accounts.service import BOTS  # noqa: PLC0415 - an extra
        from stampede.store.accounts.accounts import AccountStore  # noqa: PLC0415

        accounts = AccountStore(store.engine)
        found = await accounts.find_by_name(fold_name(name))
        if found is None:
            raise InputError(f"name: expected the name of an account, got {name!r}")
        usual = check_name(new, BOTS)
        if not await accounts.rename(found.account_id, usual, fold_name(usual)):
            raise InputError(f"new: expected a free name, got {usual!r}, which is taken")
        return f"{found.name} is called {usual} now"

    print(with_store(database, work))


def _json(report: PlayerReport) -> Json:
    from stampede.server.community.moderation import read_chat  # noqa: PLC0415 - an extra

    said: list[Json] = [list(item) for item in read_chat(report)]
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


def _text(report: PlayerReport) -> str:
    from stampede.server.community.moderation import read_chat  # noqa: PLC0415 - an extra

    when = datetime.fromtimestamp(report.at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    lines = [
        f"{report.report_id}  {when}  {report.status}  {report.reason}",
        f"  {report.name!r}, player {report.player} of table {report.table_id}",
    ]
    if report.note:
        lines.append(f"  note: {report.note}")
    lines += [f"  said: {words}" for _, kind, words in read_chat(report) if kind == "text"]
    return "\n".join(lines)
