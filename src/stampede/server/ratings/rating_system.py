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
from stampede.server.tables.game_history import GameHistory, PlayedGame, read_history
from stampede.store import LogEntry
from stampede.store.ratings.ratings import RatedGame, RatedPlayer, Rating, RatingChange, Ratings

__all__ = [
    "BOT",
    "SURE",
    "RecomputedRatings",
    "all_boards",
    "board_named",
    "board_of",
    "points",
    "rate",
    "rated_games",
    "recompute",
    "shown",
]

BOT: Final = "bot:"
MODEL: Final = PlackettLuce()
CENTRE: Final = 1500
SCALE: Final = 48
"""So many points a unit of the model: 200 points apart, the stronger one wins about three games in four."""
SURE: Final = 1.96
"""Standard deviations on each side of a rating: 95 of 100 intervals hold the true strength, by the model."""
WIDEST: Final = 500
"""A rating whose interval reaches further to each side is provisional."""


def all_boards() -> tuple[RatingBoard, ...]:
    """Every board that there can be."""
    return tuple(board for spec in GAMES.values() for board in spec.rating_boards)


_BOARDS: Final[Mapping[str, RatingBoard]] = {board.name: board for board in all_boards()}


def board_named(name: str) -> RatingBoard | None:
    """The board of that name; None when there is none."""
    return _BOARDS.get(name)


def board_of(state: TableState, player: int) -> RatingBoard | None:
    """What a player's next or present game at a table is rated on; None when that is no board."""
    play, spec = state.play, GAMES[state.settings.game]
    if play is None or state.phase is Phase.LOBBY:
        rules = spec.game.read_rules(state.settings.rules)
        seat = state.series.seating.index(player)
    else:
        rules, seat = play.rules, play.seat_of(player)
    boards = spec.rating_boards_of(rules)
    return None if boards is None else boards[seat]


# --- what counts ---


def rated_games(entries: Sequence[LogEntry]) -> list[RatedGame]:
    """The games of a table that count: rated, ended, not aborted, and among accounts and bots only."""
    if not entries or '"rated":true' not in entries[0].payload:
        return []
    found = read_history(entries)
    if not found.table.state.settings.rated:
        return []
    games = (_rated(found, game) for game in found.games)
    return [game for game in games if game is not None]


def _rated(found: GameHistory, game: PlayedGame) -> RatedGame | None:
    play, table = game.play, found.table
    outcome = None if play.aborted else outcome_of(table.spec.game, play)
    identities = [_identity(chair) for chair in game.chairs]
    boards = table.spec.rating_boards_of(play.rules)
    if outcome is None or play.ended_at is None or boards is None or None in identities:
        return None
    if not any(is_account(identity) for identity in identities):
        return None
    gone = [play.seat_of(player) for player in play.left]
    scores = table.spec.game.write_result(play.state, outcome).get("scores")
    ranks = _ranks(outcome.winners, scores if isinstance(scores, list) else [], gone, len(boards))
    players = tuple(
        RatedPlayer(player, str(identities[player]), boards[seat].name, ranks[seat])
        for seat, player in enumerate(play.seating)
    )
    ordered = tuple(sorted(players, key=lambda player: player.player))
    return RatedGame(table.state.table, play.number, boards[0].pool, play.ended_at, ordered)


def _identity(chair: Chair) -> str | None:
    """Whose rating it is; None for guests, programs and open chairs, which have none."""
    if chair.kind is ChairKind.BOT and not chair.left:
        return f"{BOT}{chair.level}"
    if chair.kind is ChairKind.HUMAN and is_account(chair.holder):
        return chair.holder
    return None


def _ranks(
    winners: Sequence[Seat], scores: Sequence[Json], gone: Sequence[Seat], seats: int
) -> list[int]:
    """By seat: the rank. Winners first, then by score; whoever has left comes last, however his bot fared.

    Winners share their rank, whatever they scored; so do those who have left.
    """

    def worth(seat: Seat) -> tuple[int, float]:
        if seat in gone or seat in winners:
            return (2 if seat in gone else 0, 0.0)
        score = scores[seat] if scores else 0
        return (1, -score if isinstance(score, int | float) else 0.0)

    order = [worth(seat) for seat in range(seats)]
    return [1 + sum(other < mine for other in order) for mine in order]


# --- how it counts ---


def rate(game: RatedGame, book: Mapping[tuple[str, str], Rating]) -> list[RatingChange]:
    """What a game does to its players' ratings.

    A bot's level that plays on several chairs has one rating: it gets the mean of what its chairs get.
    """
    fresh = MODEL.rating()
    before = [
        book.get((player.identity, player.board), Rating(fresh.mu, fresh.sigma))
        for player in game.players
    ]
    teams = [[MODEL.rating(standing.mu, standing.sigma)] for standing in before]
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
    """Ratings made from games alone."""

    games: list[RatedGame]
    changes: list[RatingChange]
    book: Ratings


def recompute(games: Iterable[RatedGame]) -> RecomputedRatings:
    """Counts games in their order, from nothing."""
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
    """A strength as it is shown."""
    return round(CENTRE + SCALE * (mu - MODEL.mu))


def shown(standing: Rating) -> dict[str, Json]:
    """A rating for people: points, the interval's ends, and whether it is provisional."""
    reach = SURE * standing.sigma
    return {
        "rating": points(standing.mu),
        "low": points(standing.mu - reach),
        "high": points(standing.mu + reach),
        "provisional": SCALE * reach > WIDEST,
    }
