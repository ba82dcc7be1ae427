"""Reviews of finished games: what every decision was worth, how the chances moved, and where the game was decided.

A review is planned first, which costs next to nothing; its parts are then computed one by one, in any order, on any
threads: a server sends them as they come, and stops when nobody looks. Each part has a seed of its own, so the
same record and effort give the same review.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord
from stampede.core.remark import Remark

__all__ = [
    "Alternative",
    "Conclusion",
    "CurvePoint",
    "GameReview",
    "Mark",
    "PairOutcome",
    "ProvenWin",
    "ReviewPart",
    "ReviewPlan",
    "ReviewedDecision",
    "conclude",
    "expect_finished",
    "run_review",
]

Mark: TypeAlias = Literal["", "!", "?", "??"]
"""A good find, a mistake, a blunder."""
FORMAT: Final = "stampede-review/1"
COSTLIEST: Final = 3
"""How many decisions of a seat are worth another try."""


@dataclass(frozen=True, slots=True)
class ProvenWin:
    """A win that is certain.

    Attributes:
        seat: Who wins.
        plies: In at most so many moves of both sides.
        kind: How it is known.
        source: The tablebase or certificate; empty for a search to the end.
    """

    seat: Seat
    plies: int
    kind: Literal["search", "table", "certificate"]
    source: str = ""

    def to_json(self) -> JsonObject:
        """The proven win as JSON."""
        return {"seat": self.seat, "plies": self.plies, "kind": self.kind, "source": self.source}


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Where the seats stand at one moment.

    Attributes:
        turn: So many steps have been played.
        round: The round that begins; 0 at the end and in games without rounds.
        chances: By seat: the estimated chance to win.
        worth: By seat: the expected cows at the end; of Buffalo the engine's score, in hundredths.
        proven: The win that is certain here; None when none is known.
    """

    turn: int
    round: int
    chances: tuple[float, ...]
    worth: tuple[float, ...]
    proven: ProvenWin | None = None

    def to_json(self) -> JsonObject:
        """The point as JSON."""
        return {
            "turn": self.turn,
            "round": self.round,
            "chances": [round(chance, 4) for chance in self.chances],
            "worth": [round(worth, 2) for worth in self.worth],
            "proven": None if self.proven is None else self.proven.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Alternative:
    """What could have been done instead.

    Attributes:
        action: The action, as in a record.
        share: How often a strong player does it; None where that isn't known.
        value: What it is worth, in the decision's unit.
        line: The moves that are expected to follow.
    """

    action: Json
    share: float | None
    value: float
    line: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """The alternative as JSON."""
        return {
            "action": self.action,
            "share": None if self.share is None else round(self.share, 3),
            "value": round(self.value, 3),
            "line": list(self.line),
        }


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """What became of a pair: the cows placed, of those that its card allowed; None when it was wasted (Z4.5)."""

    pasture: str
    card: str
    most: int
    cows: int | None

    def to_json(self) -> JsonObject:
        """The outcome as JSON."""
        return {"pasture": self.pasture, "card": self.card, "most": self.most, "cows": self.cows}


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """One decision, reviewed.

    Attributes:
        turn: Its number in the game, from 0: so many steps were played before it.
        round: The running round; 0 before the first and in games without rounds.
        seat: Who decided.
        chosen: What was done, as in a record.
        best: What would have been best; the same when nothing was better.
        value: What the chosen action is worth.
        best_value: What the best one is worth.
        unit: What values count: cows of lead, or the chance to win.
        options: How many there were to choose from; 0 for a bid, which can be any number.
        reasons: Why the best is better, most telling first.
        mark: How it is annotated.
        alternatives: Of a sealed choice, the mixture that is recommended; of a move, the best ones.
        outcome: Of a sealed choice, what became of its pairs.
        line: Of a mistake, the moves that punish it.
        proven: The other side's win that the decision allowed, for certain; None when nothing is proven.
        summary: What was done, in English.
    """

    turn: int
    round: int
    seat: Seat
    chosen: Json
    best: Json
    value: float
    best_value: float
    unit: Literal["cows", "chance"]
    options: int
    reasons: tuple[Remark, ...]
    mark: Mark = ""
    alternatives: tuple[Alternative, ...] = ()
    outcome: tuple[PairOutcome, ...] = ()
    line: tuple[str, ...] = ()
    proven: ProvenWin | None = None
    summary: str = ""

    @property
    def loss(self) -> float:
        """How much the decision gave away."""
        return max(0.0, self.best_value - self.value)

    @property
    def words(self) -> str:
        """The reasons in English."""
        return " ".join(map(str, self.reasons))

    def to_json(self) -> JsonObject:
        """The decision as JSON."""
        return {
            "turn": self.turn,
            "round": self.round,
            "seat": self.seat,
            "chosen": self.chosen,
            "best": self.best,
            "value": round(self.value, 3),
            "best_value": round(self.best_value, 3),
            "loss": round(self.loss, 3),
            "unit": self.unit,
            "options": self.options,
            "mark": self.mark,
            "reasons": [reason.to_json() for reason in self.reasons],
            "alternatives": [one.to_json() for one in self.alternatives],
            "outcome": [one.to_json() for one in self.outcome],
            "line": list(self.line),
            "proven": None if self.proven is None else self.proven.to_json(),
        }


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """What one step of the work found: decisions, and points of the curve that replace earlier ones."""

    decisions: tuple[ReviewedDecision, ...] = ()
    points: tuple[CurvePoint, ...] = ()

    def to_json(self) -> JsonObject:
        """The part as JSON."""
        return {
            "decisions": [decision.to_json() for decision in self.decisions],
            "points": [point.to_json() for point in self.points],
        }


@dataclass(frozen=True, slots=True, eq=False)
class ReviewPlan:
    """The work that a review takes.

    Attributes:
        record: The game.
        seats: How many seats play.
        tasks: Functions that compute one part each; independent of each other. The first one is quick and finds the
            whole curve.
        budget: The seed and the counts that the work is limited by: with the record, all that the result depends on.
    """

    record: GameRecord
    seats: int
    tasks: tuple[Callable[[], ReviewPart], ...]
    budget: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a review comes to.

    Attributes:
        losses: By seat: all that was given away.
        turning_points: The turns of the decisions that mattered most, in the order of the game.
        retry: By seat: the turns of its costliest decisions, costliest first.
    """

    losses: tuple[float, ...]
    turning_points: tuple[int, ...]
    retry: tuple[tuple[int, ...], ...] = field(default=())

    def to_json(self) -> JsonObject:
        """The conclusion as JSON."""
        return {
            "losses": [round(loss, 3) for loss in self.losses],
            "turning_points": list(self.turning_points),
            "retry": [list(turns) for turns in self.retry],
        }


@dataclass(frozen=True, slots=True)
class GameReview:
    """A whole review; `budget` is the plan's."""

    record: GameRecord
    points: tuple[CurvePoint, ...]
    decisions: tuple[ReviewedDecision, ...]
    conclusion: Conclusion
    budget: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """The review as JSON."""
        return {
            "format": FORMAT,
            "game": self.record.game,
            "seats": [seat.to_json() for seat in self.record.seats],
            "result": self.record.result,
            "budget": dict(self.budget),
            "points": [point.to_json() for point in self.points],
            "decisions": [decision.to_json() for decision in self.decisions],
            **self.conclusion.to_json(),
        }


def run_review(plan: ReviewPlan, progress: Callable[[int, int], None] | None = None) -> GameReview:
    """Computes all parts of a review, one after another.

    Args:
        plan: What there is to do.
        progress: Called after each part with the number of parts done, and of all.
    """
    points: dict[int, CurvePoint] = {}
    decisions: list[ReviewedDecision] = []
    for number, task in enumerate(plan.tasks, 1):
        part = task()
        points.update((point.turn, point) for point in part.points)
        decisions += part.decisions
        if progress is not None:
            progress(number, len(plan.tasks))
    decisions.sort(key=lambda decision: decision.turn)
    return GameReview(
        record=plan.record,
        points=tuple(points[turn] for turn in sorted(points)),
        decisions=tuple(decisions),
        conclusion=conclude(plan.seats, decisions),
        budget=plan.budget,
    )


def conclude(seats: int, decisions: Iterable[ReviewedDecision]) -> Conclusion:
    """Sums up: what each seat gave away, and which decisions mattered most."""
    costly = sorted(
        (decision for decision in decisions if decision.loss > 0),
        key=lambda decision: (decision.proven is None, -decision.loss, decision.turn),
    )
    of_seats = [[one for one in costly if one.seat == seat] for seat in range(seats)]
    marked = [decision.turn for decision in costly if decision.mark in ("?", "??")]
    return Conclusion(
        losses=tuple(sum(decision.loss for decision in own) for own in of_seats),
        turning_points=tuple(sorted(marked[:COSTLIEST])),
        retry=tuple(
            tuple(one.turn for one in own if one.mark in ("?", "??"))[:COSTLIEST]
            for own in of_seats
        ),
    )


def expect_finished(record: GameRecord, game: str) -> None:
    """Raises an InputError unless this is the record of a finished game."""
    if record.game != game or record.result is None:
        raise InputError(
            f"review: expected a finished game of {game}, got {record.game}"
            f"{' without a result' if record.result is None else ''}"
        )
