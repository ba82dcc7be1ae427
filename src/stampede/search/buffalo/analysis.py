"""What an engine sees in a position, for people and programs: the best moves, and what threatens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stampede.buffalo import Position, Side
from stampede.core.json import JsonObject
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.known import the_library
from stampede.search.buffalo.lines import Line, Report
from stampede.search.buffalo.proofs import Answer
from stampede.search.buffalo.sayings import Saying
from stampede.search.buffalo.words import remarks

__all__ = ["Analysis", "analyse", "verdict"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position looked at.

    Attributes:
        position: Which.
        report: The best lines and how they were found.
        remarks: What stands out: how the winner is known, threats, pins, runners, what covers what.
    """

    position: Position
    report: Report
    remarks: tuple[Saying, ...]

    @property
    def verdict(self) -> Saying:
        """Who stands how."""
        return verdict(self.position.turn, self.report.best)

    def to_json(self) -> JsonObject:
        """The analysis as JSON."""
        report = self.report
        return {
            "fen": self.position.fen(),
            "turn": str(self.position.turn),
            "verdict": str(self.verdict),
            "proven": _proven(report),
            "remarks": [str(remark) for remark in self.remarks],
            "depth": report.depth,
            "nodes": report.nodes,
            "seconds": round(report.seconds, 3),
            "lines": [
                {
                    "move": str(line.move),
                    "score": line.score,
                    "plies_to_end": line.plies,
                    "verdict": str(verdict(self.position.turn, line)),
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
        engine: Who looks; when None, a fresh engine with this machine's tables and the shipped certificates.
        report: Called after each depth.
    """
    looker = Engine(library=the_library()) if engine is None else engine
    found = looker.search(position, limits, lines=lines, report=report)
    return Analysis(position, found, (*_source(found.known), *remarks(position)))


def _source(known: Answer | None) -> tuple[Saying, ...]:
    return () if known is None else (Saying(f"in_{known.kind}", {"name": known.by}),)


def _proven(report: Report) -> JsonObject | None:
    """What tables and certificates say, for programs."""
    known = report.known
    if known is None:
        return None
    winner = known.winner.name.lower()
    return {"winner": winner, "at_most": report.at_most, "by": known.kind, "name": known.by}


_SHADES = ((40, "even"), (150, "slight"), (400, "clear"))


def verdict(turn: Side, line: Line) -> Saying:
    """What a line's score means; `turn` is the side to move before it."""
    ahead = turn if line.score >= 0 else turn.other
    side = {"side": ahead.name.lower()}
    if line.plies is not None:
        return Saying("forced", {**side, "count": str((abs(line.plies) + 1) // 2)})
    for most, code in _SHADES:
        if abs(line.score) < most:
            return Saying(code, {} if code == "even" else side)
    return Saying("winning", side)
