"""`stampede solve table`: building, checking and asking tables of exact values."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from stampede.cli.options import AsJson
from stampede.cli.output import write_json
from stampede.core.errors import InputError

if TYPE_CHECKING:
    from stampede.tablebase.build import BuildProgress

__all__ = ["FolderOption", "app", "building"]

app = typer.Typer()

Told = dict[str, int | float | str]

FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--folder",
        metavar="DIR",
        help="Where tables are kept; else STAMPEDE_TABLES, else the cache.",
    ),
]


@contextmanager
def building(what: str) -> Iterator[Callable[[BuildProgress], None]]:
    """A progress bar on standard error for a table that is built, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _progress: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[size]}"),
        TimeRemainingColumn(compact=True),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, size="")

        def show(now: BuildProgress) -> None:
            size = f"layer {now.layer}, {now.bytes / 1e6:,.0f} MB"
            bar.update(task, total=now.states, completed=now.done, size=size)

        yield show


@app.command("table")
def table_command(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC",
            help="columns/live/dogs/squares/off, see docs/tables.md; @12 keeps max_layer up to 12 only.",
        ),
    ],
    *,
    folder: FolderOption = None,
    only_estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what it would take, and stop.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Compare the checksums of the whole file.")
    ] = False,
    cores: Annotated[
        int | None, typer.Option("--cores", min=1, metavar="N", help="Threads; all cores.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Builds a table of exact values, or goes on with one that was stopped, and says what it holds.

    Examples:
    stampede solve table 4/abcd/0/-/0
    stampede solve table 8/abcdefgh/3/2abcdefgh/3 --estimate
    stampede solve table 7/abcdefg/3/2abcdefg/3@9
    """
    from stampede.proofs.search.partial_tablebase import parse_name
    from stampede.tablebase.build import estimate
    from stampede.tablebase.tablebase import tablebase_folder

    wanted, max_layer = parse_name(spec)
    threads = cores or os.cpu_count() or 1
    guess = estimate(wanted, threads, max_layer)
    told: Told = {
        "spec": spec,
        "states": guess.states,
        "placements": guess.placements,
        "estimated_seconds": round(guess.seconds, 1),
        "most_bytes": guess.most_bytes,
    }
    if not as_json:
        print(
            f"{spec}: {guess.states:,} states of {guess.placements:,} placements; about"
            f" {_duration(guess.seconds)} on {threads} cores, at most {guess.most_bytes / 1e6:,.0f} MB"
        )
    if not only_estimate:
        made = _made(spec, folder or tablebase_folder(), threads, check=check)
        told |= made.told
        if not as_json:
            print(made.sentence)
    if as_json:
        write_json(dict(told))


class Made(NamedTuple):
    """A table that is there: for programs and for people."""

    told: Told
    sentence: str


def _made(name: str, folder: Path, threads: int, *, check: bool) -> Made:
    """Builds a table, or takes the one that is there."""
    from stampede.proofs.search.partial_tablebase import build_named, parse_name
    from stampede.tablebase.files import check_file, file_name
    from stampede.tablebase.tablebase import open_tablebase

    wanted, max_layer = parse_name(name)
    path = folder / file_name(wanted, max_layer)
    there = path.exists()
    if check and not there:
        raise InputError(f"expected a table to check, got no file {path}")
    begin = time.perf_counter()
    with building("Building") as show:
        path = build_named(name, folder, cores=threads, report=show)
    if check:
        check_file(path)
    seconds, size = time.perf_counter() - begin, path.stat().st_size
    bank = open_tablebase(path).winning([0] * len(wanted.live))
    placings = (wanted.size - wanted.dogs) * len(wanted.placements)
    how = "was there" if there else f"built in {_duration(seconds)}"
    return Made(
        {
            "file": str(path),
            "bytes": size,
            "seconds": round(seconds, 2),
            "winning_at_the_bank": bank,
            "placings_at_the_bank": placings,
        },
        f"{path}: {how}, {size / 1e6:,.1f} MB{', sound' if check else ''}\n"
        f"With all buffaloes at the bank the hunter wins from {bank:,} of {placings:,} placings.",
    )


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    return f"{seconds:,.0f} s" if seconds < 600 else f"{seconds / 60:,.0f} min"
