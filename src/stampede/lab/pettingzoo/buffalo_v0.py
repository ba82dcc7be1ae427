"""Buffalo for PettingZoo. The options are those of `stampede.lab.vector.BuffaloVec`, with ``illegal="terminate"``."""

from __future__ import annotations

from typing import Any

from stampede.lab.pettingzoo.seats import SeatsAEC, SeatsParallel
from stampede.lab.vector import BuffaloVec

__all__ = ["env", "parallel_env"]

_USUAL: dict[str, Any] = {"illegal": "terminate"}


def env(*, render_mode: str | None = None, **options: Any) -> SeatsAEC:
    """Makes a game of Buffalo in which agents take turns (AEC)."""
    games = BuffaloVec(1, autoreset="disabled", **{**_USUAL, **options})
    return SeatsAEC(games, "buffalo_v0", render_mode)


def parallel_env(*, render_mode: str | None = None, **options: Any) -> SeatsParallel:
    """Makes a game of Buffalo in which both agents act at every step, one of them by doing nothing."""
    games = BuffaloVec(1, autoreset="disabled", **{**_USUAL, **options})
    return SeatsParallel(games, "buffalo_v0", render_mode)
