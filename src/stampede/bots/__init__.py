"""Players that are programs. They are given a seat's view, never the state; see `stampede.core.bot`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from stampede.bots.custom import installed_bots, load_bot
from stampede.bots.random_bot import RandomBot
from stampede.core.bot import Bot
from stampede.core.errors import InputError
from stampede.core.extras import name_missing_extras, require

__all__ = [
    "BOT_NAMES",
    "GUIDE",
    "Bot",
    "RandomBot",
    "bot_named",
    "bot_names",
    "describe_bots",
    "find_bot",
    "temperaments_of",
]

BOT_NAMES = ("random",)
"""The bots that play every game."""
GUIDE: Final = "guide"
"""The bots of a coached game (`stampede.bots.guides`). Nobody can ask for one by its name in a list of levels."""


def _buffalo(level: int) -> Bot:
    from stampede.bots.buffalo.player import buffalo_bot  # noqa: PLC0415 - loaded when needed

    return buffalo_bot(level)


def _guide() -> Bot:
    from stampede.bots.guides import GuideBot  # noqa: PLC0415 - loaded when needed

    return GuideBot()


def _zoff(level: int, temperament: str = "") -> Bot:
    from stampede.bots.zoff.player import zoff_bot  # noqa: PLC0415 - loaded when needed

    return zoff_bot(level, temperament or BALANCED)


BALANCED: Final = "balanced"
"""The usual temperament."""
_LEVELS: Final[Mapping[str, tuple[int, Callable[[int], Bot]]]] = {
    "buffalo": (10, _buffalo),
    "zoff": (6, _zoff),
}
"""By game: how many levels its bots have, and how to get one."""
_TEMPERAMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    f"zoff-{level}": (BALANCED, "settler", "spoiler", "farmer") for level in range(3, 7)
}
"""By level: what its bots may want, the usual first. Levels that play at first sight have no choice."""


def temperaments_of(level: str) -> tuple[str, ...]:
    """The temperaments that a level's bots can have, the usual one first; empty for a level without a choice.

    >>> temperaments_of("zoff-4")
    ('balanced', 'settler', 'spoiler', 'farmer')
    """
    return _TEMPERAMENTS.get(level, ())


def bot_names(game: str) -> tuple[str, ...]:
    """The names of the package's own bots that play a game, levels last, weakest first."""
    count = _LEVELS[game][0] if game in _LEVELS else 0
    return (*BOT_NAMES, *(f"{game}-{level}" for level in range(1, count + 1)))


def describe_bots(game: str | None = None) -> str:
    """The names of the package's own bots in words: ``random, zoff-1 to zoff-6``."""
    games = _LEVELS if game is None else [game]
    known = [f"{each}-1 to {each}-{_LEVELS[each][0]}" for each in games if each in _LEVELS]
    return ", ".join([*BOT_NAMES, *known])


def bot_named(name: str, game: str | None = None) -> Bot:
    """The package's own bot of that name; InputError when there is none.

    Servers use this one: no name that a client sends makes it import a module.

    Args:
        name: ``random``, or a game and a level, such as ``buffalo-5``, and a temperament: ``zoff-4-spoiler``.
        game: What is to be played: then the level alone will do.
    """
    found = _own_bot(name, game)
    if found is None:
        raise InputError(f"bot: expected {describe_bots(game)}, got {name!r}")
    return found


def find_bot(name: str, game: str | None = None) -> Bot:
    """The bot of that name, one's own bots included: ``module:Class``, or an entry point (`stampede.bots.custom`).

    Args:
        name: As for `bot_named`, or a path such as ``my_bots:Greedy``, or the name of an entry point.
        game: What is to be played: then the level alone will do.
    """
    if ":" in name:
        return load_bot(name)
    found = _own_bot(name, game)
    if found is not None:
        return found
    installed = installed_bots()
    if name in installed:
        return load_bot(installed[name].value)
    known = ", ".join([describe_bots(game), *sorted(installed), "or module:Class"])
    raise InputError(f"bot: expected {known}, got {name!r}")


def _own_bot(name: str, game: str | None) -> Bot | None:
    if name in BOT_NAMES:
        return RandomBot()
    if name == GUIDE:
        return _guide()
    plain, _, last = name.rpartition("-")
    temperament = "" if last.isdecimal() else last
    of_game, _, level = (plain if temperament else name).rpartition("-")
    chosen = of_game or game or ""
    if temperament and temperament not in temperaments_of(f"{chosen}-{level}"):
        return None
    if level.isdecimal() and chosen in _LEVELS and (game is None or game == chosen):
        most, make = _LEVELS[chosen]
        if 1 <= int(level) <= most:
            with name_missing_extras():
                found = _zoff(int(level), temperament) if temperament else make(int(level))
                if getattr(found, "needs_compiled_code", False):
                    require("numpy", "numba")  # now, not at its first decision
                return found
    return None
