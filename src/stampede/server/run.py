"""How the server runs: uvicorn with the WebSocket implementation that is fastest here, as one process or as several."""

from __future__ import annotations

import asyncio
import logging.config
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from stampede.core.errors import InputError
from stampede.server.app import create_app
from stampede.server.cluster.supervisor import Supervisor, stop_with_parent
from stampede.server.http.timeouts import make_http_protocol
from stampede.server.http.websocket import DirectWebSocketProtocol
from stampede.server.ops.gc_policy import CHECK_SECONDS, GarbageCollectionPolicy
from stampede.server.ops.logs import log_config
from stampede.server.settings import ServerSettings
from stampede.store import Store
from stampede.store.engine import database_url, sqlite_path

__all__ = ["bound_socket", "make_config", "make_server", "prepare", "run_workers"]


SPARE_CONNECTIONS = 1000
"""Connections beside the WebSockets; more are told 503."""
SWITCH_SECONDS = 0.0005
"""How long the log's thread waits for its turn: it gives it away a dozen times a group, and everybody waits for it.
Python would let it wait for five milliseconds each time."""


def bound_socket(settings: ServerSettings, *, or_any: bool = False) -> socket.socket:
    """Takes the port, so that its number is known before anything is told; InputError when it can't be had.

    Args:
        settings: Where to listen.
        or_any: Whether another port will do when this one is taken.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        if or_any:
            return bound_socket(settings.model_copy(update={"port": 0}))
        raise InputError(
            f"expected a free port, but {settings.host}:{settings.port}: {error.strerror};"
            " --port 0 takes a free one"
        ) from error
    return listener


def make_server(settings: ServerSettings, *, verbose: bool = False) -> uvicorn.Server:
    """A uvicorn server in this process; run it with the socket that was bound."""
    log = log_config(settings.log_format, verbose=verbose)
    config = make_config(settings, create_app(settings), log)
    server = uvicorn.Server(config)
    policy = GarbageCollectionPolicy()
    config.callback_notify, config.timeout_notify = policy.collect_if_idle, CHECK_SECONDS
    policy.install()
    sys.setswitchinterval(SWITCH_SECONDS)
    return server


def prepare(settings: ServerSettings) -> None:
    """Tells at once what would keep the server from starting, and brings the database's schema up to date.

    Raises:
        InputError: Several processes can't serve this database.
        StoreUnavailable: It can't be opened.
    """
    if settings.workers > 1 and sqlite_path(database_url(settings.database_url)) is not None:
        raise InputError(
            f"workers: expected 1 with SQLite, which one process writes to, got {settings.workers};"
            " for more give --database postgresql://…"
            " (stampede db backup and restore bring your tables along)"
        )

    async def open_and_close() -> None:
        store = await Store.open(settings.database_url)
        await store.close()

    asyncio.run(open_and_close())


def run_workers(settings: ServerSettings, listener: socket.socket, *, verbose: bool) -> None:
    """Runs several processes behind one socket until it is told to stop."""
    logging.config.dictConfig(log_config(settings.log_format, verbose=verbose))
    Supervisor(partial(_work, settings, listener, verbose), settings.workers).run()


def _work(settings: ServerSettings, listener: socket.socket, verbose: bool) -> None:  # noqa: FBT001 - an argument of a process
    """A worker: the whole life of a process."""
    stop_with_parent()
    with suppress(KeyboardInterrupt):
        make_server(settings, verbose=verbose).run(sockets=[listener])


def make_config(
    settings: ServerSettings, app: Callable[..., FastAPI] | FastAPI, log: dict[str, Any] | None
) -> uvicorn.Config:
    """How uvicorn serves.

    Args:
        settings: The server's.
        app: What it serves.
        log: The configuration of Python's logging; None leaves it as it is.
    """
    return uvicorn.Config(
        app,
        ws=DirectWebSocketProtocol,
        ws_per_message_deflate=False,  # updates are short; a compressor a socket is not
        ws_max_size=settings.max_frame,
        ws_ping_interval=None,  # we have signs of life of our own, which scripts can see
        http=make_http_protocol(settings.request_timeout),
        limit_concurrency=settings.max_sockets + SPARE_CONNECTIONS,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        access_log=False,  # ours tells routes, uvicorn's would tell addresses with ids
        log_config=log,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
