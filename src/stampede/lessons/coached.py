"""Coached games: a newcomer's first game, begun so that the rules come up early.

Its deal is chosen, not drawn: the table's settings say `coached` and name the start, and such a game has no proof of
its deal, as chance decides nothing there. Bots play it as guides (`stampede.bots.guides`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final, NamedTuple

from stampede.buffalo import BuffaloGame
from stampede.core.errors import StampedeError
from stampede.core.game import Seat
from stampede.core.json import JsonObject
from stampede.core.spec import GameSpec

__all__ = ["CoachedStart", "coached_start"]

SEEDS: Final = {2: 1, 3: 1, 4: 1, 5: 1, 6: 1}
"""By number of seats: the seed of a deal in which the newcomer meets the rules early; a test counts how often."""
_STEPS: Final[Mapping[tuple[str, Seat], tuple[str, ...]]] = {
    (BuffaloGame.name, 1): ("e7e6", "e2b5", "e6e5", "h2h4", "e5e4", "h4h2", "e4e3", "d2d4"),
}
"""By game and the newcomer's seat: steps that count as played. The hunter joins when a buffalo has slipped through."""


class CoachedStart(NamedTuple):
    """Where a coached game begins: a record's keys and steps."""

    setup: JsonObject
    steps: tuple[str, ...]


def coached_start(spec: GameSpec, rules: JsonObject, newcomer: Seat) -> CoachedStart | None:
    """The start of a coached game; None for the ordinary one, and where the rules are wrong."""
    game = spec.game
    try:
        read = game.read_rules(rules)
        seats = game.seats(read)
        deal = game.draw_for(read, random.Random(SEEDS.get(seats, 1)), (None,) * seats)
        setup: JsonObject = game.write_setup(game.initial(read, deal))
    except StampedeError:
        return None  # the table is refused with its reason
    steps = _STEPS.get((spec.name, newcomer), ())
    return CoachedStart(setup, steps) if setup or steps else None
