"""Puzzles as responses. A puzzle is sent without its solution, which follows when it is solved or given up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from functools import cache

from stampede.core.json import JsonObject
from stampede.proofs.puzzles.puzzle import Puzzle, puzzle_numbered, shipped_puzzles
from stampede.server.puzzles.lookup import find, pick_fresh
from stampede.server.puzzles.models import PuzzleKind

__all__ = [
    "choices_json",
    "find_puzzle",
    "legal_json",
    "pick_puzzle",
    "puzzle_json",
    "puzzle_key",
    "solution_json",
]


def find_puzzle(number: int) -> Puzzle:
    """Returns a puzzle by its number; raises a Problem if there is none."""
    return find(puzzle_numbered, number)


def puzzle_key(puzzle: Puzzle) -> str:
    """A puzzle's name in the database: its position, which outlives its number."""
    return "".join(puzzle.position.fen().split(" ")[:2])


def legal_json(puzzle: Puzzle) -> dict[str, list[str]]:
    """Returns the moves of a puzzle, targets by square."""
    moves: dict[str, list[str]] = {}
    for move in puzzle.position.legal_moves:
        moves.setdefault(str(move.from_square), []).append(str(move.to_square))
    return moves


def puzzle_json(puzzle: Puzzle) -> JsonObject:
    """Returns a puzzle as a `PuzzleAnswer`, without its solution."""
    moves = {start: list(ends) for start, ends in legal_json(puzzle).items()}
    return {**puzzle.to_json(solved=False), "count": len(shipped_puzzles()), "moves": moves}


def solution_json(puzzle: Puzzle) -> JsonObject:
    """Returns a puzzle's solution as a `SolutionAnswer`."""
    return {
        "theme": puzzle.theme,
        "line": [str(step) for step in puzzle.line],
        "moves_to_win": (puzzle.plies + 1) // 2,
    }


@cache
def choices_json() -> JsonObject:
    """Returns how many puzzles there are of each kind, as a `ChoicesAnswer`."""
    puzzles = shipped_puzzles()
    themes = Counter(puzzle.theme for puzzle in puzzles)
    grades = Counter(puzzle.grade for puzzle in puzzles)
    sides = Counter(puzzle.position.turn.word for puzzle in puzzles)
    return {
        "count": len(puzzles),
        "themes": dict(themes.most_common()),
        "grades": {str(grade): grades[grade] for grade in sorted(grades)},
        "sides": dict(sorted(sides.items())),
    }


def pick_puzzle(draw: Callable[[int], int], kind: PuzzleKind, avoid: Collection[int]) -> Puzzle:
    """Picks a puzzle of a kind, at random among those that weren't seen; raises a Problem if there is none of it.

    Args:
        draw: Draws a number below another.
        kind: Its theme, grade and side; None for any.
        avoid: Numbers of puzzles that were seen lately; they come again when all were.
    """
    fitting = [
        puzzle
        for puzzle in shipped_puzzles()
        if kind.theme in (None, puzzle.theme)
        and kind.grade in (None, puzzle.grade)
        and kind.side in (None, puzzle.position.turn.word)
    ]
    return pick_fresh(draw, fitting, avoid)
