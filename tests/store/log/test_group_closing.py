"""The group-commit writer, in virtual time: closing writes what waits, and ends."""

import asyncio

import pytest

from stampede.store import (
    StoreUnavailable,
)
from stampede.store.log.group_commit import GroupWriter
from tests.store.log.writers import BACK_OFF, BUSY, Backend, Told, entry, with_writer


def test_closing_writes_what_waits_without_pauses_then_tells_all_then_closes() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(5):
            writer.put(entry(number), told.by(number))
        await writer.close()
        assert told.names == [str(number) for number in range(5)], "told before it returns"

    backend = Backend()
    told = with_writer(backend, scenario, group=2)
    assert backend.times == [0.0, 0.0, 0.0]
    assert told.errors == [None] * 5


def test_closing_an_idle_writer_returns_at_once() -> None:
    async def scenario(writer: GroupWriter, _: Told) -> None:
        await asyncio.sleep(1)
        await writer.close()
        assert asyncio.get_running_loop().time() == 1

    backend = Backend()
    with_writer(backend, scenario)
    assert backend.times == []


def test_closing_while_it_retries_waits_for_the_outcome() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        writer.put(entry("a"), told.by("a"))
        await asyncio.sleep(0.02)
        closing = asyncio.create_task(writer.close())
        await asyncio.sleep(0.02)
        assert not closing.done()
        with pytest.raises(StoreUnavailable, match="closed"):
            writer.put(entry("late"), told.by("late"))
        await closing
        assert told.errors == [None]

    backend = Backend([BUSY, BUSY, BUSY, None])
    with_writer(backend, scenario)
    assert backend.times == pytest.approx(BACK_OFF[:4])


def test_closing_gives_up_at_the_deadline_of_each_group() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(2):
            writer.put(entry(number), told.by(number))
        await writer.close()
        assert [type(error) for error in told.errors] == [StoreUnavailable] * 2

    told = with_writer(Backend([BUSY]), scenario, group=1, timeout=0.5)
    assert told.times == pytest.approx([0.31, 0.62])


def test_a_closed_writer_refuses_at_once() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        await writer.close()
        with pytest.raises(StoreUnavailable, match="the store is closed"):
            writer.put(entry("late"), told.by("late"))
        with pytest.raises(StoreUnavailable, match="the store is closed"):
            await writer.append(entry("late"))

    assert with_writer(Backend(), scenario).names == []


def test_the_pause_between_groups_ends_when_it_is_closed_and_nothing_is_left_behind() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        writer.put(entry("a"), told.by("a"))
        await asyncio.sleep(0.002)
        writer.put(entry("b"), told.by("b"))
        await writer.close()
        assert told.names == ["a", "b"]

    backend = Backend()
    with_writer(backend, scenario)
    assert backend.groups == [["a"], ["b"]]
    assert backend.times == pytest.approx([0.0, 0.01])
