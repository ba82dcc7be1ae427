"""Proves that a position is a puzzle: one move wins, every other loses, and both are proven by search."""

from __future__ import annotations

from typing import Final

from stampede.buffalo import Move, Position, Side, Square
from stampede.buffalo.geometry import AHEAD
from stampede.search.buffalo.engine import Engine, Limits, Variation

__all__ = ["glance", "only_win", "proven_winner", "theme_of"]

_GLANCE: Final = 15_000
_LEAST_MOVES: Final = 3
_LEAST_WIN: Final = 5
"""Shorter wins are too easy."""
_LEAST_LOSS: Final = 6
"""There must be another move that doesn't lose at once."""


def glance(position: Position) -> int | None:
    """The plies to a win (or a loss, negative) that a quick search proves; None when it proves nothing."""
    return Engine(entries=4 * _GLANCE).search(position, Limits(nodes=_GLANCE)).best.plies


def only_win(position: Position, nodes: int) -> Variation | None:
    """The only winning move and its variation; None when it isn't the only one, or too easy, or nothing is proven."""
    if len(position.legal_moves) < _LEAST_MOVES:
        return None
    found = Engine(entries=nodes).search(position, Limits(nodes=nodes), variations=2)
    if len(found.variations) < 2:
        return None
    # The second variation is the best of all other moves: when it loses, they all do.
    best, other = (variation.plies for variation in found.variations)
    if best is None or other is None or best < _LEAST_WIN or other > -_LEAST_LOSS:
        return None
    return found.best


def proven_winner(position: Position, nodes: int) -> Side | None:
    """The winner, if a search of so many nodes proves it or the game is over."""
    if position.is_over:
        return position.winner
    plies = Engine(entries=nodes).search(position, Limits(nodes=nodes)).best.plies
    if plies is None:
        return None
    return position.turn if plies > 0 else position.turn.other


def theme_of(position: Position, move: Move, nodes: int) -> str:
    """The theme of a puzzle's solution; one of `THEMES`."""
    hunters = position if position.turn is Side.HUNTER else position.after(move)
    if proven_winner(hunters.with_turn(Side.BUFFALO), nodes) is Side.HUNTER:
        return "zugzwang"
    if position.turn is Side.HUNTER:
        return _hunters_theme(position, move)
    if _apart(position.chief, move.to_square) == 1:
        return "sacrifice"
    ahead = [
        dog for dog in position.dogs if dog.file == move.to_square.file and dog < move.to_square
    ]
    return "push" if ahead else "race"


def _hunters_theme(position: Position, move: Move) -> str:
    if move.from_square == position.chief:
        return "capture" if move.to_square in position.buffaloes else "chase"
    if any(AHEAD[buffalo] == move.to_square for buffalo in position.buffaloes):
        return "block"
    waits = any(b.file == move.to_square.file and move.to_square < b for b in position.buffaloes)
    return "guard" if waits else "retreat"


def _apart(square: Square, other: Square) -> int:
    return max(abs(square.file - other.file), abs(square.rank - other.rank))
