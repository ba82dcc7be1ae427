"""The registry: every game by its name, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stampede.buffalo import BuffaloGame
from stampede.core.errors import RuleSetError
from stampede.core.game import GameSpec
from stampede.zoff import ZoffGame
from stampede.zoff.rules import PLAYERS

__all__ = ["GAMES", "game_named"]

GAMES: Mapping[str, GameSpec] = MappingProxyType(
    {
        "zoff": GameSpec(
            ZoffGame(), "Zoff in Buffalo", PLAYERS, ("auction", "fair", "open_discards")
        ),
        "buffalo": GameSpec(BuffaloGame(), "Buffalo", (2,)),
    }
)


def game_named(name: str) -> GameSpec:
    """The game of that name; RuleSetError when there is none."""
    if name not in GAMES:
        raise RuleSetError(f"game: expected {' or '.join(GAMES)}, got {name!r}")
    return GAMES[name]
