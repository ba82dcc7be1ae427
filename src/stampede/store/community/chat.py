"""What was said at tables: the latest of each table, for a while. Not part of the log, and in no record."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import CHAT, CONSENTS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["ChatMessage", "ChatStore"]

MOST = 100
"""So many messages of a table are kept."""
DAYS = 30
TRIES = 5


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Something that was said.

    Attributes:
        number: Counted at the table, from 1.
        at: When.
        who: Who said it.
        player: On which chair he sat.
        kind: ``phrase``, ``text``, ``agree`` or ``decline``.
        text: The phrase's code, or the words.
    """

    number: int
    at: int
    who: str
    player: int
    kind: str
    text: str


class ChatStore:
    """Talk in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def say(self, table_id: str, said: ChatMessage) -> ChatMessage:
        """Keeps what was said under the table's next number; returns it with that number."""
        for _ in range(TRIES):
            try:
                return await self._say(table_id, said)
            except IntegrityError:  # another worker took the number
                continue
        return await self._say(table_id, said)

    async def _say(self, table_id: str, said: ChatMessage) -> ChatMessage:
        last = select(func.coalesce(func.max(CHAT.c.number), 0)).where(CHAT.c.table_id == table_id)
        async with begin_write(self._engine) as connection:
            number = int((await connection.execute(last)).scalar_one()) + 1
            kept = ChatMessage(number, said.at, said.who, said.player, said.kind, said.text)
            row = {
                "table_id": table_id,
                "number": number,
                "at": kept.at,
                "who": kept.who,
                "player": kept.player,
                "kind": kept.kind,
                "text": kept.text,
            }
            await connection.execute(insert(CHAT), row)
            old = CHAT.c.at < said.at - DAYS * 24 * 3600 * 1000
            many = (CHAT.c.table_id == table_id) & (CHAT.c.number <= number - MOST)
            await connection.execute(delete(CHAT).where(old | many))
        return kept

    async def heard(self, table_id: str, after: int = 0) -> list[ChatMessage]:
        """What was said at a table behind a number, in order."""
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

    async def agree(self, table_id: str, who: str, *, agree: bool) -> None:
        """Notes who agrees to free text at a table."""
        mine = (CONSENTS.c.table_id == table_id) & (CONSENTS.c.who == who)
        async with begin_write(self._engine) as connection:
            await connection.execute(delete(CONSENTS).where(mine))
            if agree:
                await connection.execute(insert(CONSENTS), {"table_id": table_id, "who": who})

    async def agreed(self, table_id: str) -> set[str]:
        """Who agrees to free text at a table."""
        query = select(CONSENTS.c.who).where(CONSENTS.c.table_id == table_id)
        async with begin_read(self._engine) as connection:
            return {str(row.who) for row in await connection.execute(query)}
