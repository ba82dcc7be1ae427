"""Routes of puzzles: the day's, one of a kind, attempts, hints, solutions, and a player's rating."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import date
from typing import Annotated, Final

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from starlette.responses import Response

from stampede.buffalo import BuffaloGame, BuffaloState, Position
from stampede.buffalo.rules import BuffaloRules
from stampede.core.json import Json, JsonObject, canonical
from stampede.matches.callers import Caller
from stampede.proofs.puzzles.puzzle import Puzzle, daily
from stampede.server.accounts.routes import SignedIn
from stampede.server.http.dependencies import JsonResponse, KnownCaller, RunningServices
from stampede.server.http.problems import PROBLEMS, Problem
from stampede.server.puzzles.answers import (
    choices_json,
    find_puzzle,
    pick_puzzle,
    puzzle_json,
    solution_json,
)
from stampede.server.puzzles.lookup import (
    MAX_WAITING,
    Day,
    PuzzleNumber,
    begun_day,
    draw_of,
    parse_seen,
    think,
)
from stampede.server.puzzles.models import (
    AttemptAnswer,
    AttemptRequest,
    ChoicesAnswer,
    DaysAnswer,
    DaysRequest,
    PuzzleAnswer,
    PuzzleHintAnswer,
    PuzzleKind,
    PuzzleRatingAnswer,
    SolutionAnswer,
)
from stampede.server.puzzles.play import attempt_json, play_attempt
from stampede.server.puzzles.rated import BUFFALO, RatedPuzzles, rated_account, rated_puzzles
from stampede.server.services import Services
from stampede.server.study.fair_play import Trace, check_not_running
from stampede.server.tables.bot_pool import BotPool
from stampede.store.accounts.puzzle_days import PuzzleDays

__all__ = ["router"]

ATTEMPT_COST: Final = 2.0
"""How many requests an attempt counts as."""


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    pool = BotPool(threads=1, capacity=MAX_WAITING)
    app.state.puzzles = pool
    try:
        yield
    finally:
        await pool.close()


router = APIRouter(prefix="/api/puzzles", responses=PROBLEMS, lifespan=_lifespan)


def _rated(services: Services) -> RatedPuzzles[Puzzle]:
    return rated_puzzles(services, BUFFALO)


@router.get("", responses={200: {"model": ChoicesAnswer}})
async def choices(request: Request, services: RunningServices, caller: KnownCaller) -> Response:
    """How many puzzles there are of each theme, grade and side."""
    services.limit(request, caller)
    return JsonResponse(canonical(choices_json()))


@router.get("/daily", responses={200: {"model": PuzzleAnswer}})
async def daily_puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, day: Day | None = None
) -> Response:
    """The puzzle of a day, by default of today (UTC)."""
    services.limit(request, caller)
    return JsonResponse(canonical(puzzle_json(daily(begun_day(services, day)))))


@router.get("/next", responses={200: {"model": PuzzleAnswer}})
async def next_puzzle(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    kind: Annotated[PuzzleKind, Query()],
) -> Response:
    """A puzzle of a kind, drawn at random."""
    services.limit(request, caller)
    found = pick_puzzle(draw_of(services), kind, parse_seen(kind.seen))
    return JsonResponse(canonical(puzzle_json(found)))


@router.get("/rated", responses={200: {"model": PuzzleAnswer}})
async def rated_puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, session: SignedIn
) -> Response:
    """A puzzle near to your rating that you haven't tried; 404 when there is none left."""
    services.limit(request, caller)
    found = await _rated(services).pick(session.account_id, draw_of(services))
    if found is None:
        raise Problem(404, "unknown", "expected a puzzle that you haven't tried: there is none")
    return JsonResponse(canonical(puzzle_json(found)))


@router.get("/rating", responses={200: {"model": PuzzleRatingAnswer}})
async def rating(services: RunningServices, session: SignedIn) -> Response:
    """Your rating in puzzles."""
    return JsonResponse(canonical(await _rated(services).rating(session.account_id)))


@router.get("/days", response_model=DaysAnswer)
async def days(services: RunningServices, session: SignedIn) -> dict[str, Json]:
    """What became of the daily puzzles that your account has tried."""
    return {"days": await _days_json(services, session.account_id)}


@router.post("/days", response_model=DaysAnswer)
async def note_days(
    services: RunningServices, session: SignedIn, body: DaysRequest
) -> dict[str, Json]:
    """Adds daily puzzles to those that your account has tried. The first result of a day stays."""
    for results in body.days.values():
        for day in results:
            begun_day(services, date.fromisoformat(day))
    store = PuzzleDays(services.store.engine)
    await store.add(session.account_id, body.days, services.runtime.wall())
    return {"days": await _days_json(services, session.account_id)}


async def _days_json(services: Services, account_id: str) -> JsonObject:
    found = await PuzzleDays(services.store.engine).results(account_id)
    return {game: dict(results) for game, results in found.items()}


@router.get("/{number}", responses={200: {"model": PuzzleAnswer}})
async def puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, number: PuzzleNumber
) -> Response:
    """A puzzle by its number."""
    services.limit(request, caller)
    return JsonResponse(canonical(puzzle_json(find_puzzle(number))))


@router.post("/{number}/attempt", responses={200: {"model": AttemptAnswer}})
async def attempt(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    number: PuzzleNumber,
    body: AttemptRequest,
) -> Response:
    """What becomes of your moves: the answer of the longest defence, or what refutes the last one.

    With `rated`, the first wrong move or the end of the game counts, once for each puzzle.
    """
    services.limit(request, caller, ATTEMPT_COST)
    found = find_puzzle(number)
    running = await services.running_games.traces(BuffaloGame.name)
    told = await think(request, lambda: _attempt(found, body, running))
    assert isinstance(told, dict)
    counted = None
    if body.rated and (told["over"] or not told["right"]):
        counted = await _count(services, caller, found, solved=bool(told["over"]))
    return JsonResponse(canonical({**told, "rating": counted}))


def _attempt(found: Puzzle, body: AttemptRequest, running: Sequence[Trace]) -> JsonObject:
    _check_free(found.position, running)  # else the first of many moves would be judged
    made = play_attempt(found, body.moves)
    _check_free(made.position, running)
    return attempt_json(found, made)


def _check_free(position: Position, running: Sequence[Trace]) -> None:
    state = BuffaloState.begin(BuffaloRules(), position)
    check_not_running(BuffaloGame.name, state, running)


async def _count(
    services: Services, caller: Caller, found: Puzzle, *, solved: bool
) -> JsonObject | None:
    return await _rated(services).count(rated_account(caller), found, solved=solved)


async def _given_up(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    number: PuzzleNumber,
    *,
    rated: bool = False,
) -> Puzzle:
    """The puzzle of a request for help; a rated one counts as missed."""
    services.limit(request, caller)
    found = find_puzzle(number)
    _check_free(found.position, await services.running_games.traces(BuffaloGame.name))
    if rated:
        await _count(services, caller, found, solved=False)
    return found


GivenUp = Annotated[Puzzle, Depends(_given_up)]


@router.post("/{number}/hint", responses={200: {"model": PuzzleHintAnswer}})
async def hint(found: GivenUp) -> Response:
    """What to look for, and which piece moves. A rated puzzle counts as missed then."""
    told: JsonObject = {"theme": found.theme, "square": str(found.solution.from_square)}
    return JsonResponse(canonical(told))


@router.post("/{number}/solution", responses={200: {"model": SolutionAnswer}})
async def give_up(found: GivenUp) -> Response:
    """The solution of a puzzle. A rated puzzle counts as missed then."""
    return JsonResponse(canonical(solution_json(found)))
