"""The load: everybody connects, plays as fast as they are answered, then at a steady pace."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from benches.load.people import Person, Tally, stay
from benches.load.process import Running
from benches.load.socket import Line, connect
from benches.load.tables import Table, open_tables

__all__ = ["Crowd", "Phase", "gather"]

AT_ONCE: Final = 50
"""So many sockets shake hands at a time."""
QUIET: Final = 1.0
PATIENCE: Final = 60.0
"""Seconds for the first acknowledgement of a phase: without one there is nothing to measure."""


@dataclass(frozen=True, slots=True)
class Phase:
    """What a phase of the load measured.

    Attributes:
        seconds: How long it was.
        tally: What people noted.
        busy: The share of its core that the server used.
        own: The share of its core that this client used.
    """

    seconds: float
    tally: Tally
    busy: float
    own: float

    @property
    def rate(self) -> float:
        """Acknowledged actions a second."""
        return len(self.tally.acks) / self.seconds


class Crowd:
    """Everybody: those who play, and those whose tables are quiet.

    Attributes:
        playing: By table: its people.
        quiet: The other sockets.
        memory: Bytes a socket in the server's process.
    """

    def __init__(
        self, server: Running, playing: list[list[Person]], quiet: list[Line], memory: float
    ) -> None:
        self.playing = playing
        self.quiet = quiet
        self.memory = memory
        self._server = server

    async def rush(self, seconds: float) -> Phase:
        """Everybody answers as soon as they are asked."""
        return await self._play(seconds, lambda _: None)

    async def stroll(self, seconds: float, rate: float) -> Phase:
        """Every table has an action at regular moments; the wait counts from the moment it was due."""
        between = len(self.playing) / rate
        loop = asyncio.get_running_loop()
        begin = time.perf_counter()

        def steady(number: int) -> Callable[[Callable[[float], None]], None]:
            due = begin + between * (1 + number / len(self.playing))

            def ask(answer: Callable[[float], None]) -> None:
                nonlocal due
                moment, due = due, due + between
                wait = moment - time.perf_counter()
                if wait > 0:
                    loop.call_later(wait, answer, moment)
                else:
                    answer(moment)

            return ask

        return await self._play(seconds, steady)

    async def _play(
        self,
        seconds: float,
        pace: Callable[[int], Callable[[Callable[[float], None]], None] | None],
    ) -> Phase:
        tally = Tally()
        begin, busy, own = time.perf_counter(), self._server.seconds(), time.process_time()
        for number, people in enumerate(self.playing):
            beat = pace(number)
            for person in people:
                person.begin(tally, beat)
        await asyncio.sleep(seconds)
        while not (tally.acks or tally.errors) and time.perf_counter() < begin + PATIENCE:
            await asyncio.sleep(0.1)  # a machine may be too slow for even one
        taken = time.perf_counter() - begin
        busy, own = self._server.seconds() - busy, time.process_time() - own
        for person in self._people():
            person.tally, person.resting = Tally(), True
        await asyncio.sleep(QUIET)  # what is under way comes to its end
        lost = sum(line.lost for line in self._lines())
        if tally.errors or lost or not tally.acks:
            raise RuntimeError(
                f"expected {seconds:g} s of play, got {len(tally.acks)} acknowledgements, {lost} lines lost,"
                f" {len(tally.errors)} errors: {tally.errors[:1]}"
            )
        return Phase(taken, tally, busy / taken, own / taken)

    def _people(self) -> list[Person]:
        return [person for people in self.playing for person in people]

    def _lines(self) -> list[Line]:
        return [*(person.line for person in self._people()), *self.quiet]

    async def leave(self) -> None:
        """Everybody goes."""
        for line in self._lines():
            line.transport.close()
        await asyncio.sleep(QUIET)


async def gather(server: Running, game: str, tables: int, sockets: int, audience: int = 0) -> Crowd:
    """Opens the tables and lets everybody in: two play at each table, the others sit at quiet ones.

    Args:
        server: Where.
        game: What is played.
        tables: How many tables are busy.
        sockets: How many sockets there are in all.
        audience: How many of the others look on at the busy tables instead.
    """
    others = sockets - 2 * tables - audience
    opened = await open_tables(server.host, server.port, game, tables + (others + 1) // 2)
    busy, quiet = opened[:tables], opened[tables:]
    await asyncio.sleep(QUIET)
    before = server.memory()
    lines = await _connect(server, [*busy, *quiet])
    watching = await _watch(server, busy, audience)
    await asyncio.sleep(QUIET)
    memory = (server.memory() - before) / (len(lines) + len(watching))
    rng = random.Random(7)
    playing = []
    for number in range(tables):
        people = [Person(line, random.Random(rng.random())) for line in lines[2 * number :][:2]]
        for person in people:
            person.sit_with(tuple(other for other in people if other is not person))
        playing.append(people)
    rest = [*lines[2 * tables :], *watching]
    for line in rest:
        stay(line)
    return Crowd(server, playing, rest, memory)


async def _connect(server: Running, tables: list[Table]) -> list[Line]:
    seats = [seat for table in tables for seat in table.seats]
    paths = [(f"/api/tables/{seat.table}/socket?changes=true", seat.cookie) for seat in seats]
    return await _all(server, paths)


async def _watch(server: Running, tables: list[Table], audience: int) -> list[Line]:
    names = [tables[number % len(tables)].name for number in range(audience)]
    return await _all(server, [(f"/api/tables/{name}/socket?changes=true", "") for name in names])


async def _all(server: Running, paths: list[tuple[str, str]]) -> list[Line]:
    lines: list[Line] = []
    for start in range(0, len(paths), AT_ONCE):
        part = paths[start : start + AT_ONCE]
        lines += await asyncio.gather(
            *(connect(server.host, server.port, path, cookie) for path, cookie in part)
        )
    return lines
