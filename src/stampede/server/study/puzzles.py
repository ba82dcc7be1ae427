"""Puzzles of Buffalo: the day's, any by its number, and whether an answer is right.

A puzzle is told without its solution; whoever answers is told whether the move wins, and what it was about.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query, Request
from pydantic import BeforeValidator, Field, StringConstraints
from starlette.responses import Response

from stampede.buffalo import Move
from stampede.core.errors import InputError, StampedeError
from stampede.core.json import JsonObject, canonical
from stampede.proofs.puzzles.puzzle import Puzzle, daily, puzzle_numbered, shipped_puzzles
from stampede.server.http.dependencies import JsonResponse, KnownCaller, RunningServices
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.http.problems import PROBLEMS, Problem, problem_of

__all__ = ["router"]


def _written_out(day: object) -> object:
    """A day as it is written in ISO 8601; a mere number, which would count seconds, is none."""
    if isinstance(day, str) and not DAY.fullmatch(day):
        raise ValueError("expected a day as YYYY-MM-DD")
    return day


DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
Number = Annotated[int, Path(ge=1, le=1_000_000)]
Day = Annotated[date, BeforeValidator(_written_out), Query()]


class PuzzleAnswer(ResponseModel):
    """A puzzle to be solved: one move wins, all others lose."""

    number: int
    count: int = Field(description="How many puzzles there are.")
    fen: str
    turn: Literal["buffalo", "hunter"]
    grade: int = Field(description="1, easy, to 8: the level of bots that finds the solution.")
    moves: dict[str, list[str]] = Field(description="Where the pieces can go, by their squares.")


class AttemptRequest(RequestModel):
    """A move that is thought to win."""

    move: Annotated[str, StringConstraints(min_length=4, max_length=4)]


class AttemptAnswer(ResponseModel):
    """Whether the move wins. What else there is to tell is told when it does."""

    right: bool
    theme: str | None = Field(description="What the solution is about; None when it was wrong.")
    line: list[str] = Field(description="The solution and the longest defence; empty when wrong.")
    moves_to_win: int | None = Field(description="Proven: in so many moves at most.")


class SolutionAnswer(ResponseModel):
    """What solves a puzzle, for whoever gives up."""

    theme: str = Field(description="What the solution is about.")
    line: list[str] = Field(description="The solution and the longest defence.")
    moves_to_win: int = Field(description="Proven: in so many moves at most.")


router = APIRouter(prefix="/api/puzzles", responses=PROBLEMS)


@router.get("/daily", responses={200: {"model": PuzzleAnswer}})
async def daily_puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, day: Day | None = None
) -> Response:
    """The puzzle of a day, by default of today (UTC)."""
    services.limit(request, caller)
    return JsonResponse(canonical(_told(daily(day or datetime.now(tz=UTC).date()))))


@router.get("/{number}", responses={200: {"model": PuzzleAnswer}})
async def puzzle(
    request: Request, services: RunningServices, caller: KnownCaller, number: Number
) -> Response:
    """A puzzle by its number."""
    services.limit(request, caller)
    return JsonResponse(canonical(_told(_numbered(number))))


@router.post("/{number}/attempt", responses={200: {"model": AttemptAnswer}})
async def attempt(
    request: Request,
    services: RunningServices,
    caller: KnownCaller,
    number: Number,
    body: AttemptRequest,
) -> Response:
    """Whether a move solves a puzzle."""
    services.limit(request, caller)
    found = _numbered(number)
    try:
        move = Move.parse(body.move)
        found.position.play(move)
    except StampedeError as error:
        raise problem_of(error) from error
    if move != found.solution:
        nothing: JsonObject = {"theme": None, "line": [], "moves_to_win": None}
        return JsonResponse(canonical({"right": False, **nothing}))
    return JsonResponse(canonical({"right": True, **_solved(found)}))


@router.get("/{number}/solution", responses={200: {"model": SolutionAnswer}})
async def solution(
    request: Request, services: RunningServices, caller: KnownCaller, number: Number
) -> Response:
    """The solution of a puzzle."""
    services.limit(request, caller)
    return JsonResponse(canonical(_solved(_numbered(number))))


def _solved(found: Puzzle) -> JsonObject:
    return {
        "theme": found.theme,
        "line": [str(step) for step in found.line],
        "moves_to_win": (found.plies + 1) // 2,
    }


def _numbered(number: int) -> Puzzle:
    try:
        return puzzle_numbered(number)
    except InputError as error:
        raise Problem(404, "unknown", str(error)) from error


def _told(found: Puzzle) -> JsonObject:
    moves: dict[str, list[str]] = {}
    for move in found.position.legal_moves:
        moves.setdefault(str(move.from_square), []).append(str(move.to_square))
    return {**found.to_json(solved=False), "count": len(shipped_puzzles()), "moves": moves}
