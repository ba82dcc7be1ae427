"""`stampede bench zoff`: the kernels and the search of Zoff beside the readable rules, and OpenSpiel where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Protocol, cast

import typer
from rich.text import Text

from stampede.cli.bench import figure_table, load_bench
from stampede.cli.options import AsJson
from stampede.cli.output import console, tracked, write_json
from stampede.lab.figures import Figures

__all__ = ["app"]

app = typer.Typer()


class ZoffBench(Protocol):
    """The module `benches/zoff.py`."""

    def rounds(self, seconds: float) -> int:
        """How many rounds a run of so many seconds has."""

    def measure(self, count: int, track: Callable[[range], object]) -> Figures:
        """Measures in so many rounds."""


@app.command("zoff")
def zoff(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, metavar="S", help="How long, about.")
    ] = 15.0,
    as_json: AsJson = False,
) -> None:
    """Measures Zoff's kernels and search beside the readable rules and, if installed, OpenSpiel's goofspiel.

    Example: stampede bench zoff --json
    """
    bench = cast("ZoffBench", load_bench("zoff"))
    count = bench.rounds(seconds)
    report = bench.measure(count, lambda span: tracked(span, count, "Measuring"))
    if as_json:
        write_json(report.to_json())
        return
    out = console()
    out.print(figure_table(report, "Zoff on one core"))
    for name, reason in report.skipped.items():
        out.print(Text(f"Left out: {name}: {reason}.", "dim"))
