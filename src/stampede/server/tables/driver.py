"""The bots and clocks of one table: what happens at a table without a command from outside."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Final, Protocol

from stampede.bots import bot_named
from stampede.bots.preparation import is_light, knows_answer, needs_compiled_code, prepare
from stampede.core.bot import Bot
from stampede.core.errors import InputError, StampedeError
from stampede.core.game import AnyGame
from stampede.core.json import Json
from stampede.matches.bots import BotRequest
from stampede.matches.callers import SYSTEM, Caller
from stampede.matches.commands import Command
from stampede.matches.entries import Ack
from stampede.matches.errors import MatchError
from stampede.matches.state import Phase, TableState
from stampede.matches.table import Table
from stampede.server.http.problems import Problem
from stampede.server.tables.bot_pool import TooManyWaiting
from stampede.server.tables.context import TableContext, short_id
from stampede.server.tables.interpreter import answer_request
from stampede.store import StoreError

__all__ = ["Driver", "is_live"]

log = logging.getLogger("stampede.server")

LONGEST_SLEEP: Final = 2.0
"""With a clock running, the driver looks at the time at least so often: the machine's clock may jump."""
RETRY_SECONDS: Final = 0.5
"""How long bots and clocks wait after the store has refused a write."""
EXPIRY_ATTEMPTS: Final = 3
"""How often the clocks' expiry is tried before the driver waits."""


class DrivenTable(Protocol):
    """What the driver needs of a table's actor."""

    table_id: str

    @property
    def address(self) -> str:
        """The address on whose account its bots think; empty for the server's own."""

    def reading(self, *, fresh: bool = True) -> AbstractAsyncContextManager[Table]:
        """The table as it stands; `fresh`: after reading what other workers have written."""

    async def command(self, command: Command, caller: Caller, key: str) -> Ack:
        """Carries a command out."""

    @property
    def is_watched(self) -> bool:
        """Whether it has viewers."""


def is_live(state: TableState) -> bool:
    """Whether bots or clocks have something to do at a table, now or later."""
    if state.phase is not Phase.PLAYING:
        return False
    if state.clocks is not None:
        return True
    for chair in state.chairs:  # noqa: SIM110 - asked at every action: a generator takes as long as the answer
        if chair.by_bot:
            return True
    return False


class Driver:
    """Asks the bots that are to act, and lets clocks run out, from the moment it is created.

    One task sleeps until something changes or the next clock runs out; each bot that thinks has a task of its own.
    With several workers on one database, only the one that is responsible for a table drives it. Bots among themselves
    play only while they are watched, on a worker that has viewers.
    """

    __slots__ = ("_changed", "_context", "_table", "_task", "_thinking")

    def __init__(self, table: DrivenTable, context: TableContext) -> None:
        self._table = table
        self._context = context
        self._changed = asyncio.Event()
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._task: asyncio.Task[None] | None = asyncio.get_running_loop().create_task(self._run())

    def wake(self) -> None:
        """Looks again at what is due."""
        self._changed.set()

    async def stop(self) -> None:
        """Stops all bots and clocks."""
        tasks = [*self._thinking.values(), *filter(None, (self._task,))]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._task = None  # a task and its driver would be a reference cycle
        self._thinking.clear()

    @property
    def busy(self) -> bool:
        """Whether a bot thinks, or something is due."""
        return bool(self._thinking) or self._changed.is_set()

    async def _run(self) -> None:
        while True:
            self._changed.clear()
            wait: float | None = None
            try:
                requests, deadline = await self._due()
            except Problem as problem:  # the table was unloaded in this moment: `stop` comes next
                log.info("table %s: bots and clocks stop: %s", self._name, problem.code)
                wait = RETRY_SECONDS
            except Exception:  # whatever it is, bots and clocks must not stop for ever
                log.exception("table %s: bots and clocks wait", self._name)
                wait = RETRY_SECONDS
            else:
                self._ask(requests)
                if deadline is not None:
                    left = (deadline - self._context.now()) / 1000
                    wait = min(LONGEST_SLEEP, max(0.0, left))
            try:
                # Not wait_for: before Python 3.12 that can swallow a cancellation, and the server would never stop.
                async with asyncio.timeout(wait):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _due(self) -> tuple[tuple[BotRequest, ...], int | None]:
        """Lets run-out clocks run out; returns the bots that are to act, and when the next clock runs out."""
        for _ in range(EXPIRY_ATTEMPTS):
            async with self._table.reading(fresh=False) as table:
                if not self._is_responsible(table.state):
                    return (), None
                expiry = table.due_expiry(self._context.now())
                if expiry is None:
                    return table.bot_requests(), table.deadline
            try:
                await self._table.command(expiry[0], SYSTEM, expiry[1])
            except (InputError, MatchError) as error:  # mostly an answer that came first
                log.info("table %s: a clock's expiry was refused: %s", self._name, error)
        async with self._table.reading(fresh=False) as table:
            return table.bot_requests(), self._context.now() + int(RETRY_SECONDS * 1000)

    def _is_responsible(self, state: TableState) -> bool:
        if state.persons():
            return self._context.cluster.owns(self._table.table_id)
        # Several workers may have viewers of it. They come to the same moves, and each is written once.
        return self._table.is_watched

    def _ask(self, requests: tuple[BotRequest, ...]) -> None:
        """Starts the bots that are to act, and stops those that aren't any more."""
        wanted = {request.key: request for request in requests}
        for key in tuple(self._thinking):
            if key not in wanted:
                self._thinking.pop(key).cancel()
        for key, request in wanted.items():
            if key not in self._thinking:
                task = asyncio.get_running_loop().create_task(self._think(request))
                self._thinking[key] = task

    async def _think(self, request: BotRequest) -> None:
        try:
            await asyncio.sleep(max(0.0, (request.ready_at - self._context.now()) / 1000))
            action = await self._choose(request)
            await self._table.command(request.command(action), SYSTEM, request.key)
        except (StoreError, TooManyWaiting) as error:
            log.warning("table %s: a bot's answer waits: %s", self._name, type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)
        except (StampedeError, Problem) as error:
            # The decision was over before the bot had answered, or the table was unloaded: the next one asks anew.
            log.info("table %s: a bot came too late: %s", self._name, type(error).__name__)
        finally:
            if self._thinking.get(request.key) is asyncio.current_task():
                del self._thinking[request.key]
                self._changed.set()

    async def _choose(self, request: BotRequest) -> Json:
        """What the bot answers; a bot that fails doesn't stop the game."""
        async with self._table.reading(fresh=False) as table:
            game, host = table.spec.game, table.state.host
        owner = self._table.address or host or self._table.table_id
        try:
            bot = bot_named(request.level, game.name)
            if needs_compiled_code(bot):
                answer = await self._answer_while_compiling(bot, game, request)
                if answer is not None:
                    return answer
            return await self._context.pool.think(
                lambda: answer_request(game, request),
                owner,
                lambda: self._table.is_watched,  # people who wait come first
            )
        except TooManyWaiting:
            raise
        except Exception:
            log.exception("table %s: bot %s failed", self._name, request.level)
            async with self._table.reading() as table:
                return table.fallback(request)

    async def _answer_while_compiling(
        self, bot: Bot, game: AnyGame, request: BotRequest
    ) -> Json | None:
        """Loads a game's kernels; returns a light bot's answer by plain Python if that is there first, else None.

        It doesn't wait for the kernels if the bot knows its answer by heart.
        """
        pool, interpreter = self._context.pool, self._context.interpreter
        loading = pool.load(game.name, partial(prepare, game.name))
        if interpreter is not None and not loading.done():
            loading.add_done_callback(lambda _: self._close_interpreter())
        if knows_answer(bot, request.view):
            return None  # and the kernels are there when they are needed
        if interpreter is not None and is_light(bot) and not loading.done():
            answering = asyncio.ensure_future(interpreter.answer(game, request))
            try:
                await asyncio.wait((loading, answering), return_when=asyncio.FIRST_COMPLETED)
                if answering.done() and not answering.cancelled() and not answering.exception():
                    return answering.result()
            finally:
                answering.cancel()
        await pool.prepare(game.name, partial(prepare, game.name))
        return None

    def _close_interpreter(self) -> None:
        """Ends what decides without kernels, unless those of another game are still being loaded."""
        if self._context.interpreter is not None and not self._context.pool.is_loading:
            self._context.interpreter.close()

    @property
    def _name(self) -> str:
        return short_id(self._table.table_id)
