"""Proves that a position is a puzzle: one move wins, every other loses, and both are proven by search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from stampede.buffalo import Move, Position, Side, Square
from stampede.buffalo.geometry import AHEAD
from stampede.proofs.puzzles.puzzle import Puzzle
from stampede.search.buffalo.engine import Engine, Limits, Variation
from stampede.search.buffalo.weights import shipped_weights

__all__ = [
    "LEAST_WIN",
    "best_move",
    "glance",
    "only_win",
    "play_out",
    "proven_winner",
    "puzzle_engine",
    "theme_of",
    "why_no_puzzle",
]

_GLANCE: Final = 15_000
_PROOF: Final = 300_000
_HARD: Final = 10
"""How many times as many nodes the few positions get that aren't proven with so many."""
_LEAST_MOVES: Final = 3
LEAST_WIN: Final = 5
"""Shorter wins are too easy."""
_LEAST_LOSS: Final = 6
"""There must be another move that doesn't lose at once."""


def puzzle_engine(entries: int) -> Engine:
    """The engine that makes and proves puzzles: without a network, so that a seed keeps making the same puzzles."""
    return Engine(entries, shipped_weights())


def glance(position: Position) -> int | None:
    """The plies to a win (or a loss, negative) that a quick search proves; None when it proves nothing."""
    return puzzle_engine(4 * _GLANCE).search(position, Limits(nodes=_GLANCE)).best.plies


def only_win(position: Position, nodes: int) -> Variation | None:
    """The only winning move and its variation; None when it isn't the only one, or too easy, or nothing is proven."""
    if len(position.legal_moves) < _LEAST_MOVES:
        return None
    found = puzzle_engine(nodes).search(position, Limits(nodes=nodes), variations=2)
    if len(found.variations) < 2:
        return None
    # The second variation is the best of all other moves: when it loses, they all do.
    best, other = (variation.plies for variation in found.variations)
    if best is None or other is None or best < LEAST_WIN or other > -_LEAST_LOSS:
        return None
    return found.best


def proven_winner(position: Position, nodes: int) -> Side | None:
    """The winner, if a search of so many nodes proves it or the game is over."""
    if position.is_over:
        return position.winner
    plies = puzzle_engine(nodes).search(position, Limits(nodes=nodes)).best.plies
    if plies is None:
        return None
    return position.turn if plies > 0 else position.turn.other


def best_move(position: Position, nodes: int) -> Variation:
    """The move that wins soonest or loses last, as a search of so many nodes sees it."""
    return puzzle_engine(nodes).search(position, Limits(nodes=nodes)).best


def play_out(position: Position, move: Move, nodes: int) -> tuple[Move, ...] | None:
    """A winning move and the rest of the game, with the longest defence; None where a search proves no win."""
    winner, line = position.turn, [move]
    position = position.after(move)
    while not position.is_over:
        found = best_move(position, nodes)
        if found.plies is None or (found.plies > 0) is not (position.turn is winner):
            return None
        line.append(found.move)
        position = position.after(found.move)
    return tuple(line) if position.winner is winner else None


def _knows_nothing(_position: Position) -> Side | None:
    return None


def why_no_puzzle(
    puzzle: Puzzle,
    nodes: int = _PROOF,
    known: Callable[[Position], Side | None] = _knows_nothing,
) -> str | None:
    """What is wrong with a puzzle, by searches that prove every move of it anew; None when nothing is.

    Where `known` has a winner for the position after a move, from tablebases or certificates, the search must agree.
    """
    position = puzzle.position
    for move in position.legal_moves:
        expected = position.turn if move == puzzle.solution else position.turn.other
        after = position.play(move)
        winner = proven_winner(after, nodes) or proven_winner(after, _HARD * nodes)
        if winner is not expected:
            return f"{position.fen()} {move}: expected that {expected} wins, got {winner}"
        exact = None if after.is_over else known(after)
        if exact not in (None, expected):
            return (
                f"{position.fen()} {move}: a search says that {expected}, a table that {exact} wins"
            )
    for move in puzzle.line:
        position = position.play(move)
    if position.winner is not puzzle.position.turn or len(puzzle.line) > puzzle.plies:
        return f"expected a line that wins in {puzzle.plies} plies, got {len(puzzle.line)} moves"
    theme = theme_of(puzzle.position, puzzle.line, nodes)
    return None if theme == puzzle.theme else f"expected the theme {theme}, got {puzzle.theme}"


def theme_of(position: Position, line: Sequence[Move], nodes: int) -> str:
    """The theme of a puzzle's solution, which is played to the end; one of `THEMES`."""
    move = line[0]
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
    if ahead:
        return "push"
    return "race" if _runs_on(line) else "diversion"


def _runs_on(line: Sequence[Move]) -> bool:
    """Whether the buffalo that moves first is the one that crosses the river in the end."""
    return line[0].from_square.file == line[-1].to_square.file


def _hunters_theme(position: Position, move: Move) -> str:
    if move.from_square == position.chief:
        return "capture" if move.to_square in position.buffaloes else "chase"
    if any(AHEAD[buffalo] == move.to_square for buffalo in position.buffaloes):
        return "block"
    waits = any(b.file == move.to_square.file and move.to_square < b for b in position.buffaloes)
    return "guard" if waits else "retreat"


def _apart(square: Square, other: Square) -> int:
    return max(abs(square.file - other.file), abs(square.rank - other.rank))
