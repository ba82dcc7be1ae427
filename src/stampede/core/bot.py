"""What a bot is: it chooses among a seat's legal actions, and knows nothing but that seat's view."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

from stampede.core.events import Event

__all__ = ["Bot", "RememberingBot", "give_memory"]


class Bot(Protocol):
    """A player that is a program.

    >>> class First:
    ...     name = "first"
    ...     def choose(self, view, rng):
    ...         return view.legal[0]
    >>> import random, stampede
    >>> game = stampede.new_game("buffalo")
    >>> _ = game.play_bot(First(), random.Random(1))
    >>> print(game.turns[0].action)
    a7a6

    A bot keeps nothing between calls: the same view and generator state give the same answer. So games can be replayed,
    resumed and spread over processes.
    """

    @property
    def name(self) -> str:
        """Its name on the command line and in records (``"bot"`` of a seat)."""

    # A bot may play one game only and name that game's own types, so these can't be named here.
    def choose(self, view: Any, rng: random.Random) -> Any:
        """One of ``view.legal``; called only when the viewer is to act."""


@runtime_checkable
class RememberingBot(Protocol):
    """A bot that plays better if it remembers what happened, as people at the table do."""

    def with_memory(self, events: Iterable[Event]) -> Bot:
        """The same bot with the memory of these events; the bot itself doesn't change."""


def give_memory(bot: Bot, events: Iterable[Event]) -> Bot:
    """The bot with the memory of these events, if it uses one.

    Events hold only what all seats saw: sealed answers show their contents when they are revealed, not before.
    """
    return bot.with_memory(events) if isinstance(bot, RememberingBot) else bot
