"""Names of accounts: which are allowed, and when two names count as the same.

Names are compared folded: in Unicode's compatibility form (NFKC), case-folded, with single spaces. A name can't mix
scripts whose letters look alike, so that a Cyrillic *а* can't imitate another player's name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from stampede.core.errors import InputError
from stampede.matches.names import is_guest_name, is_placeholder

__all__ = ["DELETED", "MAX_NAME", "MIN_NAME", "check_name", "fold_name"]

DELETED: Final = "deleted player"
"""The name of deleted accounts in old games."""
MIN_NAME: Final = 2
MAX_NAME: Final = 24
MARKS: Final = " -_.'"
"""What a name may contain beside letters, digits and combining marks."""
MAX_ACCENTS: Final = 2
SIMILAR_SCRIPTS: Final = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
RESERVED: Final = frozenset(
    {DELETED, "admin", "administrator", "bot", "guest", "host", "moderator", "operator", "player"}
    | {"root", "server", "stampede", "support", "system", "you"}
)


def fold_name(name: str) -> str:
    """Returns the name in the form in which names are compared."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())


def check_name(name: str, taken: Iterable[str] = ()) -> str:
    """Returns the name in its normal form; raises InputError if an account can't have it.

    Args:
        name: The name.
        taken: Further reserved names: the bots'.
    """
    normal = unicodedata.normalize("NFKC", name).strip(" ")
    if not MIN_NAME <= len(normal) <= MAX_NAME:
        raise InputError(f"name: expected {MIN_NAME} to {MAX_NAME} characters, got {len(normal)}")
    _check_characters(normal)
    scripts = {_script(letter) for letter in normal} & set(SIMILAR_SCRIPTS)
    if len(scripts) > 1:
        raise InputError(
            f"name: expected letters of one script, got {' and '.join(sorted(scripts))}"
        )
    folded = fold_name(normal)
    taken_names = RESERVED | {fold_name(other) for other in taken}
    if folded in taken_names or is_placeholder(folded) or is_guest_name(folded):
        raise InputError("name: expected another one, this is reserved")
    return normal


def _check_characters(name: str) -> None:
    accents = 0
    for letter in name:
        kind = unicodedata.category(letter)
        accents = accents + 1 if kind[0] == "M" else 0
        if letter not in MARKS and kind[0] not in "LM" and kind != "Nd":
            found = unicodedata.name(letter, "a control character")
            raise InputError(f"name: expected letters, digits and {MARKS!r}, got {found}")
        if accents > MAX_ACCENTS:
            raise InputError(f"name: expected at most {MAX_ACCENTS} accents on a letter")
    if not any(unicodedata.category(letter)[0] in "LN" for letter in name) or "  " in name:
        raise InputError("name: expected a letter or a digit, and single spaces")
    if unicodedata.category(name[0])[0] == "M":
        raise InputError("name: expected a letter before an accent")


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0] if letter.isalpha() else ""
