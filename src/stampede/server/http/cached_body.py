"""Responses whose bytes are the same for everyone: made and compressed once, sent piece by piece."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

__all__ = ["CachedBody"]

PIECE: Final = 64 * 1024
SMALLEST_COMPRESSED: Final = 1024


class PiecewiseResponse(Response):
    """A response that is written as fast as the client reads: one who doesn't costs a piece, not the whole body."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the response."""
        del scope, receive
        body = bytes(self.body)
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        for begin in range(0, max(1, len(body)), PIECE):
            end = begin + PIECE
            more = end < len(body)
            await send({"type": "http.response.body", "body": body[begin:end], "more_body": more})


@dataclass(frozen=True, slots=True)
class CachedBody:
    """A body, its compressed form, and its validator.

    Attributes:
        plain: The body.
        packed: The body compressed by gzip; None if that doesn't help.
        media_type: What it is.
        etag: Changes with the body.
    """

    plain: bytes
    packed: bytes | None
    media_type: str
    etag: str

    @classmethod
    def make(cls, plain: bytes, media_type: str) -> CachedBody:
        """Compresses a body."""
        packed = gzip.compress(plain, mtime=0) if len(plain) >= SMALLEST_COMPRESSED else plain
        etag = f'W/"{hashlib.sha256(plain).hexdigest()[:32]}"'
        return cls(plain, packed if len(packed) < len(plain) else None, media_type, etag)

    def respond(self, asked: Headers, cache_control: str) -> Response:
        """Returns the response to a request with these headers."""
        headers = {"Cache-Control": cache_control, "ETag": self.etag, "Vary": "Accept-Encoding"}
        if self.etag in asked.get("if-none-match", ""):
            return Response(None, 304, headers)
        body = self.plain
        if self.packed is not None and "gzip" in asked.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            body = self.packed
        return PiecewiseResponse(body, 200, headers, self.media_type)
