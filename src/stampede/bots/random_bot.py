"""The random bot: the baseline that every other bot has to beat."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TypeVar

from stampede.core.game import View

__all__ = ["RandomBot"]

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Draws one of the legal actions, every one equally likely (bids: see `stampede.zoff.legal.BidOptions`)."""

    name: str = "random"

    def choose(self, view: View[A], rng: random.Random) -> A:
        """One of the viewer's legal actions."""
        return view.legal.sample(rng)
