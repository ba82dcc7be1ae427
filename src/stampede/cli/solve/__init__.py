"""`stampede solve`: who wins Buffalo, by tablebases and proofs that anyone can check."""

from __future__ import annotations

import typer

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


@app.callback()
def solve_command() -> None:
    """Solves Buffalo: builds tablebases, searches for proofs, verifies certificates."""
