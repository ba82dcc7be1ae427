"""What is rated, and how: pools, boards, ranks, and OpenSkill's Plackett–Luce model. Pure; the log tells the games.

A *pool* holds the games that are counted together: Zoff by the number of players, Buffalo by the rung. A *board* is
what somebody is rated on: the pool, and in Buffalo the side too, as leading the herd is another craft than hunting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

from stampede.buffalo.rules import BuffaloRules
from stampede.core.game import Seat
from stampede.core.json import Json
from stampede.games import GAMES
from stampede.matches.lifecycle import outcome_of
from stampede.matches.state import Chair, ChairKind, Phase, TableState
from stampede.server.accounts.sessions import is_account
from stampede.server.tables.game_history import GameHistory, PlayedGame, read_history
from stampede.store import LogEntry
from stampede.store.ratings.ratings import RatedGame, RatedPlayer, Rating, RatingChange, Ratings

__all__ = [
    "BOT",
    "SIDES",
    "SURE",
    "RatingBoard",
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

SIDES: Final = ("buffalo", "hunter")
"""Buffalo's seats, in order."""
BOT: Final = "bot:"
MODEL: Final = PlackettLuce()
CENTRE: Final = 1500
SCALE: Final = 48
"""So many points a unit of the model: 200 points apart, the stronger one wins about three games in four."""
SURE: Final = 1.96
"""Standard deviations on each side of a rating: 95 of 100 intervals hold the true strength, by the model."""
WIDEST: Final = 500
"""A rating whose interval reaches further to each side is provisional."""


@dataclass(frozen=True, slots=True)
class RatingBoard:
    """What somebody is rated on.

    Attributes:
        name: Its id, such as ``zoff-4`` or ``buffalo-hunter-0``.
        game: The game's name.
        players: How many play.
        side: In Buffalo, ``buffalo`` or ``hunter``.
        rung: In Buffalo, the handicap (B4): buffaloes fewer above 0, opening steps more below.
    """

    name: str
    game: str
    players: int
    side: str | None = None
    rung: int | None = None

    @property
    def pool(self) -> str:
        """The games that are counted together."""
        return self.name if self.rung is None else f"{self.game}-{self.rung}"


def zoff_board(players: int) -> RatingBoard:
    """Zoff with so many players."""
    return RatingBoard(f"zoff-{players}", "zoff", players)


def buffalo_board(side: str, rung: int) -> RatingBoard:
    """A side of Buffalo on a rung."""
    return RatingBoard(f"buffalo-{side}-{rung}", "buffalo", 2, side, rung)


def all_boards() -> tuple[RatingBoard, ...]:
    """Every board that there can be."""
    zoff = [zoff_board(players) for players in range(2, 7)]
    buffalo = [buffalo_board(side, rung) for rung in range(-10, 11) for side in SIDES]
    return (*zoff, *buffalo)


_BOARDS: Final[Mapping[str, RatingBoard]] = {board.name: board for board in all_boards()}


def board_named(name: str) -> RatingBoard | None:
    """The board of that name; None when there is none."""
    return _BOARDS.get(name)


def board_of(state: TableState, player: int) -> RatingBoard | None:
    """What a player's next or present game at a table is rated on; None when that is no board."""
    play = state.play
    if play is None or state.phase is Phase.LOBBY:
        rules = GAMES[state.settings.game].game.read_rules(state.settings.rules)
        seat = state.series.seating.index(player)
    else:
        rules, seat = play.rules, play.seat_of(player)
    boards = _boards(state.settings.game, rules, len(state.chairs))
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
    boards = _boards(table.spec.name, play.rules, len(play.seating))
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


def _boards(game: str, rules: object, seats: int) -> list[RatingBoard] | None:
    """By seat: the board; None when the rules are on no rung."""
    if not isinstance(rules, BuffaloRules):
        return [zoff_board(seats)] * seats if game == "zoff" else None
    if rules.removed and rules.opening_moves > 1:
        return None
    rung = len(rules.removed) if rules.removed else 1 - rules.opening_moves
    return [buffalo_board(side, rung) for side in SIDES]


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
