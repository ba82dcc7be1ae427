"""The face of each game in a terminal: how it is shown, and how answers are typed."""

from __future__ import annotations

from pathlib import Path

from stampede.cli.options import zoff_game
from stampede.cli.terminal.base import AnyGameTerminal, AnyPlaythrough, GameTerminal, heading
from stampede.cli.terminal.buffalo import BuffaloTerminal
from stampede.cli.terminal.zoff import ZoffTerminal
from stampede.core.errors import InputError
from stampede.games import game_named

__all__ = [
    "AnyGameTerminal",
    "AnyPlaythrough",
    "BuffaloTerminal",
    "GameTerminal",
    "ZoffTerminal",
    "heading",
    "terminal_for",
]


def terminal_for(name: str, edition: Path | None = None) -> AnyGameTerminal:
    """The face of the game of this name; Zoff's may know the edition of a file, too."""
    spec = game_named(name)
    if spec.name == ZoffTerminal.name:
        return ZoffTerminal(zoff_game(edition))
    if edition is not None:
        raise InputError(f"--edition: only Zoff has editions, not {spec.title}")
    return BuffaloTerminal()
