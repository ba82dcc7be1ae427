"""How a bot's answer comes about: from the seat's view and a seed, in a thread of the pool."""

from __future__ import annotations

import random

from stampede.bots import bot_named
from stampede.bots.remember import briefed
from stampede.core.game import AnyGame
from stampede.core.json import Json
from stampede.matches.bots import BotRequest

__all__ = ["answer_of"]


def answer_of(game: AnyGame, request: BotRequest) -> Json:
    """The action that a bot of the level chooses, as the game writes it. It gets what its seat saw, no more."""
    bot = briefed(bot_named(request.level, game.name), request.events)
    action: Json = game.write_action(bot.choose(request.view, random.Random(request.seed)))
    return action
