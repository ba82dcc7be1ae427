"""`stampede analyse`: the best moves of a Buffalo position, or a review of a finished game."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.buffalo import Position
from stampede.cli.common.compile import compile_once
from stampede.cli.common.options import AsJson, EditionFile
from stampede.cli.common.output import console, write_json
from stampede.cli.records.analyse_record import analyse_record, is_record
from stampede.cli.terminal.buffalo_board import board
from stampede.core.errors import InputError

if TYPE_CHECKING:
    from stampede.search.buffalo.analysis import BuffaloAnalysis
    from stampede.search.buffalo.engine import SearchReport

__all__ = ["app"]

app = typer.Typer()

Quick: TypeAlias = Annotated[
    bool,
    typer.Option("--quick", help="Review a game with the budget of /review: the same numbers."),
]
Threads: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        max=64,
        help="Threads of a search by time; default: one for each core.",
    ),
]


@app.command("analyse")
def analyse_command(  # noqa: PLR0913 - the options of a command
    fen: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FEN|RECORD",
            help="A position of Buffalo (default: the start), or the file of a finished game.",
            show_default=False,
        ),
    ] = None,
    *,
    lines: Annotated[
        int,
        typer.Option("--lines", metavar="N", min=1, max=96, help="The number of moves to show."),
    ] = 3,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="SECONDS", help="The time limit; default: 3."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", help="A limit of positions instead.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", metavar="N", help="A limit of depth instead.")
    ] = None,
    threads: Threads = None,
    game: Annotated[
        int, typer.Option("--game", "-g", metavar="N", help="The Nth game of a file, from 1.")
    ] = 1,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Write a game's report here; default: beside the record."
        ),
    ] = None,
    quick: Quick = False,
    edition: EditionFile = None,
    as_json: AsJson = False,
) -> None:
    """Finds the best moves of a Buffalo position, or reviews a finished game.

    Examples:
    stampede analyse "bbb1bbbbbbb/11/11/3b7/5C5/3DD1DD3/11 w - - 0 4" --seconds 5
    stampede analyse game.json --html game.html
    stampede analyse game.json --quick --json
    """
    if fen is not None and len(fen) == 1 and is_record(fen[0]):
        path = Path(fen[0])
        analyse_record(path, edition, game=game, html=html, as_json=as_json, quick=quick)
        return
    if edition is not None:
        raise InputError(
            "--edition: expected the file of a game of Zoff, got a position of Buffalo"
        )
    if seconds is None and nodes is None and depth is None:
        seconds = 3.0
    position = Position.from_fen(" ".join(fen)) if fen else Position.start()
    cores = min(64, os.cpu_count() or 1)
    found = _search(position, (depth, nodes, seconds), lines, threads or cores, shown=not as_json)
    if as_json:
        write_json(found.to_json())
    else:
        console().print(_page(found))


def _search(
    position: Position,
    budget: tuple[int | None, int | None, float | None],
    lines: int,
    threads: int,
    *,
    shown: bool,
) -> BuffaloAnalysis:
    """Searches a position within a budget of depth, nodes and seconds, and shows how far it is."""
    from stampede.oracle import default_oracle  # noqa: PLC0415 - loads compiled code
    from stampede.search.buffalo.analysis import analyse  # noqa: PLC0415
    from stampede.search.buffalo.engine import Engine, Limits  # noqa: PLC0415

    if position.is_over:
        raise InputError("analyse: expected a game that isn't over, got one that is")
    limits = Limits(*budget)
    compile_once("buffalo")
    with _Progress(shown=shown) as progress:
        engine = Engine(oracle=default_oracle(), threads=threads)
        return analyse(position, limits, engine=engine, variations=lines, report=progress.show)


class _Progress:
    """Shows the search's progress in a line on standard error, if that is a terminal."""

    def __init__(self, *, shown: bool) -> None:
        self._status = Console(stderr=True).status("Thinking …")
        self._shown = shown and sys.stderr.isatty()

    def __enter__(self) -> _Progress:
        if self._shown:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def show(self, report: SearchReport) -> None:
        moves = " ".join(str(move) for move in report.best.moves[:6])
        self._status.update(
            f"depth {report.depth}, {report.nodes:,} positions,"
            f" {report.nodes_per_second:,} a second: {moves}"
        )


def _page(found: BuffaloAnalysis) -> RenderableType:
    from stampede.search.buffalo.analysis import verdict  # noqa: PLC0415 - loads compiled code

    position, report = found.position, found.report
    rows = Table(title_justify="left")
    for name in ("move", "score", "meaning", "line"):
        rows.add_column(name, justify="right" if name == "score" else "left")
    for line in report.variations:
        following = " ".join(str(move) for move in line.moves[1:9])
        score = f"{line.score / 100:+.2f}" if line.plies is None else ""
        rows.add_row(str(line.move), score, str(verdict(position.turn, line)), following)
    speed = f"{report.nodes:,} positions, {report.nodes_per_second:,} a second"
    return Group(
        board(position),
        Text(f"{str(position.turn).capitalize()} to move: {found.verdict}.", "bold"),
        *(Text(f"- {remark}") for remark in found.remarks),
        rows,
        Text(f"Depth {report.depth}, {speed}.", "dim"),
    )
