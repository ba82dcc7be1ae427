"""`stampede zoff`: shows and checks editions, the printed data of Zoff."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from stampede.cli.guard import WRONG
from stampede.cli.options import AsJson
from stampede.cli.output import console, write_json
from stampede.core.errors import EditionError
from stampede.core.json import JsonObject
from stampede.zoff import Edition

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Shows and checks the printed data of Zoff.")
edition_app = typer.Typer(no_args_is_help=True, help="Shows or checks an edition.")
app.add_typer(edition_app, name="edition")

MARKS = {"seed": "", "public": "°", "reconstructed": "*", "box": "'"}

EditionArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", help="An edition file; the shipped one by default.", show_default=False
    ),
]


@edition_app.command("show")
def show(file: EditionArgument = None, as_json: AsJson = False) -> None:
    """Shows pastures and cow cards, and the source of each value.

    Example:
    stampede zoff edition show
    """
    edition = _load(file)
    if as_json:
        write_json(_report(edition))
        return
    out = console()
    out.print(_pastures(edition))
    out.print(_cards(edition))
    out.print(
        Text(
            "Known from: no mark the rule sheets, ° a public page, ' a box, * reconstructed.", "dim"
        )
    )


@edition_app.command("check")
def check(file: EditionArgument = None, as_json: AsJson = False) -> None:
    """Checks an edition file; exit code 1 and the name of the cell if something is wrong.

    Example:
    stampede zoff edition check my-edition.toml
    """
    try:
        edition = _load(file)
    except EditionError as error:
        if as_json:
            write_json({"valid": False, "cell": error.cell, "error": str(error)})
        else:
            typer.echo(f"{file}: {error}", err=True)
        raise typer.Exit(WRONG) from error
    if as_json:
        write_json({"valid": True, "id": edition.id, "title": edition.title})
    else:
        print(f"{file or 'the shipped edition'}: right; {edition.id}, {edition.title}")


def _load(file: Path | None) -> Edition:
    if file is None:
        return Edition.default()
    file.stat()  # a missing file is bad usage, not a wrong edition
    return Edition.load(file)


def _pastures(edition: Edition) -> Table:
    rows = Table(title=f"{edition.title} ({edition.id})", title_justify="left")
    rows.add_column("pasture")
    rows.add_column("spaces", justify="right")
    rows.add_column("bonus by rank")
    rows.add_column("players")
    for index, pasture in enumerate(edition.pastures):
        source = dict(pasture.source)
        with_players = [str(n) for n in range(2, 7) if pasture in edition.pastures_for(n)]
        rows.add_row(
            pasture.name + MARKS[source["name"]],
            f"{pasture.capacity}{MARKS[source['capacity']] or ' '}",
            "-".join(map(str, pasture.bonus)) + MARKS[source["bonus"]],
            " ".join(with_players),
            end_section=index == len(edition.pastures) - 2,
        )
    return rows


def _cards(edition: Edition) -> Table:
    rows = Table(title="Cow cards", title_justify="left")
    rows.add_column("colour")
    for value in (2, 3, 4, 5):
        rows.add_column(str(value))
    rows.add_column("extra for two players")
    for colour, cards in edition.cards.items():
        by_value = (
            " ".join(card.letter for card in cards if card.value == value) for value in (2, 3, 4, 5)
        )
        rows.add_row(colour, *by_value, " ".join(map(str, edition.extras.get(colour, ()))))
    return rows


def _report(edition: Edition) -> JsonObject:
    return {
        "id": edition.id,
        "title": edition.title,
        "pastures": [
            {
                "name": pasture.name,
                "capacity": pasture.capacity,
                "bonus": list(pasture.bonus),
                "source": dict(pasture.source),
            }
            for pasture in edition.pastures
        ],
        "cow_cards": {colour: [str(c) for c in cards] for colour, cards in edition.cards.items()},
        "two_player_extras": {
            colour: [str(c) for c in cards] for colour, cards in edition.extras.items()
        },
    }
