"""Players that are programs. They are given a seat's view, never the state; see `stampede.bots.base`."""

from __future__ import annotations

from stampede.bots.base import Bot, PlayerView, seen_by
from stampede.bots.random_bot import RandomBot
from stampede.core.errors import InputError

__all__ = ["BOT_NAMES", "Bot", "PlayerView", "RandomBot", "bot_named", "seen_by"]

BOT_NAMES = ("random",)


def bot_named(name: str) -> Bot:
    """The bot of that name; InputError when there is none."""
    match name:
        case "random":
            return RandomBot()
        case _:
            raise InputError(f"bot: expected one of {', '.join(BOT_NAMES)}, got {name!r}")
