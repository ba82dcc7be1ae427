"""Blocks hold both ways, removals are remembered, reports are closed once and not kept for ever."""

from dataclasses import replace

import pytest

from stampede.store import Append, Listing, Store
from stampede.store.community import moderation as moderation_module
from stampede.store.community.chat import ChatMessage, ChatStore
from stampede.store.community.moderation import ModerationStore, PlayerBlock, PlayerReport
from stampede.store.log.entries import LogEntry
from stampede.store.log.redaction import delete_chat, replace_entries
from tests.store.opened import with_store

NOW = 1_700_000_000_000
REPORT = PlayerReport("r1", NOW, "open", "guest:g1", "guest:g2", "t1", 1, "Eve", "spam", "", "[1]")


def test_a_block_holds_for_both_and_is_lifted_by_its_maker(address: str) -> None:
    async def scenario(store: Store) -> None:
        moderation = ModerationStore(store.engine)
        block = PlayerBlock("g1", "g2", "b1", "Eve", NOW)
        later = PlayerBlock("g1", "g3", "b2", "Dan", NOW + 1)
        assert await moderation.add_block(block)
        assert not await moderation.add_block(replace(block, block_id="b3"))
        assert await moderation.add_block(later)
        assert await moderation.blocks("g1") == [later, block]
        assert await moderation.blocked_with("g1") == {"g2", "g3"}
        assert await moderation.blocked_with("g2") == {"g1"}
        assert not await moderation.unblock("g2", "b1")
        assert await moderation.unblock("g1", "b1")
        assert await moderation.blocked_with("g2") == set()

    with_store(address, scenario)


def test_tables_of_blocked_players_are_found(address: str) -> None:
    async def scenario(store: Store) -> None:
        for table, guests in (("t1", ("g1", "g2")), ("t2", ("g3",)), ("t3", ("g2",))):
            listing = Listing(table, "zoff", "open", True, NOW, "{}", guests)
            await store.append(Append(table, 1, ("{}",), listing))
        moderation = ModerationStore(store.engine)
        assert await moderation.tables_of(["g2"], ["t1", "t2"]) == {"t1"}
        assert await moderation.tables_of(["g2", "g3"], ["t1", "t2", "t3"]) == {"t1", "t2", "t3"}
        assert await moderation.tables_of([], ["t1"]) == set()

    with_store(address, scenario)


def test_a_removal_counts_for_that_table_alone(address: str) -> None:
    async def scenario(store: Store) -> None:
        moderation = ModerationStore(store.engine)
        await moderation.add_removal("t1", "guest:g1")
        await moderation.add_removal("t1", "guest:g1")
        assert await moderation.is_removed("t1", ["guest:g9", "guest:g1"])
        assert not await moderation.is_removed("t2", ["guest:g1"])
        assert not await moderation.is_removed("t1", [])

    with_store(address, scenario)


def test_one_open_report_a_reporter_player_and_table(address: str) -> None:
    async def scenario(store: Store) -> None:
        moderation = ModerationStore(store.engine)
        assert await moderation.add_report(REPORT)
        assert not await moderation.add_report(replace(REPORT, report_id="r2"))
        assert await moderation.add_report(replace(REPORT, report_id="r3", table_id="t2"))
        assert await moderation.close("r1")
        assert not await moderation.close("r1")
        assert await moderation.add_report(replace(REPORT, report_id="r4", at=NOW + 1))
        assert [each.report_id for each in await moderation.reports(closed=False)] == ["r3", "r4"]
        assert [each.report_id for each in await moderation.reports(closed=True, limit=2)] == [
            "r1",
            "r3",
        ]

    with_store(address, scenario)


def test_old_closed_reports_go_and_open_ones_stay(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moderation_module, "MAX_CLOSED_REPORTS", 2)

    async def scenario(store: Store) -> None:
        moderation = ModerationStore(store.engine)
        await moderation.add_report(replace(REPORT, report_id="open", reporter="guest:g7"))
        for number in range(4):
            await moderation.add_report(
                replace(REPORT, report_id=f"r{number}", at=NOW + number + 1)
            )
            await moderation.close(f"r{number}")
        await moderation.add_report(replace(REPORT, report_id="last", at=NOW + 9))
        kept = [each.report_id for each in await moderation.reports(closed=True)]
        assert kept == ["open", "r2", "r3", "last"]

    with_store(address, scenario)


def test_redaction_takes_the_name_and_the_words_and_leaves_the_rest(address: str) -> None:
    async def scenario(store: Store) -> None:
        moderation, chat = ModerationStore(store.engine), ChatStore(store.engine)
        listing = Listing("t1", "zoff", "over", True, NOW, '{"name":"Eve"}')
        await store.append(Append("t1", 1, ('{"name":"Eve"}', '{"name":"Ann"}'), listing))
        await store.append(Append("t2", 1, ('{"name":"Eve"}',)))
        await moderation.add_report(REPORT)
        for who in ("guest:g1", "guest:g2"):
            await chat.add("t1", ChatMessage(0, NOW, who, 0, "text", "hi"))
            await chat.set_consent("t1", who, agree=True)
        redacted = replace(listing, summary='{"name":"–"}')
        await replace_entries(store.engine, "t1", [LogEntry(1, '{"name":"–"}')], redacted)
        await delete_chat(store.engine, "guest:g2", "–")
        assert [entry.payload for entry in await store.read("t1")] == [
            '{"name":"–"}',
            '{"name":"Ann"}',
        ]
        assert [entry.payload for entry in await store.read("t2")] == ['{"name":"Eve"}']
        assert [message.who for message in await chat.messages("t1")] == ["guest:g1"]
        assert await chat.consents("t1") == {"guest:g1"}
        (report,) = await moderation.reports(closed=False)
        assert report == replace(REPORT, name="–", chat="[]")

    with_store(address, scenario)
