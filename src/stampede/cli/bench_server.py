"""`stampede bench server`: a server under load, beside what its disk and its sockets could do alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Protocol, cast

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import stampede
from stampede.cli.options import AsJson
from stampede.cli.output import console, write_json
from stampede.core.errors import InputError
from stampede.core.json import JsonObject

__all__ = ["app"]

app = typer.Typer()


class LoadFigure(Protocol):
    """One figure, with what is expected of it."""

    name: str
    value: float
    unit: str
    expected: float | None
    at_most: bool

    @property
    def is_met(self) -> bool:
        """Whether the expectation is met."""


class LoadReport(Protocol):
    """All figures of one run."""

    figures: list[LoadFigure]

    def to_json(self) -> JsonObject:
        """The report as JSON."""


class LoadBench(Protocol):
    """The module `benches.load.measure`."""

    Plan: Callable[..., object]

    def run(self, plan: object, tell: Callable[[str], None]) -> LoadReport:
        """Measures, and says what is being done."""


@app.command("server")
def server(  # noqa: PLR0913, PLR0917 - options
    sockets: Annotated[
        int, typer.Option("--sockets", min=4, metavar="N", help="How many in all.")
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
            help="How many of the other sockets look on there; the rest sit at quiet tables.",
        ),
    ] = 0,
    game: Annotated[
        str, typer.Option("--game", metavar="NAME", help="buffalo, or zoff with two players.")
    ] = "buffalo",
    steady: Annotated[
        float, typer.Option("--steady", min=1, metavar="N", help="Actions a second, second phase.")
    ] = 2000.0,
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, metavar="S", help="How long each phase is.")
    ] = 10.0,
    database: Annotated[
        str,
        typer.Option(
            "--database", metavar="ADDRESS", help="An empty database; a new SQLite file if absent."
        ),
    ] = "",
    workers: Annotated[
        int, typer.Option("--workers", min=1, metavar="N", help="Processes; needs PostgreSQL.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Measures a server with many sockets: actions a second, waiting times, memory; and the bare log and sockets.

    The server has a core of its own, the client another one.

    Example: stampede bench server --json
    """
    if game not in ("buffalo", "zoff"):
        raise InputError(f"--game: expected buffalo or zoff, got {game!r}")
    if sockets < 2 * tables + audience:
        raise InputError(
            f"--sockets: expected at least {2 * tables + audience}, two for every table and the"
            f" audience, got {sockets}"
        )
    bench = _bench()
    plan = bench.Plan(
        game=game,
        sockets=sockets,
        tables=tables,
        audience=audience,
        seconds=seconds,
        steady=steady,
        database=database,
        workers=workers,
    )
    with Console(stderr=True).status("Measuring") as status:
        report = bench.run(plan, lambda what: status.update(f"Measuring: {what}"))
    if as_json:
        write_json(report.to_json())
        return
    out = console()
    out.print(_table(report))
    out.print(Text("What is marked misses what is expected of it: docs/load.md.", "dim"))


def _table(report: LoadReport) -> Table:
    rows = Table(title="A server under load", title_justify="left")
    rows.add_column("what")
    rows.add_column("measured", justify="right")
    rows.add_column("expected", justify="right")
    for figure in report.figures:
        digits = 1 if figure.value < 1000 else 0
        sign = "≤" if figure.at_most else "≥"
        expected = "" if figure.expected is None else f"{sign} {figure.expected:,.10g}"
        style = "" if figure.is_met else "yellow"
        rows.add_row(
            figure.name, f"{figure.value:,.{digits}f} {figure.unit}", expected, style=style
        )
    return rows


def _bench() -> LoadBench:
    """The bench, from the checkout that the package was installed from, or from the current folder."""
    for root in (Path(stampede.__file__).resolve().parents[2], Path.cwd()):
        if (root / "benches" / "load" / "measure.py").is_file():
            sys.path.insert(0, str(root))
            from benches.load import measure  # noqa: PLC0415 - it isn't part of the package

            return cast("LoadBench", measure)
    raise InputError(
        "expected a checkout of the repository: benchmarks live in its folder benches/, which isn't"
        " part of the installed package; run this inside a checkout"
    )
