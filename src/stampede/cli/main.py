"""The command `stampede`: all groups of commands under one name."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import stampede
from stampede.cli import (
    bench,
    buffalo,
    db,
    perft,
    record,
    rules,
    serve,
    simulate,
    verify,
    zoff,
)
from stampede.cli.guard import guard
from stampede.cli.play.app import app as play_app

__all__ = ["app", "main"]

app = typer.Typer(name="stampede", pretty_exceptions_enable=False)
app.add_typer(play_app, name="play")
app.add_typer(rules.app)
app.add_typer(simulate.app)
app.add_typer(record.app, name="record")
record.app.add_typer(verify.app)
app.add_typer(perft.app)
app.add_typer(zoff.app, name="zoff")
app.add_typer(buffalo.app, name="buffalo")
app.add_typer(bench.app, name="bench")
app.add_typer(serve.app)
app.add_typer(db.app, name="db")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"stampede {stampede.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def stampede_command(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and stop.", callback=_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Plays and studies two board games: Zoff in Buffalo, and Alex Randolph's Buffalo.

    Exit codes: 0 all is well, 1 what was checked is wrong, 2 bad usage or input.

    Start with: stampede play
    """
    del version
    if context.invoked_subcommand is None:
        print(context.get_help())


guard(app)


def main() -> None:
    """Runs the command line; the entry point of the package."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a narrow encoding spoils a letter, not a game
    app(prog_name="stampede")
