"""`stampede serve`: runs the table server, for this machine or for the network."""

from __future__ import annotations

import os
import threading
import time
import webbrowser
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stampede.cli.common.compile import warming
from stampede.core.errors import InputError
from stampede.core.extras import require

if TYPE_CHECKING:
    from stampede.server.settings import ServerSettings

__all__ = ["app", "need_server", "read_settings"]

app = typer.Typer()

CLOSED = "Closed. Games go on when it opens again."


def need_server() -> None:
    """Checks that the server's packages, an extra, are installed; MissingExtra says how to get them."""
    require("fastapi", "sqlalchemy")


Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="sqlite:///PATH or postgresql://…; default: STAMPEDE_DATABASE_URL, else your own file.",
    ),
]


@app.command("serve")
def serve(  # noqa: PLR0913, PLR0917 - one argument an option
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 for the network."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=65535, help="The port; 0 for any free one."),
    ] = None,
    database: Database = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=256,
            help="The number of processes; more than one needs PostgreSQL.",
        ),
    ] = None,
    edition: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="An edition of Zoff that tables can choose; repeat it for more."
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Open a browser, if there is one.")
    ] = False,
    warmup: Annotated[
        bool,
        typer.Option(
            help="Compile the bots and build small tablebases for them in the background."
        ),
    ] = True,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every request.")] = False,
    log_format: Annotated[
        str | None, typer.Option("--log", metavar="text|json", help="The format of the log.")
    ] = None,
) -> None:
    """Runs the table server until Ctrl-C. Games continue where they were when it starts again.

    The environment can set everything, too: STAMPEDE_HOST, STAMPEDE_PORT … (docs/server.md).

    Examples:
    stampede serve --host 0.0.0.0 --port 8080
    stampede serve --workers 4 --database postgresql://stampede@localhost/stampede
    """
    need_server()
    given = {
        "host": host,
        "port": port,
        "database_url": database,
        "workers": workers,
        "log_format": log_format,
        "edition_files": tuple(edition) if edition else None,
    }
    settings = read_settings({name: value for name, value in given.items() if value is not None})
    asked = port is not None or "STAMPEDE_PORT" in os.environ
    with warming() if warmup else nullcontext():
        _run(settings, any_port=not asked, browser=browser, verbose=verbose)


def read_settings(given: dict[str, object]) -> ServerSettings:
    """Returns the settings of the environment, overridden by the given ones; InputError if one is wrong."""
    from pydantic import ValidationError  # noqa: PLC0415 - an extra

    from stampede.server.settings import ServerSettings  # noqa: PLC0415 - an extra

    try:
        return ServerSettings(**given)  # type: ignore[arg-type] # checked when it is made
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise InputError(f"STAMPEDE_{name}: {first['msg']}") from error


def _run(settings: ServerSettings, *, any_port: bool, browser: bool, verbose: bool) -> None:
    from stampede.server.run import (  # noqa: PLC0415 - an extra
        bind_socket,
        make_server,
        prepare,
        run_workers,
    )

    prepare(settings)
    listener = bind_socket(settings, or_any=any_port)
    shown = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::") else settings.host  # noqa: S104
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    print(f"Stampede is open at {address} (Ctrl-C closes it)", flush=True)
    if settings.workers > 1:
        run_workers(settings, listener, verbose=verbose)
        print(CLOSED)
        return
    server = make_server(settings, verbose=verbose)
    if browser and _has_browser():
        threading.Thread(target=_open_browser, args=(server, address), daemon=True).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        print(CLOSED)


def _has_browser() -> bool:
    """Returns whether there is a display; a text browser in this terminal would be in the way."""
    if os.name == "posix" and os.uname().sysname != "Darwin":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def _open_browser(server: object, address: str) -> None:
    for _ in range(100):
        if getattr(server, "started", False):
            webbrowser.open(address)
            return
        time.sleep(0.1)
