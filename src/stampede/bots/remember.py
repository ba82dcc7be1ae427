"""Memory: some bots play better when they have seen what happened, as people do who sat at the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from stampede.bots.base import Bot
from stampede.core.events import Event

__all__ = ["Remembers", "briefed"]


@runtime_checkable
class Remembers(Protocol):
    """A bot that can be told what happened so far, as everybody at the table saw it when it happened."""

    def remembering(self, events: Iterable[Event]) -> Bot:
        """The same bot, having seen these events. It stays a value: nothing is kept in the bot that was asked."""


def briefed(bot: Bot, events: Iterable[Event]) -> Bot:
    """The bot with the memory of these events, if it has any use for them.

    Events hold only what all seats saw: sealed answers make none of their contents known before they are revealed.
    """
    return bot.remembering(events) if isinstance(bot, Remembers) else bot
