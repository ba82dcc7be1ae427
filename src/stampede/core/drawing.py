"""A game's picture without words: what cards and documents are put together from."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Drawing"]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn position. It holds no text in any language, so that every reader gets the same one.

    Attributes:
        body: The elements of an SVG document, without its root.
        width: The width of the area that they cover, from 0.
        height: Its height.
        badges: By seat, elements of about 24 units around the origin that tell whose pieces are whose.
    """

    body: str
    width: float
    height: float
    badges: tuple[str, ...]

    def svg(self, size: int) -> str:
        """The drawing as a document of its own, so many pixels wide."""
        height = round(size * self.height / self.width)
        box = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{size}" height="{height}"'
        root = f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" font-family="sans-serif">'
        return f"{root}\n{self.body}\n</svg>"
