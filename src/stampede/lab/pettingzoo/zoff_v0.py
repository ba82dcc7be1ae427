"""Zoff for PettingZoo. The options are those of `stampede.lab.vector.ZoffVec`, with ``illegal="terminate"``."""

from __future__ import annotations

from typing import Any

from stampede.lab.pettingzoo.seats import SeatsAEC, SeatsParallel
from stampede.lab.vector import ZoffVec

__all__ = ["env", "parallel_env"]

_USUAL: dict[str, Any] = {"illegal": "terminate", "rotate": True}


def env(players: int = 4, *, render_mode: str | None = None, **options: Any) -> SeatsAEC:
    """Makes a game of Zoff in which agents take turns (AEC)."""
    games = ZoffVec(1, players, autoreset="disabled", **{**_USUAL, **options})
    return SeatsAEC(games, "zoff_v0", render_mode)


def parallel_env(
    players: int = 4, *, render_mode: str | None = None, **options: Any
) -> SeatsParallel:
    """Makes a game of Zoff in which all agents act at every step."""
    games = ZoffVec(1, players, autoreset="disabled", **{**_USUAL, **options})
    return SeatsParallel(games, "zoff_v0", render_mode)
