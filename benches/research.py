"""The commands of the benchmarks of `stampede.lab`, and the one that writes their figures into pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

import typer

from benches.options import Seconds, progress
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, tracked, write_json
from stampede.cli.research.bench import show_measurements
from stampede.core.json import expect_object
from stampede.lab.bench.measurements import about_machine

__all__ = ["COMMANDS"]


def measure_lab(seconds: Seconds = 20.0, as_json: AsJson = False) -> None:
    """Measures the vector environments, as `stampede bench lab` does.

    Example: python -m benches lab --json
    """
    from stampede.lab.bench import vector

    count = vector.rounds(seconds)
    show_measurements(
        vector.measure(count, progress(count)), "Vector environments", as_json=as_json
    )


def measure_data(
    seconds: Seconds = 10.0,
    games: Annotated[
        int, typer.Option("--games", min=1, metavar="N", help="Games of each kind, played first.")
    ] = 500,
    as_json: AsJson = False,
) -> None:
    """Measures how fast games become tables, and how small, beside reading their records with json alone.

    Example: python -m benches data --json
    """
    from benches import data

    count = data.rounds(seconds)
    show_measurements(
        data.measure(count, games, progress(count)), "Games as tables", as_json=as_json
    )


def measure_cores(
    cores: Annotated[int, typer.Option("--cores", min=1, metavar="N", help="Of a cluster.")] = 1000,
    seconds: Seconds = 5.0,
    as_json: AsJson = False,
) -> None:
    """Measures what one core makes of long jobs, each for some seconds, and computes how long a cluster takes.

    Example: python -m benches cores --cores 1000
    """
    from benches import cores as benched

    jobs = benched.stated_jobs()
    about = about_machine()
    rates = benched.measure(jobs, seconds, partial(tracked, total=len(jobs), what="Measuring"))
    if as_json:
        made = {rate.stated.name: rate.to_json(cores) for rate in rates}
        write_json({"about": {**about}, "cores": cores, "jobs": {**made}})
    else:
        console().print(benched.as_table(rates, cores))


def measure_threads(
    threads: Annotated[
        str, typer.Option("--threads", metavar="NUMBERS", help="Separated by commas.")
    ] = "1,2",
    depth: Annotated[int, typer.Option("--depth", min=2, metavar="N", help="In plies.")] = 18,
    positions: Annotated[int, typer.Option("--positions", min=1, max=300, metavar="N")] = 30,
    as_json: AsJson = False,
) -> None:
    """Measures how much sooner a search of Buffalo completes a depth with more threads. Run it on an idle machine.

    Example: python -m benches threads --threads 1,2 --positions 30
    """
    from benches import threads as benched

    numbers = [int(part) for part in threads.split(",")]
    track = partial(tracked, total=positions, what="Measuring")
    report = benched.measure(numbers, depth, positions, track)
    title = f"{positions} positions to depth {depth}, on the clock"
    show_measurements(report, title, as_json=as_json)


def write_pages(
    lab: Annotated[
        Path | None, typer.Option("--lab", metavar="FILE", help="A run of stampede bench lab.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FILE", help="A run of the benchmark data.")
    ] = None,
    cores: Annotated[
        Path | None, typer.Option("--cores", metavar="FILE", help="A run of the benchmark cores.")
    ] = None,
    docs: Annotated[
        Path, typer.Option("--docs", metavar="FOLDER", help="The folder of the pages.")
    ] = Path("docs"),
) -> None:
    """Writes the figures of runs, as JSON, into the pages that show them.

    Example: python -m benches pages --lab lab.json --cores cores.json
    """
    from benches import pages

    for name, file, page in (
        ("lab", lab, "benchmarks.md"),
        ("data", data, "benchmarks.md"),
        ("cores", cores, "clusters.md"),
    ):
        if file is not None:
            run = expect_object(json.loads(file.read_text("utf-8")), str(file))
            pages.fill(docs / page, name, pages.table_of(name, run))


COMMANDS: Final = MappingProxyType[str, Callable[..., None]](
    {
        "lab": measure_lab,
        "data": measure_data,
        "cores": measure_cores,
        "threads": measure_threads,
        "pages": write_pages,
    }
)
"""By name."""
