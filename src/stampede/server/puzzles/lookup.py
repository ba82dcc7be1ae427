"""What the routes of both games' puzzles share: finding one by its number or day, drawing one, and thinking."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final, Protocol, TypeVar

from fastapi import Path, Query, Request
from pydantic import AfterValidator, BeforeValidator

from stampede.core.errors import InputError
from stampede.core.json import Json
from stampede.server.http.limits import address_of
from stampede.server.http.problems import Problem, TooManyRequests
from stampede.server.services import Services
from stampede.server.tables.bot_pool import BotPool, TooManyWaiting

__all__ = [
    "MAX_WAITING",
    "Day",
    "IsoDay",
    "PuzzleNumber",
    "begun_day",
    "draw_of",
    "find",
    "parse_seen",
    "pick_fresh",
    "think",
]

MAX_WAITING: Final = 4
"""Attempts from one address that may wait for the engine."""
MAX_SEEN: Final = 200
ISO_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
EARLIEST_ZONE: Final = timedelta(hours=14)
"""How far the clocks on Kiritimati are ahead of UTC: no day begins earlier anywhere."""


def _check_iso_day(day: object) -> object:
    """Accepts ISO 8601 days only: pydantic would read a number as seconds since 1970."""
    if isinstance(day, str) and not ISO_DAY.fullmatch(day):
        raise ValueError("expected a day as YYYY-MM-DD")
    return day


def _check_date(day: str) -> str:
    date.fromisoformat(day)
    return day


PuzzleNumber = Annotated[int, Path(ge=1, le=1_000_000)]
Day = Annotated[date, BeforeValidator(_check_iso_day), Query()]
IsoDay = Annotated[str, BeforeValidator(_check_iso_day), AfterValidator(_check_date)]


class _Numbered(Protocol):
    @property
    def number(self) -> int: ...


P = TypeVar("P", bound=_Numbered)
T = TypeVar("T")


def find(numbered: Callable[[int], T], number: int) -> T:
    """Returns a puzzle by its number; raises a Problem if there is none."""
    try:
        return numbered(number)
    except InputError as error:
        raise Problem(404, "unknown", str(error)) from error


def begun_day(services: Services, day: date | None) -> date:
    """Returns the day, by default today (UTC); raises a Problem if it hasn't begun anywhere."""
    now = datetime.fromtimestamp(services.runtime.wall() / 1000, UTC)
    latest = (now + EARLIEST_ZONE).date()
    if day is not None and day > latest:
        raise Problem(404, "unknown", f"expected a day up to today, {latest}, got {day}")
    return day or now.date()


def parse_seen(text: str) -> frozenset[int]:
    """Reads numbers of puzzles with commas."""
    numbers = [part for part in text.split(",") if part]
    if len(numbers) > MAX_SEEN or not all(part.isascii() and part.isdigit() for part in numbers):
        raise Problem(422, "invalid", f"seen: expected at most {MAX_SEEN} numbers with commas")
    return frozenset(int(part) for part in numbers)


def draw_of(services: Services) -> Callable[[int], int]:
    """Draws a number below another."""
    return lambda below: int.from_bytes(services.runtime.entropy(6)) % below


def pick_fresh(draw: Callable[[int], int], fitting: Sequence[P], avoid: Collection[int]) -> P:
    """Picks one at random among those that weren't seen, or among all when all were; a Problem if there is none."""
    if not fitting:
        raise Problem(404, "unknown", "expected a kind that has puzzles")
    fresh = [puzzle for puzzle in fitting if puzzle.number not in avoid] or fitting
    return fresh[draw(len(fresh))]


async def think(request: Request, work: Callable[[], Json]) -> Json:
    """Does some work in the puzzles' thread; a Problem if this address has too much waiting there."""
    pool: BotPool = request.app.state.puzzles
    try:
        return await pool.think(work, owner=address_of(request))
    except TooManyWaiting as error:
        raise TooManyRequests(1) from error
