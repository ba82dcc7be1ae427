"""Buffalo by atoms, readable: the atom of a move, the move of an atom, and an observation from a view."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.buffalo import Move, Position, Square
from stampede.buffalo.geometry import FILES, PRAIRIE
from stampede.buffalo.pieces import Piece
from stampede.buffalo.view import BuffaloView
from stampede.core.errors import InputError
from stampede.kernels.buffalo.vector import layout as at

__all__ = ["atom_of", "legal_atoms", "move_of", "observe"]

_CELLS = {
    Piece.BUFFALO: at.BUFFALO_CELL,
    Piece.DOG: at.DOG_CELL,
    Piece.CHIEF: at.CHIEF_CELL,
}


def atom_of(position: Position, move: Move) -> int:
    """Returns the atom of a legal move.

    >>> atom_of(Position.start(), Move.parse("f7f6"))
    5
    """
    start, end = move.from_square, move.to_square
    if start in position.buffaloes:
        return at.STEPS + start.file
    piece = 0 if start == position.chief else 1 + sorted(position.dogs).index(start)
    return at.CHIEF_TO + len(PRAIRIE) * piece + PRAIRIE.index(end)


def move_of(position: Position, atom: int) -> Move:
    """Returns the move of an atom, legal or not; InputError when the position has no such piece.

    >>> move_of(Position.start(), 5)
    Move.parse('f7f6')
    """
    if at.STEPS <= atom < at.CHIEF_TO:
        for square in position.buffaloes:
            if square.file == atom and square.rank > 1:
                return Move(square, Square.at(atom, square.rank - 1))
        raise InputError(f"atom: expected a file with a buffalo, got {FILES[atom]}")
    if not at.CHIEF_TO <= atom < at.NOTHING:
        raise InputError(f"atom: expected a move from 0 to {at.NOTHING - 1}, got {atom}")
    piece, target = divmod(atom - at.CHIEF_TO, len(PRAIRIE))
    start = position.chief if piece == 0 else sorted(position.dogs)[piece - 1]
    return Move(start, PRAIRIE[target])


def legal_atoms(view: BuffaloView) -> list[int]:
    """Lists the atoms that the viewer may give."""
    if view.viewer not in view.to_act:
        return [at.NOTHING]
    return sorted(atom_of(view.position, move) for move in view.legal)


def observe(view: BuffaloView) -> npt.NDArray[np.int8]:
    """Writes an observation: int8[91]. Nothing is secret, so every viewer's is the same."""
    found = np.zeros(at.PUBLIC, dtype=np.int8)
    for square, piece in view.position.pieces.items():
        found[square] = _CELLS[piece]
    found[at.TURN] = view.position.turn
    found[at.MOVE_NUMBER] = view.position.number
    if view.opening is not None:
        found[at.OPENING_LEFT] = view.opening.left
        for file in view.opening.stepped:
            found[at.OPENING_STEPPED + FILES.index(file)] = 1
    return found
