"""Plain search on the readable rules: slow, obvious, the judge of the fast one."""

import random

from stampede.buffalo import Piece, Position, Side
from stampede.buffalo.fen import Placement, write_fen
from stampede.buffalo.geometry import FILES, PRAIRIE, Square


def wins_within(position: Position, side: Side, plies: int) -> bool:
    """Whether a side can force its win within so many moves of both sides."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winners[0] == side.value
    if plies == 0:
        return False
    results = (wins_within(position.after(move), side, plies - 1) for move in position.legal_moves)
    return any(results) if position.turn is side else all(results)


def scattered(rng: random.Random, buffaloes: int, ranks: tuple[int, ...]) -> Position:
    """A position with so many buffaloes on these ranks, the hunter's pieces anywhere, either side to move."""
    hunter = rng.sample(PRAIRIE, 5)
    pieces = dict.fromkeys(hunter, Piece.DOG) | {hunter[0]: Piece.CHIEF}
    for file in rng.sample(range(len(FILES)), buffaloes):
        square = Square.at(file, rng.choice(ranks))
        if square not in pieces:
            pieces[square] = Piece.BUFFALO
    if Piece.BUFFALO not in pieces.values():
        return scattered(rng, buffaloes, ranks)
    return Position.from_fen(write_fen(Placement(pieces, rng.choice(list(Side)), 1)))


def midgame(rng: random.Random) -> Position:
    """A position some random moves after the start, not over."""
    while True:
        position = Position.start()
        for _ in range(rng.randrange(4, 30)):
            if moves := position.legal_moves:
                position = position.after(moves.sample(rng))
        if not position.is_over:
            return position
