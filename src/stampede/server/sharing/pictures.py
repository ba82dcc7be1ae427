"""Makes pictures: one at a time, in a process of its own, and keeps the latest in a bounded cache."""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from stampede.server.http.problems import Problem

__all__ = ["Pictures", "run_rasteriser"]

MAX_BYTES: Final = 16 * 1024 * 1024
"""Bytes of PNGs that are kept."""
MAX_WAITING: Final = 20
"""Pictures that may wait to be made."""
SECONDS: Final = 20.0
"""The time limit of one picture, for slow machines."""


def run_rasteriser(svg: str) -> bytes:
    """Draws an SVG document as a PNG in another process; raises OSError or SubprocessError if that fails."""
    command = [sys.executable, "-m", "stampede.server.sharing.rasterise"]
    done = subprocess.run(  # noqa: S603 - our own module; the document is its input, not a part of the command
        command, input=svg.encode(), capture_output=True, timeout=SECONDS, check=True
    )
    return done.stdout


class Pictures:
    """PNGs of SVG documents. The same document is drawn once while it is in the cache."""

    def __init__(self, rasterise: Callable[[str], bytes] = run_rasteriser) -> None:
        self._rasterise = rasterise
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._size = 0
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def png(self, svg: str) -> bytes:
        """Returns the PNG; raises a Problem when too many wait, or when it can't be made."""
        key = hashlib.sha256(svg.encode()).digest()
        if (found := self._find(key)) is not None:
            return found
        if self._waiting >= MAX_WAITING:
            raise Problem(503, "busy", "too many pictures are being made; try again", None, 5)
        self._waiting += 1
        try:
            async with self._turn:
                if (found := self._find(key)) is None:  # the one before may have been the same
                    found = await self._make(svg)
                    self._keep(key, found)
            return found
        finally:
            self._waiting -= 1

    async def _make(self, svg: str) -> bytes:
        try:
            return await asyncio.to_thread(self._rasterise, svg)
        except (OSError, subprocess.SubprocessError) as error:
            raise Problem(503, "busy", "the picture can't be made now; try again") from error

    def _find(self, key: bytes) -> bytes | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def _keep(self, key: bytes, png: bytes) -> None:
        self._kept[key] = png
        self._size += len(png)
        while self._size > MAX_BYTES:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped)
