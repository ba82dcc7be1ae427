"""Requests and responses of replays, analysis and reviews."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    RootModel,
    StringConstraints,
    model_validator,
)

from stampede.core.constraints import check_depth
from stampede.core.errors import InputError
from stampede.core.json import Json
from stampede.core.record import GameRecord
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.http.problems import wrong_record
from stampede.server.http.schema import GameAction, GameEvents, GameView
from stampede.server.tables.games import GameName
from stampede.server.tables.wire import TableId

__all__ = [
    "AnalysisAnswer",
    "AnalysisRequest",
    "HintAnswer",
    "HintRequest",
    "ReachAnswer",
    "RecordRequest",
    "ReplayAnswer",
    "ReviewLine",
    "ReviewRequest",
    "expect_one_game",
]

MAX_STEPS: Final = 2000
"""Steps of a record; the longest games of any kind have far fewer."""

Values = Annotated[dict[str, JsonValue], AfterValidator(check_depth)]
Value = Annotated[JsonValue, AfterValidator(check_depth)]
BuffaloSide = Literal["buffalo", "hunter"]
MoveText = Annotated[str, StringConstraints(min_length=4, max_length=4)]
FenText = Annotated[str, StringConstraints(max_length=200)]


# --- replays ---


class RecordRequest(BaseModel):
    """A game record from a file; docs/record.md. Unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    format: Literal["stampede-record/1"]
    game: GameName
    rules: Values
    edition_data: Values | None = None
    start: JsonValue = None
    deal: Values | None = None
    colours: Value = None
    seats: Annotated[list[Values], Field(max_length=6)]
    actions: Annotated[list[Value], Field(max_length=MAX_STEPS)]
    result: Values | None = None
    meta: Values = Field(default_factory=dict)

    def record(self) -> GameRecord:
        """Reads the record; raises a Problem if it isn't one."""
        data: dict[str, Json] = self.model_dump(mode="json")
        try:
            return GameRecord.from_json({k: v for k, v in data.items() if v is not None})
        except InputError as error:
            raise wrong_record(error) from error


class StepAnswer(ResponseModel):
    """One step of a game, and the view after it."""

    seat: int
    action: GameAction
    events: GameEvents
    view: GameView = Field(description="As a spectator sees it.")


class SeatAnswer(ResponseModel):
    """Who sat in a seat."""

    name: str
    kind: Literal["human", "bot"]
    bot: str | int | None = None


class ReplayAnswer(ResponseModel):
    """A game from its start to its end."""

    game: GameName
    rules: dict[str, JsonValue]
    seats: list[SeatAnswer]
    start: GameView = Field(description="A spectator's view before the first step.")
    steps: list[StepAnswer]
    result: dict[str, JsonValue] | None
    meta: dict[str, JsonValue]


# --- analysis ---


def expect_one_game(table: str | None, record: RecordRequest | None) -> None:
    """Raises a ValueError unless a request names a table or brings a record."""
    if (table is None) == (record is None):
        raise ValueError("expected a table or a record")


class AnalysisRequest(RequestModel):
    """Which position to analyse, and for how long."""

    table: TableId | None = Field(None, description="A table; or else send a record.")
    game: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None, description="Which game of the table; the latest if absent."
    )
    record: RecordRequest | None = Field(None, description="A finished game from elsewhere.")
    fen: FenText | None = Field(None, description="Or a position of Buffalo, set up by hand.")
    ply: Annotated[int, Field(ge=0, le=MAX_STEPS)] | None = Field(
        None, description="After how many steps; after all of them if absent."
    )
    moves: Annotated[list[MoveText], Field(max_length=64)] = Field(
        default_factory=list, description="Moves to try out from there."
    )
    lines: Annotated[int, Field(ge=1, le=5)] = 3
    seconds: Annotated[float, Field(gt=0, le=3)] = 1.0
    nodes: Annotated[int, Field(ge=1, le=10_000_000)] | None = Field(
        None, description="A limit on positions searched, beside the time."
    )

    @model_validator(mode="after")
    def _check_one_game(self) -> Self:
        if self.fen is None:
            expect_one_game(self.table, self.record)
        elif self.table is not None or self.record is not None or self.ply:
            raise ValueError("expected a table, a record or a fen alone")
        return self


class ReviewRequest(RequestModel):
    """Which finished game to review."""

    table: TableId | None = Field(None, description="A table; or else send a record.")
    game: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None, description="Which game of the table; the latest if absent."
    )
    record: RecordRequest | None = Field(None, description="A finished game from elsewhere.")

    @model_validator(mode="after")
    def _check_one_game(self) -> Self:
        expect_one_game(self.table, self.record)
        return self


class SayingAnswer(ResponseModel):
    """A remark: a code to translate, the values that its sentence needs, and the sentence in English."""

    code: str
    values: dict[str, str]
    text: str


class LineAnswer(ResponseModel):
    """A move and its principal variation."""

    move: str
    score: int = Field(description="For the side to move, in hundredths.")
    plies_to_end: int | None = Field(description="Proven: in how many moves; negative for a loss.")
    verdict: SayingAnswer
    depth: int
    moves: list[str]


class AnalysisAnswer(ResponseModel):
    """The engine's analysis of a position."""

    fen: str
    turn: BuffaloSide
    verdict: SayingAnswer
    remarks: list[SayingAnswer]
    depth: int
    nodes: int
    seconds: float
    lines: list[LineAnswer]


# --- hints ---


class HintRequest(RequestModel):
    """At which table a hint is wanted."""

    table: TableId


class HintCandidate(ResponseModel):
    """An answer that a coach would consider."""

    action: GameAction
    cows: float | None = Field(
        description="The cows that it brings until the end of the round, on average; null before the first round."
    )
    reasons: list[SayingAnswer] = Field(description="What speaks for it.")


class HintAnswer(ResponseModel):
    """What a coach would consider, the best first."""

    decision: str = Field(description="The decision that it is for.")
    candidates: list[HintCandidate]


# --- moves ahead ---


class ReachAnswer(ResponseModel):
    """Where Buffalo's pieces could go on an empty board: a client offers these for moves chosen in advance."""

    reach: dict[str, dict[str, list[str]]] = Field(
        description="By piece (buffalo, chief, dog) and square: the squares within reach."
    )


# --- reviews ---


class ProvenAnswer(ResponseModel):
    """A win that is certain."""

    seat: int
    plies: int = Field(description="In at most so many moves of both sides.")
    kind: Literal["search", "table", "certificate"]
    source: str = Field(description="The tablebase or certificate; empty for a search to the end.")


class CurvePointAnswer(ResponseModel):
    """Where the seats stand at one moment."""

    turn: int = Field(description="So many steps have been played.")
    round: int = Field(description="The round that begins; 0 at the end and without rounds.")
    chances: list[float] = Field(description="By seat.")
    worth: list[float] = Field(description="By seat: expected cows, or the engine's score.")
    proven: ProvenAnswer | None


class AlternativeAnswer(ResponseModel):
    """What could have been done instead."""

    action: GameAction
    share: float | None = Field(description="How often a strong player does it, where known.")
    value: float
    line: list[str]


class PairOutcomeAnswer(ResponseModel):
    """What became of a pair: the cows placed, of those that its card allowed; None when it was wasted."""

    pasture: str
    card: str
    most: int
    cows: int | None


class ReviewedDecisionAnswer(ResponseModel):
    """One decision, reviewed."""

    turn: int = Field(description="So many steps were played before it.")
    round: int
    seat: int
    chosen: GameAction
    best: GameAction
    value: float
    best_value: float
    loss: float
    unit: Literal["cows", "chance"]
    options: int = Field(description="How many there were; 0 for a bid, which can be any number.")
    mark: Literal["", "!", "?", "??"]
    reasons: list[SayingAnswer]
    alternatives: list[AlternativeAnswer]
    outcome: list[PairOutcomeAnswer]
    line: list[str] = Field(description="Of a mistake, the moves that punish it.")
    proven: ProvenAnswer | None = Field(description="The win that it allowed, for certain.")


class ReviewQueue(ResponseModel):
    """The review waits."""

    type: Literal["queue"]
    ahead: int = Field(description="So many reviews come first.")
    own: bool = Field(description="Whether one of them is yours: they are computed one by one.")


class ReviewStart(ResponseModel):
    """The review begins."""

    type: Literal["start"]
    game: GameName
    seats: int
    parts: int = Field(description="So many parts follow.")
    budget: dict[str, int] = Field(
        description="Seed and limits: with the record, all that the review depends on."
    )


class ReviewPartAnswer(ResponseModel):
    """A part of the review. The first one has the whole curve; later points replace those of the same turn."""

    type: Literal["part"]
    decisions: list[ReviewedDecisionAnswer]
    points: list[CurvePointAnswer]


class ReviewDone(ResponseModel):
    """The review is complete."""

    type: Literal["done"]
    losses: list[float] = Field(description="By seat: all that was given away.")
    turning_points: list[int] = Field(description="The turns that mattered most.")
    retry: list[list[int]] = Field(description="By seat: the turns worth another try.")


class ReviewProblem(ResponseModel):
    """The review can't be made."""

    type: Literal["problem"]
    code: str
    message: str


class ReviewLine(
    RootModel[ReviewQueue | ReviewStart | ReviewPartAnswer | ReviewDone | ReviewProblem]
):
    """One line of a review."""
