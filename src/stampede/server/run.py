"""Runs the server: uvicorn with our protocol classes, as one process or as several."""

from __future__ import annotations

import asyncio
import logging.config
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from stampede.core.errors import InputError
from stampede.core.processes import stop_with_parent
from stampede.server.app import create_app
from stampede.server.cluster.supervisor import Supervisor
from stampede.server.http.timeouts import make_protocols
from stampede.server.ops.gc_policy import CHECK_SECONDS, GarbageCollectionPolicy
from stampede.server.ops.logs import log_config
from stampede.server.runtime import Runtime
from stampede.server.settings import ServerSettings
from stampede.server.tables.editions import Editions
from stampede.store import Store
from stampede.store.engine import database_url, sqlite_path

__all__ = ["bind_socket", "make_config", "make_server", "prepare", "run_workers"]


SPARE_CONNECTIONS = 1000
"""Connections beside the WebSockets; uvicorn answers 503 to more."""
PRIVATE_UMASK = 0o077
"""What the server writes is for its own user only: it holds every secret of the tables."""
SWITCH_SECONDS = 0.0005
"""Python's thread switch interval. The log's thread releases the GIL a dozen times a group while all commands wait for
it; by default it would wait up to five milliseconds each time to get it back."""


def bind_socket(settings: ServerSettings, *, or_any: bool = False) -> socket.socket:
    """Binds the port, so that its number is known before the server starts.

    Args:
        settings: Where to listen.
        or_any: Whether to take a free port if this one is taken.

    Raises:
        InputError: The port is taken.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        if or_any:
            return bind_socket(settings.model_copy(update={"port": 0}))
        raise InputError(
            f"expected a free port, but {settings.host}:{settings.port}: {error.strerror};"
            " --port 0 takes a free one"
        ) from error
    return listener


def make_server(settings: ServerSettings, *, verbose: bool = False) -> uvicorn.Server:
    """Makes a uvicorn server for this process; run it with the bound socket."""
    log = log_config(settings.log_format, verbose=verbose)
    logging.config.dictConfig(log)  # uvicorn does so later, but making the app may log already
    config = make_config(settings, create_app(settings, Runtime(interprets=True)), log)
    server = uvicorn.Server(config)
    policy = GarbageCollectionPolicy()
    config.callback_notify, config.timeout_notify = policy.collect_if_idle, CHECK_SECONDS
    policy.install()
    sys.setswitchinterval(SWITCH_SECONDS)
    return server


def prepare(settings: ServerSettings) -> None:
    """Checks that the server can start, and migrates the database's schema.

    Raises:
        InputError: Several processes can't serve this database, another server does, or an edition file is wrong.
        StoreUnavailable: It can't be opened.
    """
    os.umask(PRIVATE_UMASK)
    if settings.workers > 1 and sqlite_path(database_url(settings.database_url)) is not None:
        raise InputError(
            f"workers: expected 1 with SQLite, which one process writes to, got {settings.workers};"
            " for more give --database postgresql://…"
            " (stampede db backup and restore bring your tables along)"
        )

    Editions.load(settings)

    async def open_and_close() -> None:
        store = await Store.open(settings.database_url, exclusive=True)
        await store.close()

    asyncio.run(open_and_close())


def run_workers(settings: ServerSettings, listener: socket.socket, *, verbose: bool) -> None:
    """Runs several processes behind one socket until SIGTERM or SIGINT."""
    logging.config.dictConfig(log_config(settings.log_format, verbose=verbose))
    Supervisor(partial(_run_worker, settings, listener, verbose), settings.workers).run()


def _run_worker(settings: ServerSettings, listener: socket.socket, verbose: bool) -> None:  # noqa: FBT001 - an argument of a process
    """The main function of a worker process."""
    stop_with_parent()
    with suppress(KeyboardInterrupt):
        make_server(settings, verbose=verbose).run(sockets=[listener])


def make_config(
    settings: ServerSettings, app: Callable[..., FastAPI] | FastAPI, log: dict[str, Any] | None
) -> uvicorn.Config:
    """Makes uvicorn's configuration.

    Args:
        settings: The server's settings.
        app: The application.
        log: The configuration of Python's logging; None leaves it unchanged.
    """
    protocols = make_protocols(settings)
    return uvicorn.Config(
        app,
        ws=protocols.websocket,
        ws_per_message_deflate=False,  # updates are short, and a compressor for each socket needs memory
        ws_max_size=settings.max_frame,
        ws_ping_interval=None,  # the table protocol has heartbeats that scripts can see
        http=protocols.http,
        limit_concurrency=settings.max_sockets + SPARE_CONNECTIONS,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        access_log=False,  # ours logs routes; uvicorn's would log paths, which hold ids
        log_config=log,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
