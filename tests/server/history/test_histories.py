"""Real servers under faults: what their clients saw could have happened one command at a time, in the log's order.

Players with several devices each and a spectator use one server on SQLite, or two on one PostgreSQL, over HTTP and
WebSockets, while servers are killed, stopped for a while and continued, and connections are cut, the database's too.
`make soak` plays more games: STAMPEDE_HISTORY_GAMES says how many.
"""

import asyncio
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path

import pytest

from stampede.matches.entries import Entry
from stampede.store import Store
from tests.server.clients import guests
from tests.server.history.checker import History, check_history
from tests.server.history.devices import Requester, Streamer
from tests.server.servers import ServerProcess
from tests.server.stubborn import open_and_sit
from tests.store.databases import PostgresServer

FEW = 2
GAMES = int(os.environ.get("STAMPEDE_HISTORY_GAMES", FEW))
AT_ONCE = FEW if GAMES == FEW else 12
MOST_ROUNDS = 1 if GAMES == FEW else 10**6
"""How often each fault happens at most."""
pytestmark = [pytest.mark.slow] if GAMES == FEW else [pytest.mark.timeout(0)]
KINDS = [("buffalo", 2, 0), ("zoff", 2, 1), ("buffalo", 1, 1), ("zoff", 3, 0)]
"""Game, people, bots."""

Fault = Callable[[], None]


@dataclass(slots=True)
class Setting:
    """Servers, and what may happen to them."""

    servers: Sequence[ServerProcess]
    faults: dict[str, Fault]
    done: Counter[str] = field(default_factory=Counter)
    histories: dict[str, History] = field(default_factory=dict)
    ends: list[tuple[str, int]] = field(default_factory=list)
    """By device: its table, and the last number that it saw."""

    @property
    def bases(self) -> list[str]:
        """The servers' addresses."""
        return [server.base for server in self.servers]


def kill(servers: Sequence[ServerProcess], rng: random.Random) -> Fault:
    def fault() -> None:
        server = rng.choice(servers)
        server.kill()
        server.start()

    return fault


def stop(servers: Sequence[ServerProcess], rng: random.Random) -> Fault:
    """A process stands still for a while, longer than some clients wait, and knows nothing of it."""

    def fault() -> None:
        server = rng.choice(servers)
        os.kill(server.pid, signal.SIGSTOP)
        time.sleep(rng.uniform(0.2, 2.0))
        os.kill(server.pid, signal.SIGCONT)

    return fault


def cut_database(postgres: PostgresServer) -> Fault:
    """All connections to the database are cut, also those with a commit under way."""
    return lambda: postgres.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname LIKE 'test_%' AND pid <> pg_backend_pid()"
    )


@asynccontextmanager
async def devices(
    setting: Setting, number: int, hold: asyncio.Event
) -> AsyncIterator[list[Requester | Streamer]]:
    """A table, with two devices a player and two of a spectator."""
    game, people, bots = KINDS[number % len(KINDS)]
    rng = random.Random(number)
    async with guests(rng.choice(setting.bases), people + 1) as crowd:
        table = await open_and_sit(crowd[:people], game, bots, pace_ms=20, watch=True)
        history = setting.histories.setdefault(table, History())
        found: list[Requester | Streamer] = []
        for player, guest in enumerate(crowd):
            chair = player if player < people else None
            for kind in (Requester, Streamer):
                name = f"{number}.{player}{kind.__name__[0]}"
                its_rng = random.Random(name)
                found.append(
                    kind(name, guest.client, setting.bases, table, chair, history, its_rng, hold)
                )
        yield found


async def play(setting: Setting) -> None:
    """Plays all games while faults happen, one after the other."""
    gate, enough, played = asyncio.Semaphore(AT_ONCE), asyncio.Event(), asyncio.Event()

    async def game(number: int) -> None:
        async with gate, devices(setting, number, enough) as present:
            await asyncio.gather(*(device.run() for device in present))
            setting.ends += [(device.table, device.seq) for device in present]

    async def trouble() -> None:
        rng = random.Random(7)
        for name in cycle(setting.faults):
            if played.is_set() or setting.done[name] >= MOST_ROUNDS:
                return
            await asyncio.sleep(rng.uniform(0.1, 0.5 if GAMES == FEW else 2.0))
            await asyncio.to_thread(setting.faults[name])
            setting.done[name] += 1
            if setting.done.keys() == setting.faults.keys():
                enough.set()

    troubling = asyncio.create_task(trouble())
    try:
        await asyncio.gather(*(game(number) for number in range(GAMES)))
    finally:
        played.set()
        await troubling


def check(setting: Setting, logs: dict[str, list[Entry]]) -> Counter[str]:
    """Checks every table's history; returns what there was of everything."""
    tally: Counter[str] = Counter(setting.done)
    for table, history in setting.histories.items():
        log = logs[table]
        senders = {
            f"player {entry.command.to_json()['player']}": entry.who
            for entry in log
            if entry.command.to_json()["type"] == "claim"
        }
        history.attempts = [replace(one, who=senders[one.who]) for one in history.attempts]
        check_history(log, history)
        tally["games"] += 1
        tally["entries"] += len(log)
        tally["reads and updates"] += len(history.reads)
        tally["sockets"] += len(history.streams)
        for one in history.attempts:
            tally["acknowledged" if one.seq else one.refusal or "unanswered"] += 1
    assert all(seq == len(logs[table]) for table, seq in setting.ends), "everybody saw the end"
    return tally


async def read_logs(address: str) -> dict[str, list[Entry]]:
    """Every table's log."""
    store = await Store.open(address)
    logs = {
        table: [Entry.from_json(json.loads(kept.payload)) for kept in await store.read(table)]
        async for table in store.table_ids()
    }
    await store.close()
    return logs


def test_one_server_on_sqlite_is_linearizable(tmp_path: Path) -> None:
    servers, rng = [ServerProcess(tmp_path)], random.Random(3)
    setting = Setting(servers, {"stops": stop(servers, rng), "kills": kill(servers, rng)})
    try:
        asyncio.run(play(setting))
    finally:
        servers[0].stop()
    tally = check(setting, asyncio.run(read_logs(f"sqlite:///{tmp_path / 'tables.db'}")))
    print(dict(tally))  # noqa: T201 - `make soak` shows it


def test_two_servers_on_one_postgresql_are_linearizable(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    address = postgres.new_database()
    environment = {"STAMPEDE_DATABASE_URL": address}
    servers = [ServerProcess(tmp_path / name, environment) for name in ("one", "two")]
    rng = random.Random(5)
    faults = {
        "stops": stop(servers, rng),
        "cuts of the database": cut_database(postgres),
        "kills": kill(servers, rng),
    }
    setting = Setting(servers, faults)
    try:
        asyncio.run(play(setting))
    finally:
        for server in servers:
            server.stop()
    tally = check(setting, asyncio.run(read_logs(address)))
    print(dict(tally))  # noqa: T201 - `make soak` shows it
