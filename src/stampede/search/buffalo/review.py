"""Reviews a finished game of Buffalo: the score after every move, mistakes with their refutation, and what is proven.

Every position is searched with a budget of positions, so that a review can be repeated. Scores become chances by a
fixed curve; it orders mistakes and draws the plot, and claims no more. What an oracle or a search to the end proves is
told apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final, NamedTuple

from stampede.buffalo import BuffaloGame, BuffaloState, Move, Position, Side
from stampede.core.game import Seat
from stampede.core.record import GameRecord
from stampede.core.remark import Phrases, Remark
from stampede.core.replay import replay
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.oracle import Oracle
from stampede.search.buffalo.remarks import remarks
from stampede.search.buffalo.variations import SearchReport
from stampede.search.review import (
    Alternative,
    CurvePoint,
    Mark,
    ProvenWin,
    ReviewedDecision,
    ReviewPart,
    ReviewPlan,
    expect_finished,
)

__all__ = ["REVIEW_PHRASES", "ReviewEffort", "chance_of", "plan_review"]

REVIEW_PHRASES: Final = Phrases(
    {
        "move_best": "Nothing better found.",
        "move_only": "The only move that holds.",
        "move_better": "{move} is better.",
        "had_win": "Before it, {side} had a proven win in {count:move|moves} at most.",
        "now_wins": "After it, {side} wins by force: proven, {count:move|moves} at most.",
    },
    {"buffalo": "the buffalo side", "hunter": "the hunter"},
)
"""The sentences of remarks on moves."""

SCALE: Final = 250.0
"""A score of so many hundredths is a chance of 73 %."""
MISTAKE, BLUNDER = 0.12, 0.3
"""From such a loss of chances a move is marked ? and ??."""
FIND: Final = 0.3
"""A move is marked ! if every other one loses so much."""
CLOSE: Final = 0.02
"""Smaller differences between two searches mean nothing."""
THREATS: Final = 2
"""How many threats after a mistake are told."""
FOLLOWING: Final = 8
"""How many moves of a variation are told."""


@dataclass(frozen=True, slots=True)
class ReviewEffort:
    """How much to search.

    Attributes:
        first: Positions searched for each point of the first curve.
        nodes: Positions searched for each decision, and as many for the position after a mistake.
        entries: The size of the transposition table.
    """

    first: int = 3_000
    nodes: int = 300_000
    entries: int = 1 << 18


class _Turn(NamedTuple):
    """A move of the game, with the positions around it."""

    turn: int
    before: Position
    move: Move
    after: Position


def plan_review(
    record: GameRecord, oracle: Oracle | None = None, effort: ReviewEffort | None = None
) -> ReviewPlan:
    """Plans the review of a finished game. Moves of an opening turn (B4.3) aren't reviewed.

    Raises:
        InputError: The record isn't a finished game of Buffalo, or not by the rules.
    """
    expect_finished(record, BuffaloGame.name)
    effort = effort or ReviewEffort()
    played = replay(BuffaloGame(), record)
    states = [played.start, *(turn.state for turn in played.turns)]
    turns = [
        _Turn(number, before.position, move, after.position)
        for number, (before, (_, move, after, _)) in enumerate(
            zip(states, played.turns, strict=False)
        )
        if before.opening is None
    ]
    tasks: list[Callable[[], ReviewPart]] = [partial(_first_curve, states, oracle, effort)]
    tasks += [partial(_review_move, turn, oracle, effort) for turn in turns]
    return ReviewPlan(record, 2, tuple(tasks), asdict(effort))


def chance_of(score: int, plies: int | None = None) -> float:
    """The chance to win that a score stands for; proven wins and losses are certain."""
    if plies is not None:
        return 1.0 if plies > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-score / SCALE))


def _first_curve(
    states: list[BuffaloState], oracle: Oracle | None, effort: ReviewEffort
) -> ReviewPart:
    engine = Engine(effort.entries, oracle=oracle)
    points = []
    for turn, state in enumerate(states):
        if state.opening is not None:
            continue
        if state.position.is_over:
            points.append(_end_point(turn, state.position))
        else:
            report = engine.search(state.position, Limits(nodes=effort.first))
            points.append(_point(turn, state.position, report))
    return ReviewPart(points=tuple(points))


def _end_point(turn: int, position: Position) -> CurvePoint:
    winner = position.winner
    assert winner is not None, "the game is over"
    chances = (1.0, 0.0) if winner is Side.BUFFALO else (0.0, 1.0)
    return CurvePoint(turn, 0, chances, (0.0, 0.0), ProvenWin(_seat(winner), 0, "search"))


def _point(turn: int, position: Position, report: SearchReport) -> CurvePoint:
    best = report.best
    chance, score = chance_of(best.score, best.plies), float(best.score)
    chances, worth = (chance, 1.0 - chance), (score, -score)
    if position.turn is Side.HUNTER:
        chances, worth = chances[::-1], worth[::-1]
    return CurvePoint(turn, 0, chances, worth, _proven(position, report))


def _proven(position: Position, report: SearchReport) -> ProvenWin | None:
    """The win that a search has proven, by itself or with a tablebase or certificate."""
    plies = report.best.plies
    if plies is None:
        return None
    winner = position.turn if plies > 0 else position.turn.other
    exact = report.exact
    if exact is None:
        return ProvenWin(_seat(winner), abs(plies), "search")
    return ProvenWin(_seat(winner), abs(plies), exact.kind, exact.source)


def _seat(side: Side) -> Seat:
    """The seat of a side in a record: the buffalo side's is the first."""
    return 0 if side is Side.BUFFALO else 1


def _review_move(turn: _Turn, oracle: Oracle | None, effort: ReviewEffort) -> ReviewPart:
    """Compares the move with the best ones, and searches the position after it if it isn't the best."""
    engine = Engine(effort.entries, oracle=oracle)
    limits = Limits(nodes=effort.nodes)
    before = engine.search(turn.before, limits, variations=2)
    best = before.best
    best_value = chance_of(best.score, best.plies)
    value, after = best_value, None
    if turn.after.is_over:
        value = 1.0 if turn.after.winner is turn.before.turn else 0.0
    elif turn.move != best.move:
        after = engine.search(turn.after, limits)
        value = 1.0 - chance_of(after.best.score, after.best.plies)
    if value >= best_value - CLOSE:
        best_value = value
    decision = _decide(turn, before, after, (value, best_value))
    return ReviewPart((decision,), (_point(turn.turn, turn.before, before),))


def _decide(
    turn: _Turn, before: SearchReport, after: SearchReport | None, worth: tuple[float, float]
) -> ReviewedDecision:
    value, best_value = worth
    loss = best_value - value
    mark: Mark = "??" if loss >= BLUNDER else "?" if loss >= MISTAKE else ""
    others = [chance_of(one.score, one.plies) for one in before.variations if one.move != turn.move]
    if loss == 0 and len(turn.before.legal_moves) > 1 and others:
        mark = "!" if value - max(others) >= FIND else ""
    had, has = _proven(turn.before, before), None
    if after is not None:
        has = _proven(turn.after, after)
    mover = _seat(turn.before.turn)
    lost = had is not None and had.seat == mover and has is not None and has.seat != mover
    return ReviewedDecision(
        turn=turn.turn,
        round=0,
        seat=mover,
        chosen=str(turn.move),
        best=str(before.best.move if loss > 0 else turn.move),
        value=value,
        best_value=best_value,
        unit="chance",
        options=len(turn.before.legal_moves),
        reasons=tuple(_reasons(turn, before, mark, had, has)),
        mark=mark,
        alternatives=tuple(
            Alternative(
                str(one.move),
                None,
                chance_of(one.score, one.plies),
                tuple(map(str, one.moves[1:FOLLOWING])),
            )
            for one in before.variations
        ),
        line=() if after is None or not mark else tuple(map(str, after.best.moves[:FOLLOWING])),
        proven=has if lost else None,
        summary=str(turn.move),
    )


def _reasons(
    turn: _Turn,
    before: SearchReport,
    mark: Mark,
    had: ProvenWin | None,
    has: ProvenWin | None,
) -> Iterator[Remark]:
    """Why the move is marked: what it gave away, and what now threatens."""
    if mark not in ("?", "??"):
        yield REVIEW_PHRASES.remark("move_only" if mark == "!" else "move_best")
        return
    yield REVIEW_PHRASES.remark("move_better", move=before.best.move)
    mover = turn.before.turn
    if had is not None and had.seat == _seat(mover):
        yield REVIEW_PHRASES.remark("had_win", side=mover.word, count=_moves(had))
    if has is not None and has.seat != _seat(mover):
        yield REVIEW_PHRASES.remark("now_wins", side=mover.other.word, count=_moves(has))
    for _, threat in zip(range(THREATS), _new_threats(turn, before.best.move), strict=False):
        yield threat


def _new_threats(turn: _Turn, best: Move) -> Iterator[Remark]:
    """What the move let happen: the other side's threats after it that the best move wouldn't have left."""
    better = turn.before.play(best)
    there = () if better.is_over else remarks(better)
    for remark in remarks(turn.after):
        against = (remark.code == "must_capture") == (turn.before.turn is Side.BUFFALO)
        if remark.code != "cover" and against and remark not in there:
            yield remark


def _moves(win: ProvenWin) -> int:
    """The moves of one side that a number of plies stands for."""
    return (win.plies + 1) // 2
