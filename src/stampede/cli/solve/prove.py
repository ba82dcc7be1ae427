"""`stampede solve prove`: searches for proofs and writes them as certificates."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from stampede.cli.common.options import AsJson, Cores
from stampede.cli.common.output import LINE_EVERY, write_json
from stampede.cli.solve.tablebase import FolderOption, building
from stampede.core.errors import InputError

if TYPE_CHECKING:
    from stampede.proofs.search.jobs import JobProgress
    from stampede.proofs.search.prove import ProofStatus, Prover

__all__ = ["Missing", "Steps", "app", "build_all", "key_of_root"]

app = typer.Typer()

Missing: TypeAlias = Annotated[
    str, typer.Option("--missing", metavar="FILES", help="Files without a buffalo.")
]
Steps: TypeAlias = Annotated[
    str,
    typer.Option(
        "--steps",
        metavar="TEXT",
        help="Steps made by a, b, … before the hunter's first move: 22111111122.",
    ),
]
Job: TypeAlias = Annotated[
    str | None,
    typer.Option("--job", metavar="NAME", help="Remake a shipped certificate, or 'list'."),
]
Width: TypeAlias = Annotated[
    int, typer.Option("--width", min=5, max=11, metavar="N", help="The board's columns.")
]
Tablebases: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--tablebase", "--table", metavar="SPEC", help="A tablebase to use; repeatable."),
]
Memory: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--memory",
        min=1,
        metavar="MB",
        help="Size of the transposition table; default: 256, or that of the job.",
        show_default=False,
    ),
]
Checkpoint: TypeAlias = Annotated[
    Path | None,
    typer.Option("--checkpoint", metavar="FILE", help="Resume from and save to this file."),
]
Reuse: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--reuse",
        metavar="FILE",
        help="Begin with what the search of another position found: its checkpoint; repeatable.",
    ),
]
SAVE_EVERY = 60.0
"""Seconds between checkpoints."""
WIDTH = 11
MEGABYTES = 256


@app.command("prove")
def prove_command(  # noqa: PLR0913 - one argument an option
    fen: Annotated[
        list[str] | None,
        typer.Argument(metavar="FEN", help="A position; default: the start.", show_default=False),
    ] = None,
    *,
    job: Job = None,
    width: Width = WIDTH,
    missing: Missing = "",
    steps: Steps = "",
    tablebase: Tablebases = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the certificate here.")
    ] = None,
    positions: Annotated[
        float | None, typer.Option("--positions", min=1, metavar="N", help="Stop after this many.")
    ] = None,
    memory: Memory = None,
    checkpoint: Checkpoint = None,
    reuse: Reuse = None,
    folder: FolderOption = None,
    cores: Cores = None,
    as_json: AsJson = False,
) -> None:
    """Searches for a proof of who wins a position. Ctrl-C stops; with a checkpoint you can resume later.

    Exit code 1 when the position stays open. A certificate proves something only after `stampede solve verify`.

    Examples:
    stampede solve prove --job opening-abc-3 --out abc.cert
    stampede solve prove --width 5 --tablebase 5/abcde/4/2abcde/4 --out five.cert
    stampede solve prove --steps 22111111122 --tablebase endgame/11/3/4 --out abjk.cert
    """
    from stampede.proofs.search.certify import certify
    from stampede.tablebase.tablebase import tablebase_folder

    where, threads = folder or tablebase_folder(), cores or os.cpu_count() or 1
    if job is not None:
        asked = (fen, width != WIDTH, missing, steps, tablebase, positions, checkpoint, reuse)
        _expect_only_job(asked)
        _run_job(job, out, where, threads, memory, as_json=as_json)
        return
    key = key_of_root(fen, width=width, missing=missing, steps=steps)
    prover = _prover(tablebase or [], where, width, memory or MEGABYTES, threads)
    for other in reuse or []:
        prover.load(other, key, any_root=True)
    if checkpoint and checkpoint.exists():
        prover.load(checkpoint, key)
    status = _search(prover, key, positions, checkpoint)
    entries = None
    if status.winner is not None and out is not None:
        title = _title(fen, width, missing, steps)
        entries = len(certify(prover, [key], status.winner, title=title, path=out).keys)
    _show(status, entries, out, as_json=as_json)
    if status.winner is None:
        raise typer.Exit(1)


def _expect_only_job(asked: Sequence[object]) -> None:
    """A job has its positions and tablebases; InputError when others are named with it."""
    names = [
        "FEN",
        "--width",
        "--missing",
        "--steps",
        "--tablebase",
        "--positions",
        "--checkpoint",
        "--reuse",
    ]
    if given := [name for name, value in zip(names, asked, strict=True) if value]:
        raise InputError(
            "--job: expected a job without a position or settings of a search, which it has itself,"
            f" got {', '.join(given)}, too"
        )


def _prover(names: list[str], folder: Path, width: int, memory: int, cores: int) -> Prover:
    from stampede.proofs.search.named import open_named
    from stampede.proofs.search.prove import Prover

    build_all(names, folder, cores)
    tablebases, endgame = open_named(names, folder)
    return Prover(tablebases, endgame=endgame, width=width, megabytes=memory, cores=cores)


def _title(fen: list[str] | None, width: int, missing: str, steps: str) -> str:
    title = f"{' '.join(fen) if fen else 'The start'}, {width} columns"
    title = f"{title} without {missing}" if missing else title
    return f"{title}, after {steps} steps of a to k" if steps else title


def key_of_root(
    fen: list[str] | None, *, width: int = WIDTH, missing: str = "", steps: str = ""
) -> int:
    """The key of a FEN, or of the start without some buffaloes and after some steps of the others.

    Raises:
        InputError: Both are given, or a digit of the steps is wrong.
    """
    from stampede.kernels.buffalo.bridge import encode, signed
    from stampede.proofs.certificates.format import wide_position
    from stampede.proofs.search.starts import opening_key, start_key

    if fen and (missing or steps):
        raise InputError("expected a FEN, or --missing and --steps, got both")
    if steps:
        if width != WIDTH:
            raise InputError(f"--steps: expected a board of {WIDTH} columns, got {width}")
        if not (len(steps) <= 11 and set(steps) <= set("012345")):
            raise InputError(f"--steps: expected up to 11 digits from 0 to 5, got {steps!r}")
        return opening_key(map(int, steps), missing)
    if fen is None:
        return start_key(width, missing)
    return signed(encode(wide_position(" ".join(fen), width)))


def build_all(names: Sequence[str], folder: Path, cores: int) -> None:
    """Builds the missing ones of some tablebases, with progress."""
    from stampede.proofs.search.named import build_named

    for text in names:
        with building(f"Building {text}") as show:
            build_named(text, folder, cores=cores, report=show)


def _search(
    prover: Prover, key: int, positions: float | None, checkpoint: Path | None
) -> ProofStatus:
    """Searches with a live status line and checkpoints; an interrupted search is saved, too."""
    live, saved = _status_line(), time.monotonic()

    def report(status: ProofStatus) -> None:
        nonlocal saved
        live(status)
        if checkpoint is not None and time.monotonic() - saved > SAVE_EVERY:
            prover.save(checkpoint, key)
            saved = time.monotonic()

    try:
        return prover.search(
            key, positions=1 << 60 if positions is None else int(positions), report=report
        )
    finally:
        if checkpoint is not None:
            prover.save(checkpoint, key)


def _status_line() -> Callable[[ProofStatus], None]:
    """Shows the proof numbers on standard error: once a second on a terminal, else a line every half minute."""
    live = sys.stderr.isatty()
    last = 0.0 if live else time.monotonic()

    def show(status: ProofStatus) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < (1 if live else LINE_EVERY):
            return
        last = now
        rate = status.positions / max(status.seconds, 1e-9) / 1e6
        line = (
            f"{status.positions:,} positions, {rate:.2f} M/s; proof number {status.proof},"
            f" disproof number {status.disproof}"
        )
        sys.stderr.write(f"\r{line}   " if live else f"{line}\n")
        sys.stderr.flush()

    return show


def _show(status: ProofStatus, entries: int | None, out: Path | None, *, as_json: bool) -> None:
    if as_json:
        write_json(
            {
                "winner": None if status.winner is None else status.winner.word,
                "hunter_left": status.proof,
                "buffalo_left": status.disproof,
                "positions": status.positions,
                "seconds": round(status.seconds, 2),
                "entries": entries,
            }
        )
        return
    if status.winner is None:
        print(f"open after {status.positions:,} positions")
    else:
        print(f"{status.winner} wins; {status.positions:,} positions, {status.seconds:.1f} s")
    if entries is not None:
        print(f"{out}: {entries:,} positions; check it: stampede solve verify {out}")


def _run_job(
    name: str, out: Path | None, folder: Path, cores: int, memory: int | None, *, as_json: bool
) -> None:
    from stampede.proofs.search.jobs import JOBS, run

    if name == "list":
        if as_json:
            write_json({"jobs": {job.name: job.title for job in JOBS.values()}})
            return
        for each in JOBS.values():
            print(f"{each.name:22} {each.title}: {each.winner} wins")
        return
    if name not in JOBS:
        raise InputError(f"expected a job from 'stampede solve prove --job list', got {name!r}")
    path = out or Path(f"{name}.cert")
    live = _status_line()

    def report(progress: JobProgress) -> None:
        live(progress.status)

    build_all(JOBS[name].tablebases, folder, cores)
    entries = run(JOBS[name], path, folder=folder, cores=cores, megabytes=memory, report=report)
    if as_json:
        write_json({"job": name, "file": str(path), "entries": entries})
    else:
        print(f"{path}: {entries:,} positions; check it: stampede solve verify {path}")
