"""The command `stampede`: all commands and groups under one name.

Only the modules of the called command are loaded, so that starting stays quick with any number of commands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Annotated, Final

import typer

import stampede
from stampede.cli.guard import guard

__all__ = ["COMMANDS", "GROUPS", "build", "main"]

COMMANDS: Final[Mapping[str, str]] = {
    "rules": "stampede.cli.rules",
    "simulate": "stampede.cli.simulate",
    "perft": "stampede.cli.perft",
    "serve": "stampede.cli.serve",
    "analyse": "stampede.cli.analyse",
    "match": "stampede.cli.match",
    "uci": "stampede.cli.uci",
    "warmup": "stampede.cli.warmup",
}
"""Single commands: the module whose ``app`` holds the command of this name."""

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "play": ("stampede.cli.play.app",),
    "record": ("stampede.cli.record", "stampede.cli.verify"),
    "zoff": ("stampede.cli.zoff",),
    "buffalo": ("stampede.cli.buffalo",),
    "db": ("stampede.cli.db", "stampede.cli.reports"),
    "ratings": ("stampede.cli.ratings",),
    "puzzles": ("stampede.cli.puzzles",),
    "solve": (
        "stampede.cli.solve",
        "stampede.cli.solve.tablebase",
        "stampede.cli.solve.prove",
        "stampede.cli.solve.verify",
        "stampede.cli.solve.results",
    ),
}
"""Groups: the module whose ``app`` is the group, then modules that add commands to it."""


def build(only: str | None = None) -> typer.Typer:
    """Builds the command line with all commands, or with one command or group alone."""
    app = typer.Typer(name="stampede", pretty_exceptions_enable=False)
    app.callback(invoke_without_command=True)(stampede_command)
    for name, modules in GROUPS.items():
        if only in (None, name):
            group, *further = (_app(module) for module in modules)
            known = {below.typer_instance for below in group.registered_groups}
            for part in further:
                if part not in known:
                    group.add_typer(part)
            app.add_typer(group, name=name)
    for name, module in COMMANDS.items():
        if only in (None, name):
            app.add_typer(_app(module))
    return guard(app)


def _app(module: str) -> typer.Typer:
    found: typer.Typer = import_module(module).app
    return found


def _version(wanted: bool) -> None:
    if wanted:
        print(f"stampede {stampede.__version__}")
        raise typer.Exit


def stampede_command(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Plays and studies two board games: Zoff in Buffalo, and Alex Randolph's Buffalo.

    Exit codes: 0 success, 1 the checked thing is wrong, 2 bad usage or input.

    Start with: stampede play
    """
    del version
    if context.invoked_subcommand is None:
        print(context.get_help())


def _called(words: Sequence[str]) -> str | None:
    """Returns the called command, if that is clear without loading any."""
    if "_STAMPEDE_COMPLETE" in os.environ or not words:
        return None
    known = words[0] in COMMANDS or words[0] in GROUPS or words[0] == "--version"
    return words[0] if known else None


def main() -> None:
    """Runs the command line; the entry point of the package."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a narrow encoding costs a letter, not the game
    build(_called(sys.argv[1:]))(prog_name="stampede")
