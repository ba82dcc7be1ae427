"""A simulation in several processes, and its file of records, which an interrupted run can continue."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import TextIO

from stampede.cli.compile import worker_pool
from stampede.cli.files import whole_file
from stampede.cli.own_bots import own_bot
from stampede.cli.terminal import terminal_for
from stampede.core.errors import InputError
from stampede.core.record import GameRecord, read_records
from stampede.lab import SimulatedGame, Simulation, read_games, simulate
from stampede.lab.simulate import Seed, play_one

__all__ = ["SimulationJob", "open_records", "play_job"]

MOST_AT_ONCE = 32
"""Games that a process plays before it hands them over."""


@dataclass(frozen=True, slots=True)
class SimulationJob:
    """A simulation by names, so that other processes can be given it.

    Attributes:
        game: The game's name.
        rules: The rule set, as JSON text; the data of an edition included.
        bots: The name of the bot in each seat.
        games: How many games.
        seed: What all of them are derived from.
    """

    game: str
    rules: str
    bots: tuple[str, ...]
    games: int
    seed: Seed

    def plan(self) -> Simulation:
        """Returns the simulation itself."""
        game = terminal_for(self.game).game
        made = {name: own_bot(name, self.game) for name in dict.fromkeys(self.bots)}
        bots = tuple(made[name] for name in self.bots)
        return Simulation(game, json.loads(self.rules), bots, self.games, self.seed)


_plan_of = lru_cache(maxsize=1)(SimulationJob.plan)


def _play(job: SimulationJob, index: int) -> SimulatedGame:
    """Plays one game, in a process that plays others of the same job."""
    return play_one(_plan_of(job), index)


def play_job(job: SimulationJob, start: int, processes: int) -> Iterator[SimulatedGame]:
    """Plays the games from an index on, in order; several processes give the same games as one."""
    left = range(start, job.games)
    if processes == 1 or len(left) <= 1:
        yield from simulate(job.plan(), start)
        return
    pool = worker_pool(min(processes, len(left)))
    at_once = max(1, min(MOST_AT_ONCE, len(left) // (4 * processes)))
    try:
        yield from pool.map(_play, repeat(job), left, chunksize=at_once)
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def open_records(
    path: Path | None, plan: Simulation, *, resume: bool
) -> Iterator[tuple[Iterable[SimulatedGame], Callable[[SimulatedGame], None]]]:
    """Opens the file of records: yields the games that it holds already, and the function that adds one.

    Without ``resume`` the file appears when it is complete, or not at all.
    """
    if path is None:
        yield (), lambda _: None
    elif resume:
        kept = list(_kept(path, plan))
        with path.open("a", encoding="utf-8") as stream:
            yield kept, _writer(stream, flush=True)
    else:
        with whole_file(path) as stream:
            yield (), _writer(stream)


def _writer(stream: TextIO, *, flush: bool = False) -> Callable[[SimulatedGame], None]:
    def write(played: SimulatedGame) -> None:
        stream.write(played.record.dumps() + "\n")
        if flush:
            stream.flush()

    return write


def _kept(path: Path, plan: Simulation) -> Iterator[SimulatedGame]:
    """Reads the games of a former run; cuts off a last line that was never finished."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    records = _records(path, data[:whole])
    if len(records) > plan.games:
        raise InputError(f"{path}: expected at most {plan.games} games, got {len(records)}")
    try:
        yield from read_games(plan, records)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    if whole < len(data):
        os.truncate(path, whole)


def _records(path: Path, data: bytes) -> list[GameRecord]:
    try:
        return [record for _, record in read_records(data.decode("utf-8").splitlines())]
    except (InputError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
