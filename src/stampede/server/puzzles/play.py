"""Playing a puzzle to the end: searches prove whether a move still wins, and find the longest defence.

The solver's moves are all that a client sends: the defender's are computed anew each time, so no client can bring a
defender who helps. Positions are searched once and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from stampede.buffalo import Move, Position
from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject
from stampede.proofs.puzzles.puzzle import Puzzle
from stampede.server.http.problems import Problem, problem_of
from stampede.server.puzzles.answers import solution_json

__all__ = ["Attempt", "attempt_json", "play_attempt"]

NODES: Final = 400_000
"""The nodes of a search; a puzzle is proven with a fifth of them."""
KEPT: Final = 8192
"""How many searched positions are kept."""
SHOWN: Final = 5
"""How many moves of a refutation are shown."""


class _Found(NamedTuple):
    """What a search proves: plies to the end (negative: the side to move loses; 0: nothing proven), and its line."""

    plies: int
    line: tuple[str, ...]


@lru_cache(maxsize=KEPT)
def _search(fen: str) -> _Found:
    from stampede.search.buffalo.engine import Engine, Limits  # noqa: PLC0415 - loads compiled code

    position = Position.from_fen(fen)
    best = Engine(entries=NODES).search(position, Limits(nodes=NODES)).best
    return _Found(best.plies or 0, tuple(str(move) for move in best.moves))


class Attempt(NamedTuple):
    """A try at a puzzle so far.

    Attributes:
        position: The position after all moves of both sides.
        played: These moves.
        right: Whether the last move of the solver wins.
        refutation: The defender's answer to a wrong move, and what follows.
    """

    position: Position
    played: tuple[str, ...]
    right: bool
    refutation: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the puzzle is solved to its end."""
        return self.right and self.position.is_over


def play_attempt(puzzle: Puzzle, moves: Sequence[str]) -> Attempt:
    """Plays the solver's moves, each answered by the longest defence, up to the first that doesn't win.

    Raises:
        Problem: A move is illegal, or comes after the end.
    """
    position, played = puzzle.position, list[str]()
    for number, text in enumerate(moves):
        if position.is_over:
            raise Problem(409, "game_over", "expected no move: the puzzle is over")
        position = _play(position, text)
        played.append(text)
        if position.is_over:
            won = position.winner is puzzle.position.turn
            return _only_last(Attempt(position, tuple(played), won), number, moves)
        found = _search(position.fen())
        wrong = found.plies >= 0 or (number == 0 and text != str(puzzle.solution))
        if wrong:
            shown = found.line[:SHOWN] if found.plies > 0 else ()
            return _only_last(
                Attempt(position, tuple(played), right=False, refutation=shown), number, moves
            )
        reply = _defend(puzzle, played, found)
        position = position.play(reply)
        played.append(reply)
    return Attempt(position, tuple(played), right=True)


def _only_last(attempt: Attempt, number: int, moves: Sequence[str]) -> Attempt:
    if number < len(moves) - 1:
        raise Problem(409, "game_over", "expected no move after a wrong one, or after the end")
    return attempt


def _defend(puzzle: Puzzle, played: Sequence[str], found: _Found) -> str:
    """The longest defence: that of the proven line while the solver follows it, or else the search's."""
    line = [str(move) for move in puzzle.line]
    if line[: len(played)] == list(played) and len(line) > len(played):
        return line[len(played)]
    return found.line[0]


def _play(position: Position, text: str) -> Position:
    try:
        return position.play(Move.parse(text))
    except StampedeError as error:
        raise problem_of(error) from error


def attempt_json(puzzle: Puzzle, attempt: Attempt) -> JsonObject:
    """Returns an `AttemptAnswer`; with the solution if the puzzle is solved."""
    moves: dict[str, list[str]] = {}
    if attempt.right and not attempt.over:
        for move in attempt.position.legal_moves:
            moves.setdefault(str(move.from_square), []).append(str(move.to_square))
    solved = solution_json(puzzle) if attempt.over else None
    return {
        "right": attempt.right,
        "over": attempt.over,
        "fen": attempt.position.fen(),
        "played": list(attempt.played),
        "moves": dict(moves),
        "refutation": list(attempt.refutation),
        "solution": solved,
    }
