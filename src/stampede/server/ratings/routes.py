"""Ratings over HTTP: boards, a player's ratings, what a game changed, and who sits at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from stampede.core.json import Json
from stampede.core.spec import RatingBoard
from stampede.matches.state import ChairKind, TableState
from stampede.server.accounts.names import folded
from stampede.server.accounts.routes import SignedIn
from stampede.server.accounts.sessions import is_account
from stampede.server.http.dependencies import AnyCaller, RunningServices
from stampede.server.http.models import ResponseModel
from stampede.server.http.problems import PROBLEMS, unknown
from stampede.server.ratings.rating_system import (
    BOT,
    SURE,
    all_boards,
    board_named,
    board_of,
    points,
    shown,
)
from stampede.server.tables.routes import LiveTable
from stampede.server.tables.service import choose_view
from stampede.store.ratings.leaderboard import Leader
from stampede.store.ratings.ratings import Rating

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)

BoardName = Annotated[
    str,
    Query(
        min_length=1, max_length=40, description="A board's id, such as zoff-4 or buffalo-hunter-0."
    ),
]
PlayerName = Annotated[str, Query(min_length=1, max_length=100, description="Whose ratings.")]
GameNumber = Annotated[int, Query(ge=1, le=10_000, description="Which game of the table.")]


class BoardAnswer(ResponseModel):
    """What people are rated on."""

    id: str
    game: str
    players: int
    side: str | None = Field(description="The seat's side, in games with sides.")
    rung: int | None = Field(description="The handicap, in games with handicaps: 0 for none.")


class RatingAnswer(ResponseModel):
    """A rating with its interval: by the model, 95 of 100 such intervals hold the true strength."""

    board: BoardAnswer
    rating: int
    low: int
    high: int
    provisional: bool = Field(description="The interval is still wide.")
    games: int
    wins: int
    updated: int


class RankedAnswer(ResponseModel):
    """A line of a leaderboard."""

    rank: int
    name: str
    kind: Literal["human", "bot"]
    rating: int
    low: int
    high: int
    provisional: bool
    games: int
    wins: int
    you: bool


class BoardCount(BoardAnswer):
    """A board, and how many people and bots are on it."""

    rated: int


class BoardsAnswer(ResponseModel):
    """The boards on which somebody is rated, with how many."""

    boards: list[BoardCount]


class LeaderboardAnswer(ResponseModel):
    """A leaderboard: by the lower end of the interval, so that a lucky start doesn't lead."""

    board: BoardAnswer
    total: int
    lines: list[RankedAnswer]
    mine: RankedAnswer | None = Field(description="Your own line, wherever it stands.")


class RatingsAnswer(ResponseModel):
    """Somebody's ratings."""

    name: str
    ratings: list[RatingAnswer]


class ChangeAnswer(ResponseModel):
    """What a game did to a player's rating."""

    player: int
    board: str
    before: int
    after: int
    low: int
    high: int
    provisional: bool


class ChangesAnswer(ResponseModel):
    """What a game did; empty when it doesn't count."""

    game: int
    changes: list[ChangeAnswer]


class PointAnswer(ResponseModel):
    """A rating after a game, with its interval."""

    at: int = Field(description="When the game ended.")
    rating: int
    low: int
    high: int
    provisional: bool


class HistoryAnswer(ResponseModel):
    """How somebody's rating came about, the oldest game first. It tells nothing of tables or opponents."""

    name: str
    board: BoardAnswer
    points: list[PointAnswer]


class PersonAnswer(ResponseModel):
    """Who sits on a chair."""

    player: int
    kept: bool = Field(description="Whether the name is kept: nobody else can use it.")
    rating: RatingAnswer | None = Field(description="On the board of the chair's present seat.")
    blocked: bool = Field(description="Whether you have blocked him.")


class PeopleAnswer(ResponseModel):
    """Who sits at a table."""

    people: list[PersonAnswer]


@router.get("/ratings/boards", response_model=BoardsAnswer)
async def boards(services: RunningServices, _: AnyCaller) -> dict[str, Json]:
    """The boards on which somebody is rated."""
    await services.ratings.catch_up()
    counts = await services.ratings.boards.boards()
    return {
        "boards": [
            {**_board(board), "rated": counts[board.name]}
            for board in all_boards()
            if board.name in counts
        ]
    }


@router.get("/ratings", response_model=LeaderboardAnswer)
async def leaderboard(
    services: RunningServices,
    caller: AnyCaller,
    board: BoardName,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> dict[str, Json]:
    """A leaderboard: people who keep a name, and bots."""
    wanted = _known_board(board)
    await services.ratings.catch_up()
    ratings = services.ratings.boards
    leaders = await ratings.leaders(wanted.name, SURE, limit, offset)
    mine = None
    if caller.guest is not None and is_account(caller.guest):
        mine = await ratings.place(wanted.name, SURE, caller.guest)
    return {
        "board": _board(wanted),
        "total": (await ratings.boards()).get(wanted.name, 0),
        "lines": [_line(leader, caller.guest) for leader in leaders],
        "mine": None if mine is None else _line(mine, caller.guest),
    }


@router.get("/ratings/player", response_model=RatingsAnswer)
async def player(services: RunningServices, _: AnyCaller, name: PlayerName) -> dict[str, Json]:
    """The ratings of somebody who keeps a name."""
    account = await services.accounts.store.named(folded(name))
    if account is None:
        raise unknown("player")
    return await _ratings(services, account.account_id, account.name)


@router.get("/ratings/history", response_model=HistoryAnswer)
async def history(
    services: RunningServices,
    _: AnyCaller,
    name: PlayerName,
    board: BoardName,
    limit: Annotated[int, Query(ge=1, le=500, description="So many of the latest games.")] = 100,
) -> dict[str, Json]:
    """How the rating of somebody who keeps a name came about."""
    wanted = _known_board(board)
    account = await services.accounts.store.named(folded(name))
    if account is None:
        raise unknown("player")
    await services.ratings.catch_up()
    found = await services.ratings.boards.history(account.account_id, wanted.name, limit)
    return {
        "name": account.name,
        "board": _board(wanted),
        "points": [{"at": at, **shown(standing)} for at, standing in found],
    }


@router.get("/account/ratings", response_model=RatingsAnswer)
async def my_ratings(services: RunningServices, session: SignedIn) -> dict[str, Json]:
    """Your ratings."""
    return await _ratings(services, session.account_id, session.name)


@router.get("/tables/{table_id}/ratings", response_model=ChangesAnswer)
async def changes(
    actor: LiveTable, services: RunningServices, caller: AnyCaller, game: GameNumber
) -> dict[str, Json]:
    """What a game of a table did to its players' ratings."""
    await choose_view(actor, caller, None)
    await services.ratings.catch_up()
    return {
        "game": game,
        "changes": [
            {
                "player": player,
                "board": board,
                "before": points(before.mu),
                "after": points(after.mu),
                **{key: value for key, value in shown(after).items() if key != "rating"},
            }
            for player, board, before, after in await services.ratings.boards.changes(
                actor.table_id, game
            )
        ],
    }


@router.get("/tables/{table_id}/people", response_model=PeopleAnswer)
async def people_at(
    actor: LiveTable, services: RunningServices, caller: AnyCaller
) -> dict[str, Json]:
    """Who sits at a table: whose names are kept, and how strong they are."""
    await choose_view(actor, caller, None)
    async with actor.looking() as table:
        state = table.state
    await services.ratings.catch_up()
    identities = [_identity(state, player) for player in range(len(state.chairs))]
    standings = await services.ratings.boards.of(found for found in identities if found)
    apart = set()
    if caller.guest is not None:
        apart = {block.blocked for block in await services.moderation.store.blocks(caller.guest)}
    return {
        "people": [
            {
                "player": player,
                "kept": is_account(identities[player]),
                "rating": _at_table(state, player, identities[player], standings),
                "blocked": state.chairs[player].holder in apart,
            }
            for player in range(len(state.chairs))
        ]
    }


def _identity(state: TableState, player: int) -> str | None:
    chair = state.chairs[player]
    if chair.kind is ChairKind.BOT and not chair.left:
        return f"{BOT}{chair.level}"
    return chair.holder if is_account(chair.holder) else None


def _at_table(
    state: TableState,
    player: int,
    identity: str | None,
    standings: Mapping[tuple[str, str], Rating],
) -> dict[str, Json] | None:
    board = board_of(state, player)
    standing = None if identity is None or board is None else standings.get((identity, board.name))
    return None if standing is None or board is None else _rating(board, standing)


async def _ratings(services: RunningServices, account_id: str, name: str) -> dict[str, Json]:
    await services.ratings.catch_up()
    found = await services.ratings.boards.of([account_id])
    return {
        "name": name,
        "ratings": [
            _rating(board, found[account_id, board.name])
            for board in all_boards()
            if (account_id, board.name) in found
        ],
    }


def _known_board(name: str) -> RatingBoard:
    board = board_named(name)
    if board is None:
        raise unknown("board")
    return board


def _line(leader: Leader, you: str | None) -> dict[str, Json]:
    return {
        "rank": leader.rank,
        "name": leader.identity.removeprefix(BOT) if leader.name is None else leader.name,
        "kind": "bot" if leader.name is None else "human",
        **shown(leader.standing),
        "games": leader.standing.games,
        "wins": leader.standing.wins,
        "you": leader.identity == you,
    }


def _board(board: RatingBoard) -> dict[str, Json]:
    return {
        "id": board.name,
        "game": board.game,
        "players": board.players,
        "side": board.side,
        "rung": board.rung,
    }


def _rating(board: RatingBoard, standing: Rating) -> dict[str, Json]:
    return {
        "board": _board(board),
        **shown(standing),
        "games": standing.games,
        "wins": standing.wins,
        "updated": standing.updated,
    }
