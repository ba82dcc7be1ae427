"""Routes of ratings, leaderboards, and the players at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query

from stampede.core.json import Json
from stampede.core.spec import RatingBoard
from stampede.matches.callers import Caller
from stampede.matches.state import ChairKind, TableState
from stampede.server.accounts.names import fold_name
from stampede.server.accounts.routes import SignedIn
from stampede.server.accounts.sessions import is_account
from stampede.server.http.dependencies import AnyCaller, RunningServices
from stampede.server.http.problems import PROBLEMS, unknown
from stampede.server.ratings.models import (
    BoardsAnswer,
    ChangesAnswer,
    HistoryAnswer,
    LeaderboardAnswer,
    PeopleAnswer,
    RatingsAnswer,
)
from stampede.server.ratings.rating_system import (
    BOT_PREFIX,
    CONFIDENCE,
    all_boards,
    board_of,
    find_board,
    points,
    rating_json,
)
from stampede.server.tables.routes import LiveTable
from stampede.server.tables.service import read_state
from stampede.store.accounts.profiles import Profiles
from stampede.store.ratings.leaderboard import Leader
from stampede.store.ratings.ratings import Rating

__all__ = ["may_see_ratings", "ratings_json", "router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)

BoardName = Annotated[
    str,
    Query(
        min_length=1, max_length=40, description="A board's id, such as zoff-4 or buffalo-hunter-0."
    ),
]
PlayerName = Annotated[str, Query(min_length=1, max_length=100, description="The account's name.")]
GameNumber = Annotated[int, Query(ge=1, le=10_000, description="Which game of the table.")]


@router.get("/ratings/boards", response_model=BoardsAnswer)
async def boards(services: RunningServices, _: AnyCaller) -> dict[str, Json]:
    """The boards that aren't empty."""
    await services.ratings.catch_up()
    counts = await services.ratings.boards.boards()
    return {
        "boards": [
            {**_board_json(board), "rated": counts[board.name]}
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
    """A leaderboard of accounts and bots."""
    wanted = _find_board(board)
    await services.ratings.catch_up()
    ratings = services.ratings.boards
    leaders = await ratings.leaders(wanted.name, CONFIDENCE, limit, offset)
    mine = None
    if caller.guest is not None and is_account(caller.guest):
        mine = await ratings.find(wanted.name, CONFIDENCE, caller.guest)
    return {
        "board": _board_json(wanted),
        "total": (await ratings.boards()).get(wanted.name, 0),
        "lines": [_leader_json(leader, caller.guest) for leader in leaders],
        "mine": None if mine is None else _leader_json(mine, caller.guest),
    }


@router.get("/ratings/player", response_model=RatingsAnswer)
async def player(services: RunningServices, caller: AnyCaller, name: PlayerName) -> dict[str, Json]:
    """The ratings of an account; none if it hides them from you."""
    account = await services.accounts.store.find_by_name(fold_name(name))
    if account is None:
        raise unknown("player")
    if not await may_see_ratings(services, caller, account.account_id):
        return {"name": account.name, "ratings": []}
    return await ratings_json(services, account.account_id, account.name)


@router.get("/ratings/history", response_model=HistoryAnswer)
async def history(
    services: RunningServices,
    caller: AnyCaller,
    name: PlayerName,
    board: BoardName,
    limit: Annotated[int, Query(ge=1, le=500, description="So many of the latest games.")] = 100,
) -> dict[str, Json]:
    """The history of an account's rating; empty if it hides its ratings from you."""
    wanted = _find_board(board)
    account = await services.accounts.store.find_by_name(fold_name(name))
    if account is None:
        raise unknown("player")
    await services.ratings.catch_up()
    found = []
    if await may_see_ratings(services, caller, account.account_id):
        found = await services.ratings.boards.history(account.account_id, wanted.name, limit)
    return {
        "name": account.name,
        "board": _board_json(wanted),
        "points": [{"at": at, **rating_json(rating)} for at, rating in found],
    }


@router.get("/account/ratings", response_model=RatingsAnswer)
async def my_ratings(services: RunningServices, session: SignedIn) -> dict[str, Json]:
    """Your ratings."""
    return await ratings_json(services, session.account_id, session.name)


@router.get("/tables/{table_id}/ratings", response_model=ChangesAnswer)
async def changes(
    actor: LiveTable, services: RunningServices, caller: AnyCaller, game: GameNumber
) -> dict[str, Json]:
    """The changes of the players' ratings by a game of a table."""
    await services.ratings.catch_up()
    found = await services.ratings.boards.changes(actor.table_id, game)
    await read_state(actor, caller)  # asked last: what was read is from before
    return {
        "game": game,
        "changes": [
            {
                "player": player,
                "board": board,
                "before": points(before.mu),
                "after": points(after.mu),
                **{key: value for key, value in rating_json(after).items() if key != "rating"},
            }
            for player, board, before, after in found
        ],
    }


@router.get("/tables/{table_id}/people", response_model=PeopleAnswer)
async def people_at(
    actor: LiveTable, services: RunningServices, caller: AnyCaller
) -> dict[str, Json]:
    """The players at a table: who has an account, and their ratings."""
    state = await read_state(actor, caller)
    await services.ratings.catch_up()
    identities = [_identity(state, player) for player in range(len(state.chairs))]
    ratings_by_owner = await services.ratings.boards.of(found for found in identities if found)
    blocked: set[str] = set()
    if caller.guest is not None:
        blocked = {block.blocked for block in await services.moderation.store.blocks(caller.guest)}
    return {
        "people": [
            {
                "player": player,
                "kept": is_account(identities[player]),
                "rating": _player_rating_json(state, player, identities[player], ratings_by_owner),
                "blocked": state.chairs[player].holder in blocked,
            }
            for player in range(len(state.chairs))
        ]
    }


def _identity(state: TableState, player: int) -> str | None:
    chair = state.chairs[player]
    if chair.kind is ChairKind.BOT and not chair.left:
        return f"{BOT_PREFIX}{chair.level}"
    return chair.holder if is_account(chair.holder) else None


def _player_rating_json(
    state: TableState,
    player: int,
    identity: str | None,
    ratings_by_owner: Mapping[tuple[str, str], Rating],
) -> dict[str, Json] | None:
    board = board_of(state, player)
    rating = (
        None if identity is None or board is None else ratings_by_owner.get((identity, board.name))
    )
    return None if rating is None or board is None else _board_rating_json(board, rating)


async def may_see_ratings(services: RunningServices, caller: Caller, account_id: str) -> bool:
    """Whether a caller may see an account's ratings: their own always, others' unless they are hidden."""
    if caller.guest == account_id:
        return True
    return (await Profiles(services.store.engine).visibility(account_id)).ratings


async def ratings_json(services: RunningServices, account_id: str, name: str) -> dict[str, Json]:
    """Returns an account's ratings as a `RatingsAnswer`."""
    await services.ratings.catch_up()
    found = await services.ratings.boards.of([account_id])
    return {
        "name": name,
        "ratings": [
            _board_rating_json(board, found[account_id, board.name])
            for board in all_boards()
            if (account_id, board.name) in found
        ],
    }


def _find_board(name: str) -> RatingBoard:
    board = find_board(name)
    if board is None:
        raise unknown("board")
    return board


def _leader_json(leader: Leader, you: str | None) -> dict[str, Json]:
    if leader.name is None:
        kind, name = "bot", leader.identity.removeprefix(BOT_PREFIX)
    elif leader.hidden and leader.identity != you:
        kind, name = "hidden", ""
    else:
        kind, name = "human", leader.name
    return {
        "rank": leader.rank,
        "name": name,
        "kind": kind,
        **rating_json(leader.rating),
        "games": leader.rating.games,
        "wins": leader.rating.wins,
        "you": leader.identity == you,
    }


def _board_json(board: RatingBoard) -> dict[str, Json]:
    return {
        "id": board.name,
        "game": board.game,
        "players": board.players,
        "side": board.side,
        "rung": board.rung,
    }


def _board_rating_json(board: RatingBoard, rating: Rating) -> dict[str, Json]:
    return {
        "board": _board_json(board),
        **rating_json(rating),
        "games": rating.games,
        "wins": rating.wins,
        "updated": rating.updated,
    }
