"""How long players wait when a worker is killed: two servers, one PostgreSQL, SIGKILL in mid-game.

Half of the players are connected to the server that is killed, and go to the other at once, as behind a load balancer.
All play against a bot without thinking, so the longest pause between two messages is what the kill has cost: a new
connection, and another worker that sees to the bot.

Example: python -m benches.takeover --tables 24 --runs 5
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from rich.progress import track

from simulation.choices import choose_action
from tests.server.clients import Guest, guests
from tests.server.servers import ServerProcess
from tests.server.stubborn import LOST, open_and_sit
from tests.store.databases import running_postgres

WARM = 10
"""Messages that everybody got before the kill: by then whatever is compiled or loaded first is there."""


@dataclass(slots=True)
class Player:
    """Plays on and on, and notes when they were told something."""

    guest: Guest
    table: str
    moved: bool
    killed: float = 0.0
    told: list[float] = field(default_factory=list)

    async def play(self, survivor: str) -> None:
        """Plays until stopped; after a lost connection, at the other server."""
        rng = random.Random(self.table)
        while True:
            try:
                async with self.guest.socket(self.table, since=0) as line:
                    await line.next()
                    while line.view["phase"] != "over":
                        self.told.append(time.monotonic())
                        if line.asked:
                            await line.act(choose_action(line.view["view"]["legal"], rng))
                        else:
                            await line.next()
                    return
            except LOST:
                self.guest.base = survivor
                await asyncio.sleep(0.05)

    @property
    def pause(self) -> float | None:
        """The longest pause that ended after the kill; None when the game was over before."""
        pairs = pairwise(self.told)
        found = (after - before for before, after in pairs if after > self.killed)
        return max(found, default=None)


async def kill_one(victim: ServerProcess, survivor: ServerProcess, tables: int) -> list[Player]:
    """Plays, kills, plays on; returns the players with what they have noted."""
    bases = (victim.base, survivor.base)
    async with guests(victim.base, tables) as people:
        players = []
        for number, person in enumerate(people):
            person.base = bases[number % 2]
            table = await open_and_sit([person], "zoff", 3, pace_ms=200)
            players.append(Player(person, table, moved=number % 2 == 0))
        playing = [asyncio.create_task(player.play(survivor.base)) for player in players]
        while min(len(player.told) for player in players) < WARM:
            await asyncio.sleep(0.02)
        victim.kill()
        killed = time.monotonic()
        await asyncio.gather(*playing)
        for player in players:
            player.killed = killed
        return players


def pauses(tables: int, runs: int) -> Iterator[tuple[bool, float]]:
    """Whether a player was connected to the killed server, and how long they waited."""
    with running_postgres() as postgres, tempfile.TemporaryDirectory() as folder:
        environment = {"STAMPEDE_DATABASE_URL": postgres.new_database()}
        for run in track(range(runs), "kills"):
            home = Path(folder) / str(run)
            home.mkdir()
            victim = ServerProcess(home / "victim", environment)
            survivor = ServerProcess(home / "survivor", environment)
            try:
                time.sleep(1.5)  # they have seen each other
                for player in asyncio.run(kill_one(victim, survivor, tables)):
                    if player.pause is not None:
                        yield player.moved, player.pause
            finally:
                victim.kill()
                survivor.stop()


def main() -> None:
    """Measures, and prints JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    found = list(pauses(asked.tables, asked.runs))
    for name, wanted in (("killed", True), ("other", False)):
        waits = sorted(wait for moved, wait in found if moved is wanted)
        middle = waits[len(waits) // 2]
        told = {"connected_to": name, "players": len(waits), "median_s": round(middle, 2)}
        print(json.dumps({**told, "longest_s": round(waits[-1], 2)}))


if __name__ == "__main__":
    main()
