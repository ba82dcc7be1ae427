"""The group-commit writer, in virtual time: how long it tries, and what is told when it gives up."""

import asyncio
import logging

import pytest

from stampede.store import (
    StoreError,
    StoreFull,
    StoreUnavailable,
)
from stampede.store.log.group_commit import GroupWriter, Retryable
from tests.store.log.writers import BACK_OFF, BUSY, Backend, Told, entry, with_writer


def test_a_busy_database_is_tried_at_growing_intervals_until_it_answers() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        writer.put(entry("a"), told.by("a"))
        await asyncio.sleep(5)

    backend = Backend([*[BUSY] * 8, None])
    told = with_writer(backend, scenario)
    assert backend.times == pytest.approx(BACK_OFF)
    assert backend.groups == [["a"]] * 9
    assert told.errors == [None]
    assert told.times == pytest.approx([1.06])


def test_each_group_begins_with_the_shortest_delay_and_its_own_deadline() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for name in ("a", "b"):
            writer.put(entry(name), told.by(name))
            await asyncio.sleep(0.9)

    backend = Backend([BUSY, BUSY, BUSY, None, BUSY, BUSY, BUSY, None])
    told = with_writer(backend, scenario, timeout=0.5)
    assert backend.times == pytest.approx([0, 0.01, 0.03, 0.07, 0.9, 0.91, 0.93, 0.97])
    assert told.errors == [None, None]


def test_all_appends_of_a_group_are_told_when_the_deadline_is_over() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for number in range(3):
            writer.put(entry(number), told.by(number))
        await asyncio.sleep(1)
        assert isinstance(writer.failure, StoreUnavailable)

    backend = Backend([BUSY])
    told = with_writer(backend, scenario, timeout=0.5)
    assert backend.times == pytest.approx([0.0, 0.01, 0.03, 0.07, 0.15, 0.31])
    assert told.times == pytest.approx([0.31] * 3), "another try would end after the deadline"
    assert backend.stored == []
    for error in told.errors:
        assert isinstance(error, StoreUnavailable)
        assert str(error) == "expected the database to answer within 0.5 s, got: database is locked"
    assert len(set(map(id, told.errors))) == 3, "an error is raised to one caller only"


def test_a_try_that_begins_at_the_very_deadline_is_made() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        writer.put(entry("a"), told.by("a"))
        await asyncio.sleep(1)

    backend = Backend([BUSY, None])
    told = with_writer(backend, scenario, timeout=0.01)
    assert (len(backend.times), told.errors) == (2, [None])


def test_time_in_the_database_counts_towards_the_deadline() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        writer.put(entry("a"), told.by("a"))
        await asyncio.sleep(9)

    backend = Backend([BUSY], seconds=1.0)
    told = with_writer(backend, scenario, timeout=2.5)
    assert backend.times == pytest.approx([0.0, 1.01, 2.03])
    assert told.times == pytest.approx([3.03])


def test_after_a_failure_the_next_group_is_tried_afresh() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        writer.put(entry("a"), told.by("a"))
        await asyncio.sleep(1)
        assert isinstance(writer.failure, StoreFull)
        writer.put(entry("b"), told.by("b"))
        await asyncio.sleep(1)
        assert writer.failure is None

    backend = Backend([StoreFull("the disk is full"), None])
    told = with_writer(backend, scenario)
    assert backend.stored == ["b"]
    assert isinstance(told.errors[0], StoreFull)
    assert str(told.errors[0]) == "the disk is full"
    assert told.errors[1] is None


@pytest.mark.parametrize(
    ("error", "expected", "tries"),
    [
        (StoreFull("full"), StoreFull, 1),
        (StoreUnavailable("away"), StoreUnavailable, 1),
        (ValueError("a bug"), StoreUnavailable, 1),
        (OSError(5, "broken"), StoreUnavailable, 1),
        (Retryable("busy"), StoreUnavailable, 6),
    ],
)
def test_every_kind_of_error_is_told_to_all_and_the_writer_lives_on(
    error: Exception,
    expected: type[StoreError],
    tries: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        for name in ("a", "b"):
            writer.put(entry(name), told.by(name))
        await asyncio.sleep(1)
        backend.answers = [None]
        writer.put(entry("c"), told.by("c"))
        await asyncio.sleep(1)

    backend = Backend([error])
    with caplog.at_level(logging.CRITICAL):
        told = with_writer(backend, scenario, timeout=0.5)
    assert [type(found) for found in told.errors] == [expected, expected, type(None)]
    assert len(backend.times) == tries + 1
    assert backend.stored == ["c"]
    if isinstance(error, ValueError):
        assert str(told.errors[0]) == "not written: ValueError"
