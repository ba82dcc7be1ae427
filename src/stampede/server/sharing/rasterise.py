"""SVG to PNG: ``python -m stampede.server.sharing.rasterise WIDTH < picture.svg > picture.png``.

The server runs it as a process of its own, as rasterising holds Python's global lock for up to a third of a second:
in the server's process every table would wait. The fonts are ours, so a picture is the same on every machine; only
names in scripts that they lack are set in the machine's.
"""

from __future__ import annotations

import sys
from importlib import resources
from typing import Final

import resvg_py

__all__ = ["to_png"]

FONTS: Final = ("bitter-700.ttf", "atkinson-400.ttf", "atkinson-700.ttf")
LAST_LATIN: Final = 0x2FF
PUNCTUATION: Final = range(0x2000, 0x2070)


def to_png(svg: str, width: int | None = None) -> bytes:
    """Draws an SVG document as a PNG, so many pixels wide; by default as wide as it says."""
    folder = resources.files("stampede.server.sharing") / "fonts"
    needs_more = any(ord(sign) > LAST_LATIN and ord(sign) not in PUNCTUATION for sign in svg)
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=not needs_more,
        font_files=[str(folder / name) for name in FONTS],
        font_family="Atkinson Hyperlegible",
        sans_serif_family="Atkinson Hyperlegible",
        serif_family="Bitter",
    )


if __name__ == "__main__":
    given = int(sys.argv[1]) if len(sys.argv) > 1 else None
    sys.stdout.buffer.write(to_png(sys.stdin.buffer.read().decode(), given))
