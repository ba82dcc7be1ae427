"""`stampede record verify`: checks that a table dealt fairly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stampede.cli.common.files import read_text
from stampede.cli.common.guard import WRONG
from stampede.cli.common.options import AsJson, EditionFile
from stampede.cli.common.output import tracked, write_json
from stampede.cli.terminal import Terminals
from stampede.core.errors import InputError, StampedeError
from stampede.core.json import Json, JsonObject
from stampede.core.record import read_records
from stampede.matches.fair import UnprovenDeal, verify_deal

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
            help="The commitment that the table showed before the game; default: the record's.",
        ),
    ] = None,
    edition: EditionFile = None,
    as_json: AsJson = False,
) -> None:
    """Deals each game again from the revealed seed; exit code 1 unless every deal is the one that was committed to.

    A game that no table dealt, such as a simulated one, has no proof: it is counted apart.

    Example:
    stampede record verify game.json --commitment 3f2a…
    """
    terminals = Terminals(edition)
    wrong: list[Json] = []
    unproven: list[Json] = []
    count = 0
    rows = list(read_records(read_text(file).splitlines()))
    for line, record in tracked(rows, len(rows), "Verifying"):
        count += 1
        try:
            verify_deal(terminals.named(record.game).game, record, commitment)
        except UnprovenDeal:
            unproven.append(line)
        except StampedeError as error:
            wrong.append({"line": line, "error": str(error)})
            if not as_json:
                typer.echo(f"{file}:{line}: {error}", err=True)
    if not count:
        raise InputError(f"{file}: expected a game record, got an empty file")
    if as_json:
        report: JsonObject = {"records": count, "wrong": wrong, "unproven": unproven}
        write_json({"valid": not wrong and not unproven, "file": str(file), **report})
    else:
        print(f"{file}: {_verdict(count, len(wrong), len(unproven))}")
    if wrong or unproven:
        raise typer.Exit(WRONG)


def _verdict(count: int, wrong: int, unproven: int) -> str:
    parts = [f"{wrong} of {count} not fair"] if wrong else []
    if unproven:
        parts.append(
            f"{unproven} of {count} without meta.deal: not dealt by a table, nothing to verify"
        )
    return "; ".join(parts) or f"{count} dealt as committed"
