"""`stampede solve results`: verifies all certificates, and writes the page of what is proven."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from stampede.cli.common.guard import WRONG
from stampede.cli.common.options import Cores
from stampede.cli.solve.verify import (
    MemoryOption,
    ScratchOption,
    bytes_of,
    reporter,
    show_verdicts,
)

__all__ = ["app"]

app = typer.Typer()


@app.command("results")
def results_command(  # noqa: PLR0913 - one argument an option
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help="Certificates; default: the shipped ones."),
    ] = None,
    *,
    note: Annotated[
        bool, typer.Option("--note", help="Record in the folder what was verified.")
    ] = False,
    write: Annotated[
        Path | None,
        typer.Option("--page", metavar="FILE", help="Write the page of results as Markdown."),
    ] = None,
    noted: Annotated[
        bool,
        typer.Option("--noted", help="Check only what isn't recorded as verified yet."),
    ] = False,
    workers: Cores = None,
    memory: MemoryOption = None,
    scratch: ScratchOption = None,
) -> None:
    """Verifies every shipped certificate, and writes the page of what is proven.

    Exit code 1 when one doesn't prove what it claims; then nothing is written.

    Example:
    stampede solve results --note --page docs/solved.md
    """
    from stampede.proofs.certificates import verify
    from stampede.proofs.certificates.shipped import (
        RECORD,
        SHIPPED,
        list_unverified,
        make_record,
        read_record,
        shipped_files,
        verified_certificates,
    )
    from stampede.proofs.results import page

    where = SHIPPED if folder is None else folder
    files = list_unverified(where) if noted else shipped_files(where)
    with reporter() as report:
        verdicts = verify(
            files,
            workers=workers or os.cpu_count() or 1,
            memory=bytes_of(memory),
            scratch=scratch,
            report=report,
        )
    show_verdicts(verdicts)
    if any(verdict.fault is not None for verdict in verdicts):
        raise typer.Exit(WRONG)
    if note:
        kept = {path.name for path in shipped_files(where)} if noted else set()
        old = {name: about for name, about in read_record(where).items() if name in kept}
        text = json.dumps({**old, **make_record(verdicts)}, indent=2, sort_keys=True) + "\n"
        (where / RECORD).write_text(text, encoding="utf-8")
    if write is not None:
        write.write_text(page(verified_certificates(where)), encoding="utf-8")
        print(f"{write} written")
