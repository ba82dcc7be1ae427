"""The group-commit writer, in virtual time: everybody is told once, and no caller harms another."""

import asyncio

import pytest

from stampede.store import (
    SequenceTaken,
    StoreError,
    StoreFull,
)
from stampede.store.log.group_commit import GroupWriter
from tests.store.log.writers import Backend, Told, entry, with_writer


def test_everybody_is_told_once_even_if_a_callback_fails(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: StoreError | None) -> None:
        raise ValueError("not the writer's affair")

    async def scenario(writer: GroupWriter, told: Told) -> None:
        writer.put(entry("a"), told.by("a"))
        writer.put(entry("b"), fail)
        writer.put(entry("c"), told.by("c"))
        await asyncio.sleep(1)
        assert writer.written == 3

    told = with_writer(Backend(), scenario)
    assert told.names == ["a", "c"]
    assert "a callback of an append failed" in caplog.text


def test_a_cancelled_caller_s_entry_is_written_and_harms_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        tasks = [asyncio.create_task(writer.append(entry(name))) for name in ("a", "b")]
        await asyncio.sleep(0.01)
        tasks[0].cancel()
        await asyncio.sleep(1)
        assert tasks[0].cancelled()
        assert tasks[1].result() is None
        failing = asyncio.create_task(writer.append(entry("c")))
        await asyncio.sleep(0.01)
        failing.cancel()
        backend.answers = [StoreFull("full")]
        await asyncio.sleep(1)
        assert failing.cancelled()
        told.by("end")(None)

    backend = Backend(seconds=0.05)
    with_writer(backend, scenario)
    assert backend.stored == ["a", "b"]
    assert caplog.text == "", "nothing has failed"


def test_awaiting_an_append_raises_its_error() -> None:
    async def scenario(writer: GroupWriter, _: Told) -> None:
        found = await asyncio.gather(
            writer.append(entry("a")), writer.append(entry("b")), return_exceptions=True
        )
        assert found[0] is None
        assert isinstance(found[1], SequenceTaken)

    with_writer(Backend([[None, SequenceTaken("taken")]]), scenario)


def test_a_callback_may_put_the_next_append() -> None:
    async def scenario(writer: GroupWriter, told: Told) -> None:
        def put_next(error: StoreError | None) -> None:
            told.by("first")(error)
            writer.put(entry("second"), told.by("second"))

        writer.put(entry("first"), put_next)
        await asyncio.sleep(1)

    backend = Backend()
    assert with_writer(backend, scenario).names == ["first", "second"]
    assert backend.times == pytest.approx([0.0, 0.01])
