"""Chat: the latest messages of each table, for a while. Not part of the log, and in no record."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import CHAT, CONSENTS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["ChatMessage", "ChatStore"]

MAX_MESSAGES = 100
"""Messages of a table that are stored."""
MAX_DAYS = 30
TRIES = 5


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A chat message.

    Attributes:
        number: Counted at the table from 1.
        at: When it was sent.
        who: The sender.
        player: The sender's chair.
        kind: ``phrase``, ``text``, ``agree`` or ``decline``.
        text: The phrase's code, or the text.
    """

    number: int
    at: int
    who: str
    player: int
    kind: str
    text: str


class ChatStore:
    """Chat in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, table_id: str, message: ChatMessage) -> ChatMessage:
        """Stores a message under the table's next number; returns it with that number."""
        for _ in range(TRIES):
            try:
                return await self._add(table_id, message)
            except IntegrityError:  # another worker took the number
                continue
        return await self._add(table_id, message)

    async def _add(self, table_id: str, message: ChatMessage) -> ChatMessage:
        last = select(func.coalesce(func.max(CHAT.c.number), 0)).where(CHAT.c.table_id == table_id)
        async with begin_write(self._engine) as connection:
            number = int((await connection.execute(last)).scalar_one()) + 1
            stored = replace(message, number=number)
            row = {
                "table_id": table_id,
                "number": number,
                "at": stored.at,
                "who": stored.who,
                "player": stored.player,
                "kind": stored.kind,
                "text": stored.text,
            }
            await connection.execute(insert(CHAT), row)
            old = CHAT.c.at < message.at - MAX_DAYS * 24 * 3600 * 1000
            many = (CHAT.c.table_id == table_id) & (CHAT.c.number <= number - MAX_MESSAGES)
            await connection.execute(delete(CHAT).where(old | many))
        return stored

    async def messages(self, table_id: str, after: int = 0) -> list[ChatMessage]:
        """Returns the messages at a table after a number, in order."""
        query = (
            select(CHAT)
            .where(CHAT.c.table_id == table_id, CHAT.c.number > after)
            .order_by(CHAT.c.number)
        )
        async with begin_read(self._engine) as connection:
            return [
                ChatMessage(row.number, row.at, row.who, row.player, row.kind, row.text)
                for row in await connection.execute(query)
            ]

    async def set_consent(self, table_id: str, who: str, *, agree: bool) -> None:
        """Stores or deletes a consent to free text at a table."""
        mine = (CONSENTS.c.table_id == table_id) & (CONSENTS.c.who == who)
        async with begin_write(self._engine) as connection:
            await connection.execute(delete(CONSENTS).where(mine))
            if agree:
                await connection.execute(insert(CONSENTS), {"table_id": table_id, "who": who})

    async def consents(self, table_id: str) -> set[str]:
        """Returns who agrees to free text at a table."""
        query = select(CONSENTS.c.who).where(CONSENTS.c.table_id == table_id)
        async with begin_read(self._engine) as connection:
            return {str(row.who) for row in await connection.execute(query)}
