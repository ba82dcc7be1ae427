"""`stampede bench`: the benchmarks of the checkout's `benches/`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Protocol, cast

import typer
from rich.table import Table
from rich.text import Text

import stampede
from stampede.cli.options import AsJson
from stampede.cli.output import console, tracked, write_json
from stampede.core.errors import InputError
from stampede.core.json import JsonObject

__all__ = ["app"]

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


class Bench(Protocol):
    """A module of `benches/`."""

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
    bench = _bench("rules")
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


def _bench(name: str) -> Bench:
    """Loads a module of `benches/`, which is no part of the installed package."""
    for root in (Path(stampede.__file__).resolve().parents[2], Path.cwd()):
        path = root / "benches" / f"{name}.py"
        if path.is_file():
            spec = importlib.util.spec_from_file_location(f"benches_{name}", path)
            assert spec is not None, "a path of a Python file"
            assert spec.loader is not None, "a path of a Python file"
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module  # where dataclasses look for it
            spec.loader.exec_module(module)
            return cast("Bench", module)
    raise InputError(
        "expected a checkout of the repository: benchmarks live in its folder benches/, which isn't "
        "part of the installed package; run this inside a checkout"
    )
