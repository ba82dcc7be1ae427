"""`stampede solve tablebase`: builds, checks and describes tablebases."""

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

from stampede.cli.options import AsJson, Cores
from stampede.cli.output import write_json
from stampede.core.errors import InputError

if TYPE_CHECKING:
    from stampede.tablebase.build import BuildProgress

__all__ = ["FolderOption", "app", "building"]

app = typer.Typer()

Fields = dict[str, int | float | str]

FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--folder",
        metavar="FOLDER",
        help="The tablebases' folder; else STAMPEDE_TABLEBASES, else the cache.",
    ),
]


@contextmanager
def building(what: str) -> Iterator[Callable[[BuildProgress], None]]:
    """Shows the progress of a build on standard error, if that is a terminal."""
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


@app.command("table", hidden=True)  # the old name
@app.command("tablebase")
def tablebase_command(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC",
            help="columns/live/dogs/squares/off, see docs/tablebases.md; @12 stores layers up to 12 only.",
        ),
    ],
    *,
    folder: FolderOption = None,
    only_estimate: Annotated[
        bool, typer.Option("--estimate", help="Only estimate time and size.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Compare the checksums of the whole file.")
    ] = False,
    cores: Cores = None,
    as_json: AsJson = False,
) -> None:
    """Builds a tablebase, or resumes an interrupted build, and describes it.

    Examples:
    stampede solve tablebase 4/abcd/0/-/0
    stampede solve tablebase 8/abcdefgh/3/2abcdefgh/3 --estimate
    stampede solve tablebase 7/abcdefg/3/2abcdefg/3@9
    """
    from stampede.proofs.search.partial_tablebase import parse_name
    from stampede.tablebase.build import estimate
    from stampede.tablebase.tablebase import tablebase_folder

    wanted, max_layer = parse_name(spec)
    threads = cores or os.cpu_count() or 1
    guess = estimate(wanted, threads, max_layer)
    fields: Fields = {
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
        built = _build(spec, folder or tablebase_folder(), threads, check=check)
        fields |= built.fields
        if not as_json:
            print(built.sentence)
    if as_json:
        write_json(dict(fields))


class Description(NamedTuple):
    """A finished tablebase, described for programs and for people."""

    fields: Fields
    sentence: str


def _build(name: str, folder: Path, threads: int, *, check: bool) -> Description:
    """Builds a tablebase, or takes the existing one."""
    from stampede.proofs.search.partial_tablebase import build_named, parse_name
    from stampede.tablebase.files import check_file, file_name
    from stampede.tablebase.tablebase import open_tablebase

    wanted, max_layer = parse_name(name)
    path = folder / file_name(wanted, max_layer)
    existed = path.exists()
    if check and not existed:
        raise InputError(f"expected a tablebase to check, got no file {path}")
    begin = time.perf_counter()
    with building("Building") as show:
        path = build_named(name, folder, cores=threads, report=show)
    if check:
        check_file(path)
    seconds, size = time.perf_counter() - begin, path.stat().st_size
    bank = open_tablebase(path).winning([0] * len(wanted.live))
    placings = (wanted.size - wanted.dogs) * len(wanted.placements)
    how = "exists" if existed else f"built in {_duration(seconds)}"
    return Description(
        {
            "file": str(path),
            "bytes": size,
            "seconds": round(seconds, 2),
            "winning_at_the_bank": bank,
            "placings_at_the_bank": placings,
        },
        f"{path}: {how}, {size / 1e6:,.1f} MB{', checksums right' if check else ''}\n"
        f"With all buffaloes on the bank the hunter wins from {bank:,} of {placings:,} placements.",
    )


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    return f"{seconds:,.0f} s" if seconds < 600 else f"{seconds / 60:,.0f} min"
