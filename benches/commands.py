"""The commands of ``python -m benches``, one a subject.

A command imports its benchmark when it runs: the compiled code loads slowly, and each benchmark needs only its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from benches.figures import Figure, Figures
from stampede.cli.guard import guard
from stampede.cli.options import AsJson
from stampede.cli.output import console, tracked, write_json
from stampede.core.errors import InputError
from stampede.games import GAMES

__all__ = ["app", "main"]

app = typer.Typer(
    name="python -m benches",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Seconds: TypeAlias = Annotated[
    float, typer.Option("--seconds", min=0.1, metavar="S", help="How long the run takes, about.")
]


@app.callback()
def group() -> None:
    """Measures speed. Run it from the root of a checkout of the repository."""


@app.command("rules")
def measure_rules(seconds: Seconds = 10.0, as_json: AsJson = False) -> None:
    """Measures the readable rules: complete random games a second, beside a fixed loop of plain Python.

    Example:
    python -m benches rules --seconds 20
    """
    from benches import rules

    count = rules.slices(seconds)
    report = rules.measure(count, _progress(count))
    if as_json:
        write_json(report.to_json())
        return
    rows = _table("The readable rules on one core", "a second", "expected", "in one fixed loop")
    for rate in report.rates:
        expected = "" if rate.expected is None else f"≥ {rate.expected:,.0f}"
        rows.add_row(
            rate.name, f"{rate.per_second:,.0f} {rate.unit}", expected, f"{rate.per_loop:.1f}"
        )
    out = console()
    out.print(rows)
    note = (
        f"The fixed loop of plain Python took {1000 * report.loop_seconds:.1f} ms. Compare the "
        "last column between machines, or before and after a change."
    )
    out.print(Text(note, "dim"))


@app.command("buffalo")
def measure_buffalo(
    seconds: Seconds = 15.0,
    fairy: Annotated[
        str | None,
        typer.Option(
            "--fairy",
            metavar="FOLDER",
            envvar="STAMPEDE_FAIRY",
            help="The folder of the npm package fairy-stockfish-nnue.wasm.",
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option("--engine", metavar="COMMAND", help="A native Fairy-Stockfish instead."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measures Buffalo's kernels and search beside the readable rules and, if given, Fairy-Stockfish.

    Example: python -m benches buffalo --fairy ~/fairy/node_modules/fairy-stockfish-nnue.wasm
    """
    from benches import buffalo

    try:
        command = buffalo.fairy_command(fairy, engine)
    except ValueError as error:
        raise InputError(str(error)) from error
    count = buffalo.rounds(seconds)
    _show(buffalo.measure(count, _progress(count), command), "Buffalo on one core", as_json=as_json)


@app.command("zoff")
def measure_zoff(seconds: Seconds = 15.0, as_json: AsJson = False) -> None:
    """Measures Zoff's kernels and search beside the readable rules and, if installed, OpenSpiel's goofspiel.

    Example: python -m benches zoff --json
    """
    from benches import zoff

    count = zoff.rounds(seconds)
    _show(zoff.measure(count, _progress(count)), "Zoff on one core", as_json=as_json)


@app.command("solve")
def measure_solve(as_json: AsJson = False) -> None:
    """Measures building tablebases and searching proofs of Buffalo; takes minutes and several GB of memory.

    Example: python -m benches solve
    """
    from benches import solve

    with tempfile.TemporaryDirectory() as folder, Console(stderr=True).status("Measuring"):
        report = solve.measure(Path(folder))
    _show(report, "Tablebases and proofs", as_json=as_json)


@app.command("verify")
def measure_verify(as_json: AsJson = False) -> None:
    """Measures how many positions of a certificate one core checks.

    Example: python -m benches verify --json
    """
    from benches import verify

    with Console(stderr=True).status("Measuring"):
        report = verify.measure()
    _show(report, "Certificates", as_json=as_json)


@app.command("server")
def measure_server(  # noqa: PLR0913, PLR0917 - options
    sockets: Annotated[
        int, typer.Option("--sockets", min=4, metavar="N", help="WebSockets in all.")
    ] = 2000,
    tables: Annotated[
        int, typer.Option("--tables", min=1, metavar="N", help="Busy tables, two sockets each.")
    ] = 200,
    audience: Annotated[
        int,
        typer.Option(
            "--audience",
            min=0,
            metavar="N",
            help="How many of the other sockets watch a busy table; the rest sit at quiet ones.",
        ),
    ] = 0,
    game: Annotated[
        str, typer.Option("--game", metavar="NAME", help="The game that two players play.")
    ] = "buffalo",
    steady: Annotated[
        float,
        typer.Option("--steady", min=1, metavar="N", help="Actions a second in the second phase."),
    ] = 2000.0,
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, metavar="S", help="How long each phase takes.")
    ] = 10.0,
    database: Annotated[
        str,
        typer.Option(
            "--database", metavar="URL", help="An empty database; a new SQLite file by default."
        ),
    ] = "",
    workers: Annotated[
        int,
        typer.Option("--workers", min=1, metavar="N", help="Worker processes; needs PostgreSQL."),
    ] = 1,
    server_core: Annotated[
        int, typer.Option("--server-core", min=0, metavar="N", help="The server's core.")
    ] = 1,
    client_core: Annotated[
        int, typer.Option("--client-core", min=0, metavar="N", help="The client's core.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Measures a server under load: actions a second, latencies, memory; and the bare log and sockets beside it.

    The server and the client run on a core each.

    Example: python -m benches server --json
    """
    from benches.load import measure

    if game not in GAMES:
        raise InputError(f"--game: expected {' or '.join(sorted(GAMES))}, got {game!r}")
    if sockets < 2 * tables + audience:
        raise InputError(
            f"--sockets: expected at least {2 * tables + audience}, two for every table and the"
            f" audience, got {sockets}"
        )
    plan = measure.Plan(
        game=game,
        sockets=sockets,
        tables=tables,
        audience=audience,
        seconds=seconds,
        steady=steady,
        database=database,
        workers=workers,
        server_core=server_core,
        client_core=client_core,
    )
    with Console(stderr=True).status("Measuring") as status:
        report = measure.run(plan, lambda what: status.update(f"Measuring: {what}"))
    if as_json:
        write_json(report.to_json())
        return
    out = console()
    out.print(_figure_table(report.figures, "A server under load", small_digits=1))
    out.print(Text("Marked figures miss their goal: see docs/load.md.", "dim"))


def _progress(count: int) -> Callable[[range], Iterable[int]]:
    return partial(tracked, total=count, what="Measuring")


def _show(report: Figures, title: str, *, as_json: bool) -> None:
    if as_json:
        write_json(report.to_json())
        return
    out = console()
    out.print(_figure_table(report.figures, title))
    for name, reason in report.skipped.items():
        out.print(Text(f"Left out: {name}: {reason}.", "dim"))


def _figure_table(figures: Sequence[Figure], title: str, *, small_digits: int = 2) -> Table:
    """Returns figures as a table that marks those that miss their goal."""
    rows = _table(title, "measured", "expected")
    for figure in figures:
        digits = small_digits if figure.value < 1 else 1 if figure.value < 1000 else 0
        sign = "≤" if figure.at_most else "≥"
        expected = "" if figure.expected is None else f"{sign} {figure.expected:,.10g}"
        measured = f"{figure.value:,.{digits}f} {figure.unit}"
        rows.add_row(figure.name, measured, expected, style="" if figure.is_met else "yellow")
    return rows


def _table(title: str, *columns: str) -> Table:
    rows = Table(title=title, title_justify="left")
    rows.add_column("what")
    for column in columns:
        rows.add_column(column, justify="right")
    return rows


guard(app)


def main() -> None:
    """Runs the command line."""
    app(prog_name="python -m benches")
