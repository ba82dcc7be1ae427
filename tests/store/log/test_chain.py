"""The chain notices every changed, missing, swapped or foreign entry, and lets a name be taken out."""

import asyncio
import json
from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import delete, update

from stampede.store import Append, Listing, LogDamaged, LogEntry, Store
from stampede.store.log.chain import find_break, verify_chain
from stampede.store.log.redaction import replace_entries
from stampede.store.schema import ENTRIES
from stampede.store.transactions import begin_write
from tests.store.chains import Chains

PAYLOADS = [json.dumps({"n": number, "name": "Ännchen"}) for number in range(6)]


async def fill(store: Store, *tables: str) -> Chains:
    chains = Chains()
    for table in tables:
        for payload in PAYLOADS:
            await store.append(chains.following(table, payload))
    return chains


@pytest.mark.parametrize(
    ("column", "value"),
    [("payload", '{"n":9}'), ("mark", "0" * 16), ("chain", "0" * 32), ("seq", 99)],
)
def test_a_changed_entry_is_noticed_and_other_tables_are_read(
    address: str, column: str, value: object
) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        await fill(store, "a", "b")
        async with begin_write(store.engine) as connection:
            row = (ENTRIES.c.table_id == "a") & (ENTRIES.c.seq == 3)
            await connection.execute(update(ENTRIES).where(row).values({column: value}))
        with pytest.raises(LogDamaged, match="entry 3"):
            await store.read("a")
        assert len(await store.read("b")) == len(PAYLOADS)
        await store.close()

    asyncio.run(scenario())


def test_a_missing_entry_is_noticed(address: str) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        await fill(store, "a")
        async with begin_write(store.engine) as connection:
            await connection.execute(delete(ENTRIES).where(ENTRIES.c.seq == 2))
        with pytest.raises(LogDamaged, match="entry 2 is missing"):
            await store.read("a")
        await store.close()

    asyncio.run(scenario())


def entries_of(table: str) -> list[LogEntry]:
    chains = Chains()
    appends = [chains.following(table, payload) for payload in PAYLOADS]
    return [LogEntry(item.first, item.payloads[0], item.mark, item.chains[0]) for item in appends]


@pytest.mark.parametrize(
    "change",
    [
        lambda log: [log[1], log[0], *log[2:]],
        lambda log: log[1:],
        lambda log: [*log[:2], *log[3:]],
        lambda log: [*log, log[-1]],
        lambda log: [*log[:3], LogEntry(4, log[3].payload, log[3].mark, log[4].chain), *log[4:]],
        lambda log: [*log[:3], entries_of("a")[3], *log[4:]],
        lambda _: entries_of("b"),
    ],
)
def test_what_isn_t_the_log_breaks_the_chain(
    change: Callable[[list[LogEntry]], Sequence[LogEntry]],
) -> None:
    log = entries_of("a")
    assert find_break("a", log) is None
    assert verify_chain("a", log[4:], seq=4, chain=log[3].chain) == log[-1].chain
    with pytest.raises(LogDamaged):
        verify_chain("a", change(log))


def test_reading_on_needs_the_chain_of_what_was_read(address: str) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        await fill(store, "a")
        log = await store.read("a")
        later = await store.read("a", 4)
        assert find_break("a", later, seq=4, chain=log[3].chain) is None
        found = find_break("a", later, seq=4, chain=log[2].chain)
        assert found is not None
        assert found.last_sound == 4
        await store.close()

    asyncio.run(scenario())


def test_a_redacted_log_is_sound_and_writers_that_know_its_end_go_on(address: str) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        chains = await fill(store, "a")
        before = await store.read("a")
        texts = [LogEntry(seq, '{"name":"deleted"}') for seq in (1, 2, 6)]
        await replace_entries(store.engine, "a", texts, Listing("a", "zoff", "open", True, 1, "{}"))
        await store.append(chains.following("a", "later"))
        log = await store.read("a")
        assert [entry.payload for entry in log if "deleted" in entry.payload] == [
            text.payload for text in texts
        ]
        assert [entry.chain for entry in log[:-1]] == [entry.chain for entry in before]
        sealed = {
            entry.seq for entry, old in zip(log, before, strict=False) if entry.mark != old.mark
        }
        assert sealed == {1, 2, 6}, (
            "the random mark goes: the digest must not confirm a guessed name"
        )
        async with begin_write(store.engine) as connection:
            row = ENTRIES.c.seq == 2
            await connection.execute(update(ENTRIES).where(row).values(payload='{"name":"Eve"}'))
        with pytest.raises(LogDamaged, match="entry 2"):
            await store.read("a")
        await store.close()

    asyncio.run(scenario())


def test_an_append_computes_its_chain_once() -> None:
    append = Append("a", 1, ("1", "2"))
    assert append.chains is append.chains
    assert [row[-1] for row in append.rows()] == append.chains
