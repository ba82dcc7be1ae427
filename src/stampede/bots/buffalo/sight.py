"""How the low levels of Buffalo play: at first sight, in plain Python, with the mistakes that people make.

A player at first sight looks at the board after each of its moves, and thinks the best of them a bit further.
It errs as people do. Its judgement is blurred. Now and then it overlooks a piece that is far from where it looks. And
it has a favourite plan: to run on with the leading buffalo whose way is free, or to hunt with the chief. It never
misses a win on the spot.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from stampede.buffalo import Move, Position, Side
from stampede.buffalo.geometry import BIT, FAR_BANK_BITS, Square
from stampede.search.buffalo.plain import evaluate_plainly

__all__ = ["Sight", "move_at_sight"]

_WIDTH: Final = 11
_WIN: Final = 20_000.0
_THREAT: Final = 2_000.0


@dataclass(frozen=True, slots=True)
class Sight:
    """How much a player sees, on one side.

    Attributes:
        blur: The standard deviation of its judgement, in hundredths.
        overlooks: How often, in a turn, it overlooks the other side's piece that is farthest from its move.
        favours: What its favourite plan is worth to it, in hundredths.
        ideas: How many of its moves that look good it thinks through: the answer that looks best, its own next move.
        is_hasty: Whether it also overlooks what its piece leaves behind, and follows its favourite plan where it leads
            nowhere. No level does; the solvers of puzzles do (`stampede.lab.puzzle_maker`).
    """

    blur: float
    overlooks: float = 0.0
    favours: float = 0.0
    ideas: int = 0
    is_hasty: bool = False


def move_at_sight(
    position: Position, moves: Sequence[Move], sight: Sight, rng: random.Random
) -> Move:
    """The move that looks best. A move that wins at once is never missed."""
    side = position.turn
    is_careless = rng.random() < sight.overlooks
    looks: list[tuple[float, int, Move, Position]] = []
    for number, move in enumerate(moves):
        after = position.after(move)
        if after.winner is side:
            return move
        ends = (move.to_square,) if sight.is_hasty else (move.from_square, move.to_square)
        seen = _overlook(after, ends) if is_careless else after
        worth = _worth(seen, side) + rng.gauss(0.0, sight.blur)
        if _is_favourite(position, move, sight):
            worth += sight.favours
        looks.append((worth, -number, move, seen))
    looks.sort(reverse=True, key=lambda look: look[:2])
    if not sight.ideas:
        return looks[0][2]
    thought = [
        (_think_through(seen, side) + rng.gauss(0.0, sight.blur), number, move)
        for _, number, move, seen in looks[: sight.ideas]
    ]
    return max(thought, key=lambda one: one[:2])[2]


def _think_through(after: Position, side: Side) -> float:
    """How a move turns out when the other side gives the answer that looks best, and this one does the same."""
    answers = [after.after(answer) for answer in after.legal_moves]
    if not answers:
        return _worth(after, side)
    other = side.other
    answered = max(answers, key=lambda position: _worth(position, other))
    return max(
        (_worth(answered.after(move), side) for move in answered.legal_moves),
        default=_worth(answered, side),
    )


def _worth(after: Position, side: Side) -> float:
    """How good a position looks to a side."""
    return outlook(after) if side is Side.BUFFALO else -outlook(after)


def _is_favourite(position: Position, move: Move, sight: Sight) -> bool:
    """Whether a move belongs to the favourite plan: the leading buffalo that is free runs on, or the chief hunts."""
    if position.turn is Side.HUNTER:
        return move.from_square == position.chief and (
            sight.is_hasty
            or _nearest(position, move.to_square) < _nearest(position, move.from_square)
        )
    free = [
        square.rank
        for square in position.buffaloes
        if sight.is_hasty
        or not any(dog.file == square.file and dog.rank < square.rank for dog in position.dogs)
    ]
    return bool(free) and move.from_square.rank == min(free)


def _nearest(position: Position, eye: Square) -> int:
    """The steps from a square to the nearest buffalo elsewhere."""
    steps = (
        max(abs(buffalo.file - eye.file), abs(buffalo.rank - eye.rank))
        for buffalo in position.buffaloes
    )
    return min((step for step in steps if step), default=0)


def _overlook(after: Position, ends: Sequence[Square]) -> Position:
    """The position as it looks to a player who doesn't see the farthest piece of the other side.

    Far is what is far from both ends of a move: nobody takes away a dog without seeing the buffalo that it stops.
    """

    def distance(piece: Square) -> int:
        return min(abs(piece.file - end.file) for end in ends)

    if after.turn is Side.HUNTER:
        far = max(after.dogs, key=distance)
        # A dog that isn't seen might as well stand at the near bank, behind every buffalo that has set out.
        dogs = tuple(sorted(Square.at(dog.file, 6) if dog == far else dog for dog in after.dogs))
        return Position(
            after.buffaloes, after.chief, dogs, after.turn, after.occupied, after.number
        )
    if len(after.buffaloes) < 2:
        return after
    far = max(after.buffaloes, key=distance)
    kept = tuple(square for square in after.buffaloes if square != far)
    return Position(kept, after.chief, after.dogs, after.turn, after.occupied, after.number)


def outlook(position: Position) -> float:
    """How good a position looks for the buffalo side, in hundredths.

    Dogs never stand on the far bank, so a buffalo on rank 2 crosses unless the chief captures it at once, and one on
    rank 3 with a free square ahead threatens to get there.
    """
    if position.occupied & FAR_BANK_BITS:
        return _WIN
    hunter_moves = position.turn is Side.HUNTER
    chief_file, chief_rank = position.chief % _WIDTH, position.chief // _WIDTH
    is_deep = chief_rank <= 2
    threats = 0
    for buffalo in position.buffaloes:
        left = buffalo // _WIDTH
        if left > 2:
            continue
        is_near = is_deep and abs(buffalo % _WIDTH - chief_file) <= 1
        if left == 1 and not (hunter_moves and is_near):
            return _WIN - 1
        if left == 2 and not is_near and not position.occupied & BIT[buffalo - _WIDTH]:
            threats += 1
    worth = float(evaluate_plainly(position))
    if threats > hunter_moves:
        worth += _THREAT
    return worth
