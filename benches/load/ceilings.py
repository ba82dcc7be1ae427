"""What the parts alone can do, on the same core in the same run: the log without a server, sockets without a table."""

from __future__ import annotations

import asyncio
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

from benches.load.process import pin, serving
from benches.load.socket import connect
from benches.rules import fixed_loop
from stampede.server.http.websocket import EXTENSION, DirectWebSocketProtocol
from stampede.server.run import bind_socket
from stampede.server.settings import ServerSettings
from stampede.store import Append, Store

__all__ = ["echo_rate", "group_commit_rate", "loop_seconds"]

LOOPS = 3
PATIENCE = 60.0
"""Seconds for the first answer."""
PAYLOAD = 190
"""Bytes of a usual entry of Buffalo."""
ANSWER = b'{"type":"ack","key":"k1000","seq":1000,"player":0}'
COMMAND = (
    b'{"type":"command","key":"k1000","command":'
    b'{"type":"act","player":0,"decision":"1.1000","action":"a7a6"}}'
)


def group_commit_rate(address: str, tables: int, seconds: float, core: int = 1) -> float:
    """Durable appends a second when nothing else is done: each table waits for one before the next."""
    return float(_told("log", address, str(tables), str(seconds), str(core)))


def loop_seconds(core: int = 1) -> float:
    """Seconds that the core takes for the fixed loop of plain Python (`benches.rules`): how fast it is just now."""
    return float(_told("loop", str(core)))


def _told(*what: str) -> str:
    command = [sys.executable, "-m", "benches.load.ceilings", *what]
    told = subprocess.run(  # noqa: S603 - our own command
        command, stdout=subprocess.PIPE, text=True, check=True
    )
    return told.stdout


async def echo_rate(sockets: int, seconds: float, core: int = 1) -> float:
    """Messages a second that are answered when the answer needs no thought: the same sockets, no table."""
    with serving(["-m", "benches.load.ceilings", "echo"], {}, core) as server:
        lines = [await connect(server.host, server.port, "/echo") for _ in range(sockets)]
        begin = time.perf_counter()
        end = begin + seconds
        heard = 0

        def hearer(send: Callable[[bytes], None]) -> Callable[[bytes], None]:
            def hear(_: bytes) -> None:
                nonlocal heard
                heard += 1
                if time.perf_counter() < end:
                    send(COMMAND)

            return hear

        for line in lines:
            line.hear = hearer(line.send)
            line.send(COMMAND)
        await asyncio.sleep(seconds)
        while not heard and time.perf_counter() < begin + PATIENCE:
            await asyncio.sleep(0.1)  # a machine may be too slow for even one
        counted, seconds = heard, time.perf_counter() - begin
        for line in lines:
            line.transport.close()
    return counted / seconds


# --- in processes of their own ---


async def _append(address: str, tables: int, seconds: float) -> float:
    store = await Store.open(address)
    end = time.perf_counter() + seconds
    done = 0

    async def one(table: str) -> None:
        nonlocal done
        number, chain = 0, ""
        while time.perf_counter() < end:
            number += 1
            append = Append(table, number, ("x" * PAYLOAD,), previous=chain)
            await store.append(append)
            chain = append.chains[-1]
            done += 1

    await asyncio.gather(*(one(secrets.token_hex(11)) for _ in range(tables)))
    await store.close()
    return done / seconds


async def _echo(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    line: DirectWebSocketProtocol = scope["extensions"][EXTENSION]
    line.set_handlers(lambda _: line.write_texts(ANSWER), lambda: True, lambda: None)
    await line.wait_closed()


def _serve_echo() -> None:
    settings = ServerSettings(port=0)
    listener = bind_socket(settings)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        _echo,
        ws=DirectWebSocketProtocol,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _main(what: str, *given: str) -> None:
    if what == "echo":
        _serve_echo()
        return
    if what == "loop":
        pin(int(given[0]))
        begin = time.process_time()
        for _ in range(LOOPS):
            fixed_loop()
        print((time.process_time() - begin) / LOOPS)
        return
    address, tables, seconds, core = given
    pin(int(core))
    print(json.dumps(asyncio.run(_append(address, int(tables), float(seconds)))))


if __name__ == "__main__":
    _main(*sys.argv[1:])
