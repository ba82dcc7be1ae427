"""Replays: a game step by step, made from its record and nothing else.

So a replay shows no more than the record does, and needs the same permission.
"""

from __future__ import annotations

from typing import Any

from stampede.core.errors import RecordError
from stampede.core.json import JsonObject
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.server.http.problems import wrong_record

__all__ = ["play_record", "replay_json"]


def play_record(record: GameRecord) -> Playthrough[Any, Any, Any, Any]:
    """Plays a record again; raises a Problem that names the first wrong step."""
    try:
        return replay(game_named(record.game).game, record)
    except RecordError as error:
        raise wrong_record(error) from error


def replay_json(record: GameRecord) -> JsonObject:
    """Returns a record's game as a `ReplayAnswer`."""
    played = play_record(record)
    game = played.game
    return {
        "game": record.game,
        "rules": record.rules,
        "seats": [seat.to_json() for seat in record.seats],
        "start": game.view(played.start, None).to_json(),
        "steps": [
            {
                "seat": turn.seat,
                "action": game.write_action(turn.action),
                "events": [event.to_json() for event in turn.events],
                "view": game.view(turn.state, None).to_json(),
            }
            for turn in played.turns
        ],
        "result": record.result,
        "meta": {key: value for key, value in record.meta.items() if key != "check"},
    }
