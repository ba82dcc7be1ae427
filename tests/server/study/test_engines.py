"""Whether an engine is compiled: pages ask while people wait for it."""

from __future__ import annotations

import asyncio

import pytest

from stampede.kernels.warmup import Task
from stampede.server.study import engines
from tests.server.clients import guests


def _part(*, is_done: bool) -> Task:
    def kernel() -> None: ...

    if not is_done:
        kernel.py_func = kernel  # type: ignore[attr-defined] # what compiled functions have; this one isn't in the cache
    return Task("a part", kernel, kernel)


def test_an_engine_says_how_much_of_it_is_compiled(
    base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = {"zoff": (_part(is_done=True), _part(is_done=False)), "buffalo": ()}
    monkeypatch.setattr(engines, "tasks_of", parts.__getitem__)

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            found = [await ann.request("GET", f"/api/engines/{game}") for game in parts]
            assert [answer.json() for answer in found] == [
                {"ready": False, "done": 1, "parts": 2},
                {"ready": True, "done": 0, "parts": 0},
            ]
            unknown = await ann.request("GET", "/api/engines/chess")
            assert (unknown.status_code, unknown.json()["error"]) == (404, "unknown_game")

    asyncio.run(scenario())
