"""`stampede uci`: Buffalo's engine for chess GUIs and match runners."""

from __future__ import annotations

import sys

import typer

__all__ = ["app"]

app = typer.Typer()


@app.command("uci")
def uci() -> None:
    """Runs the Buffalo engine as a UCI program, for chess GUIs and match runners.

    Commands: uci, isready, setoption, ucinewgame, position, go, stop, quit. See docs/engine.md.
    """
    from stampede.oracle import default_oracle  # noqa: PLC0415 - compiled code loads slowly
    from stampede.search.buffalo.uci import UciSession  # noqa: PLC0415

    UciSession(lambda line: print(line, flush=True), default_oracle).run(sys.stdin)
