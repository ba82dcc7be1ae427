"""Routes of puzzles: the day's, one of a kind, attempts, hints, solutions, and a player's rating."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, FastAPI, Path, Query, Request
from pydantic import BeforeValidator
from starlette.responses import Response

from stampede.buffalo import BuffaloGame, BuffaloState
from stampede.buffalo.rules import BuffaloRules
from stampede.core.json import JsonObject, canonical
from stampede.matches.callers import Caller
from stampede.proofs.puzzles.puzzle import Puzzle, daily
from stampede.server.accounts.routes import SignedIn
from stampede.server.accounts.sessions import is_account
from stampede.server.http.dependencies import JsonResponse, KnownCaller, RunningServices
from stampede.server.http.limits import address_of
from stampede.server.http.problems import PROBLEMS, Problem, TooManyRequests
from stampede.server.puzzles.answers import (
    choices_json,
    find_puzzle,
    pick_puzzle,
    puzzle_json,
    solution_json,
)
from stampede.server.puzzles.models import (
    AttemptAnswer,
    AttemptRequest,
    ChoicesAnswer,
    PuzzleAnswer,
    PuzzleHintAnswer,
    PuzzleKind,
    PuzzleRatingAnswer,
    SolutionAnswer,
)
from stampede.server.puzzles.play import attempt_json, play_attempt
from stampede.server.puzzles.rated import RatedPuzzles
from stampede.server.services import Services
from stampede.server.study.fair_play import check_not_running, running_states
from stampede.server.tables.bot_pool import BotPool, TooManyWaiting
from stampede.store.accounts.puzzles import PuzzleRatings

__all__ = ["router"]

ATTEMPT_COST: Final = 2.0
"""How many requests an attempt counts as."""
MAX_WAITING: Final = 4
"""Attempts from one address that may wait for the engine."""
MAX_SEEN: Final = 200
DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
EARLIEST_ZONE: Final = timedelta(hours=14)
"""How far the clocks on Kiritimati are ahead of UTC: no day begins earlier anywhere."""


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    pool = BotPool(threads=1, capacity=MAX_WAITING)
    app.state.puzzles = pool
    try:
        yield
    finally:
        await pool.close()


router = APIRouter(prefix="/api/puzzles", responses=PROBLEMS, lifespan=_lifespan)


def _check_iso_day(day: object) -> object:
    """Accepts ISO 8601 days only: pydantic would read a number as seconds since 1970."""
    if isinstance(day, str) and not DAY.fullmatch(day):
        raise ValueError("expected a day as YYYY-MM-DD")
    return day


def _parse_seen(text: str) -> frozenset[int]:
    numbers = [part for part in text.split(",") if part]
    if len(numbers) > MAX_SEEN or not all(part.isascii() and part.isdigit() for part in numbers):
        raise Problem(422, "invalid", f"seen: expected at most {MAX_SEEN} numbers with commas")
    return frozenset(int(part) for part in numbers)


PuzzleNumber = Annotated[int, Path(ge=1, le=1_000_000)]
Day = Annotated[date, BeforeValidator(_check_iso_day), Query()]


def _rated(services: Services) -> RatedPuzzles:
    return RatedPuzzles(PuzzleRatings(services.store.engine), services.runtime.wall)


def _draw(services: Services) -> Callable[[int], int]:
    return lambda below: int.from_bytes(services.runtime.entropy(6)) % below


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
    now = datetime.fromtimestamp(services.runtime.wall() / 1000, UTC)
    today, latest = now.date(), (now + EARLIEST_ZONE).date()
    if day is not None and day > latest:
        raise Problem(404, "unknown", f"expected a day up to today, {latest}, got {day}")
    return JsonResponse(canonical(puzzle_json(daily(day or today))))


@router.get("/next", responses={200: {"model": PuzzleAnswer}})
async def next_puzzle(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    kind: Annotated[PuzzleKind, Query()],
) -> Response:
    """A puzzle of a kind, drawn at random."""
    services.limit(request, caller)
    found = pick_puzzle(_draw(services), kind, _parse_seen(kind.seen))
    return JsonResponse(canonical(puzzle_json(found)))


@router.get("/rated", responses={200: {"model": PuzzleAnswer}})
async def rated_puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, session: SignedIn
) -> Response:
    """A puzzle near to your rating that you haven't tried; 404 when there is none left."""
    services.limit(request, caller)
    found = await _rated(services).pick(session.account_id, _draw(services))
    if found is None:
        raise Problem(404, "unknown", "expected a puzzle that you haven't tried: there is none")
    return JsonResponse(canonical(puzzle_json(found)))


@router.get("/rating", responses={200: {"model": PuzzleRatingAnswer}})
async def rating(services: RunningServices, session: SignedIn) -> Response:
    """Your rating in puzzles."""
    return JsonResponse(canonical(await _rated(services).rating(session.account_id)))


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
    running = await running_states(services, caller, BuffaloGame.name)
    pool: BotPool = request.app.state.puzzles
    try:
        told = await pool.think(lambda: _attempt(found, body, running), owner=address_of(request))
    except TooManyWaiting as error:
        raise TooManyRequests(1) from error
    assert isinstance(told, dict)
    counted = None
    if body.rated and (told["over"] or not told["right"]):
        counted = await _count(services, caller, found, solved=bool(told["over"]))
    return JsonResponse(canonical({**told, "rating": counted}))


def _attempt(found: Puzzle, body: AttemptRequest, running: list[object]) -> JsonObject:
    made = play_attempt(found, body.moves)
    state = BuffaloState.begin(BuffaloRules(), made.position)
    check_not_running(BuffaloGame.name, state, running)
    return attempt_json(found, made)


async def _count(
    services: Services, caller: Caller, found: Puzzle, *, solved: bool
) -> JsonObject | None:
    if caller.guest is None or not is_account(caller.guest):
        raise Problem(401, "signed_out", "expected an account: only their puzzles are rated")
    return await _rated(services).count(caller.guest, found, solved=solved)


@router.post("/{number}/hint", responses={200: {"model": PuzzleHintAnswer}})
async def hint(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    number: PuzzleNumber,
    *,
    rated: bool = False,
) -> Response:
    """What to look for, and which piece moves. A rated puzzle counts as missed then."""
    services.limit(request, caller)
    found = find_puzzle(number)
    if rated:
        await _count(services, caller, found, solved=False)
    told: JsonObject = {"theme": found.theme, "square": str(found.solution.from_square)}
    return JsonResponse(canonical(told))


@router.post("/{number}/solution", responses={200: {"model": SolutionAnswer}})
async def give_up(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    number: PuzzleNumber,
    *,
    rated: bool = False,
) -> Response:
    """The solution of a puzzle. A rated puzzle counts as missed then."""
    services.limit(request, caller)
    found = find_puzzle(number)
    if rated:
        await _count(services, caller, found, solved=False)
    return JsonResponse(canonical(solution_json(found)))
