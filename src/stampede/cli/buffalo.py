"""`stampede buffalo`: shows positions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from stampede.buffalo import Position
from stampede.cli.common.files import whole_file
from stampede.cli.common.options import AsJson
from stampede.cli.common.output import console, write_json
from stampede.cli.terminal.buffalo_board import board
from stampede.core.json import JsonObject

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Shows positions of Buffalo.")


@app.callback()
def group() -> None:
    """Shows positions of Buffalo."""


@app.command("show")
def show(
    fen: Annotated[
        list[str] | None,
        typer.Argument(metavar="FEN", help="A position; default: the start.", show_default=False),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to this file, too."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Shows a position: the board, the side to move, and its legal moves.

    Example:
    stampede buffalo show "5b5/11/11/5C5/11/3DD1DD3/11 b - - 0 1" --svg board.svg
    """
    position = Position.from_fen(" ".join(fen)) if fen else Position.start()
    if svg is not None:
        with whole_file(svg) as stream:
            stream.write(position._repr_svg_() + "\n")
    if as_json:
        write_json(_report(position))
        return
    out = console()
    out.print(board(position))
    out.print(Text(_status(position)))
    if svg is not None:
        out.print(f"Picture: {svg}", markup=False, soft_wrap=True)


def _status(position: Position) -> str:
    outcome = position.outcome()
    if outcome is not None:
        return f"{str(position.winner).capitalize()} has won: {outcome.reason}."
    moves = len(position.legal_moves)
    return f"Move {position.number}: {position.turn} is to move and has {moves} moves."


def _report(position: Position) -> JsonObject:
    outcome, winner = position.outcome(), position.winner
    return {
        "fen": position.fen(),
        "turn": position.turn.word,
        "legal": [str(move) for move in position.legal_moves],
        "result": None
        if outcome is None or winner is None
        else {"winner": winner.word, "reason": outcome.reason},
    }
