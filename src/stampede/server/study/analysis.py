"""What the engine thinks of a position of Buffalo: for finished games, and as a hint against bots.

Nobody may ask the engine while he plays against people. So a request names no position of its own: it names a game of
a table, or brings a finished record, and how far to play it. What the engine says comes as a code and values, so that
it can be told in any language, and in English.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Final, Literal, Self

from fastapi import APIRouter, FastAPI, Request
from pydantic import Field, StringConstraints, model_validator
from starlette.responses import Response

from stampede.buffalo import BuffaloGame, BuffaloState
from stampede.core.errors import ActionError, InputError, StampedeError
from stampede.core.game import AnyGame
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.record import GameRecord
from stampede.matches.callers import Caller
from stampede.matches.records import play_numbered
from stampede.matches.table import Table
from stampede.server.http.dependencies import JsonResponse, KnownCaller, RunningServices
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.http.problems import PROBLEMS, Problem, TooManyRequests, problem_of
from stampede.server.study.replays import RecordRequest, played_again
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.service import choose_view
from stampede.server.tables.wire import TableId

__all__ = ["router"]

ANALYSIS_COST: Final = 5.0
"""An analysis counts as so many requests."""
MOST_WAITING: Final = 32
"""So many may wait for the engine."""
TABLE_ENTRIES: Final = 1 << 19


class AnalysisRequest(RequestModel):
    """Which position, and how long to think about it."""

    table: TableId | None = Field(None, description="A table; else bring a record.")
    game: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None, description="Which game of the table; the latest if absent."
    )
    record: RecordRequest | None = Field(None, description="A finished game from elsewhere.")
    ply: Annotated[int, Field(ge=0, le=2000)] | None = Field(
        None, description="After how many steps; after all of them if absent."
    )
    moves: Annotated[
        list[Annotated[str, StringConstraints(min_length=4, max_length=4)]], Field(max_length=64)
    ] = Field(default_factory=list, description="Moves to try out from there.")
    lines: Annotated[int, Field(ge=1, le=5)] = 3
    seconds: Annotated[float, Field(gt=0, le=3)] = 1.0
    nodes: Annotated[int, Field(ge=1, le=10_000_000)] | None = Field(
        None, description="A bound on positions looked at, beside the time."
    )

    @model_validator(mode="after")
    def _one_game(self) -> Self:
        if (self.table is None) == (self.record is None):
            raise ValueError("expected a table or a record")
        return self


class SayingAnswer(ResponseModel):
    """Something that stands out: a word to translate, what the sentence needs, and the sentence in English."""

    code: str
    values: dict[str, str]
    text: str


class LineAnswer(ResponseModel):
    """A move and what is thought to follow."""

    move: str
    score: int = Field(description="For the side to move, in hundredths.")
    plies_to_end: int | None = Field(description="Proven: in how many moves; negative for a loss.")
    verdict: SayingAnswer
    depth: int
    moves: list[str]


class AnalysisAnswer(ResponseModel):
    """What the engine thinks."""

    fen: str
    turn: Literal["buffalo", "hunter"]
    verdict: SayingAnswer
    remarks: list[SayingAnswer]
    depth: int
    nodes: int
    seconds: float
    lines: list[LineAnswer]


class Analyst:
    """Lets one position after another be looked at, apart from the bots' threads, and one for each caller."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._asking: set[str] = set()

    async def look(self, caller: Caller, record: GameRecord, request: AnalysisRequest) -> Json:
        """The analysis; a Problem when this caller, or too many others, wait for one already."""
        if caller.who in self._asking:
            raise TooManyRequests(1)
        if len(self._asking) >= MOST_WAITING:
            raise Problem(503, "busy", "too many wait for the engine; try again", None, 2)
        self._asking.add(caller.who)
        try:
            return await self._pool.think(lambda: _analysed(record, request))
        finally:
            self._asking.discard(caller.who)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    pool = BotPool(threads=1, capacity=MOST_WAITING)
    app.state.analyst = Analyst(pool)
    try:
        yield
    finally:
        await pool.close()


router = APIRouter(prefix="/api", responses=PROBLEMS, lifespan=_lifespan)


@router.post("/analyse", responses={200: {"model": AnalysisAnswer}})
async def analyse(
    request: Request, body: AnalysisRequest, services: RunningServices, caller: KnownCaller
) -> Response:
    """The best moves of a position of Buffalo, and what threatens.

    For games that are over; for a running one only to its only person, against bots, and not when it is rated.
    """
    services.limit(request, caller, ANALYSIS_COST)
    record = (
        await _table_record(services, body, caller)
        if body.record is None
        else _finished(body.record.record())
    )
    analyst: Analyst = request.app.state.analyst
    return JsonResponse(canonical(await analyst.look(caller, record, body)))


async def _table_record(
    services: RunningServices, body: AnalysisRequest, caller: Caller
) -> GameRecord:
    actor = await services.registry.find(body.table or "")
    await choose_view(actor, caller, None)
    async with actor.looking() as table:
        try:
            if play_numbered(table.state, body.game).ended_at is None:
                _check_running(table, caller)
            return table.record(body.game)
        except StampedeError as error:
            raise problem_of(error) from error


def _check_running(table: Table, caller: Caller) -> None:
    people = table.state.persons()
    alone = len(people) <= 1 and set(people) <= set(table.players_of(caller))
    if table.state.settings.rated or not alone:
        raise Problem(
            403,
            "no_hints",
            "expected the end of the game: hints are for unrated games against bots only",
        )


def _finished(record: GameRecord) -> GameRecord:
    if record.result is None:
        raise Problem(403, "no_hints", "expected the record of a finished game, got a running one")
    return record


def _state(record: GameRecord, body: AnalysisRequest) -> BuffaloState:
    """Where the game stood at the ply, and after the moves that are tried out."""
    if record.game != BuffaloGame.name:
        raise Problem(422, "invalid", f"game: expected {BuffaloGame.name}, got {record.game}")
    played = played_again(record)
    ply = len(played.turns) if body.ply is None else body.ply
    if ply > len(played.turns):
        raise Problem(422, "invalid", f"ply: expected at most {len(played.turns)}, got {ply}")
    state: BuffaloState = played.turns[ply - 1].state if ply else played.start
    for move in body.moves:
        state = _tried(played.game, state, move)
    if state.outcome is not None or state.position.is_over:
        raise Problem(409, "game_over", "expected a position with moves, got the end of a game")
    if state.opening is not None:
        raise Problem(409, "opening", "expected an ordinary turn, got an opening turn (B4.3)")
    return state


def _tried(game: AnyGame, state: BuffaloState, move: str) -> BuffaloState:
    try:
        seat, action = game.read_step(state, move)
        found: BuffaloState = game.apply(state, seat, action).state
    except (InputError, ActionError) as error:
        raise problem_of(error) from error
    return found


def _analysed(record: GameRecord, request: AnalysisRequest) -> JsonObject:
    from stampede.oracle import default_oracle  # noqa: PLC0415
    from stampede.search.buffalo.analysis import analyse, verdict  # noqa: PLC0415 - loads compiled code
    from stampede.search.buffalo.engine import Engine, Limits  # noqa: PLC0415

    position = _state(record, request).position
    limits = Limits(nodes=request.nodes, seconds=request.seconds)
    engine = Engine(TABLE_ENTRIES, oracle=default_oracle())
    found = analyse(position, limits, engine=engine, variations=request.lines)
    return {
        "fen": position.fen(),
        "turn": position.turn.name.lower(),
        "verdict": found.verdict.to_json(),
        "remarks": [remark.to_json() for remark in found.remarks],
        "depth": found.report.depth,
        "nodes": found.report.nodes,
        "seconds": round(found.report.seconds, 3),
        "lines": [
            {
                "move": str(line.move),
                "score": line.score,
                "plies_to_end": line.plies,
                "verdict": verdict(position.turn, line).to_json(),
                "depth": line.depth,
                "moves": [str(move) for move in line.moves],
            }
            for line in found.report.variations
        ],
    }
