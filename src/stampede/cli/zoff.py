"""`stampede zoff`: shows, checks and copies editions, the printed data of Zoff."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from stampede.cli.common.guard import WRONG
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, write_json
from stampede.core.errors import EditionError, InputError
from stampede.core.json import JsonObject
from stampede.zoff import Edition
from stampede.zoff.edition import PASTURES, SHIPPED
from stampede.zoff.edition_writer import write_edition

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Shows, checks and copies the printed data of Zoff.")
edition_app = typer.Typer(no_args_is_help=True, help="Shows, checks or copies an edition.")
app.add_typer(edition_app, name="edition")

MARKS = {"seed": "", "public": "°", "reconstructed": "*", "box": "'"}
KNOWN_FROM = "Known from: no mark the rule sheets, ° a public page, ' a box, * reconstructed."

EditionArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", help="An edition file; default: the shipped one.", show_default=False
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
    out.print(Text(KNOWN_FROM, "dim"))
    out.print(_count(edition), highlight=False)


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


@edition_app.command("new")
def new(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write.", show_default=False)
    ],
    edition_id: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="The copy's id; default: the file's name."),
    ] = None,
    title: Annotated[
        str, typer.Option("--title", metavar="TEXT", help="The copy's name for people.")
    ] = "My box",
) -> None:
    """Writes a commented copy of the shipped edition, for you to correct after your box.

    It has an id of its own, and doesn't overwrite a file.

    Example:
    stampede zoff edition new my-box.toml
    """
    made = edition_id or re.sub(r"[^A-Za-z0-9._-]+", "-", file.stem).strip("-._") or "my-box"
    if made == SHIPPED:
        raise EditionError("--id", f"expected another id than {SHIPPED!r}, the shipped edition's")
    copy = write_edition(replace(Edition.default(), id=made, title=title))
    Edition.parse(copy)  # checks the id and the title
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(copy)
    except FileExistsError as error:
        raise InputError(f"{file}: expected a new file, but there is one already") from error
    print(f"{file}: a copy of the shipped edition, as {made}. Correct it, then check it:")
    print(f"stampede zoff edition check {file}")


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
        source = pasture.source
        numbers = range(2, edition.most_players + 1)
        with_players = [str(n) for n in numbers if pasture in edition.pastures_for(n)]
        rows.add_row(
            pasture.name + MARKS[source.name],
            f"{pasture.capacity}{MARKS[source.capacity] or ' '}",
            "-".join(map(str, pasture.bonus)) + MARKS[source.bonus],
            " ".join(with_players),
            end_section=index == PASTURES - 1,
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
            " ".join(
                card.letter + MARKS[edition.source_of(colour, card)]
                for card in cards
                if card.value == value
            )
            for value in (2, 3, 4, 5)
        )
        extras = (
            f"{card}{MARKS[edition.source_of(colour, card)]}"
            for card in edition.extras.get(colour, ())
        )
        rows.add_row(colour, *by_value, " ".join(extras))
    return rows


def _count(edition: Edition) -> str:
    counts = edition.count_sources()
    letters = [
        edition.source_of(colour, card)
        for owned in (edition.cards, edition.extras)
        for colour, cards in owned.items()
        for card in cards
    ]
    known = len(letters) - letters.count("reconstructed")
    return (
        f"{counts['reconstructed']} of {sum(counts.values())} values are reconstructed; "
        f"of {len(letters)} letters {known} are known."
    )


def _report(edition: Edition) -> JsonObject:
    return {
        "id": edition.id,
        "title": edition.title,
        "pastures": [pasture.to_json() for pasture in edition.pastures],
        "cow_cards": {colour: [str(c) for c in cards] for colour, cards in edition.cards.items()},
        "two_player_extras": {
            colour: [str(c) for c in cards] for colour, cards in edition.extras.items()
        },
        "letter_sources": {
            colour: {
                str(card): edition.source_of(colour, card)
                for card in sorted((*cards, *edition.extras.get(colour, ())))
            }
            for colour, cards in edition.cards.items()
        },
        "sources": edition.count_sources(),
    }
