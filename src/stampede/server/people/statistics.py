"""Statistics of the server: how many games were played, and who wins them by side or seat."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from stampede.core.json import Json, JsonObject
from stampede.games import GAMES

__all__ = ["statistics_json"]


def statistics_json(summaries: Iterable[str]) -> JsonObject:
    """Returns a `StatisticsAnswer` from the listings of tables whose last game is over.

    A listing has the result of its table's latest game; earlier ones are counted, but not by seat.
    """
    games: Counter[str] = Counter()
    ended: Counter[tuple[str, int]] = Counter()
    won: Counter[tuple[str, int, int]] = Counter()
    against: Counter[str] = Counter()
    for text in summaries:
        summary = json.loads(text)
        result = summary["result"]
        if result is None or result["aborted"] or not summary["games"]:
            continue
        name, players = summary["game"], summary["players"]
        games[name] += summary["games"]
        ended[name, len(players)] += 1
        people = sum(player["kind"] == "human" for player in players)
        against["people" if people > 1 else "bots" if people else "alone"] += 1
        for winner in result["winners"]:
            won[name, len(players), summary["seats"][winner]] += 1
    return {
        "games": dict(sorted(games.items())),
        "against": {kind: against[kind] for kind in ("people", "bots", "alone")},
        "results": [
            _result_json(name, players, ended[name, players], won)
            for name, players in sorted(ended)
        ],
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
