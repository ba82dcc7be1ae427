"""`stampede bench`: measures how fast this machine plays. More benchmarks are in a checkout: ``python -m benches``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, tracked, write_json
from stampede.lab.bench.measurements import Measurement, Measurements

__all__ = ["app", "measurement_table", "new_table", "show_measurements"]

app = typer.Typer(no_args_is_help=True)


@app.callback()
def group() -> None:
    """Measures how fast this machine plays."""


@app.command("lab")
def bench_lab_command(
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", min=0.1, metavar="SECONDS", help="How long the run takes, about."
        ),
    ] = 20.0,
    as_json: AsJson = False,
) -> None:
    """Measures the vector environments beside the readable rules and, if installed, others' environments.

    Processor time on one core; rounds take turns, and the best counts. Pgx's and PettingZoo's connect_four and
    OpenSpiel's goofspiel take part where they are installed, and OpenSpiel's random_sim_test runs on our games.

    Example:
    stampede bench lab --json
    """
    from stampede.lab.bench import vector  # noqa: PLC0415 - loads compiled code

    count = vector.rounds(seconds)
    report = vector.measure(count, partial(tracked, total=count, what="Measuring"))
    show_measurements(report, "Vector environments", as_json=as_json)


def show_measurements(report: Measurements, title: str, *, as_json: bool) -> None:
    """Shows the figures of a run, and what was left out."""
    if as_json:
        write_json(report.to_json())
        return
    out = console()
    out.print(measurement_table(report.figures, title))
    for name, reason in report.skipped.items():
        out.print(Text(f"Left out: {name}: {reason}.", "dim"))


def measurement_table(
    figures: Sequence[Measurement], title: str, *, small_digits: int = 2
) -> Table:
    """Returns figures as a table that marks those that miss their goal."""
    rows = new_table(title, "measured", "expected")
    for figure in figures:
        digits = small_digits if figure.value < 1 else 1 if figure.value < 1000 else 0
        sign = "≤" if figure.at_most else "≥"
        expected = "" if figure.expected is None else f"{sign} {figure.expected:,.10g}"
        measured = f"{figure.value:,.{digits}f} {figure.unit}"
        rows.add_row(figure.name, measured, expected, style="" if figure.is_met else "yellow")
    return rows


def new_table(title: str, *columns: str) -> Table:
    """Returns a table of what was measured, with these columns of numbers."""
    rows = Table(title=title, title_justify="left")
    rows.add_column("what")
    for column in columns:
        rows.add_column(column, justify="right")
    return rows
