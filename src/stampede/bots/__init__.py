"""Players that are programs. They are given a seat's view, never the state; see `stampede.bots.base`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from stampede.bots.base import Bot
from stampede.bots.random_bot import RandomBot
from stampede.core.errors import InputError

__all__ = ["BOT_NAMES", "Bot", "RandomBot", "bot_named", "bot_names"]

BOT_NAMES = ("random",)
"""The bots that play every game."""


def _buffalo(level: int) -> Bot:
    from stampede.bots.buffalo import buffalo_bot  # noqa: PLC0415 - compiled code loads slowly

    return buffalo_bot(level)


def _zoff(level: int) -> Bot:
    from stampede.bots.zoff import zoff_bot  # noqa: PLC0415 - compiled code loads slowly

    return zoff_bot(level)


_LEVELS: Final[Mapping[str, tuple[int, Callable[[int], Bot]]]] = {
    "buffalo": (8, _buffalo),
    "zoff": (6, _zoff),
}
"""By game: how many levels its bots have, and how to get one."""


def bot_names(game: str) -> tuple[str, ...]:
    """The names of all bots that play a game, levels last, weakest first."""
    count = _LEVELS[game][0] if game in _LEVELS else 0
    return (*BOT_NAMES, *(f"{game}-{level}" for level in range(1, count + 1)))


def bot_named(name: str, game: str | None = None) -> Bot:
    """The bot of that name; InputError when there is none.

    Args:
        name: ``random``, or a game and a level, such as ``buffalo-5``.
        game: What is to be played: then the level alone will do.
    """
    if name in BOT_NAMES:
        return RandomBot()
    of_game, _, level = name.rpartition("-")
    chosen = of_game or game or ""
    if level.isdecimal() and chosen in _LEVELS and (game is None or game == chosen):
        most, make = _LEVELS[chosen]
        if 1 <= int(level) <= most:
            return make(int(level))
    games = _LEVELS if game is None else [game]
    known = [f"{each}-1 to {each}-{_LEVELS[each][0]}" for each in games if each in _LEVELS]
    raise InputError(f"bot: expected {', '.join([*BOT_NAMES, *known])}, got {name!r}")
