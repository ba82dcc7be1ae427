"""The board of Buffalo for a terminal: coordinates, rivers, pieces by letter, the last move marked."""

from __future__ import annotations

from rich.text import Text

from stampede.buffalo import Move, Piece, Position, Square
from stampede.buffalo.geometry import FILES, RANKS

__all__ = ["board"]

LETTERS = {Piece.BUFFALO: "B", Piece.CHIEF: "C", Piece.DOG: "D"}
STYLES = {
    Piece.BUFFALO: "bold white on orange4",
    Piece.CHIEF: "bold white on red3",
    Piece.DOG: "bold white on dodger_blue3",
}
BANK = "on tan"
PRAIRIE = ("on dark_olive_green3", "on dark_sea_green3")
RIVER = "bold deep_sky_blue1"
MARGIN = "   "


def board(position: Position, last: Move | None = None) -> Text:
    """Draws the board, rank 7 on top, with ``[ ]`` around the last moved piece and ``( )`` where it came from."""
    files = Text(MARGIN + "".join(f" {file} " for file in FILES), "dim")
    text = Text().append_text(files).append("\n")
    for rank in reversed(RANKS):
        text.append(f" {rank} ", "dim")
        for file in range(len(FILES)):
            text.append_text(_cell(position, Square.at(file, rank), last))
        text.append(f" {rank}\n", "dim")
        if rank in (7, 2):
            text.append(f"{MARGIN}{'~' * 3 * len(FILES)}\n", RIVER)
    return text.append_text(files)


def _cell(position: Position, square: Square, last: Move | None) -> Text:
    piece = position.piece_at(square)
    left, right = _marks(square, last)
    if piece is None:
        return Text(f"{left}{'·' if left == ' ' else ' '}{right}", f"black {_ground(square)}")
    return Text(f"{left}{LETTERS[piece]}{right}", STYLES[piece])


def _marks(square: Square, last: Move | None) -> tuple[str, str]:
    if last is not None and square == last.to_square:
        return ("[", "]")
    return ("(", ")") if last is not None and square == last.from_square else (" ", " ")


def _ground(square: Square) -> str:
    if not square.in_prairie:
        return BANK
    return PRAIRIE[(square.file + square.rank) % 2]
