"""Puzzles of Buffalo. A puzzle is sent without its solution, which follows when it is solved or given up."""

from __future__ import annotations

from stampede.buffalo import Move
from stampede.core.errors import InputError, StampedeError
from stampede.core.json import JsonObject
from stampede.proofs.puzzles.puzzle import Puzzle, puzzle_numbered, shipped_puzzles
from stampede.server.http.problems import Problem, problem_of

__all__ = ["attempt_json", "find_puzzle", "puzzle_json", "solution_json"]


def find_puzzle(number: int) -> Puzzle:
    """Returns a puzzle by its number; raises a Problem if there is none."""
    try:
        return puzzle_numbered(number)
    except InputError as error:
        raise Problem(404, "unknown", str(error)) from error


def puzzle_json(puzzle: Puzzle) -> JsonObject:
    """Returns a puzzle as a `PuzzleAnswer`, without its solution."""
    moves: dict[str, list[str]] = {}
    for move in puzzle.position.legal_moves:
        moves.setdefault(str(move.from_square), []).append(str(move.to_square))
    return {**puzzle.to_json(solved=False), "count": len(shipped_puzzles()), "moves": moves}


def attempt_json(puzzle: Puzzle, text: str) -> JsonObject:
    """Checks a move; returns an `AttemptAnswer`, with the solution if it is right."""
    try:
        move = Move.parse(text)
        puzzle.position.play(move)
    except StampedeError as error:
        raise problem_of(error) from error
    if move != puzzle.solution:
        return {"right": False, "theme": None, "line": [], "moves_to_win": None}
    return {"right": True, **solution_json(puzzle)}


def solution_json(puzzle: Puzzle) -> JsonObject:
    """Returns a puzzle's solution as a `SolutionAnswer`."""
    return {
        "theme": puzzle.theme,
        "line": [str(step) for step in puzzle.line],
        "moves_to_win": (puzzle.plies + 1) // 2,
    }
