"""Games that go on from a point of a record, against bots.

A person who knows a record knows all its hands; bots get a seat's view, as ever.
"""

from __future__ import annotations

from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject
from stampede.core.record import GameRecord
from stampede.games import game_named
from stampede.matches.settings import TableSettings, begin_from
from stampede.server.http.problems import Problem, problem_of
from stampede.server.services import Services
from stampede.server.study.fair_play import check_not_running
from stampede.server.study.replays import play_record

__all__ = ["check_start_allowed", "start_json"]


def start_json(record: GameRecord, turn: int) -> JsonObject:
    """What a table needs to go on from a record after so many steps, as a `PlayOnAnswer`.

    A sealed decision begins anew: what was sealed before the reveal isn't played yet.
    """
    played = play_record(record)
    if turn >= len(played.turns):
        expected = f"less than {len(played.turns)}, so that the game goes on"
        raise Problem(422, "invalid", f"turn: expected {expected}, got {turn}")
    game = played.game
    events = [event for one in played.turns[:turn] for event in one.events]
    known = len(game.write_steps(events))
    off: JsonObject = dict.fromkeys(game_named(record.game).house_rules, False)
    return {
        "game": record.game,
        "rules": {**off, **record.rules},  # a new table has more house rules by itself
        "start": {"setup": record.setup, "actions": list(record.actions[:known])},
        "seats": game.seats(played.rules),
    }


async def check_start_allowed(services: Services, settings: TableSettings) -> None:
    """Raises a Problem if a table's start is close to a game that people are playing here.

    A strong bot that plays on from there would tell as much as the engine.
    """
    if settings.start is None:
        return
    try:
        game = game_named(settings.game).game
        state = begin_from(game, settings.rules, settings.start).state
    except StampedeError as error:
        raise problem_of(error) from error
    check_not_running(settings.game, state, await services.running_games.traces(settings.game))
