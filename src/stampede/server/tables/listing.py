"""A table's entry in the lobby. It is public, so it holds nothing that is hidden from anyone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.record import RULES_KEYS, GameRecord
from stampede.games import GAMES
from stampede.matches.state import Chair, Phase, TableState
from stampede.matches.views import results_of
from stampede.store import Listing

__all__ = ["MAX_SUMMARY", "STATUS", "is_contested", "join_summaries", "listing_of"]

MAX_SUMMARY: Final = 4096
"""Characters of a table's line in the lobby; the longest names on six chairs need fewer."""

STATUS = {
    Phase.LOBBY: "open",
    Phase.PLAYING: "running",
    Phase.PAUSED: "running",
    Phase.OVER: "over",
    Phase.CLOSED: "closed",
}


def listing_of(state: TableState, *, same_guests: bool = False) -> Listing:
    """A table's entry in the lobby.

    Args:
        state: The table.
        same_guests: Whether the same people sit there as in the entry before.
    """
    # The host is listed even without a chair, so that their tables are found when they register an account.
    holders = {chair.holder for chair in state.chairs} | {state.host}
    return Listing(
        table_id=state.table,
        game=state.settings.game,
        status=STATUS[state.phase],
        public=state.settings.public,
        updated=state.at,
        summary=canonical(_summary(state)),
        guests=None if same_guests else tuple(sorted(filter(None, holders))),
        ended=state.seq if _has_ended(state) else 0,
        contested=is_contested(state),
    )


def is_contested(state: TableState) -> bool:
    """Whether people, or their programs, play against each other now, or a rated game is under way."""
    return state.in_game and (state.settings.rated or len(state.persons()) > 1)


def _has_ended(state: TableState) -> bool:
    """Whether there is a rated game that counts, and has just ended."""
    match = state.match
    if match is None or not state.settings.rated:
        return False
    return match.ended_at is not None and not match.aborted


def _summary(state: TableState) -> JsonObject:
    rules = state.settings.rules
    results = results_of(GAMES[state.settings.game], state)
    seating = state.series.seating if state.match is None else state.match.seating
    return {
        "table": state.table,
        "game": state.settings.game,
        "status": STATUS[state.phase],
        "phase": state.phase.value,
        "rules": {key: rules[key] for key in rules if key not in RULES_KEYS},
        "edition_title": _edition_title(rules),
        "series": state.settings.series,
        "clock": state.settings.clock.to_json(),
        "rated": state.settings.rated,
        "public": state.settings.public,
        "watch": state.settings.watch,
        "games": 0 if state.match is None else state.match.number,
        "updated": state.at,
        "players": [_player(chair) for chair in state.chairs],
        "seats": [seating.index(player) for player in range(len(seating))],
        "result": results[-1].to_json() if results else None,
        "colours": _colours(state),
        "tally": _tally(state),
    }


def _tally(state: TableState) -> Json:
    """How often each seat and each colour has won, over all games of a table; None while a game is under way."""
    if state.match is None or state.in_game:
        return None
    game = GAMES[state.settings.game].game
    matches = {match.number: match for match in (*state.past, state.match)}
    games, wins, colours = 0, [0] * len(state.chairs), dict[str, list[int]]()
    for result in results_of(GAMES[state.settings.game], state):
        match = matches[result.game]
        if result.aborted:
            continue
        games += 1
        won = {match.seat_of(player) for player in result.winners}
        for seat in won:
            wins[seat] += 1
        setup = game.write_setup(match.state)
        owners = GameRecord(game.name, {}, (), setup, ()).seat_of_colour
        for colour, seat in owners.items():
            played = colours.setdefault(colour, [0, 0])
            played[0] += 1
            played[1] += seat in won
    return {
        "games": games,
        "wins": [*wins],
        "colours": {name: [*two] for name, two in colours.items()},
    }


def _colours(state: TableState) -> Json:
    """By seat: the colours of a game that is over, as everyone sees them; None before, and in games without."""
    match = state.match
    if match is None or match.ended_at is None:
        return None
    seats = GAMES[state.settings.game].game.view(match.state, None).to_json().get("seats")
    if not isinstance(seats, list):
        return None
    found = [seat.get("colours") for seat in seats if isinstance(seat, dict)]
    return found if found and all(found) else None


def _edition_title(rules: JsonObject) -> Json:
    """The title of an edition that doesn't ship; the data itself is too long for a list."""
    match rules.get("edition_data"):
        case {"edition": {"title": str(title)}}:
            return title
        case _:
            return None


def _player(chair: Chair) -> JsonObject:
    return {"kind": chair.kind.value, "name": chair.name, "level": chair.level}


def join_summaries(summaries: Iterable[str]) -> str:
    """The lines as a JSON list. An overlong one, from before rules were checked, is listed with the rules in force."""
    lines = (text if len(text) <= MAX_SUMMARY else _shorten(text) for text in summaries)
    return f"[{','.join(filter(None, lines))}]"


def _shorten(text: str) -> str:
    """An overlong line without what the game doesn't read; empty when it is too long even so."""
    summary = json.loads(text)
    game = GAMES[summary["game"]].game
    try:
        summary["rules"] = game.write_rules(game.read_rules(summary["rules"]))
    except InputError:  # an edition that this server doesn't know any more
        return ""
    shorter = canonical(summary)
    return shorter if len(shorter) <= MAX_SUMMARY else ""
