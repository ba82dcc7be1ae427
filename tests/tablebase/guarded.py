"""Positions of the real board in which guards stand where a table says, right in front of their buffaloes."""

from __future__ import annotations

import random

from stampede.buffalo import Position, Side, Square
from stampede.tablebase.spec import TablebaseSpec

__all__ = ["guarded_position"]


def guarded_position(rng: random.Random, spec: TablebaseSpec) -> Position | None:
    """The table's window somewhere on the board, perhaps mirrored; the other dogs block buffaloes outside.

    The buffalo side is to move. None when two pieces fall on one square.
    """
    column, turned = rng.randrange(12 - spec.columns), rng.random() < 0.5

    def square_of(row: int, at: int) -> Square:
        return Square.at(column + (spec.columns - 1 - at if turned else at), 7 - row)

    buffaloes = [square_of(row - 1, at) for row, at in spec.guards]
    buffaloes += [
        square_of(rng.choice((0, 1, 2, 2, 3, 3, 4)), at) for at in spec.live if rng.random() < 0.6
    ]
    dogs = [square_of(*guard) for guard in spec.guards]
    dogs += [square_of(*square) for square in rng.sample(spec.squares, spec.dogs)]
    outside = [file for file in range(11) if not column <= file < column + spec.columns]
    for file in rng.sample(outside, 4 - len(dogs)):
        rank = rng.randint(3, 7)
        buffaloes.append(Square.at(file, rank))
        dogs.append(Square.at(file, rank - 1))
    chief = square_of(rng.randint(1, 5), rng.randrange(spec.columns))
    pieces = [chief, *dogs, *buffaloes]
    if len(set(pieces)) != len(pieces):
        return None
    occupied = sum(1 << square for square in pieces)
    return Position(tuple(sorted(buffaloes)), chief, tuple(sorted(dogs)), Side.BUFFALO, occupied, 1)
