"""Colours for people: a letter for each, so that nobody needs to tell the colours apart, and shades for pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["OTHER_SHADE", "SHADES", "letters_of"]

SHADES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "orange": "#e8862a",
        "pink": "#ee8fb4",
        "green": "#4d9a4f",
        "blue": "#4f8fd6",
        "purple": "#9a6cc7",
        "yellow": "#e8cf3f",
    }
)
"""The shades of the shipped edition's colours, all light enough for a dark letter."""
OTHER_SHADE: Final = "#c3bfb6"
"""The shade of a colour that only another edition has."""


def letters_of(colours: Iterable[str]) -> dict[str, str]:
    """Gives each colour a letter: its first one that no earlier colour has.

    >>> letters_of(["pink", "purple"])
    {'pink': 'P', 'purple': 'U'}
    """
    letters: dict[str, str] = {}
    for colour in colours:
        taken = set(letters.values())
        own = (letter for letter in colour.upper() if letter.isalpha())
        letters[colour] = next((c for c in own if c not in taken), colour[:1].upper())
    return letters
