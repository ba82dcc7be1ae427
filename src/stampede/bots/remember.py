"""Memory: some bots play better if they remember what happened, as people at the table do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from stampede.bots.base import Bot
from stampede.core.events import Event

__all__ = ["Remembers", "briefed"]


@runtime_checkable
class Remembers(Protocol):
    """A bot that uses what happened so far, as everyone at the table saw it when it happened."""

    def remembering(self, events: Iterable[Event]) -> Bot:
        """The same bot with the memory of these events; the bot itself doesn't change."""


def briefed(bot: Bot, events: Iterable[Event]) -> Bot:
    """The bot with the memory of these events, if it uses one.

    Events hold only what all seats saw: sealed answers show their contents when they are revealed, not before.
    """
    return bot.remembering(events) if isinstance(bot, Remembers) else bot
