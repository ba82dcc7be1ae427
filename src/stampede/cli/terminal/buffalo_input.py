"""Typed moves of Buffalo: ``a7a6``, ``a`` for a buffalo's only step, ``e3`` or ``c e3`` where that is clear."""

from __future__ import annotations

import re

from stampede.buffalo import LegalMoves, Move, Piece, Position
from stampede.buffalo.geometry import FILES
from stampede.core.errors import ParseError

__all__ = ["parse_move"]

FULL = re.compile(r"([a-k][1-7])\s*-?\s*([a-k][1-7])")
SHORT = re.compile(r"(?:(c|chief|d|dog)\s*)?([a-k][1-7])")
PIECES = {"c": Piece.CHIEF, "d": Piece.DOG}


def parse_move(position: Position, legal: LegalMoves, text: str) -> Move:
    """The move that is meant. A full move may be illegal: the rules say why.

    Raises:
        ParseError: The text is no move, or can mean several.
    """
    wanted = text.strip().lower()
    if found := FULL.fullmatch(wanted):
        return Move.parse(found[1] + found[2])
    if len(wanted) == 1 and wanted in FILES:
        return _step(position, legal, wanted)
    if found := SHORT.fullmatch(wanted):
        return _to(position, legal, found[1], found[2])
    raise ParseError(f"expected a move such as a7a6, or a word such as help, got {text!r}")


def _step(position: Position, legal: LegalMoves, file: str) -> Move:
    for square in position.buffaloes:
        if square.file_name == file:
            step = Move.parse(f"{square}{file}{max(square.rank - 1, 1)}")
            mine = [move for move in legal if move.from_square == square]
            return mine[0] if mine else step
    raise ParseError(f"expected a file with a buffalo ({position.files}), got {file!r}")


def _to(position: Position, legal: LegalMoves, piece: str | None, square: str) -> Move:
    moves = [move for move in legal if str(move.to_square) == square]
    if piece is not None:
        kind = PIECES[piece[0]]
        moves = [move for move in moves if position.piece_at(move.from_square) is kind]
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise ParseError(f"several pieces can go to {square}: {', '.join(map(str, moves))}")
    raise ParseError(f"nothing of yours can go to {square}; `moves` lists what can be done")
