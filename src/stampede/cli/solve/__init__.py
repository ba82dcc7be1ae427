"""`stampede solve`: who wins, by tables and proofs that anybody can check."""

from __future__ import annotations

import typer

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


@app.callback()
def solve_command() -> None:
    """Who wins Buffalo: tables of exact values, proofs, and their checking."""
