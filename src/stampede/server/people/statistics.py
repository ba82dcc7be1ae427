"""Statistics of the server: how many games were played, and who wins them by side, seat or colour."""

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
    coloured: Counter[tuple[str, int, str]] = Counter()
    won_by: Counter[tuple[str, int, str]] = Counter()
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
        winners = {summary["seats"][winner] for winner in result["winners"]}
        for seat, colours in enumerate(summary.get("colours") or ()):
            for colour in colours:
                coloured[name, len(players), colour] += 1
                won_by[name, len(players), colour] += seat in winners
    return {
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
