"""The group-commit writer, in virtual time: which appends make a group, and when it is written."""

import asyncio

import pytest

from stampede.store import (
    SequenceTaken,
    StoreBusy,
    StoreFull,
)
from stampede.store.log.group_commit import GroupWriter
from tests.store.log.writers import Backend, Told, entry, with_writer


def test_what_waits_together_is_one_group_in_the_order_of_putting() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(5):
            writer.put(entry(number), told.by(number))
        assert (writer.pending, told.names) == (5, [])

    backend = Backend()
    told = with_writer(backend, scenario)
    assert backend.groups == [["0", "1", "2", "3", "4"]]
    assert told.names == ["0", "1", "2", "3", "4"]
    assert told.errors == [None] * 5


def test_the_next_group_gathers_while_one_is_written_and_comes_at_once_when_that_took_long() -> (
    None
):
    async def scenario(writer: GroupWriter, told: Told) -> None:
        writer.put(entry("a"), told.by("a"))
        await asyncio.sleep(0.02)
        writer.put(entry("b"), told.by("b"))
        writer.put(entry("c"), told.by("c"))
        await asyncio.sleep(0.2)

    backend = Backend(seconds=0.05)
    told = with_writer(backend, scenario)
    assert backend.groups == [["a"], ["b", "c"]]
    assert backend.times == pytest.approx([0.0, 0.05])
    assert told.times == pytest.approx([0.05, 0.1, 0.1])


def test_groups_begin_at_least_ten_milliseconds_apart_and_a_lone_append_doesn_t_wait() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(4):
            writer.put(entry(number), told.by(number))
            await asyncio.sleep(0.004)
        await asyncio.sleep(1)
        writer.put(entry("alone"), told.by("alone"))
        await asyncio.sleep(1)

    backend = Backend(seconds=0.001)
    told = with_writer(backend, scenario)
    assert backend.groups == [["0"], ["1", "2"], ["3"], ["alone"]]
    assert backend.times == pytest.approx([0.0, 0.01, 0.02, 1.016])
    assert told.times[-1] == pytest.approx(1.017)


def test_a_group_has_at_most_its_size_and_the_rest_follows_in_order() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(7):
            writer.put(entry(number), told.by(number))
        await asyncio.sleep(1)

    backend = Backend()
    told = with_writer(backend, scenario, group=3)
    assert backend.groups == [["0", "1", "2"], ["3", "4", "5"], ["6"]]
    assert told.names == [str(number) for number in range(7)]


def test_callbacks_run_while_the_next_group_is_on_its_way() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(2):
            writer.put(entry(number), told.by(number))
        await asyncio.sleep(1)

    backend = Backend(seconds=0.05)
    told = with_writer(backend, scenario, group=1)
    assert backend.times == pytest.approx([0.0, 0.05])
    assert told.times == pytest.approx([0.05, 0.1])


def test_the_queue_takes_its_capacity_and_no_more() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(3):
            writer.put(entry(number), told.by(number))
        with pytest.raises(StoreBusy, match="at most 3 waiting"):
            writer.put(entry("over"), told.by("over"))
        await asyncio.sleep(0.001)  # the group is on its way: there is room again
        for number in range(3, 6):
            writer.put(entry(number), told.by(number))
        with pytest.raises(StoreBusy):
            writer.put(entry("over"), told.by("over"))
        await asyncio.sleep(1)

    backend = Backend(seconds=0.01)
    told = with_writer(backend, scenario, capacity=3)
    assert backend.stored == told.names == ["0", "1", "2", "3", "4", "5"]


def test_figures_count_groups_and_outcomes() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(3):
            writer.put(entry(number), told.by(number))
        await asyncio.sleep(1)
        writer.put(entry("lost"), told.by("lost"))
        await asyncio.sleep(1)
        assert (writer.groups, writer.written, writer.refused) == (2, 2, 2)

    refusal = SequenceTaken("another was first")
    told = with_writer(Backend([[None, refusal, None], StoreFull("full")]), scenario)
    assert told.errors[:3] == [None, refusal, None]
    assert isinstance(told.errors[3], StoreFull)
