"""Routes of lessons: the list, each lesson with all its answers, and what an account has finished."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Final

from fastapi import APIRouter, FastAPI, Path, Request
from starlette.responses import Response

from stampede.core.errors import InputError
from stampede.core.json import Json
from stampede.lessons import Lesson, all_lessons, expand_lesson, lesson_named
from stampede.server.accounts.routes import SignedIn
from stampede.server.http.cached_body import CachedBody
from stampede.server.http.dependencies import AnyCaller, RunningServices
from stampede.server.http.encode import encode
from stampede.server.http.problems import PROBLEMS, Problem
from stampede.server.study.lesson_models import (
    LessonAnswer,
    LessonList,
    ProgressAnswer,
    ProgressRequest,
)
from stampede.store.accounts.lessons import LessonProgress

__all__ = ["router"]

CACHING: Final = "public, no-cache"
"""Clients keep lessons, and ask whether they have changed."""
JSON: Final = "application/json"


class Library:
    """The expanded lessons: each is made when it is first asked for, in a thread, and kept."""

    def __init__(self) -> None:
        self._bodies: dict[tuple[str, str], CachedBody] = {}
        self._lock = asyncio.Lock()
        self._list = CachedBody.make(
            encode(
                {
                    "lessons": [
                        {
                            "game": lesson.game,
                            "name": lesson.name,
                            "number": lesson.number,
                            "steps": len(lesson.steps),
                        }
                        for lesson in all_lessons()
                    ]
                }
            ),
            JSON,
        )

    @property
    def contents(self) -> CachedBody:
        """The list of lessons."""
        return self._list

    async def find(self, game: str, name: str) -> CachedBody:
        """Returns a lesson; raises a Problem if there is none."""
        try:
            lesson = lesson_named(game, name)
        except InputError as error:
            raise Problem(404, "unknown", str(error)) from error
        async with self._lock:  # one at a time: expanding takes up to a second
            key = game, name
            if key not in self._bodies:
                self._bodies[key] = await asyncio.to_thread(_make_body, lesson)
        return self._bodies[key]


def _make_body(lesson: Lesson) -> CachedBody:
    return CachedBody.make(encode(expand_lesson(lesson)), JSON)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.lessons = await asyncio.to_thread(Library)
    yield


router = APIRouter(prefix="/api", responses=PROBLEMS, lifespan=_lifespan)
Part = Annotated[str, Path(max_length=40)]


@router.get("/lessons", responses={200: {"model": LessonList}})
async def lessons(request: Request, _: AnyCaller) -> Response:
    """The lessons of all games."""
    library: Library = request.app.state.lessons
    return library.contents.respond(request.headers, CACHING)


@router.get("/lessons/progress", response_model=ProgressAnswer)
async def progress(services: RunningServices, session: SignedIn) -> dict[str, Json]:
    """The lessons that your account has finished."""
    found = await LessonProgress(services.store.engine).finished(session.account_id)
    return {"lessons": list(found)}


@router.post("/lessons/progress", response_model=ProgressAnswer)
async def finish_lessons(
    services: RunningServices, session: SignedIn, body: ProgressRequest
) -> dict[str, Json]:
    """Adds lessons to those that your account has finished. Unknown ones are ignored."""
    known = {f"{lesson.game}/{lesson.name}" for lesson in all_lessons()}
    store = LessonProgress(services.store.engine)
    new = [lesson for lesson in body.lessons if lesson in known]
    await store.add(session.account_id, new, services.runtime.wall())
    return {"lessons": list(await store.finished(session.account_id))}


@router.get("/lessons/{game}/{name}", responses={200: {"model": LessonAnswer}})
async def lesson(request: Request, _: AnyCaller, game: Part, name: Part) -> Response:
    """A lesson with every answer and its outcome: nothing more is needed to play it."""
    library: Library = request.app.state.lessons
    return (await library.find(game, name)).respond(request.headers, CACHING)
