"""Finds the name that a player means by a row number, initials, or the beginning of a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stampede.core.errors import ParseError

__all__ = ["initials", "one_of"]

FEW = 6
"""Up to this many names are listed when none matches."""


def initials(name: str) -> str:
    """Returns the first letters of a name's words: ``ll`` of Lucky-Lake."""
    return "".join(word[0] for word in _words(name))


def one_of(text: str, names: Sequence[str], what: str, *, rows: bool = True) -> str:
    """Returns the one name that a text means: by row, initials, or the beginning of the name or of one of its words.

    Raises:
        ParseError: No name matches, or several do.
    """
    if rows and text.isdecimal() and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    wanted = _plain(text)
    if not wanted:
        raise ParseError(f"expected {what}, got {text!r}")
    exact = [name for name in names if wanted in (_plain(name), initials(name))]
    begun = [name for name in names if _plain(name).startswith(wanted)]
    inside = [name for name in names if any(word.startswith(wanted) for word in _words(name))]
    for found in (exact, begun, inside):
        if len(found) == 1:
            return found[0]
        if found:
            raise ParseError(f"{text!r} can mean {' or '.join(found)}; type more of it")
    known = ", ".join(names) if len(names) <= FEW else "by row, initials or name"
    raise ParseError(f"expected {what} ({known}), got {text!r}")


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _words(name: str) -> list[str]:
    return [word for part in re.split(r"[-\s]+", name) if (word := _plain(part))]
