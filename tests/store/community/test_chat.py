"""Chat: numbered by table, kept for a while; consents are given and taken back."""

import asyncio
from dataclasses import replace

import pytest

from stampede.store import Store
from stampede.store.community import chat as chat_module
from stampede.store.community.chat import ChatMessage, ChatStore
from tests.store.opened import with_store

NOW = 1_700_000_000_000
DAY = 24 * 3600 * 1000
HELLO = ChatMessage(0, NOW, "guest:g1", 0, "phrase", "hello")


def test_messages_are_numbered_by_table_even_when_sent_at_once(address: str) -> None:
    async def scenario(store: Store) -> None:
        chat = ChatStore(store.engine)
        sent = await asyncio.gather(*(chat.add("t1", HELLO) for _ in range(6)))
        assert sorted(message.number for message in sent) == [1, 2, 3, 4, 5, 6]
        assert await chat.add("t2", HELLO) == replace(HELLO, number=1)
        assert [message.number for message in await chat.messages("t1", after=4)] == [5, 6]

    with_store(address, scenario)


def test_only_the_latest_messages_are_kept(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_module, "MAX_MESSAGES", 3)

    async def scenario(store: Store) -> None:
        chat = ChatStore(store.engine)
        await chat.add("old", replace(HELLO, at=NOW - 31 * DAY))
        for _ in range(5):
            await chat.add("t1", HELLO)
        assert [message.number for message in await chat.messages("t1")] == [3, 4, 5]
        assert await chat.messages("old") == []

    with_store(address, scenario)


def test_a_consent_can_be_given_twice_and_taken_back(address: str) -> None:
    async def scenario(store: Store) -> None:
        chat = ChatStore(store.engine)
        for who in ("g1", "g1", "g2"):
            await chat.set_consent("t1", who, agree=True)
        assert await chat.consents("t1") == {"g1", "g2"}
        await chat.set_consent("t1", "g1", agree=False)
        assert await chat.consents("t1") == {"g2"}
        assert await chat.consents("t2") == set()

    with_store(address, scenario)
