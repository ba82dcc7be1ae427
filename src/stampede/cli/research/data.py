"""`stampede data`: games as tables for research, and back."""

from __future__ import annotations

import time
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from stampede.cli.common.files import whole_file
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, waiting, write_json
from stampede.core.errors import InputError
from stampede.core.extras import require
from stampede.core.json import JsonObject

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Writes games as tables for research.")


class TableFormat(StrEnum):
    """The formats of an export."""

    PARQUET = "parquet"


Records: TypeAlias = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILES", help="Files of records (JSON Lines), or folders of stampede simulate."
    ),
]
Tables: TypeAlias = Annotated[Path, typer.Argument(metavar="FOLDER", help="A data set.")]


@app.command("export")
def export_command(
    records: Records,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The new folder.")],
    to: Annotated[
        TableFormat, typer.Option("--to", metavar="NAME", help="The format: parquet.")
    ] = TableFormat.PARQUET,
    states: Annotated[
        bool,
        typer.Option(
            "--states", help="Add what is on the table before each decision; replays all games."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Writes records as tables: games, seats and steps, each a Parquet file in a new folder.

    Steps aren't checked against the rules unless you ask for --states; stampede record check does it.

    Examples:
    stampede data export games --to parquet --out tables
    stampede data export monday.jsonl tuesday.jsonl --out tables --states
    """
    require("pyarrow")
    from stampede.lab.data import export, record_lines  # noqa: PLC0415 - an extra, slow to load

    assert to is TableFormat.PARQUET
    for path in records:
        if not path.exists():
            raise InputError(f"{path}: expected a file of records or a folder, got nothing")
    begin = time.perf_counter()
    with waiting("Writing tables"):
        done = export(chain.from_iterable(map(record_lines, records)), out, states=states)
    seconds = time.perf_counter() - begin
    if as_json:
        sizes: JsonObject = {name: size for name, size in done.sizes.items()}  # noqa: C416 - a wider type
        report: JsonObject = {"game": done.game, "games": done.games, "steps": done.steps}
        step = round(done.bytes_per_step, 3)
        write_json({**report, "bytes": sizes, "bytes_a_step": step, "seconds": round(seconds, 3)})
        return
    size = sum(done.sizes.values()) / 1e6
    console().print(
        f"{out}: {done.games} games of {done.game}, {done.steps} steps; {size:.2f} MB, "
        f"{done.bytes_per_step:.2f} bytes a step",
        markup=False,
        soft_wrap=True,
    )


@app.command("records")
def records_command(
    tables: Tables,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The file of records (JSON Lines).")
    ],
) -> None:
    """Writes the games of a data set as records, which can be checked, shown and reviewed.

    Example:
    stampede data records tables --out games.jsonl
    """
    require("pyarrow")
    from stampede.lab.data import Dataset  # noqa: PLC0415 - an extra, slow to load

    count = 0
    with whole_file(out) as stream, waiting("Writing records"):
        for record in Dataset(tables).records():
            stream.write(record.dumps() + "\n")
            count += 1
    console().print(f"{out}: {count} records", markup=False, soft_wrap=True)
