"""Bots for Zoff: at first sight, or by a search within a level's effort.

Compiled code is loaded by `stampede.bots.zoff.search`, at the first decision of a level that thinks.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from stampede.bots.zoff.levels import ZoffLevel, level_of, preferences_of
from stampede.bots.zoff.memory import Memory
from stampede.bots.zoff.sight import act_at_sight
from stampede.core.errors import InputError, NotToAct
from stampede.core.events import Event
from stampede.core.game import View
from stampede.zoff.actions import ZoffAction
from stampede.zoff.view import ZoffView

__all__ = ["ZoffBot", "zoff_bot"]

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class ZoffBot:
    """A player of Zoff.

    Without a memory it guesses the others' hands anew for every decision: fair, but weaker. Hand it the game's events
    so that it remembers: ``bot.with_memory(events).choose(view, rng)``.

    Attributes:
        level: How strong it is.
        temperament: What it wants.
        memory: What it remembers.
    """

    level: ZoffLevel
    temperament: str = "balanced"
    memory: Memory = field(default_factory=Memory)

    @property
    def name(self) -> str:
        """Its name on the command line and in records."""
        plain = f"zoff-{self.level.number}"
        return plain if self.temperament == "balanced" else f"{plain}-{self.temperament}"

    @property
    def needs_compiled_code(self) -> bool:
        """Whether it can't answer before kernels are compiled."""
        return self.level.sight is None

    @property
    def is_light(self) -> bool:
        """Whether its kernels take a second or two for a decision as plain Python."""
        return self.level.is_light

    def with_memory(self, events: Iterable[Event]) -> ZoffBot:
        """The same bot, having seen these events of the game."""
        return replace(self, memory=Memory.of(events))

    def choose(self, view: View[A], rng: random.Random) -> A:
        """One of ``view.legal``.

        Raises:
            InputError: It isn't a view of Zoff.
            NotToAct: The viewer isn't asked: the request is outdated.
        """
        seen: object = view
        if not isinstance(seen, ZoffView):
            raise InputError(f"expected a view of Zoff, got {type(seen).__name__}")
        return cast("A", self.decide(seen, rng))

    def decide(self, view: ZoffView, rng: random.Random) -> ZoffAction:
        """The answer to what the viewer is asked."""
        if view.viewer is None or view.viewer not in view.to_act:
            raise NotToAct(f"expected a view of seat {view.to_act}, got seat {view.viewer}")
        sight = self.level.sight
        if sight is not None:
            return act_at_sight(view, sight, rng)
        from stampede.bots.zoff.search import Searcher  # noqa: PLC0415 - loads compiled code

        return Searcher(self.level, preferences_of(self.temperament), self.memory).decide(view, rng)


def zoff_bot(level: int, temperament: str = "balanced") -> ZoffBot:
    """The bot of a level and temperament; InputError when there is none."""
    preferences_of(temperament)
    return ZoffBot(level_of(level), temperament)
