"""Bots without compiled code: what they answer while a compiler still works for them.

With Numba switched off a kernel is plain Python: the same decisions at the same strength, a few hundred times as slow.
For a level with a small budget that is a second instead of a minute for the compiler.
"""

from __future__ import annotations

import asyncio
import os
import random
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

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


class Interpreter:
    """Lets bots decide in a process that compiles nothing. It starts at the first decision."""

    def __init__(self) -> None:
        self._process: ProcessPoolExecutor | None = None

    async def answer(self, game: AnyGame, request: BotRequest) -> Json:
        """What the bot answers; raises what the bot raises, or BrokenProcessPool if the process has died."""
        if self._process is None:
            self._process = ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), initializer=_switch_compiler_off
            )
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._process, answer_request, game, request)
        except BrokenProcessPool:
            self.close()
            raise

    def close(self) -> None:
        """Ends the process after the decision that it works on. A later decision starts another one."""
        if self._process is not None:
            self._process.shutdown(wait=False, cancel_futures=True)
            self._process = None


def _switch_compiler_off() -> None:
    """In the new process, before anything imports Numba."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    stop_with_parent()
