"""What the composition root hands in: the games that tables can be opened for, and the bots that can sit at them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stampede.core.errors import InputError
from stampede.core.spec import GameSpec

__all__ = ["Catalogue"]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The games on offer.

    Attributes:
        games: The games by name.
        levels: By game: the bots' levels that may sit at a table or take over a seat, weakest first.
    """

    games: Mapping[str, GameSpec]
    levels: Mapping[str, tuple[str, ...]]

    def game_named(self, name: str) -> GameSpec:
        """The game of that name; InputError when there is none."""
        if name not in self.games:
            known = ", ".join(self.games)
            raise InputError(f"game: expected one of {known}, got {name[:40]!r}")
        return self.games[name]

    def usual_level(self, game: str) -> str:
        """The bot that takes over a seat unless a table's settings say otherwise: neither weak nor slow."""
        levels = self.levels[game]
        return levels[(len(levels) - 1) // 2]

    def check_level(self, game: str, level: str | None, where: str) -> None:
        """Checks that there is a bot of this level; None, an open chair, is fine. InputError when there is none."""
        levels = self.levels[game]
        if level is not None and level not in levels:
            raise InputError(f"{where}: expected one of {', '.join(levels)}, got {level!r}")
