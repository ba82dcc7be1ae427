"""`stampede bench solve` and `stampede bench verify`: tables, proof search, and the check of certificates."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Protocol, cast

import typer
from rich.console import Console

from stampede.cli.bench import figure_table, load_bench
from stampede.cli.options import AsJson
from stampede.cli.output import console, write_json
from stampede.lab.figures import Figures

__all__ = ["app"]

app = typer.Typer()


class SolveBench(Protocol):
    """The module `benches/solve.py`."""

    def measure(self, folder: Path) -> Figures:
        """Measures once; tables go to the folder."""


class VerifyBench(Protocol):
    """The module `benches/verify.py`."""

    def measure(self) -> Figures:
        """Measures how many positions a second are checked."""


@app.command("solve")
def solve(as_json: AsJson = False) -> None:
    """Measures how fast tables of Buffalo are built and proofs are searched; some minutes, several GB of memory.

    Example: stampede bench solve
    """
    bench = cast("SolveBench", load_bench("solve"))
    with tempfile.TemporaryDirectory() as folder, Console(stderr=True).status("Measuring"):
        report = bench.measure(Path(folder))
    _show(report, "Tables and proofs", as_json=as_json)


@app.command("verify")
def verify(as_json: AsJson = False) -> None:
    """Measures how many positions of a certificate are checked on one core.

    Example: stampede bench verify --json
    """
    bench = cast("VerifyBench", load_bench("verify"))
    with Console(stderr=True).status("Measuring"):
        report = bench.measure()
    _show(report, "Certificates", as_json=as_json)


def _show(report: Figures, title: str, *, as_json: bool) -> None:
    if as_json:
        write_json(report.to_json())
    else:
        console().print(figure_table(report, title))
