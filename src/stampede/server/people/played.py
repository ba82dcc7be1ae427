"""The games that an account has played, derived from the logs of its tables, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from stampede.core.json import Json, JsonObject
from stampede.games import GAMES
from stampede.matches.lifecycle import outcome_of
from stampede.matches.state import Chair, ChairKind, TableState
from stampede.server.accounts.names import DELETED
from stampede.server.tables.game_history import TableGame, read_history
from stampede.store import LogEntry

__all__ = ["Opponent", "PlayedGame", "games_in", "summary_json"]

OPENING: Final = 2
"""How many moves make an opening."""
MOST_OPENINGS: Final = 8
MOST_OPPONENTS: Final = 12
MOST_LATEST: Final = 20


class Opponent(NamedTuple):
    """Who sat at the same table: a person's name, or a bot's level."""

    kind: str
    name: str


class PlayedGame(NamedTuple):
    """A finished game from one player's seat.

    Attributes:
        table: The table.
        number: Which game of it.
        game: The game's name.
        players: How many played.
        seat: The player's seat.
        side: Its side, in games with sides.
        rung: The handicap, in games with handicaps.
        won: Whether the player won.
        ended: When it ended.
        opponents: Who else played.
        opening: The first moves, in games that have moves in turn; empty in others.
        open_to_all: Whether anyone may watch the table and replay its games.
    """

    table: str
    number: int
    game: str
    players: int
    seat: int
    side: str | None
    rung: int | None
    won: bool
    ended: int
    opponents: tuple[Opponent, ...]
    opening: str
    open_to_all: bool


def games_in(entries: Sequence[LogEntry], guests: set[str]) -> list[PlayedGame]:
    """Returns the finished games of a table in which one of these guests sat when the game began."""
    history = read_history(entries)
    found = []
    for game in history.games:
        mine = [player for player, chair in enumerate(game.chairs) if chair.holder in guests]
        played = _played(history.table.state, game, mine[0]) if len(mine) == 1 else None
        if played is not None:
            record = history.table.log_record(game.match.number)
            found.append(played._replace(opening=_opening(record.actions)))
    return found


def _played(state: TableState, game: TableGame, player: int) -> PlayedGame | None:
    match, spec = game.match, GAMES[state.settings.game]
    outcome = None if match.aborted else outcome_of(spec.game, match)
    if outcome is None or match.ended_at is None:
        return None
    seat = match.seat_of(player)
    boards = spec.rating_boards_of(match.rules)
    board = None if boards is None else boards[seat]
    others = [chair for number, chair in enumerate(game.chairs) if number != player]
    return PlayedGame(
        table=state.table,
        number=match.number,
        game=state.settings.game,
        players=len(match.seating),
        seat=seat,
        side=None if board is None else board.side,
        rung=None if board is None else board.rung,
        won=seat in outcome.winners and player not in match.left,
        ended=match.ended_at,
        opponents=tuple(_opponent(chair) for chair in others),
        opening="",
        open_to_all=state.settings.public or state.settings.watch,
    )


def _opponent(chair: Chair) -> Opponent:
    if chair.kind is ChairKind.BOT and not chair.left:
        return Opponent("bot", chair.level or "")
    return Opponent("human", chair.name or DELETED)


def _opening(actions: Iterable[Json]) -> str:
    """The first moves, where every action is a word; sealed choices have no order to compare."""
    first = [action for action, _ in zip(actions, range(OPENING), strict=False)]
    return " ".join(str(word) for word in first) if all(isinstance(w, str) for w in first) else ""


# --- what they add up to ---

_Tally: TypeAlias = Counter[tuple[Json, ...]]


def summary_json(games: Sequence[PlayedGame]) -> JsonObject:
    """Returns what games add up to: results by kind, opponent and opening, and the latest ones."""
    played: _Tally = Counter()
    won: _Tally = Counter()
    met: Counter[Opponent] = Counter()
    beaten: Counter[Opponent] = Counter()
    opened: Counter[tuple[str, str | None, str]] = Counter()
    opened_won: Counter[tuple[str, str | None, str]] = Counter()
    for game in games:
        kind = (game.game, game.players, game.side, game.rung, game.seat)
        opening = (game.game, game.side, game.opening)
        played[kind] += 1
        won[kind] += game.won
        for opponent in set(game.opponents):
            met[opponent] += 1
            beaten[opponent] += game.won
        if game.opening:
            opened[opening] += 1
            opened_won[opening] += game.won
    keys = ("game", "players", "side", "rung", "seat")
    return {
        "games": len(games),
        "wins": sum(game.won for game in games),
        "results": [
            {**dict(zip(keys, kind, strict=True)), "games": count, "wins": won[kind]}
            for kind, count in sorted(played.items(), key=lambda item: (-item[1], str(item[0])))
        ],
        "opponents": [
            {"kind": who.kind, "name": who.name, "games": count, "wins": beaten[who]}
            for who, count in met.most_common(MOST_OPPONENTS)
        ],
        "openings": [
            {
                "game": name,
                "side": side,
                "moves": moves,
                "games": count,
                "wins": opened_won[name, side, moves],
            }
            for (name, side, moves), count in opened.most_common(MOST_OPENINGS)
        ],
        "latest": [
            {
                "table": game.table,
                "number": game.number,
                "game": game.game,
                "side": game.side,
                "won": game.won,
                "ended": game.ended,
                "opponents": [{"kind": who.kind, "name": who.name} for who in game.opponents],
            }
            for game in sorted(games, key=lambda game: -game.ended)[:MOST_LATEST]
        ],
    }
