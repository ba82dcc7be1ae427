"""Games in a terminal: a `GameTerminal` for each game of the registry, and the screen that they are shown on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from stampede.cli.terminal.base import (
    AnyGameTerminal,
    AnyPlaythrough,
    GameTerminal,
    bare_table,
    heading,
)
from stampede.cli.terminal.buffalo import BuffaloTerminal
from stampede.cli.terminal.screen import Quit, Screen
from stampede.cli.terminal.zoff import ZoffTerminal
from stampede.core.errors import InputError
from stampede.games import BUFFALO, GAMES, ZOFF, game_named

__all__ = [
    "AnyGameTerminal",
    "AnyPlaythrough",
    "BuffaloTerminal",
    "GameTerminal",
    "Quit",
    "Screen",
    "Terminals",
    "ZoffTerminal",
    "bare_table",
    "has_editions",
    "heading",
    "terminal_for",
]

_TERMINALS: Final[Mapping[str, Callable[[], AnyGameTerminal]]] = {
    ZOFF.name: ZoffTerminal,
    BUFFALO.name: BuffaloTerminal,
}
_WITH_EDITION: Final[Mapping[str, Callable[[Path], AnyGameTerminal]]] = {
    ZOFF.name: ZoffTerminal.with_edition
}


def terminal_for(name: str, edition: Path | None = None) -> AnyGameTerminal:
    """Returns the terminal of a game; InputError if the game has no editions but one is given.

    Args:
        name: The game's name.
        edition: A file with an edition of the game's printed data, known beside the shipped one.
    """
    spec = game_named(name)
    if edition is None:
        return _TERMINALS[spec.name]()
    if not has_editions(spec.name):
        known = " and ".join(game_named(game).title for game in _WITH_EDITION)
        raise InputError(f"--edition: expected a game with editions ({known}), got {spec.title}")
    return _WITH_EDITION[spec.name](edition)


def has_editions(name: str) -> bool:
    """Returns whether a game's printed data can come from a file."""
    return name in _WITH_EDITION


class Terminals:
    """The terminals by game; one whose game has editions knows the edition of a file, too."""

    def __init__(self, edition: Path | None) -> None:
        # All at once: a wrong edition is bad input, not a wrong record.
        self.known = {
            name: terminal_for(name, edition if has_editions(name) else None) for name in GAMES
        }

    def named(self, game: str) -> AnyGameTerminal:
        """Returns the terminal of a game; RuleSetError if there is no such game."""
        return self.known[game_named(game).name]
