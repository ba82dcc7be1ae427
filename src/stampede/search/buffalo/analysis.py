"""What an engine sees in a position, for people and programs: the best moves, and what threatens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stampede.buffalo import Position, Side
from stampede.core.json import JsonObject
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.remarks import Remark, remarks
from stampede.search.buffalo.variations import ExactResult, SearchReport, Variation

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
    report: SearchReport
    remarks: tuple[Remark, ...]

    @property
    def verdict(self) -> Remark:
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
                for line in report.variations
            ],
        }


def analyse(
    position: Position,
    limits: Limits,
    *,
    engine: Engine,
    variations: int = 3,
    report: Callable[[SearchReport], None] | None = None,
) -> Analysis:
    """Looks at a position.

    Args:
        position: Which; the game must not be over.
        limits: The budget.
        engine: The engine that searches; give it an oracle if exact results are wanted.
        variations: How many moves are wanted.
        report: Called after each depth.
    """
    found = engine.search(position, limits, variations=variations, report=report)
    return Analysis(position, found, (*_source(found.exact), *remarks(position)))


def _source(known: ExactResult | None) -> tuple[Remark, ...]:
    return () if known is None else (Remark(f"in_{known.kind}", {"name": known.source}),)


def _proven(report: SearchReport) -> JsonObject | None:
    """What tables and certificates say, for programs."""
    known = report.exact
    if known is None:
        return None
    winner = known.winner.name.lower()
    return {"winner": winner, "at_most": report.at_most, "by": known.kind, "name": known.source}


_SHADES = ((40, "even"), (150, "slight"), (400, "clear"))


def verdict(turn: Side, line: Variation) -> Remark:
    """What a line's score means; `turn` is the side to move before it."""
    ahead = turn if line.score >= 0 else turn.other
    side = {"side": ahead.name.lower()}
    if line.plies is not None:
        return Remark("forced", {**side, "count": str((abs(line.plies) + 1) // 2)})
    for most, code in _SHADES:
        if abs(line.score) < most:
            return Remark(code, {} if code == "even" else side)
    return Remark("winning", side)
