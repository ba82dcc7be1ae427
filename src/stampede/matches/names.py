"""Names that guests get when they bring none: friendly, neutral, and the same in every language.

A guest has the same name at every table, unless another player there has it already.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from itertools import count
from typing import Final

__all__ = ["MOST_TRIES", "is_guest_name", "is_placeholder", "name_guest"]

WORDS: Final = (
    *("Agave", "Aloe", "Anemone", "Aster", "Bison", "Bronco", "Cactus", "Canyon"),
    *("Condor", "Coyote", "Dusty", "Gecko", "Geyser", "Juniper", "Lasso", "Lupine"),
    *("Mesa", "Mimosa", "Mustang", "Nopal", "Opuntia", "Pampa", "Pinto", "Prairie"),
    *("Puma", "Rodeo", "Saguaro", "Sequoia", "Tornado", "Verbena", "Yucca", "Zinnia"),
)
"""Plants, animals and landscapes of the prairie."""
LEAST_NUMBER: Final = 2
NUMBERS: Final = 98
MOST_TRIES: Final = 100
"""After so many names that are taken, one is used twice: a table has six chairs, so this never happens."""
PLACEHOLDERS: Final = frozenset({"you", "du", "tu", "toi", "vous", "jij"})
"""What clients in five languages call their own user. To others it is no name."""


def name_guest(entropy: str, taken: Collection[str] = ()) -> str:
    """Returns a guest's name, such as ``Yucca 27``.

    Args:
        entropy: What tells the guest from others; the same text gives the same name.
        taken: Names that other players at the table have.
    """
    for number in count():
        name = _draw_name(entropy, number)
        if name not in taken or number == MOST_TRIES:
            return name
    raise AssertionError("a count never ends")


def is_placeholder(name: str) -> bool:
    """Whether a text stands for "you" in one of the client's languages, or is empty."""
    return not name.strip() or name.strip().casefold() in PLACEHOLDERS


def is_guest_name(name: str) -> bool:
    """Whether a guest could get this name, whatever its case."""
    word, _, number = name.strip().rpartition(" ")
    return word.title() in WORDS and number.isdecimal()


def _draw_name(entropy: str, number: int) -> str:
    text = f"stampede-name/1\0{number}\0{entropy}"
    drawn = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
    rest, word = divmod(drawn, len(WORDS))
    return f"{WORDS[word]} {LEAST_NUMBER + rest % NUMBERS}"
