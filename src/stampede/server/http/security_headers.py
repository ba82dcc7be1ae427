"""Security headers: a content security policy, no framing but of embedded replays, no caching of private responses."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["POLICY", "SecurityHeaders"]

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "media-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Scripts and styles come from our own files only, so markup in a player's name does nothing."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
EMBED: Final = "/embed/"
"""Where the pages are that other sites may frame: replays of what everyone may see, without a cookie."""
EMBEDDED: Final = {
    **{name: value for name, value in HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
}
HSTS: Final = "max-age=31536000"


class SecurityHeaders:
    """Adds the headers to every response. There are no CORS headers, so other sites can't read responses."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        private = scope["path"].startswith("/api/")
        embedded = scope["path"].startswith(EMBED)
        secure = self._secure or scope.get("scheme") == "https"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS if not embedded else EMBEDDED)
                headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
                if private:
                    headers.setdefault("Cache-Control", "no-store")
                if "set-cookie" in headers:
                    _keep_private(headers)
                if secure:
                    headers["Strict-Transport-Security"] = HSTS
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _keep_private(headers: MutableHeaders) -> None:
    """Keeps a response that sets a cookie out of shared caches, which would give one person's cookie to others."""
    given = headers.get("Cache-Control", "")
    names = {item.strip().partition("=")[0].lower() for item in given.split(",")}
    if names.isdisjoint({"private", "no-store"}):
        kept = [
            item.strip() for item in given.split(",") if item.strip().lower() not in ("", "public")
        ]
        headers["Cache-Control"] = ", ".join(["private", *kept])
