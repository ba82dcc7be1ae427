"""How many durable actions a second the server acknowledges: beside the bare log, and the bare log one at a time.

    python benches/server_actions.py [--players 40] [--seconds 10] [--json]

Each player has a table of Buffalo for himself (a hot-seat of both sides) and a socket, and plays as fast as he is
answered. The server is a process of its own, with SQLite and synchronous=FULL. Client and server share the machine, so
the figure is a lower bound.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from stampede.store import Append, Store


async def log_rate(address: str, clients: int, seconds: float) -> float:
    """Bare group commit: appends a second of so many clients at once."""
    store = await Store.open(address)
    end = time.perf_counter() + seconds
    done = 0

    async def client(table: str) -> None:
        nonlocal done
        number = 0
        while time.perf_counter() < end:
            number += 1
            await store.append(Append(table, number, ("x" * 250,), key=f"k{number}"))
            done += 1

    await asyncio.gather(*(client(f"t{clients}-{number}") for number in range(clients)))
    await store.close()
    return done / seconds


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A server process; yields its address."""
    environment = {
        **os.environ,
        "STAMPEDE_DATABASE_URL": f"sqlite:///{folder / 'tables.db'}",
        "STAMPEDE_RATE": "1e6",
        "STAMPEDE_BURST": "1000000",
    }
    command = [sys.executable, "-m", "stampede.cli", "serve", "--port", "0", "--no-warmup"]
    with subprocess.Popen(  # noqa: S603 - our own command
        command, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = re.search(r"http://localhost:\d+", process.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            process.terminate()


async def open_table(client: httpx.AsyncClient, number: int) -> str:
    """A table whose both sides are this guest's."""
    body: dict[str, Any] = {"key": f"o{number}", "game": "buffalo", "chairs": [{}, {}]}
    body["hot_seat"] = True
    table: str = (await client.post("/api/tables", json=body)).json()["table"]
    for player in range(2):
        command = {"type": "claim", "player": player, "name": f"P{player}"}
        path = f"/api/tables/{table}/commands"
        await client.post(path, json={"key": f"c{player}", "command": command})
    return table


async def play(
    socket: ClientConnection, rng: random.Random, over: Callable[[], bool], latencies: list[float]
) -> None:
    """Plays both sides, game after game, as fast as answers come."""
    view: dict[str, Any] = {}
    number = 0
    while not over():
        while not view:
            view = json.loads(await socket.recv()).get("view") or {}
        number += 1
        command = _next_command(view, rng)
        view = {}
        begin = time.perf_counter()
        frame = {"type": "command", "key": f"k{number}", "command": command}
        await socket.send(json.dumps(frame))
        while True:
            answer = json.loads(await socket.recv())
            view = answer.get("view") or view
            if answer["type"] in ("ack", "error"):
                break
        latencies.append(time.perf_counter() - begin)


def _next_command(view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    if view["phase"] == "over":
        voted = view["proposals"][0]["agreed"] if view["proposals"] else []
        return {"type": "vote", "player": 1 if 0 in voted else 0, "on": "next"}
    (player,) = view["decision"]["awaited"]
    moves = view["view"]["legal"]["moves"] if view["you"] == player else None
    action = _blind(view, player, rng) if moves is None else _some(moves, rng)
    return {"type": "act", "player": player, "decision": view["decision"]["id"], "action": action}


def _some(moves: dict[str, list[str]], rng: random.Random) -> str:
    start = rng.choice(list(moves))
    return start + rng.choice(moves[start])


def _blind(view: dict[str, Any], player: int, rng: random.Random) -> str:
    """The other side's view isn't on this socket: the rules say what it may do."""
    from stampede.buffalo import Position  # noqa: PLC0415 - only here

    del player
    return str(rng.choice(list(Position.from_fen(view["view"]["fen"]).legal_moves)))


async def action_rate(base: str, players: int, seconds: float) -> tuple[float, list[float]]:
    """Acknowledged commands a second, and how long each took."""
    latencies: list[float] = []
    async with httpx.AsyncClient(base_url=base, timeout=30) as client:
        for _ in range(100):
            try:
                await client.get("/api/me")
                break
            except httpx.TransportError:
                await asyncio.sleep(0.1)
        tables = [await open_table(client, number) for number in range(players)]
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = base.replace("http", "ws")
        sockets = [
            await connect(
                f"{address}/api/tables/{table}/socket",
                additional_headers={"Cookie": cookie},
                compression=None,
            )
            for table in tables
        ]
        begin = time.perf_counter()
        plays = (
            play(s, random.Random(n), lambda: time.perf_counter() - begin > seconds, latencies)
            for n, s in enumerate(sockets)
        )
        await asyncio.gather(*plays)
        taken = time.perf_counter() - begin
        for socket in sockets:
            await socket.close()
    return len(latencies) / taken, sorted(latencies)


def main() -> None:
    """Measures, and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = f"sqlite:///{folder / 'log.db'}"
        single = asyncio.run(log_rate(log, 1, 2))
        group = asyncio.run(log_rate(log, given.players, 3))
        with server(folder) as base:
            rate, latencies = asyncio.run(action_rate(base, given.players, given.seconds))
    found = {
        "players": given.players,
        "log_single_per_s": round(single),
        "log_group_per_s": round(group),
        "actions_per_s": round(rate),
        "p50_ms": round(1000 * latencies[len(latencies) // 2], 2),
        "p99_ms": round(1000 * latencies[len(latencies) * 99 // 100], 2),
    }
    if given.json:
        print(json.dumps(found))
    else:
        for what, value in found.items():
            print(f"{what:18} {value}")


if __name__ == "__main__":
    main()
