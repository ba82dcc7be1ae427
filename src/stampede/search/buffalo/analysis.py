"""What an engine sees in a position, for people and programs: the best moves, and in words what threatens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stampede.buffalo import Position, Side
from stampede.core.json import JsonObject
from stampede.search.buffalo.engine import Engine, Limits, Line, Report
from stampede.search.buffalo.words import remarks

__all__ = ["Analysis", "analyse", "verdict"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position looked at.

    Attributes:
        position: Which.
        report: The best lines and how they were found.
        remarks: What stands out, in words: threats, pins, runners, what covers what.
    """

    position: Position
    report: Report
    remarks: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """Who stands how, in words."""
        return verdict(self.position.turn, self.report.best)

    def to_json(self) -> JsonObject:
        """The analysis as JSON."""
        report = self.report
        return {
            "fen": self.position.fen(),
            "turn": str(self.position.turn),
            "verdict": self.verdict,
            "remarks": list(self.remarks),
            "depth": report.depth,
            "nodes": report.nodes,
            "seconds": round(report.seconds, 3),
            "lines": [
                {
                    "move": str(line.move),
                    "score": line.score,
                    "plies_to_end": line.plies,
                    "verdict": verdict(self.position.turn, line),
                    "depth": line.depth,
                    "moves": [str(move) for move in line.moves],
                }
                for line in report.lines
            ],
        }


def analyse(
    position: Position,
    limits: Limits,
    *,
    lines: int = 3,
    engine: Engine | None = None,
    report: Callable[[Report], None] | None = None,
) -> Analysis:
    """Looks at a position.

    Args:
        position: Which; the game must not be over.
        limits: The budget.
        lines: How many moves are wanted.
        engine: Who looks; a fresh engine when None.
        report: Called after each depth.
    """
    looker = Engine() if engine is None else engine
    found = looker.search(position, limits, lines=lines, report=report)
    return Analysis(position, found, remarks(position))


_SHADES = ((40, "even"), (150, "slightly better"), (400, "clearly better"))


def verdict(turn: Side, line: Line) -> str:
    """What a line's score means, in words; `turn` is the side to move before it."""
    other = Side.HUNTER if turn is Side.BUFFALO else Side.BUFFALO
    ahead = turn if line.score >= 0 else other
    if line.plies is not None:
        moves = (abs(line.plies) + 1) // 2
        return f"{ahead} wins by force, in {moves} {'move' if moves == 1 else 'moves'}"
    for most, words in _SHADES:
        if abs(line.score) < most:
            return words if words == "even" else f"{ahead} is {words}"
    return f"{ahead} is winning, not proven"
