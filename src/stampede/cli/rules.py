"""`stampede rules`: the rules in short, clause by clause. The texts are data: `rules_zoff.toml` and so on."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import NamedTuple

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.cli.options import AsJson, GameName
from stampede.cli.output import console, write_json
from stampede.games import game_named

__all__ = ["Chapter", "app", "chapters", "rules_summary", "short_rules"]

app = typer.Typer()


class Chapter(NamedTuple):
    """A chapter of a rules summary: its title, and its clauses as id and text."""

    title: str
    clauses: tuple[tuple[str, str], ...]


def _data(game: str) -> dict[str, object]:
    file = resources.files("stampede.cli").joinpath(f"rules_{game_named(game).name}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def short_rules(game: str) -> str:
    """Returns the game in a few sentences."""
    return " ".join(str(_data(game)["short"]).split())


def chapters(game: str) -> tuple[Chapter, ...]:
    """Returns the chapters of the summary."""
    found = _data(game)["chapter"]
    assert isinstance(found, list), "the file has [[chapter]] tables"
    return tuple(
        Chapter(
            chapter["title"], tuple((clause, text) for clause, text in chapter["clauses"].items())
        )
        for chapter in found
    )


def rules_summary(game: str) -> RenderableType:
    """Renders the summary for the screen."""
    rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column()
    for chapter in chapters(game):
        rows.add_row("", Text(chapter.title, "bold"))
        for clause, text in chapter.clauses:
            rows.add_row(clause, Text(text))
    title = Text(game_named(game).title, "bold")
    return Group(title, Text(short_rules(game)), rows)


@app.command("rules")
def rules_command(game: GameName, as_json: AsJson = False) -> None:
    """Shows the rules of a game in short, with the ids of their clauses.

    Example:
    stampede rules buffalo
    """
    if not as_json:
        console().print(rules_summary(game))
        return
    clauses = {clause: text for chapter in chapters(game) for clause, text in chapter.clauses}
    write_json({"game": game, "short": short_rules(game), "clauses": clauses})
