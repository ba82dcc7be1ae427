"""Bots without compiled code: what they answer while a compiler still works for them.

With Numba switched off a kernel is plain Python: the same decisions at the same strength, a few hundred times as slow.
For a level with a small budget that is a second instead of a minute for the compiler.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final

import numpy as np

from stampede.bots import bot_named
from stampede.core.bot import give_memory
from stampede.core.game import AnyGame
from stampede.core.json import Json
from stampede.core.processes import stop_with_parent
from stampede.matches.bots import BotRequest

__all__ = ["Interpreter", "answer_request"]


def answer_request(game: AnyGame, request: BotRequest) -> Json:
    """The action that a bot of the requested level chooses. It is given what its seat may know, no more."""
    bot = give_memory(bot_named(request.level, game.name), request.events)
    action: Json = game.write_action(bot.choose(request.view, random.Random(request.seed)))
    return action


_MOST_PROCESSES: Final = 2
"""Several bots of a table choose at the same time; a third process would take the compiler's core, too."""


class Interpreter:
    """Lets bots decide in processes that compile nothing. They start when there are decisions for them.

    Args:
        start: Starts what they decide in; for tests.
    """

    def __init__(self, start: Callable[[], Executor] | None = None) -> None:
        self._start = start or _start_processes
        self._processes: Executor | None = None

    async def answer(self, game: AnyGame, request: BotRequest) -> Json:
        """What the bot answers; raises what the bot raises, or BrokenProcessPool if a process has died."""
        if self._processes is None:
            self._processes = self._start()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._processes, answer_request, game, request)
        except BrokenProcessPool:
            self.close()
            raise

    def close(self) -> None:
        """Ends the processes after the decisions that they work on; cancels those that are queued.

        A later decision starts other processes.
        """
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)
            self._processes = None


def _start_processes() -> Executor:
    many = min(_MOST_PROCESSES, os.cpu_count() or 1)
    return ProcessPoolExecutor(
        many, mp_context=get_context("spawn"), initializer=_switch_compiler_off
    )


def _switch_compiler_off() -> None:
    """In a new process, before anything imports Numba."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    np.seterr(over="ignore")  # words wrap around, as they do when compiled
    stop_with_parent()
