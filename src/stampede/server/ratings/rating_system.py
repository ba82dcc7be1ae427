"""What is rated, and how: boards, ranks, and OpenSkill's Plackett–Luce model. Pure functions on the log's games.

The games' specs say which boards there are, and on which ones a game is rated (`stampede.core.spec.RatingBoard`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

from stampede.core.game import Seat
from stampede.core.json import Json
from stampede.core.spec import RatingBoard
from stampede.games import GAMES
from stampede.matches.lifecycle import outcome_of
from stampede.matches.state import Chair, ChairKind, Phase, TableState
from stampede.server.accounts.sessions import is_account
from stampede.server.tables.game_history import GameHistory, TableGame, read_history
from stampede.store import LogEntry
from stampede.store.ratings.ratings import RatedGame, RatedPlayer, Rating, RatingChange, Ratings

__all__ = [
    "BOT_PREFIX",
    "CONFIDENCE",
    "RecomputedRatings",
    "all_boards",
    "board_of",
    "find_board",
    "points",
    "rate",
    "rated_games",
    "rating_json",
    "recompute",
]

BOT_PREFIX: Final = "bot:"
"""The identity of a bot is this prefix and its level."""
MODEL: Final = PlackettLuce()
CENTRE: Final = 1500
SCALE: Final = 48
"""Points for a unit of the model: 200 points apart, the stronger player wins about three games in four."""
CONFIDENCE: Final = 1.96
"""Standard deviations on each side of a rating: a 95 % interval, by the model."""
PROVISIONAL: Final = 500
"""A rating whose interval reaches further to each side, in points, is provisional."""


def all_boards() -> tuple[RatingBoard, ...]:
    """Returns every board of every game."""
    return tuple(board for spec in GAMES.values() for board in spec.rating_boards)


_BOARDS: Final[Mapping[str, RatingBoard]] = {board.name: board for board in all_boards()}


def find_board(name: str) -> RatingBoard | None:
    """Returns a board by its name; None if there is none."""
    return _BOARDS.get(name)


def board_of(state: TableState, player: int) -> RatingBoard | None:
    """Returns the board on which a player's present or next game at a table is rated; None if it isn't rated."""
    match, spec = state.match, GAMES[state.settings.game]
    if match is None or state.phase is Phase.LOBBY:
        rules = spec.game.read_rules(state.settings.rules)
        seat = state.series.seating.index(player)
    else:
        rules, seat = match.rules, match.seat_of(player)
    boards = spec.rating_boards_of(rules)
    return None if boards is None else boards[seat]


# --- what counts ---


def rated_games(entries: Sequence[LogEntry]) -> list[RatedGame]:
    """Returns the games of a table that count: rated, ended, not aborted, and among accounts and bots only."""
    if not entries or '"rated":true' not in entries[0].payload:
        return []
    found = read_history(entries)
    if not found.table.state.settings.rated:
        return []
    games = (_to_rated_game(found, game) for game in found.games)
    return [game for game in games if game is not None]


def _to_rated_game(found: GameHistory, game: TableGame) -> RatedGame | None:
    match, table = game.match, found.table
    outcome = None if match.aborted else outcome_of(table.spec.game, match)
    identities = [_identity(chair) for chair in game.chairs]
    boards = table.spec.rating_boards_of(match.rules)
    if outcome is None or match.ended_at is None or boards is None or None in identities:
        return None
    if not any(is_account(identity) for identity in identities):
        return None
    left = [match.seat_of(player) for player in match.left]
    scores = table.spec.game.write_result(match.state, outcome).get("scores")
    ranks = _ranks(outcome.winners, scores if isinstance(scores, list) else [], left, len(boards))
    players = tuple(
        RatedPlayer(player, str(identities[player]), boards[seat].name, ranks[seat])
        for seat, player in enumerate(match.seating)
    )
    ordered = tuple(sorted(players, key=lambda player: player.player))
    return RatedGame(table.state.table, match.number, boards[0].pool, match.ended_at, ordered)


def _identity(chair: Chair) -> str | None:
    """Returns whose rating it is; None for guests, programs and open chairs."""
    if chair.kind is ChairKind.BOT and not chair.left:
        return f"{BOT_PREFIX}{chair.level}"
    if chair.kind is ChairKind.HUMAN and is_account(chair.holder):
        return chair.holder
    return None


def _ranks(
    winners: Sequence[Seat], scores: Sequence[Json], left: Sequence[Seat], seats: int
) -> list[int]:
    """Returns the rank of each seat: winners first, then by score, then players who left, whatever their bot did.

    Winners share a rank, whatever they scored; so do the players who left.
    """

    def sort_key(seat: Seat) -> tuple[int, float]:
        if seat in left or seat in winners:
            return (2 if seat in left else 0, 0.0)
        score = scores[seat] if scores else 0
        return (1, -score if isinstance(score, int | float) else 0.0)

    order = [sort_key(seat) for seat in range(seats)]
    return [1 + sum(other < mine for other in order) for mine in order]


# --- how it counts ---


def rate(game: RatedGame, book: Mapping[tuple[str, str], Rating]) -> list[RatingChange]:
    """Returns the changes of the players' ratings by a game.

    A bot's level has one rating even if it plays on several chairs: it gets the mean of their changes.
    """
    fresh = MODEL.rating()
    before = [
        book.get((player.identity, player.board), Rating(fresh.mu, fresh.sigma))
        for player in game.players
    ]
    teams = [[MODEL.rating(rating.mu, rating.sigma)] for rating in before]
    after = MODEL.rate(teams, ranks=[float(player.rank) for player in game.players])
    owners: dict[tuple[str, str], list[int]] = {}
    for index, player in enumerate(game.players):
        owners.setdefault((player.identity, player.board), []).append(index)
    changes: list[RatingChange] = []
    for player, old in zip(game.players, before, strict=True):
        chairs = owners[player.identity, player.board]
        won = any(game.players[index].rank == 1 for index in chairs)
        mu = sum(after[index][0].mu for index in chairs) / len(chairs)
        sigma = sum(after[index][0].sigma for index in chairs) / len(chairs)
        new = Rating(mu, sigma, old.games + 1, old.wins + won, game.ended)
        changes.append(RatingChange(player, old, new))
    return changes


@dataclass(frozen=True, slots=True)
class RecomputedRatings:
    """Ratings computed from games alone."""

    games: list[RatedGame]
    changes: list[RatingChange]
    book: Ratings


def recompute(games: Iterable[RatedGame]) -> RecomputedRatings:
    """Computes all ratings from all games, in order."""
    ordered = sorted(games, key=lambda game: game.order)
    book: Ratings = {}
    changes: list[RatingChange] = []
    for game in ordered:
        for change in rate(game, book):
            changes.append(change)
            book[change.player.identity, change.player.board] = change.after
    return RecomputedRatings(ordered, changes, book)


# --- how it is shown ---


def points(mu: float) -> int:
    """Converts the model's estimate to points."""
    return round(CENTRE + SCALE * (mu - MODEL.mu))


def rating_json(rating: Rating) -> dict[str, Json]:
    """Returns a rating in points, its interval, and whether it is provisional."""
    reach = CONFIDENCE * rating.sigma
    return {
        "rating": points(rating.mu),
        "low": points(rating.mu - reach),
        "high": points(rating.mu + reach),
        "provisional": SCALE * reach > PROVISIONAL,
    }
