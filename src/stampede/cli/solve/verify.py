"""`stampede solve verify`: checks whether certificates prove what they claim."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from stampede.cli.common.guard import WRONG
from stampede.cli.common.options import AsJson, Cores
from stampede.cli.common.output import LINE_EVERY, console, write_json
from stampede.core.json import JsonObject

if TYPE_CHECKING:
    from stampede.proofs.certificates import Verdict
    from stampede.proofs.certificates.verify import ReportProgress

__all__ = [
    "MemoryOption",
    "ScratchOption",
    "app",
    "bytes_of",
    "print_lines",
    "reporter",
    "show_verdicts",
]

app = typer.Typer()

MemoryOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--memory",
        min=0,
        metavar="GB",
        help="For tablebases; default: half of the machine's, at most 6.",
        show_default=False,
    ),
]
ScratchOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--scratch",
        metavar="FOLDER",
        exists=True,
        file_okay=False,
        writable=True,
        help="For what doesn't fit; default: the temporary folder.",
        show_default=False,
    ),
]


@app.command("verify")
def verify_command(  # noqa: PLR0913 - one argument an option
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", help="Certificates, or names of shipped ones.", show_default=False
        ),
    ],
    *,
    reference: Annotated[
        bool,
        typer.Option("--reference", help="Check with the readable rules: the same check, slowly."),
    ] = False,
    every: Annotated[
        int,
        typer.Option(
            "--every",
            min=1,
            metavar="N",
            help="With --reference: only each N-th position, a sample.",
        ),
    ] = 1,
    workers: Cores = None,
    memory: MemoryOption = None,
    scratch: ScratchOption = None,
    claims: Annotated[bool, typer.Option("--claims", help="List every claim, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Checks proofs of who wins Buffalo: every answer by the rules, every tablebase rebuilt.

    The check shares no code with the search that found the proofs. Exit code 1 when a certificate doesn't prove what it
    claims; then the place and the reason are shown.

    Tablebases are rebuilt in memory. What a large one needs beyond --memory goes to temporary files in --scratch.

    Examples:
    stampede solve verify columns-9
    stampede solve verify --memory 4 --scratch /var/tmp proof.cert
    stampede solve verify --reference --every 1000 proof.cert
    """
    from stampede.proofs.certificates import verify
    from stampede.proofs.certificates.shipped import certificate_path

    paths = [certificate_path(file) for file in files]
    for path in paths:
        path.open("rb").close()  # a file that can't be opened is bad usage, not a false proof
    with reporter() as report:
        verdicts = verify(
            paths,
            workers=workers or os.cpu_count() or 1,
            every=every if reference else None,
            memory=bytes_of(memory),
            scratch=scratch,
            report=report,
        )
    sampled = reference and every > 1
    if as_json:
        write_json(
            {"valid": _all_verified(verdicts), "files": [_json(v, sampled) for v in verdicts]}
        )
    else:
        show_verdicts(verdicts, sampled=sampled, claims=claims)
    if not _all_verified(verdicts):
        raise typer.Exit(WRONG)


def _all_verified(verdicts: list[Verdict]) -> bool:
    return all(verdict.fault is None for verdict in verdicts)


def bytes_of(gigabytes: float | None) -> int | None:
    """Converts the option --memory to bytes."""
    return None if gigabytes is None else int(gigabytes * 1e9)


@contextmanager
def reporter() -> Iterator[ReportProgress]:
    """Shows progress on standard error: bars for files and tablebases on a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        yield print_lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what)
            bars.update(tasks[what], completed=done, total=total)

        yield show


def print_lines() -> ReportProgress:
    """Prints the progress and the estimated remaining time every half minute."""
    started: dict[str, float] = {}
    last = time.monotonic()

    def show(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        begin = started.setdefault(what, now)
        if now - last >= LINE_EVERY and done < total:
            last = now
            left = (now - begin) * (total - done) / max(done, 1)
            print(f"{what}: {done / total:.0%}, about {left:.0f} s left", file=sys.stderr)

    return show


def show_verdicts(verdicts: list[Verdict], *, sampled: bool = False, claims: bool = False) -> None:
    """Shows the result of each file, the rebuilt tablebases, and faults on standard error."""
    from stampede.proofs.certificates.format import narrow_fen

    out = console()
    rows = Table(title="Certificates", title_justify="left")
    for name in ("file", "winner", "board", "claims", "positions", "by tablebases", "seconds"):
        rows.add_column(
            name, justify="right" if name in {"positions", "by tablebases", "seconds"} else "left"
        )
    rows.add_column("", no_wrap=True, min_width=len("verified"))  # other columns give way
    for verdict in verdicts:
        header = verdict.header
        end = "refused" if verdict.fault else "sampled" if sampled else "verified"
        said = (
            ("", "", "", "")
            if header is None
            else (
                str(header.winner),
                f"{header.width} columns",
                str(len(header.claims)),
                f"{header.positions:,}",
            )
        )
        rows.add_row(
            verdict.path.name, *said, f"{verdict.questions:,}", f"{verdict.seconds:.1f}", end,
            style="red" if verdict.fault else "",
        )  # fmt: skip
    out.print(rows)
    for tablebase in {
        report.spec: report for verdict in verdicts for report in verdict.tablebases
    }.values():
        sets = "" if tablebase.sets is None else f"{tablebase.sets} sets of files, "
        print(
            f"tablebase {tablebase.spec}: {sets}{tablebase.wins:,} wins, rebuilt in"
            f" {tablebase.seconds:.1f} s"
        )
    for verdict in verdicts:
        if claims and verdict.header is not None and verdict.fault is None:
            for claim in verdict.header.claims:
                text = narrow_fen(claim.position, verdict.header.width)
                print(f"{verdict.path.name}: {verdict.header.winner} wins {text}")
        if verdict.fault is not None:
            typer.echo(f"{verdict.path}: {verdict.fault}", err=True)


def _json(verdict: Verdict, sampled: bool) -> JsonObject:
    from stampede.proofs.certificates.format import narrow_fen

    header = verdict.header
    found: JsonObject = {
        "file": str(verdict.path),
        "verified": verdict.fault is None and not sampled,
        "fault": None if verdict.fault is None else str(verdict.fault),
        "place": None if verdict.fault is None else verdict.fault.place,
        "questions": verdict.questions,
        "seconds": round(verdict.seconds, 3),
        "tables": [
            {
                "table": str(t.spec),
                "questions": t.questions,
                "wins": t.wins,
                "seconds": round(t.seconds, 3),
                "sets": t.sets,
            }
            for t in verdict.tablebases
        ],
    }
    if header is None:
        return found
    return {
        **found,
        "title": header.title,
        "winner": header.winner.word,
        "width": header.width,
        "positions": header.positions,
        "claims": [narrow_fen(claim.position, header.width) for claim in header.claims],
    }
