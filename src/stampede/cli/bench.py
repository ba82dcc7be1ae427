"""`stampede bench`: the benchmarks of the checkout's `benches/`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Annotated, Protocol, cast

import typer
from rich.table import Table
from rich.text import Text

import stampede
from stampede.cli.options import AsJson
from stampede.cli.output import console, tracked, write_json
from stampede.core.errors import InputError
from stampede.core.json import JsonObject
from stampede.lab.figures import Figures

__all__ = ["app", "figure_table", "load_bench"]

app = typer.Typer(no_args_is_help=True, help="Measures speed, from a checkout of the repository.")


class Rate(Protocol):
    """What a benchmark measured."""

    name: str
    unit: str
    per_second: float
    expected: float | None

    @property
    def per_loop(self) -> float:
        """How many fit into the time of one calibrating loop."""


class Report(Protocol):
    """All measurements of one run."""

    loop_seconds: float
    rates: list[Rate]

    def to_json(self) -> JsonObject:
        """The report as JSON."""


class FastBench(Protocol):
    """The module `benches/buffalo.py`."""

    def rounds(self, seconds: float) -> int:
        """How many rounds a run of so many seconds has."""

    def fairy_command(self, folder: str | None, engine: str | None) -> list[str] | None:
        """The command that starts Fairy-Stockfish; ValueError when it isn't there."""

    def measure(
        self, count: int, track: Callable[[range], object], fairy: list[str] | None
    ) -> Figures:
        """Measures in so many rounds."""


class Bench(Protocol):
    """The module `benches/rules.py`."""

    def slices(self, seconds: float) -> int:
        """How many slices a run of so many seconds has."""

    def measure(self, slices: int, track: Callable[[range], object]) -> Report:
        """Measures in so many slices, each with a bit of everything."""


@app.callback()
def group() -> None:
    """Measures speed, from a checkout of the repository."""


@app.command("rules")
def rules(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, metavar="S", help="How long, about.")
    ] = 10.0,
    as_json: AsJson = False,
) -> None:
    """Measures the readable rules: complete random games a second, beside a fixed loop of plain Python.

    Example:
    stampede bench rules --seconds 20
    """
    bench = cast("Bench", load_bench("rules"))
    count = bench.slices(seconds)
    report = bench.measure(count, lambda span: tracked(span, count, "Measuring"))
    if as_json:
        write_json(report.to_json())
        return
    out = console()
    out.print(_table(report))
    out.print(
        Text(
            f"The fixed loop of plain Python took {1000 * report.loop_seconds:.1f} ms. Compare the "
            "last column between machines, or before and after a change.",
            "dim",
        )
    )


@app.command("buffalo")
def buffalo(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, metavar="S", help="How long, about.")
    ] = 15.0,
    fairy: Annotated[
        str | None,
        typer.Option(
            "--fairy",
            metavar="FOLDER",
            envvar="STAMPEDE_FAIRY",
            help="Where the npm package fairy-stockfish-nnue.wasm is installed.",
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option("--engine", metavar="COMMAND", help="A native Fairy-Stockfish instead."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measures Buffalo's kernels and search beside the readable rules and, if given, Fairy-Stockfish.

    Example: stampede bench buffalo --fairy ~/fairy/node_modules/fairy-stockfish-nnue.wasm
    """
    bench = cast("FastBench", load_bench("buffalo"))
    try:
        command = bench.fairy_command(fairy, engine)
    except ValueError as error:
        raise InputError(str(error)) from error
    count = bench.rounds(seconds)
    report = bench.measure(count, lambda span: tracked(span, count, "Measuring"), command)
    if as_json:
        write_json(report.to_json())
        return
    out = console()
    out.print(figure_table(report, "Buffalo on one core"))
    for name, reason in report.skipped.items():
        out.print(Text(f"Left out: {name}: {reason}.", "dim"))


def figure_table(report: Figures, title: str) -> Table:
    """The figures of a run as a table; what misses its expectation is marked."""
    rows = Table(title=title, title_justify="left")
    rows.add_column("what")
    rows.add_column("measured", justify="right")
    rows.add_column("expected", justify="right")
    for figure in report.figures:
        digits = 2 if figure.value < 1 else 1 if figure.value < 1000 else 0
        sign = "≤" if figure.unit == "seconds" else "≥"
        expected = "" if figure.expected is None else f"{sign} {figure.expected:,.10g}"
        style = "" if figure.is_met else "yellow"
        rows.add_row(
            figure.name, f"{figure.value:,.{digits}f} {figure.unit}", expected, style=style
        )
    return rows


def _table(report: Report) -> Table:
    rows = Table(title="The readable rules on one core", title_justify="left")
    rows.add_column("what")
    rows.add_column("a second", justify="right")
    rows.add_column("expected", justify="right")
    rows.add_column("in one fixed loop", justify="right")
    for rate in report.rates:
        expected = "" if rate.expected is None else f"≥ {rate.expected:,.0f}"
        rows.add_row(
            rate.name, f"{rate.per_second:,.0f} {rate.unit}", expected, f"{rate.per_loop:.1f}"
        )
    return rows


def load_bench(name: str) -> ModuleType:
    """Loads a module of `benches/`, which is no part of the installed package."""
    for root in (Path(stampede.__file__).resolve().parents[2], Path.cwd()):
        if (root / "benches" / f"{name}.py").is_file():
            # By its name, and not by its path alone: the processes that a benchmark starts must find it, too.
            sys.path.insert(0, str(root))
            return importlib.import_module(f"benches.{name}")
    raise InputError(
        "expected a checkout of the repository: benchmarks live in its folder benches/, which isn't "
        "part of the installed package; run this inside a checkout"
    )
