"""How the server runs: uvicorn with the WebSocket implementation that is fastest here, and quiet logs."""

from __future__ import annotations

import socket

import uvicorn

from stampede.core.errors import InputError
from stampede.server.app import create_app
from stampede.server.settings import ServerSettings

__all__ = ["bound_socket", "make_server"]


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
    """A uvicorn server; run it with the socket that was bound."""
    config = uvicorn.Config(
        create_app(settings),
        ws="websockets-sansio",
        ws_max_size=settings.max_frame,
        ws_ping_interval=None,  # we have signs of life of our own, which scripts can see
        access_log=verbose,
        log_level="info" if verbose else "warning",
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    return uvicorn.Server(config)
