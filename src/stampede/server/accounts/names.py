"""Names that can be kept: what they may look like, and when two are the same to a reader.

Names are compared folded: in Unicode's compatibility form (NFKC), without case, with single spaces. Letters of scripts
that look alike can't be mixed, so that nobody becomes another by a Cyrillic *а*.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from stampede.core.errors import InputError

__all__ = ["DELETED", "LONGEST_NAME", "SHORTEST_NAME", "checked_name", "folded"]

DELETED: Final = "deleted player"
"""Who has deleted himself is called so in old games."""
SHORTEST_NAME: Final = 2
LONGEST_NAME: Final = 24
MARKS: Final = " -_.'"
"""What a name may hold beside letters, digits and their accents."""
MOST_ACCENTS: Final = 2
ALIKE: Final = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
RESERVED: Final = frozenset(
    {DELETED, "admin", "administrator", "bot", "guest", "host", "moderator", "operator", "player"}
    | {"root", "server", "stampede", "support", "system", "you"}
)


def folded(name: str) -> str:
    """The name as names are compared."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())


def checked_name(name: str, taken: Iterable[str] = ()) -> str:
    """A name that can be kept, in its usual form; InputError says what is wrong with it.

    Args:
        name: What was asked for.
        taken: Names that nobody may have: the bots'.
    """
    usual = unicodedata.normalize("NFKC", name).strip(" ")
    if not SHORTEST_NAME <= len(usual) <= LONGEST_NAME:
        raise InputError(
            f"name: expected {SHORTEST_NAME} to {LONGEST_NAME} characters, got {len(usual)}"
        )
    _check_characters(usual)
    scripts = {_script(letter) for letter in usual} & set(ALIKE)
    if len(scripts) > 1:
        raise InputError(
            f"name: expected letters of one script, got {' and '.join(sorted(scripts))}"
        )
    if folded(usual) in RESERVED | {folded(other) for other in taken}:
        raise InputError("name: expected another one, this is reserved")
    return usual


def _check_characters(name: str) -> None:
    accents = 0
    for letter in name:
        kind = unicodedata.category(letter)
        accents = accents + 1 if kind[0] == "M" else 0
        if letter not in MARKS and kind[0] not in "LM" and kind != "Nd":
            told = unicodedata.name(letter, "a control character")
            raise InputError(f"name: expected letters, digits and {MARKS!r}, got {told}")
        if accents > MOST_ACCENTS:
            raise InputError(f"name: expected at most {MOST_ACCENTS} accents on a letter")
    if not any(unicodedata.category(letter)[0] in "LN" for letter in name) or "  " in name:
        raise InputError("name: expected a letter or a digit, and single spaces")
    if unicodedata.category(name[0])[0] == "M":
        raise InputError("name: expected a letter before an accent")


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0] if letter.isalpha() else ""
