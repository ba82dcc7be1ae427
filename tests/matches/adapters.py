"""What a composition root hands in: both games, and the names of a few bots."""

from __future__ import annotations

from stampede.games import GAMES
from stampede.matches import Catalogue

CATALOGUE = Catalogue(
    GAMES, {"zoff": ("random", "easy"), "buffalo": ("random",)}, {"easy": ("calm", "wild")}
)
