"""Routes of Zoff's puzzles: one of a kind, of a day or by its number, attempts, hints, and solutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from stampede.core.json import JsonObject, canonical
from stampede.matches.callers import Caller
from stampede.proofs.puzzles.zoff_puzzle import (
    ZoffPuzzle,
    daily_zoff,
    shipped_zoff_puzzles,
    zoff_puzzle_numbered,
)
from stampede.server.accounts.routes import SignedIn
from stampede.server.http.dependencies import JsonResponse, KnownCaller, RunningServices
from stampede.server.http.problems import PROBLEMS, Problem
from stampede.server.puzzles.lookup import (
    Day,
    PuzzleNumber,
    begun_day,
    draw_of,
    find,
    parse_seen,
    pick_fresh,
    think,
)
from stampede.server.puzzles.models import PuzzleRatingAnswer
from stampede.server.puzzles.rated import ZOFF, rated_account, rated_puzzles
from stampede.server.puzzles.zoff_answers import (
    zoff_attempt_json,
    zoff_choices_json,
    zoff_hint_json,
    zoff_puzzle_json,
    zoff_solution_json,
    zoff_state,
)
from stampede.server.puzzles.zoff_models import (
    ZoffAttemptAnswer,
    ZoffAttemptRequest,
    ZoffChoicesAnswer,
    ZoffPuzzleAnswer,
    ZoffPuzzleHintAnswer,
    ZoffPuzzleQuery,
    ZoffSolutionAnswer,
)
from stampede.server.services import Services
from stampede.server.study.fair_play import check_not_running
from stampede.zoff import ZoffGame

__all__ = ["router"]

TELLING_COST: Final = 2.0
"""How many requests one counts as that plays a puzzle out."""

router = APIRouter(prefix="/api/puzzles/zoff", responses=PROBLEMS)


@router.get("", responses={200: {"model": ZoffChoicesAnswer}})
async def zoff_choices(
    request: Request, services: RunningServices, caller: KnownCaller
) -> Response:
    """How many puzzles of Zoff there are by players, kind and grade."""
    services.limit(request, caller)
    return JsonResponse(canonical(zoff_choices_json()))


@router.get("/next", responses={200: {"model": ZoffPuzzleAnswer}})
async def next_zoff_puzzle(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    query: Annotated[ZoffPuzzleQuery, Query()],
) -> Response:
    """A puzzle of Zoff of a kind, drawn at random."""
    services.limit(request, caller)
    fitting = [
        puzzle
        for puzzle in shipped_zoff_puzzles()
        if query.players in (None, puzzle.players)
        and query.kind in (None, puzzle.kind)
        and query.grade in (None, puzzle.grade)
    ]
    found = pick_fresh(draw_of(services), fitting, parse_seen(query.seen))
    return JsonResponse(canonical(zoff_puzzle_json(found)))


@router.get("/daily", responses={200: {"model": ZoffPuzzleAnswer}})
async def daily_zoff_puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, day: Day | None = None
) -> Response:
    """The puzzle of Zoff of a day, by default of today (UTC)."""
    services.limit(request, caller)
    found = daily_zoff(begun_day(services, day))
    return JsonResponse(canonical(zoff_puzzle_json(found)))


@router.get("/rated", responses={200: {"model": ZoffPuzzleAnswer}})
async def rated_zoff_puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, session: SignedIn
) -> Response:
    """A puzzle of Zoff near to your rating that you haven't tried; 404 when there is none left."""
    services.limit(request, caller)
    found = await rated_puzzles(services, ZOFF).pick(session.account_id, draw_of(services))
    if found is None:
        raise Problem(404, "unknown", "expected a puzzle that you haven't tried: there is none")
    return JsonResponse(canonical(zoff_puzzle_json(found)))


@router.get("/rating", responses={200: {"model": PuzzleRatingAnswer}})
async def zoff_rating(services: RunningServices, session: SignedIn) -> Response:
    """Your rating in puzzles of Zoff."""
    found = await rated_puzzles(services, ZOFF).rating(session.account_id)
    return JsonResponse(canonical(found))


@router.get("/{number}", responses={200: {"model": ZoffPuzzleAnswer}})
async def zoff_puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, number: PuzzleNumber
) -> Response:
    """A puzzle of Zoff by its number."""
    services.limit(request, caller)
    return JsonResponse(canonical(zoff_puzzle_json(find(zoff_puzzle_numbered, number))))


@router.post("/{number}/attempt", responses={200: {"model": ZoffAttemptAnswer}})
async def zoff_attempt(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    number: PuzzleNumber,
    body: ZoffAttemptRequest,
) -> Response:
    """Whether your choice is the best one, and how the game ends after it, played out.

    With `rated`, the first choice counts, once for each puzzle.
    """
    action: JsonObject = dict(body.action)
    told = await _tell(
        request, services, caller, number, lambda puzzle: zoff_attempt_json(puzzle, action)
    )
    counted = None
    if body.rated:
        counted = await _count(services, caller, number, solved=bool(told["right"]))
    return JsonResponse(canonical({**told, "rating": counted}))


@router.post("/{number}/hint", responses={200: {"model": ZoffPuzzleHintAnswer}})
async def zoff_hint(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    number: PuzzleNumber,
    *,
    rated: bool = False,
) -> Response:
    """How the game ends after the best choice, and where to look. A rated puzzle counts as missed then."""
    told = await _tell(request, services, caller, number, zoff_hint_json)
    if rated:
        await _count(services, caller, number, solved=False)
    return JsonResponse(canonical(told))


@router.post("/{number}/solution", responses={200: {"model": ZoffSolutionAnswer}})
async def give_up_zoff(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    number: PuzzleNumber,
    *,
    rated: bool = False,
) -> Response:
    """The solution of a puzzle of Zoff: what every choice brings. A rated puzzle counts as missed then."""
    told = await _tell(request, services, caller, number, zoff_solution_json)
    if rated:
        await _count(services, caller, number, solved=False)
    return JsonResponse(canonical(told))


async def _count(
    services: Services, caller: Caller, number: int, *, solved: bool
) -> JsonObject | None:
    puzzle = find(zoff_puzzle_numbered, number)
    return await rated_puzzles(services, ZOFF).count(rated_account(caller), puzzle, solved=solved)


async def _tell(
    request: Request,
    services: Services,
    caller: Caller,
    number: int,
    tell: Callable[[ZoffPuzzle], JsonObject],
) -> JsonObject:
    """Plays a puzzle out in the puzzles' thread, unless people are playing that very state."""
    services.limit(request, caller, TELLING_COST)
    puzzle = find(zoff_puzzle_numbered, number)
    running = await services.running_games.traces(ZoffGame.name)

    def work() -> JsonObject:
        check_not_running(ZoffGame.name, zoff_state(number), running)
        return tell(puzzle)

    told = await think(request, work)
    assert isinstance(told, dict), "an answer is an object"
    return told
