"""Statistics of the server: how many games were played, and who wins them by side, seat or colour."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from stampede.core.json import Json, JsonObject
from stampede.games import GAMES

__all__ = ["statistics_json"]


def statistics_json(summaries: Iterable[str]) -> JsonObject:
    """Returns a `StatisticsAnswer` from the listings of tables where no game is under way.

    A listing adds up all games of its table. One that an earlier version wrote has the result of the latest game only:
    the others are counted, but not by seat and colour.
    """
    games: Counter[str] = Counter()
    ended: Counter[tuple[str, int]] = Counter()
    won: Counter[tuple[str, int, int]] = Counter()
    coloured: Counter[tuple[str, int, str]] = Counter()
    won_by: Counter[tuple[str, int, str]] = Counter()
    against: Counter[str] = Counter()
    tables = 0
    for text in summaries:
        summary = json.loads(text)
        tally: Any = summary.get("tally") or _last_game(summary)
        if tally is None or not tally["games"]:
            continue
        tables += 1
        name, players = summary["game"], summary["players"]
        games[name] += max(tally["games"], 0 if "tally" in summary else summary["games"])
        ended[name, len(players)] += tally["games"]
        people = sum(player["kind"] == "human" for player in players)
        against["people" if people > 1 else "bots" if people else "alone"] += 1
        for seat, wins in enumerate(tally["wins"]):
            won[name, len(players), seat] += wins
        for colour, (count, wins) in tally["colours"].items():
            coloured[name, len(players), colour] += count
            won_by[name, len(players), colour] += wins
    return {
        "tables": tables,
        "games": dict(sorted(games.items())),
        "against": {kind: against[kind] for kind in ("people", "bots", "alone")},
        "results": [
            {
                **_result_json(name, players, ended[name, players], won),
                "colours": [
                    {"colour": colour, "games": count, "wins": won_by[game, seats, colour]}
                    for (game, seats, colour), count in sorted(coloured.items())
                    if (game, seats) == (name, players)
                ],
            }
            for name, players in sorted(ended)
        ],
    }


def _last_game(summary: JsonObject) -> JsonObject | None:
    """The tally of a table's latest game alone, from a listing of an earlier version."""
    result: Any = summary["result"]
    if result is None or result["aborted"]:
        return None
    players: Any = summary["players"]
    seats: Any = summary["seats"]
    winners = {seats[winner] for winner in result["winners"]}
    colours: Any = summary.get("colours") or ()
    return {
        "games": 1,
        "wins": [int(seat in winners) for seat in range(len(players))],
        "colours": {
            colour: [1, int(seat in winners)] for seat, own in enumerate(colours) for colour in own
        },
    }


def _result_json(
    name: str, players: int, games: int, won: Counter[tuple[str, int, int]]
) -> JsonObject:
    boards = [board for board in GAMES[name].rating_boards if board.rung == 0]
    sides: list[Json] = [board.side for board in boards] or [None] * players
    seats: list[Json] = [
        {"seat": seat, "side": sides[seat], "wins": won[name, players, seat]}
        for seat in range(players)
    ]
    return {"game": name, "players": players, "games": games, "seats": seats}
