"""`stampede ratings`: recomputes ratings from the log, or checks them against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from stampede.cli.common.guard import WRONG
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import tracked, write_json
from stampede.cli.server.db import with_store
from stampede.cli.server.serve import Database
from stampede.core.json import Json

if TYPE_CHECKING:
    from stampede.server.ratings.service import Difference
    from stampede.store import Store

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Maintains the players' ratings.")


@app.callback()
def ratings() -> None:
    """Maintains the players' ratings."""


@app.command("recompute")
def recompute(
    database: Database = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only compare; exit code 1 if something differs.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Recomputes all ratings from the rated games of the log, and stores them if they differ.

    The server may run meanwhile.

    Example:
    stampede ratings recompute --check
    """

    async def work(store: Store) -> tuple[int, int, list[Difference]]:
        from stampede.server.ratings.rating_system import recompute  # noqa: PLC0415
        from stampede.server.ratings.service import (  # noqa: PLC0415 - an extra
            RatingService,
            compare,
            read_rated_games,
        )
        from stampede.store.ratings.leaderboard import Leaderboard  # noqa: PLC0415
        from stampede.store.ratings.ratings import RatingStore  # noqa: PLC0415

        stored = RatingStore(store.engine)
        book = RatingService(store, stored, Leaderboard(store.engine))
        while await book.catch_up():
            pass
        fresh = recompute(await read_rated_games(store, _shown))
        differences = await compare(stored, fresh)
        if differences and not check:
            await stored.replace(fresh.games, fresh.changes, fresh.book)
        return len(fresh.games), len(fresh.book), differences

    games, count, differences = with_store(database, work)
    if as_json:
        told: list[Json] = [item._asdict() for item in differences]
        write_json(
            {"equal": not differences, "games": games, "ratings": count, "differences": told}
        )
    else:
        for item in differences:
            typer.echo(f"{item.what}: stored {item.stored}, by the log {item.log}", err=True)
        print(f"{games} games, {count} ratings: {_verdict(len(differences), check)}")
    if differences and check:
        raise typer.Exit(WRONG)


def _verdict(differences: int, check: bool) -> str:
    if not differences:
        return "as the log says"
    return f"{differences} differ" if check else f"{differences} differed and were corrected"


def _shown(tables: list[str]) -> Iterable[str]:
    return tracked(tables, len(tables), "Reading tables")
