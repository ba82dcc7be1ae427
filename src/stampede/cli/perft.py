"""`stampede perft`: counts lines of moves, to test and time move generators."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

import typer

from stampede.buffalo import Move, Position
from stampede.buffalo.perft import perft
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import tracked, write_json

__all__ = ["app", "count_lines"]

app = typer.Typer()

COMPILED_FROM = 5
"""Up to this depth the readable rules are done before compiled code is loaded."""


def count_lines(position: Position, depth: int) -> dict[Move, int]:
    """Counts the lines of this length, split by their first move."""
    moves = list(position.legal_moves)
    count = perft if depth < COMPILED_FROM else _compiled()
    shown = tracked(moves, len(moves), "Counting")
    return {move: count(position.after(move), depth - 1) for move in shown}


def _compiled() -> Callable[[Position, int], int]:
    from stampede.kernels.buffalo import perft as kernel  # noqa: PLC0415 - compiled code loads slowly

    return kernel.perft


@app.command("perft")
def perft_command(
    fen: Annotated[
        list[str] | None,
        typer.Argument(metavar="FEN", help="A position; default: the start.", show_default=False),
    ] = None,
    *,
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=0, metavar="N", help="Moves in a line.")
    ],
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the count of each first move, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Counts the lines of N moves in Buffalo.

    Games that end before N moves don't count.

    Examples:
    stampede perft --depth 4
    stampede perft "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1" --depth 3 --divide
    """
    position = Position.from_fen(" ".join(fen)) if fen else Position.start()
    begin = time.perf_counter()
    counts = count_lines(position, depth) if depth else {}
    seconds = time.perf_counter() - begin
    total = sum(counts.values()) if depth else 1
    if as_json:
        split = {str(move): count for move, count in counts.items()}
        told = {"divide": split} if divide else {}
        write_json(
            {
                "fen": position.fen(),
                "depth": depth,
                "total": total,
                **told,
                "seconds": round(seconds, 3),
            }
        )
        return
    if divide:
        for move, count in sorted(counts.items(), key=lambda item: str(item[0])):
            print(f"{move}: {count}")
    print(total)
