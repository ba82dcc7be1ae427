"""The command `stampede`: all commands and groups under one name.

Only the modules of the called command are loaded, so that starting stays quick with any number of commands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Final

import typer

import stampede
from stampede.cli.common.guard import BAD_INPUT, guard
from stampede.core.errors import StampedeError
from stampede.core.extras import name_missing_extras

__all__ = ["ENTRIES", "build", "build_index", "main"]


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command or a group.

    Attributes:
        summary: The first sentence of its help, so that ``stampede --help`` needs no module of a command.
        modules: The module whose ``app`` holds the command or is the group, then modules that add commands to it.
        group: Whether it has commands of its own.
    """

    summary: str
    modules: tuple[str, ...]
    group: bool = False


ENTRIES: Final[Mapping[str, CommandEntry]] = {
    "play": CommandEntry(
        "Plays a game in the terminal; without a game, opens a menu.",
        ("stampede.cli.play.app",),
        group=True,
    ),
    "serve": CommandEntry(
        "Runs the table server until Ctrl-C.",
        ("stampede.cli.server.serve",),
    ),
    "rules": CommandEntry(
        "Shows the rules of a game: all of them, a chapter, a clause, or what a search finds.",
        ("stampede.cli.rules",),
    ),
    "record": CommandEntry(
        "Checks and shows game records.",
        ("stampede.cli.records.record", "stampede.cli.records.verify"),
        group=True,
    ),
    "analyse": CommandEntry(
        "Finds the best moves of a Buffalo position, or reviews a finished game.",
        ("stampede.cli.records.analyse",),
    ),
    "puzzles": CommandEntry(
        "Shows and makes puzzles of Buffalo and Zoff: find the best choice.",
        ("stampede.cli.puzzles",),
        group=True,
    ),
    "explorer": CommandEntry(
        "Shows and builds the opening explorer of Buffalo.",
        ("stampede.cli.explorer",),
        group=True,
    ),
    "simulate": CommandEntry(
        "Plays many games between bots and sums them up.",
        ("stampede.cli.research.simulate",),
    ),
    "data": CommandEntry(
        "Writes games as tables for research.",
        ("stampede.cli.research.data",),
        group=True,
    ),
    "match": CommandEntry(
        "Plays two Buffalo engines against each other, each opening with both sides.",
        ("stampede.cli.research.match",),
    ),
    "tournament": CommandEntry(
        "Plays a tournament of Zoff or Buffalo: round robin, gauntlet or Swiss.",
        ("stampede.cli.research.tournament",),
    ),
    "lab": CommandEntry(
        "Trains baselines on the vector environments, and measures what they reach.",
        ("stampede.cli.research.lab",),
        group=True,
    ),
    "study": CommandEntry(
        "Answers a question about a game by many games between bots: tables with 95 % intervals, and figures.",
        ("stampede.cli.research.study",),
    ),
    "bench": CommandEntry(
        "Measures how fast this machine plays.", ("stampede.cli.research.bench",), group=True
    ),
    "uci": CommandEntry(
        "Runs the Buffalo engine as a UCI program, for chess GUIs and match runners.",
        ("stampede.cli.uci",),
    ),
    "solve": CommandEntry(
        "Solves Buffalo: builds tablebases, searches for proofs, verifies certificates.",
        (
            "stampede.cli.solve",
            "stampede.cli.solve.tablebase",
            "stampede.cli.solve.prove",
            "stampede.cli.solve.grow",
            "stampede.cli.solve.verify",
            "stampede.cli.solve.results",
        ),
        group=True,
    ),
    "buffalo": CommandEntry("Shows positions of Buffalo.", ("stampede.cli.buffalo",), group=True),
    "zoff": CommandEntry(
        "Shows, checks and copies the printed data of Zoff.", ("stampede.cli.zoff",), group=True
    ),
    "perft": CommandEntry("Counts the lines of N moves in Buffalo.", ("stampede.cli.perft",)),
    "warmup": CommandEntry(
        "Compiles the kernels and the search, or checks that they are compiled.",
        ("stampede.cli.server.warmup",),
    ),
    "db": CommandEntry(
        "Maintains the server's database.",
        ("stampede.cli.server.db", "stampede.cli.server.reports"),
        group=True,
    ),
    "ratings": CommandEntry(
        "Maintains the players' ratings.", ("stampede.cli.server.ratings",), group=True
    ),
}
"""All commands and groups, in the order of the help."""


def build(only: str | None = None) -> typer.Typer:
    """Builds the command line with all commands, or with one command or group alone."""
    app = _root()
    for name, entry in ENTRIES.items():
        if only not in (None, name):
            continue
        first, *further = (_app(module) for module in entry.modules)
        known = {below.typer_instance for below in first.registered_groups}
        for part in further:
            if part not in known:
                first.add_typer(part)
        app.add_typer(first, name=name if entry.group else None)
    return guard(app)


def build_index() -> typer.Typer:
    """Builds the command line for its own help alone: every command has a summary, and none can run."""
    app = _root()
    for name, entry in ENTRIES.items():
        app.command(name, help=entry.summary)(_index_entry)
    return guard(app)


def _index_entry() -> None:
    """Stands for a command in the help."""


def _root() -> typer.Typer:
    app = typer.Typer(name="stampede", pretty_exceptions_enable=False)
    app.callback(invoke_without_command=True)(stampede_command)
    return app


def _app(module: str) -> typer.Typer:
    with name_missing_extras():
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


def _build_for(words: Sequence[str]) -> typer.Typer:
    """Builds what a command line needs: the called command, everything for completion, or the help alone."""
    if "_STAMPEDE_COMPLETE" in os.environ:
        return build()
    if words and words[0] in ENTRIES:
        return build(words[0])
    return build_index()


def main() -> None:
    """Runs the command line; the entry point of the package."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a narrow encoding costs a letter, not the game
    try:
        app = _build_for(sys.argv[1:])
    except StampedeError as error:  # a command whose module needs an extra
        print(f"stampede: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    app(prog_name="stampede")
