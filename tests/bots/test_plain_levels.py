"""The low levels answer without compiled code, and a server's bots don't wait for a compiler that they don't need."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest

from stampede.bots import bot_named, bot_names
from stampede.bots.preparation import needs_compiled_code, tasks_of
from stampede.server.tables.bot_pool import BotPool

PLAY = """
import random, sys, stampede
game, level = sys.argv[1:]
match = stampede.new_game(game)
for _ in range(8):
    match.play_bot(stampede.bot(level), random.Random(1), match.to_act[0])
print(sorted({"numba", "numpy"} & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("game", "level"), [("buffalo", 1), ("buffalo", 2), ("zoff", 1), ("zoff", 2)]
)
def test_the_low_levels_load_no_compiled_code(game: str, level: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAY, game, f"{game}-{level}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
    assert not needs_compiled_code(bot_named(f"{game}-{level}"))


@pytest.mark.parametrize("game", ["buffalo", "zoff"])
def test_levels_from_the_third_on_say_what_they_need(game: str) -> None:
    needed = [needs_compiled_code(bot_named(name, game)) for name in bot_names(game)]
    assert needed == [False] * 3 + [True] * (len(needed) - 3)
    assert tasks_of(game)


def test_bots_that_need_nothing_answer_while_others_wait_for_the_compiler() -> None:
    """One thread: preparing doesn't take it, and is done once."""

    async def scenario() -> None:
        pool = BotPool(threads=1, capacity=4)
        compiled, calls = threading.Event(), list[str]()

        def load() -> None:
            calls.append("load")
            assert compiled.wait(60)

        waiting = [asyncio.create_task(pool.prepare("game", load)) for _ in range(2)]
        assert await pool.think(lambda: "answer") == "answer"
        assert not any(task.done() for task in waiting)
        compiled.set()
        await asyncio.gather(*waiting)
        await pool.prepare("game", load)
        assert calls == ["load"]
        await pool.close()

    asyncio.run(scenario())


def test_a_preparation_that_fails_is_tried_again() -> None:
    async def scenario() -> None:
        pool = BotPool(threads=1, capacity=4)
        results = iter([OSError("no space"), None])

        def load() -> None:
            if (error := next(results)) is not None:
                raise error

        with pytest.raises(OSError, match="no space"):
            await pool.prepare("game", load)
        await pool.prepare("game", load)
        await pool.close()

    asyncio.run(scenario())
