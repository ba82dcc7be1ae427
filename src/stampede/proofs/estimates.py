"""What the engine thinks of the ladder's open positions: estimates, which prove nothing.

They ship as ``estimates.json``, and ``python scripts/rung_estimates.py`` measures them: scores and games by
`measure_estimate`, and what proof trees and searches find. The same budget gives the same figures.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final

from stampede.buffalo import Position, Side
from stampede.core.json import JsonObject, expect_int, expect_list, expect_object, expect_str
from stampede.search.buffalo.engine import Engine, Limits

__all__ = [
    "BUDGET",
    "EstimateBudget",
    "PseudoProof",
    "RungEstimate",
    "dump_estimates",
    "measure_estimate",
    "shipped_estimates",
]

FORMAT: Final = "stampede-estimates/1"
FILE: Final = "estimates.json"


@dataclass(frozen=True, slots=True)
class EstimateBudget:
    """With what a position is measured.

    Attributes:
        positions: Positions searched for the score.
        games: By game of the engine against itself: positions searched for each move; all differ, so that the games do.
        entries: The size of a transposition table; each side has its own.
    """

    positions: int = 5_000_000
    games: tuple[int, ...] = tuple(range(30_000, 70_000, 5_000))
    entries: int = 1 << 20


BUDGET: Final = EstimateBudget()


@dataclass(frozen=True, slots=True)
class PseudoProof:
    """A proof tree that closes if the engine is right about leaves with a large score: likely, not proven.

    Attributes:
        winner: The side that is likely to win.
        threshold: The score from which the engine is trusted, in hundredths.
        leaves: How many leaves are trusted.
        positions: How many positions the tree's searches took.
    """

    winner: Side
    threshold: int
    leaves: int
    positions: int

    def to_json(self) -> JsonObject:
        """The pseudo-proof as JSON."""
        return {
            "winner": self.winner.word,
            "threshold": self.threshold,
            "leaves": self.leaves,
            "positions": self.positions,
        }


@dataclass(frozen=True, slots=True)
class RungEstimate:
    """What is known about an open position.

    Attributes:
        rung: Its rung of the ladder (B4.1).
        missing: The files without a buffalo, for a rung above 0.
        stepped: For a first move of the real game (rung 0), its file; else empty.
        fen: The position.
        score: The engine's, in hundredths, for the buffalo side.
        hunter_wins: How many games of the engine against itself the hunter won.
        searched: How many positions searches for a proof took without an answer; 0 if there was no such search.
        likely: The pseudo-proof; None if none has closed.
    """

    rung: int
    missing: str
    fen: str
    score: int = 0
    hunter_wins: int = 0
    searched: int = 0
    likely: PseudoProof | None = None
    stepped: str = ""


def measure_estimate(estimate: RungEstimate, budget: EstimateBudget = BUDGET) -> RungEstimate:
    """Measures the score and the games of an open position again."""
    position = Position.from_fen(estimate.fen)
    found = Engine(budget.entries).search(position, Limits(nodes=budget.positions))
    score = found.best.score if position.turn is Side.BUFFALO else -found.best.score
    wins = sum(_winner(position, nodes, budget) is Side.HUNTER for nodes in budget.games)
    return replace(estimate, score=score, hunter_wins=wins)


def _winner(position: Position, nodes: int, budget: EstimateBudget) -> Side | None:
    engines = {side: Engine(budget.entries) for side in Side}
    while not position.is_over:
        best = engines[position.turn].search(position, Limits(nodes=nodes)).best
        position = position.after(best.move)
    return position.winner


# --- the file ---


def dump_estimates(estimates: Sequence[RungEstimate], budget: EstimateBudget = BUDGET) -> str:
    """The file of estimates: JSON with one line a position."""
    measured = {"positions": budget.positions, "games": list(budget.games)}
    head = json.dumps({"format": FORMAT, "budget": measured})[:-1]
    lines = [json.dumps(_write(one)) for one in estimates]
    return f'{head}, "estimates": [\n' + ",\n".join(lines) + "\n]}\n"


def _write(one: RungEstimate) -> JsonObject:
    likely = {} if one.likely is None else {"likely": one.likely.to_json()}
    stepped = {"stepped": one.stepped} if one.stepped else {}
    return {
        "rung": one.rung,
        "missing": one.missing,
        **stepped,
        "fen": one.fen,
        "score": one.score,
        "hunter_wins": one.hunter_wins,
        "searched": one.searched,
        **likely,
    }


@cache
def shipped_estimates() -> tuple[EstimateBudget, tuple[RungEstimate, ...]]:
    """The shipped estimates, and with what they were measured."""
    text = files("stampede.proofs").joinpath(FILE).read_text(encoding="utf-8")
    data = expect_object(json.loads(text), FILE)
    measured = expect_object(data["budget"], "budget")
    games = expect_list(measured["games"], "games")
    budget = EstimateBudget(
        expect_int(measured["positions"], "positions"),
        tuple(expect_int(nodes, "games") for nodes in games),
    )
    listed = expect_list(data["estimates"], "estimates")
    return budget, tuple(_read(expect_object(one, "estimate")) for one in listed)


def _read(data: JsonObject) -> RungEstimate:
    likely = data.get("likely")
    return RungEstimate(
        rung=expect_int(data["rung"], "rung"),
        missing=expect_str(data["missing"], "missing"),
        fen=expect_str(data["fen"], "fen"),
        score=expect_int(data["score"], "score"),
        hunter_wins=expect_int(data["hunter_wins"], "hunter_wins"),
        searched=expect_int(data["searched"], "searched"),
        likely=None if likely is None else _read_likely(expect_object(likely, "likely")),
        stepped=expect_str(data.get("stepped", ""), "stepped"),
    )


def _read_likely(data: JsonObject) -> PseudoProof:
    word = expect_str(data["winner"], "winner")
    return PseudoProof(
        winner=next(side for side in Side if side.word == word),
        threshold=expect_int(data["threshold"], "threshold"),
        leaves=expect_int(data["leaves"], "leaves"),
        positions=expect_int(data["positions"], "positions"),
    )
