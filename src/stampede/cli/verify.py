"""`stampede record verify`: checks that a table dealt fairly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stampede.cli.files import read_text
from stampede.cli.guard import WRONG
from stampede.cli.options import AsJson
from stampede.cli.output import write_json
from stampede.core.errors import InputError, StampedeError
from stampede.core.json import Json
from stampede.core.record import read_records
from stampede.games import game_named
from stampede.matches.fair import verify_deal

__all__ = ["app"]

app = typer.Typer()


@app.command("verify")
def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Records from a table; - for standard input.")
    ],
    commitment: Annotated[
        str | None,
        typer.Option(
            metavar="HASH",
            help="The commitment that the table showed before the game; the record's by default.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Deals each game again from the revealed seed; exit code 1 if that isn't the deal that was committed to.

    Example: stampede record verify game.json --commitment 3f2a…
    """
    wrong: list[Json] = []
    count = 0
    for line, record in read_records(read_text(file).splitlines()):
        count += 1
        try:
            verify_deal(game_named(record.game).game, record, commitment)
        except StampedeError as error:
            wrong.append({"line": line, "error": str(error)})
            if not as_json:
                typer.echo(f"{file}:{line}: {error}", err=True)
    if not count:
        raise InputError(f"{file}: expected a game record, got an empty file")
    if as_json:
        write_json({"valid": not wrong, "file": str(file), "records": count, "wrong": wrong})
    else:
        verdict = f"{len(wrong)} of {count} not fair" if wrong else f"{count} dealt as committed"
        print(f"{file}: {verdict}")
    if wrong:
        raise typer.Exit(WRONG)
