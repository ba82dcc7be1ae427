"""SIGKILL at random moments: no acknowledged action is lost, none is done twice, all games finish, all replay.

`make soak` plays hundreds of games instead of a few: STAMPEDE_SOAK_GAMES says how many.
"""

import asyncio
import json
import os
import random
import sqlite3
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.matches.fair import verify_deal
from tests.server.clients import guests
from tests.server.servers import ServerProcess
from tests.server.stubborn import Acked, Stubborn, open_and_sit

FEW = 6
GAMES = int(os.environ.get("STAMPEDE_SOAK_GAMES", FEW))
LEAST_KILLS = 2
MOST_KILLS = 3 if GAMES == FEW else 10**6
AT_ONCE = 6 if GAMES == FEW else 40
LONGEST_LIFE = 0.6 if GAMES == FEW else 8.0
"""Seconds that a server lives at most."""
pytestmark = [] if GAMES == FEW else [pytest.mark.timeout(0)]
KINDS: list[tuple[str, int, int, dict[str, Any]]] = [
    ("zoff", 2, 2, {}),
    ("buffalo", 2, 0, {}),
    ("zoff", 2, 0, {"rules": {"auction": True}}),
    ("buffalo", 1, 1, {"clock": {"kind": "move", "limit_ms": 60_000}}),
    ("zoff", 3, 2, {"rules": {"fair": True}}),
    ("buffalo", 1, 1, {"series": "ladder"}),
]


@dataclass(slots=True)
class Tally:
    """What came of it."""

    games: int = 0
    kills: int = 0
    acked: int = 0
    resent: int = 0


async def one_game(base: str, number: int, hold: asyncio.Event | None = None) -> list[Stubborn]:
    """A game of stubborn players; with a hold, it doesn't end before that is set."""
    game, people, bots, more = KINDS[number % len(KINDS)]
    async with guests(base, people) as crowd:
        table = await open_and_sit(crowd, game, bots, pace_ms=20, **more)
        players = [
            Stubborn(person, table, seat, random.Random(f"{number} {seat}"))
            for seat, person in enumerate(crowd)
        ]
        players[0].hold = hold
        await asyncio.gather(*(player.play() for player in players))
        return players


async def play_all(server: ServerProcess, tally: Tally) -> list[Stubborn]:
    """Plays all games, some at once, while the server is killed again and again."""
    gate = asyncio.Semaphore(AT_ONCE)
    enough, played = asyncio.Event(), asyncio.Event()

    async def game(number: int) -> list[Stubborn]:
        async with gate:
            return await one_game(server.base, number, None if number else enough)

    async def killer() -> None:
        rng = random.Random(7)
        while tally.kills < MOST_KILLS and not played.is_set():
            await asyncio.sleep(rng.uniform(0.2, LONGEST_LIFE))
            await asyncio.to_thread(server.kill)
            tally.kills += 1
            await asyncio.to_thread(server.start)
            if tally.kills >= LEAST_KILLS:
                enough.set()

    killing = asyncio.create_task(killer())
    try:
        players = await asyncio.gather(*(game(number) for number in range(GAMES)))
    finally:
        played.set()
        await killing  # not in the middle: who was killed last is started again
    return [player for seats in players for player in seats]


def entries_of(database: Path) -> dict[str, list[dict[str, Any]]]:
    connection = sqlite3.connect(database)
    rows = connection.execute("SELECT table_id, seq, payload FROM entries ORDER BY table_id, seq")
    logs: dict[str, list[dict[str, Any]]] = {}
    for table, seq, payload in rows:
        log = logs.setdefault(table, [])
        assert seq == len(log) + 1, "no gap"
        log.append(json.loads(payload))
    connection.close()
    return logs


def check_acked(acked: list[Acked], logs: dict[str, list[dict[str, Any]]]) -> None:
    for ack in acked:
        entry = logs[ack.table][ack.seq - 1]
        assert entry["key"] == ack.key
        assert entry["command"] == {**ack.command, "type": "act"}, "just what was acknowledged"


def check_once(log: list[dict[str, Any]]) -> None:
    keys = Counter((entry["who"], entry["key"]) for entry in log)
    assert max(keys.values()) == 1
    acts = [entry["command"] for entry in log if entry["command"]["type"] == "act"]
    answers = Counter((act["decision"], act["player"]) for act in acts)
    assert max(answers.values()) == 1, "nobody answered a decision twice"


async def check_records(base: str, tables: set[str]) -> None:
    async with guests(base, 1) as (ann,):
        for table in tables:
            response = await ann.request("GET", f"/api/tables/{table}/record")
            record = GameRecord.loads(response.text)
            assert record.result is not None
            game = game_named(record.game).game
            replay(game, record)
            verify_deal(game, record)


@pytest.mark.slow
def test_no_acknowledged_action_is_lost_and_none_is_done_twice(tmp_path: Path) -> None:
    tally = Tally()
    server = ServerProcess(tmp_path)
    try:
        players = asyncio.run(play_all(server, tally))
        asyncio.run(check_records(server.base, {player.table for player in players}))
    finally:
        server.stop()
    logs = entries_of(tmp_path / "tables.db")
    acked = [ack for player in players for ack in player.acked]
    check_acked(acked, logs)
    for table in {player.table for player in players}:
        check_once(logs[table])
    tally.games = len({player.table for player in players})
    tally.acked = len(acked)
    tally.resent = sum(player.resent for player in players)
    assert tally.games == GAMES
    assert tally.kills >= LEAST_KILLS
    print(tally)  # noqa: T201 - `make soak` shows it
