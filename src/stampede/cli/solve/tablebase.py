"""`stampede solve tablebase`: builds, checks and describes tablebases."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from stampede.cli.common.options import AsJson, Cores
from stampede.cli.common.output import write_json
from stampede.cli.solve.verify import MemoryOption, bytes_of, print_lines
from stampede.core.errors import InputError

if TYPE_CHECKING:
    from stampede.tablebase.build import BuildProgress
    from stampede.tablebase.endgames.endgame import Endgame

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

OnlyEstimate: TypeAlias = Annotated[
    bool, typer.Option("--estimate", help="Only estimate time and size.")
]
Check: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Compare the checksums of the whole file.")
]
Sample: TypeAlias = Annotated[
    int,
    typer.Option(
        "--sample",
        metavar="N",
        min=0,
        help="Compare N random positions of an endgame tablebase with a search that uses none.",
    ),
]


@contextmanager
def building(what: str) -> Iterator[Callable[[BuildProgress], None]]:
    """Shows the progress of a build on standard error: a bar on a terminal, else a line every half minute."""
    if not sys.stderr.isatty():
        lines = print_lines()
        yield lambda now: lines(what, now.done, now.states)
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
def tablebase_command(  # noqa: PLR0913 - one argument an option
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC",
            help="columns/live/dogs/squares/off or …/guards, see docs/tablebases.md; @12 stores layers up to 12 only.",
        ),
    ],
    *,
    folder: FolderOption = None,
    only_estimate: OnlyEstimate = False,
    check: Check = False,
    sample: Sample = 0,
    memory: MemoryOption = None,
    cores: Cores = None,
    as_json: AsJson = False,
) -> None:
    """Builds a tablebase, or resumes an interrupted build, and describes it.

    What a partial one (@12) needs beyond --memory goes to temporary files in the folder.

    Examples:
    stampede solve tablebase 4/abcd/0/-/0
    stampede solve tablebase 8/abcdfgh/3/2abcdefgh/3/5e --estimate
    stampede solve tablebase 7/abcdefg/3/2abcdefg/3@9 --memory 4
    """
    from stampede.proofs.search.partial_tablebase import parse_name
    from stampede.tablebase.build import estimate
    from stampede.tablebase.endgames.spec import EndgameSpec
    from stampede.tablebase.tablebase import tablebase_folder

    threads = cores or os.cpu_count() or 1
    if EndgameSpec.is_named(spec):
        _endgame(
            spec,
            folder,
            threads,
            only_estimate=only_estimate,
            check=check,
            sample=sample,
            as_json=as_json,
        )
        return
    if sample:
        raise InputError(f"--sample: expected an endgame tablebase, got {spec}")
    wanted, max_layer = parse_name(spec)
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
    more = [] if max_layer is None else [_space(str(wanted))]
    if not as_json:
        print(*(space.sentence for space in more), sep="", end="\n" * len(more))
    if not only_estimate:
        where = folder or tablebase_folder()
        more.append(_build(spec, where, threads, memory=bytes_of(memory), check=check))
        if not as_json:
            print(more[-1].sentence)
    if as_json:
        write_json({**fields, **dict(pair for part in more for pair in part.fields.items())})


def _space(spec: str) -> Description:
    """The space that a partial tablebase takes while it is built."""
    from stampede.proofs.certificates.space import solver_space
    from stampede.proofs.certificates.window_game import WindowSpec

    space = solver_space(WindowSpec.parse(spec))
    return Description(
        {
            "levels_bytes": space.levels,
            "kept_bytes": space.kept,
            "loaded_bytes": space.loaded,
        },
        f"While it is built: {(space.levels + space.loaded) / 1e9:,.1f} GB in memory or files, and"
        f" {space.kept / 1e9:,.1f} GB that are compressed to about a tenth in files.",
    )


def _endgame(  # noqa: PLR0913 - a command's options
    text: str,
    folder: Path | None,
    threads: int,
    *,
    only_estimate: bool,
    check: bool,
    sample: int,
    as_json: bool,
) -> None:
    """Estimates, builds or checks an endgame tablebase."""
    from stampede.tablebase.endgames.build import build_endgame, estimate_endgame
    from stampede.tablebase.endgames.endgame import open_endgame
    from stampede.tablebase.endgames.spec import EndgameSpec
    from stampede.tablebase.files import file_name
    from stampede.tablebase.tablebase import tablebase_folder

    spec = EndgameSpec.parse(text)
    guess = estimate_endgame(spec, threads)
    fields: Fields = {
        "spec": text,
        "states": guess.states,
        "placements": guess.placements,
        "estimated_seconds": round(guess.seconds, 1),
        "estimated_bytes": guess.bytes,
        "memory": guess.memory,
    }
    sentence = (
        f"{text}: {guess.states:,} states of {guess.placements:,} placements; about"
        f" {_duration(guess.seconds)} on {threads} cores, {guess.bytes / 1e6:,.0f} MB,"
        f" {guess.memory / 1e6:,.0f} MB of memory"
    )
    if not as_json:
        print(sentence)
    if not only_estimate:
        where = folder or tablebase_folder()
        path = where / file_name(spec)
        if check and not path.exists():
            raise InputError(f"expected a tablebase to check, got no file {path}")
        with building("Building") as show:
            path = build_endgame(spec, where, cores=threads, report=show)
        opened = open_endgame(path, check=check)
        fields |= {"file": str(path), "bytes": path.stat().st_size}
        if not as_json:
            right = ", checksums right" if check else ""
            print(f"{path}: {path.stat().st_size / 1e6:,.1f} MB{right}")
        if sample:
            found = _sample(opened, sample)
            fields |= found.fields
            if not as_json:
                print(found.sentence)
    if as_json:
        write_json(dict(fields))


def _sample(endgame: Endgame, positions: int) -> Description:
    """Compares random positions with a plain search."""
    from stampede.proofs.search.sampled import SampledCheck, check_sample

    lines = print_lines()

    def show(check: SampledCheck) -> None:
        lines("Comparing", check.buffalo + check.hunter + check.open, positions)

    check = check_sample(endgame, positions, report=show)
    return Description(
        {
            "sample_buffalo": check.buffalo,
            "sample_hunter": check.hunter,
            "sample_open": check.open,
        },
        f"A search without tablebases agrees in {check.buffalo:,} wins of the buffalo side and {check.hunter:,} of the"
        f" hunter; {check.open:,} positions were too hard for it.",
    )


class Description(NamedTuple):
    """A finished tablebase, described for programs and for people."""

    fields: Fields
    sentence: str


def _build(
    name: str, folder: Path, threads: int, *, memory: int | None, check: bool
) -> Description:
    """Builds a tablebase, or takes the existing one."""
    from stampede.proofs.search.named import build_named
    from stampede.proofs.search.partial_tablebase import parse_name
    from stampede.tablebase.files import check_file, file_name
    from stampede.tablebase.tablebase import open_tablebase

    wanted, max_layer = parse_name(name)
    path = folder / file_name(wanted, max_layer)
    existed = path.exists()
    if check and not existed:
        raise InputError(f"expected a tablebase to check, got no file {path}")
    begin = time.perf_counter()
    with building("Building") as show:
        path = build_named(name, folder, cores=threads, report=show, memory=memory)
    if check:
        check_file(path)
    seconds, size = time.perf_counter() - begin, path.stat().st_size
    bank = open_tablebase(path).winning([0] * len(wanted.live))
    squares = wanted.size - wanted.blocked.bit_count() - wanted.dogs
    placings = squares * len(wanted.placements)
    which = "all buffaloes but the guarded ones" if wanted.guards else "all buffaloes"
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
        f"With {which} on the bank the hunter wins from {bank:,} of {placings:,} placements.",
    )


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    return f"{seconds:,.0f} s" if seconds < 600 else f"{seconds / 60:,.0f} min"
