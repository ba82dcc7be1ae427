"""Bots of a command line: names, levels, entry points, and ``module:Class`` from the current folder."""

from __future__ import annotations

import sys
from pathlib import Path

from stampede.bots import Bot, find_bot

__all__ = ["own_bot", "see_current_folder"]


def see_current_folder(*names: str) -> None:
    """Lets ``module:Class`` name a module of the current folder, as ``python -m`` does."""
    here = str(Path.cwd())
    if any(":" in name for name in names) and here not in sys.path:
        sys.path.insert(0, here)


def own_bot(name: str, game: str) -> Bot:
    """Returns the bot of that name for a game; InputError when there is none."""
    see_current_folder(name)
    return find_bot(name, game)
