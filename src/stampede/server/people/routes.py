"""Routes of people's pages and the server's statistics."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from stampede.core.json import Json, JsonObject, canonical
from stampede.server.accounts.names import fold_name
from stampede.server.accounts.routes import SignedIn
from stampede.server.http.dependencies import AnyCaller, JsonResponse, RunningServices
from stampede.server.http.problems import PROBLEMS, unknown
from stampede.server.people.models import (
    PersonPageAnswer,
    ProfileRequest,
    ShownAnswer,
    StatisticsAnswer,
)
from stampede.server.people.played import PlayedGame, games_in, summary_json
from stampede.server.people.statistics import statistics_json
from stampede.server.puzzles.rated import COLLECTIONS, rated_puzzles
from stampede.server.ratings.routes import ratings_json
from stampede.server.services import Services
from stampede.store import LogDamaged
from stampede.store.accounts.profiles import Profiles
from stampede.store.finished import finished_summaries

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)

PERSON_COST: Final = 5.0
STATISTICS_COST: Final = 3.0
"""How many requests these pages count as: they read many logs or listings."""
MAX_TABLES: Final = 60
"""How many of a person's tables are read, the latest ones."""
MAX_LISTINGS: Final = 2000


@router.get("/people/{name}", responses={200: {"model": PersonPageAnswer}})
async def person(
    request: Request,
    services: RunningServices,
    caller: AnyCaller,
    name: Annotated[str, Path(min_length=1, max_length=100)],
) -> Response:
    """A person's page: their ratings unless they hide them, and if they show it, what they have played."""
    services.limit(request, caller, PERSON_COST)
    account = await services.accounts.store.find_by_name(fold_name(name))
    if account is None:
        raise unknown("player")
    you = caller.guest == account.account_id
    visible = await Profiles(services.store.engine).visibility(account.account_id)
    played: JsonObject | None = None
    puzzles: dict[str, Json] = {}
    if you or visible.shown:
        games, complete = await _games(services, account.account_id)
        told_games = [game for game in games if you or game.open_to_all]
        limits: JsonObject = {"complete": complete, "most_tables": MAX_TABLES}
        played = {**limits, **summary_json(told_games)}
        for collection in COLLECTIONS if you or visible.ratings else ():
            rating = await rated_puzzles(services, collection).rating(account.account_id)
            if rating["games"]:
                puzzles[collection.game] = rating
    ratings: JsonObject = {"name": account.name, "ratings": []}
    if you or visible.ratings:
        ratings = await ratings_json(services, account.account_id, account.name)
    told: JsonObject = {
        **ratings,
        "you": you,
        "shown": visible.shown,
        "ratings_shown": visible.ratings,
        "puzzles": puzzles,
        "played": played,
    }
    return JsonResponse(canonical(told))


class _Played(NamedTuple):
    """The finished games of an account's latest tables, and whether it has sat at no others."""

    games: list[PlayedGame]
    complete: bool


async def _games(services: Services, account_id: str) -> _Played:
    guests: dict[str, set[str]] = {}
    for item in await services.accounts.store.tables(account_id):
        guests.setdefault(item.table_id, set()).add(item.guest)
    games: list[PlayedGame] = []
    for table_id, mine in list(guests.items())[:MAX_TABLES]:
        try:
            entries = await services.store.read(table_id)
        except LogDamaged:  # `stampede db check` says more
            continue
        if entries:
            games += await asyncio.to_thread(games_in, entries, mine)
    return _Played(games, complete=len(guests) <= MAX_TABLES)


@router.post("/account/profile", responses={200: {"model": ShownAnswer}})
async def show(body: ProfileRequest, services: RunningServices, session: SignedIn) -> Response:
    """Shows your page or your ratings to everyone, or makes them private again."""
    found = await Profiles(services.store.engine).show(
        session.account_id, shown=body.shown, ratings=body.ratings
    )
    return JsonResponse(canonical(found._asdict()))


@router.get("/statistics", responses={200: {"model": StatisticsAnswer}})
async def statistics(request: Request, services: RunningServices, caller: AnyCaller) -> Response:
    """How many games were played here, and who won them, by side or seat."""
    services.limit(request, caller, STATISTICS_COST)
    found = await finished_summaries(services.store.engine, MAX_LISTINGS)
    return JsonResponse(canonical(await asyncio.to_thread(statistics_json, found)))
