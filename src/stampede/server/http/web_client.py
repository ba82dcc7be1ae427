"""Serves the built browser client, or a 503 page that says how to build it.

`make web` builds the client into ``server/web``, in a checkout as in a wheel. One document serves every page's
address and routes on the client; scripts and styles carry their content hash in their names.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from starlette.datastructures import Headers
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from stampede.server.http.cached_body import CachedBody
from stampede.server.http.security_headers import EMBED
from stampede.server.services import Services
from stampede.server.sharing.previews import with_preview

__all__ = ["BUILT", "add_pages", "missing_page"]

log = logging.getLogger("stampede.server")

BUILT: Final = Path(__file__).parents[1] / "web"
"""Where `make web` puts the client."""
ADDRESSES: Final = (
    "/",
    "/play/{game}",
    "/new",
    "/watch",
    "/about",
    "/privacy",
    "/api",
    "/t/{table}",
    "/replay",
    "/replay/{rest:path}",
    "/review",
    "/review/{rest:path}",
    "/analysis",
    "/embed/{rest:path}",
    "/rules/{rest:path}",
    "/leaders",
    "/games",
    "/u/{name}",
    "/statistics",
    "/account",
    "/box",
    "/learn",
    "/learn/{rest:path}",
    "/puzzle",
    "/puzzle/{date}",
    "/puzzles",
    "/puzzles/daily",
    "/puzzles/daily/{date}",
    "/puzzles/{number:int}",
    "/puzzles/zoff",
    "/puzzles/zoff/daily",
    "/puzzles/zoff/daily/{date}",
    "/puzzles/zoff/{number:int}",
    "/solved",
    "/solved/{start}",
)
"""The addresses of the client's pages (web/src/lib/router.svelte.ts)."""
NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Stampede</title>
<h1>The browser client isn't built</h1>
<p>Run <code>make web</code>, then start the server again. The API is served under <code>/api</code>.</p>
</html>
"""
FOREVER: Final = "public, max-age=31536000, immutable"
FRESH: Final = "no-cache"
READING: Final = ["GET", "HEAD"]


class HashedFiles(StaticFiles):
    """Static files with a content hash in their names, so browsers may cache them for good.

    Each is compressed once: doing it for every request would let one address keep a core busy.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self._bodies: dict[str, CachedBody] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Returns a file, or the 404 of one that doesn't exist."""
        response = await super().get_response(path, scope)
        if response.status_code >= 400:
            return response
        headers = Headers(scope=scope)
        if isinstance(response, FileResponse) and "gzip" in headers.get("accept-encoding", ""):
            body = await self._find_body(str(response.path), response.media_type)
            if body.packed is not None:
                return body.respond(headers, FOREVER)
        response.headers["Cache-Control"] = FOREVER
        response.headers["Vary"] = "Accept-Encoding"
        return response

    async def _find_body(self, path: str, media_type: str | None) -> CachedBody:
        body = self._bodies.get(path)
        if body is None:
            plain = await asyncio.to_thread(Path(path).read_bytes)
            kind = media_type or "application/octet-stream"
            body = self._bodies[path] = await asyncio.to_thread(CachedBody.make, plain, kind)
        return body


def add_pages(app: FastAPI, built: Path = BUILT) -> None:
    """Adds the client's pages to an app.

    Args:
        app: The app.
        built: The folder of the built client. Without an ``index.html`` in it, every page answers 503.
    """
    if (built / "index.html").is_file():
        _add_client(app, built)
    else:
        log.warning("the browser client isn't built: run `make web`")
        _add_not_built(app)


def _add_not_built(app: FastAPI) -> None:
    async def page() -> Response:
        return HTMLResponse(NOT_BUILT, 503, headers={"Cache-Control": FRESH})

    for address in ADDRESSES:
        app.add_api_route(address, page, methods=READING, include_in_schema=False)


def _add_client(app: FastAPI, built: Path) -> None:
    document = built / "index.html"
    app.state.document = document
    _add_document(app, document)
    for path in sorted(built.rglob("*")):
        name = path.relative_to(built)
        if path.is_file() and path != document and name.parts[0] != "assets":
            _add_file(app, path, name.as_posix())
    app.mount("/assets", HashedFiles(built / "assets"), name="assets")


def _add_document(app: FastAPI, document: Path) -> None:
    async def page(request: Request) -> Response:
        return await _serve_page(request, document)

    for address in ADDRESSES:
        app.add_api_route(address, page, methods=READING, include_in_schema=False)


def _add_file(app: FastAPI, path: Path, name: str) -> None:
    """Adds a file beside the document, such as an icon or a sound. Its name has no hash, so browsers revalidate it."""

    async def file() -> Response:
        return FileResponse(path, headers={"Cache-Control": FRESH})

    app.add_api_route(f"/{name}", file, methods=READING, include_in_schema=False)


def missing_page(request: Request) -> Response | None:
    """Returns the client's page for an unknown address; None for programs, which get a JSON error."""
    document: Path | None = getattr(request.app.state, "document", None)
    wanted = request.method in READING and "text/html" in request.headers.get("accept", "")
    if document is None or not wanted or request.url.path.startswith("/api/"):
        return None
    return _serve_document(request, document, 404)


async def _serve_page(request: Request, document: Path) -> Response:
    """Returns the document of a page with its link preview; sets a new guest's cookie, but not in a frame."""
    text = await with_preview(request, await asyncio.to_thread(document.read_text, "utf-8"))
    headers = {"Cache-Control": FRESH, "Vary": "Accept-Language"}
    response = HTMLResponse(text, 200, headers)
    if not request.url.path.startswith(EMBED):
        services: Services = request.app.state.services
        services.identities.welcome(request, response)
    return response


def _serve_document(request: Request, document: Path, status: int) -> Response:
    """Returns the document and sets a new guest's cookie, which every command needs."""
    services: Services = request.app.state.services
    response = FileResponse(document, status, headers={"Cache-Control": FRESH})
    services.identities.welcome(request, response)
    return response
