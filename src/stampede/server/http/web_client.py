"""The pages: the browser client where it is built, else a plain page that needs no building.

`make web` builds the client into ``web`` beside this file, in a checkout as in a wheel. It is one document for every
page's address, which reads the address itself; its scripts and styles carry their content's hash in their names.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from stampede.server.services import Services

__all__ = ["BUILT", "add_pages", "missing_page"]

log = logging.getLogger("stampede.server")

BUILT: Final = Path(__file__).parents[1] / "web"
"""Where the client is built."""
PLAIN: Final = Path(__file__).parents[1] / "page"
ADDRESSES: Final = (
    "/",
    "/new",
    "/t/{table}",
    "/replay",
    "/replay/{rest:path}",
    "/rules/{rest:path}",
    "/leaders",
    "/account",
    "/puzzle",
    "/puzzle/{date}",
)
"""The pages of the client (web/src/lib/router.svelte.ts); the plain page knows the start page and tables only."""
PLAIN_ADDRESSES: Final = ("/", "/t/{table}")
FOREVER: Final = "public, max-age=31536000, immutable"
FRESH: Final = "no-cache"
SMALLEST_PACKED: Final = 1024


class HashedFiles(StaticFiles):
    """Files whose names change with their content: kept for good by whoever has them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """One file, or the refusal that there is none."""
        response = await super().get_response(path, scope)
        if response.status_code < 400:
            response.headers["Cache-Control"] = FOREVER
        return response


def add_pages(app: FastAPI, built: Path = BUILT) -> None:
    """Adds the pages to a server.

    Args:
        app: The server.
        built: The folder of the built client; without an ``index.html`` there, the plain page is shown.
    """
    app.mount("/page", StaticFiles(directory=PLAIN), name="page")
    if (built / "index.html").is_file():
        _add_client(app, built)
    else:
        log.warning("no browser client is built (`make web` builds it): showing the plain page")
        _add_document(app, PLAIN / "index.html", PLAIN_ADDRESSES)


def _add_client(app: FastAPI, built: Path) -> None:
    document = built / "index.html"
    app.state.document = document
    _add_document(app, document, ADDRESSES)
    for path in sorted(built.iterdir()):
        if path.is_file() and path != document:
            _add_file(app, path)
    files = HashedFiles(directory=built / "assets")
    app.mount("/assets", GZipMiddleware(files, minimum_size=SMALLEST_PACKED), name="assets")


def _add_document(app: FastAPI, document: Path, addresses: tuple[str, ...]) -> None:
    async def page(request: Request) -> Response:
        return _welcome(request, document, 200)

    for address in addresses:
        app.add_api_route(address, page, include_in_schema=False)


def _add_file(app: FastAPI, path: Path) -> None:
    """A file beside the document, such as the icon: its name stays, so it is asked for again."""

    async def file() -> Response:
        return FileResponse(path, headers={"Cache-Control": FRESH})

    app.add_api_route(f"/{path.name}", file, include_in_schema=False)


def missing_page(request: Request) -> Response | None:
    """The client's friendly page for a mistyped address; None for programs, which get an error that they can read."""
    document: Path | None = getattr(request.app.state, "document", None)
    wanted = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if document is None or not wanted or request.url.path.startswith("/api/"):
        return None
    return _welcome(request, document, 404)


def _welcome(request: Request, document: Path, status: int) -> Response:
    """The document, and a cookie for a new guest: every command needs one."""
    services: Services = request.app.state.services
    response = FileResponse(document, status, headers={"Cache-Control": FRESH})
    services.identities.welcome(request, response)
    return response
