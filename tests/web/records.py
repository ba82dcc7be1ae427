"""Finished games as records, for pages that show them."""

import random

from stampede.core.json import JsonObject
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord, SeatInfo
from stampede.games import game_named

EDITION = "fx-schmid-1998-r1"
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
BUSY_ZOFF: JsonObject = {"edition": EDITION, "players": 4, "auction": True, "fair": True}
"""Rules with which most kinds of events happen."""
SHORT_BUFFALO: JsonObject = {"removed": ["c"], "opening_moves": 1}


def random_record(name: str, rules: JsonObject, seed: int) -> GameRecord:
    """A game of random moves."""
    game = game_named(name).game
    read = game.read_rules(rules)
    rng = random.Random(seed)
    played = Playthrough(game, read, game.draw(read, rng))
    while played.outcome is None:
        seat = game.to_act(played.state)[0]
        played.play(seat, game.legal(played.state, seat).sample(rng))
    seats = game.seats(read)
    return played.record(tuple(SeatInfo(called) for called in NAMES[:seats]))
