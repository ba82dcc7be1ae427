"""Analysis of a position for people and programs: the best moves, their meaning, and remarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stampede.buffalo import Position, Side
from stampede.core.json import JsonObject
from stampede.core.remark import Remark
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.remarks import PHRASES, remarks
from stampede.search.buffalo.variations import ExactResult, SearchReport, Variation

__all__ = ["BuffaloAnalysis", "analyse", "verdict"]


@dataclass(frozen=True, slots=True)
class BuffaloAnalysis:
    """An analysed position.

    Attributes:
        position: The position.
        report: The best variations and how they were found.
        remarks: What stands out: the source of an exact result, threats, pins, runners, cover.
    """

    position: Position
    report: SearchReport
    remarks: tuple[Remark, ...]

    @property
    def verdict(self) -> Remark:
        """Which side stands better, and by how much."""
        return verdict(self.position.turn, self.report.best)

    def to_json(self) -> JsonObject:
        """The analysis as JSON."""
        report = self.report
        return {
            "fen": self.position.fen(),
            "turn": self.position.turn.word,
            "verdict": str(self.verdict),
            "proven": _exact_json(report),
            "remarks": [str(remark) for remark in self.remarks],
            "depth": report.depth,
            "nodes": report.nodes,
            "seconds": round(report.seconds, 3),
            "lines": [
                {
                    "move": str(variation.move),
                    "score": variation.score,
                    "plies_to_end": variation.plies,
                    "verdict": str(verdict(self.position.turn, variation)),
                    "depth": variation.depth,
                    "moves": [str(move) for move in variation.moves],
                }
                for variation in report.variations
            ],
        }


def analyse(
    position: Position,
    limits: Limits,
    *,
    engine: Engine,
    variations: int = 3,
    report: Callable[[SearchReport], None] | None = None,
) -> BuffaloAnalysis:
    """Analyses a position.

    Args:
        position: The position; the game must not be over.
        limits: The budget.
        engine: The engine that searches; give it an oracle if exact results are wanted.
        variations: How many moves you want.
        report: Called after each depth.
    """
    found = engine.search(position, limits, variations=variations, report=report)
    return BuffaloAnalysis(position, found, (*_cite(found.exact), *remarks(position)))


def _cite(exact: ExactResult | None) -> tuple[Remark, ...]:
    return () if exact is None else (PHRASES.remark(f"in_{exact.kind}", name=exact.source),)


def _exact_json(report: SearchReport) -> JsonObject | None:
    exact = report.exact
    if exact is None:
        return None
    winner = exact.winner.word
    return {"winner": winner, "at_most": report.at_most, "by": exact.kind, "name": exact.source}


_SHADES = ((40, "even"), (150, "slight"), (400, "clear"))
"""Scores below so many hundredths have this verdict."""


def verdict(turn: Side, variation: Variation) -> Remark:
    """What a variation's score means; `turn` is the side to move before it."""
    ahead = turn if variation.score >= 0 else turn.other
    if variation.plies is not None:
        moves = (abs(variation.plies) + 1) // 2
        return PHRASES.remark("forced", side=ahead.word, count=moves)
    for limit, code in _SHADES:
        if abs(variation.score) < limit:
            return PHRASES.remark(code) if code == "even" else PHRASES.remark(code, side=ahead.word)
    return PHRASES.remark("winning", side=ahead.word)
